package cuda

import "unsafe"

// pointer is an address on a device.
type pointer uint64

// shape is that of a launch.
type shape struct {
	grid    [3]int // blocks
	block   int    // threads of each
	cluster int    // blocks that talk to each other; 0 for none
	shared  int    // bytes of shared memory that each asks for at run time
}

// machine is a device as far as this package needs one: memory, and kernels that are
// done one after another. Only the methods that say so wait for them. A fake one in the
// tests has the same kernels in Go.
type machine interface {
	info() Info
	// free returns how many bytes can still be had.
	free() (int64, error)
	alloc(bytes int64) (pointer, error)
	release(pointer)
	// upload waits until src may be changed, download until dst is filled.
	upload(dst pointer, src []byte) error
	download(dst []byte, src pointer) error
	// pin returns memory of this machine that the device can read while the processor works.
	pin(bytes int64) ([]byte, error)
	unpin([]byte)
	// send starts to upload src beside the kernels, once those before spent of the same slot, of
	// two, are through with dst. Later kernels wait for it. Src must not be changed before sent.
	send(slot int, dst pointer, src []byte) error
	sent(slot int) error
	spent(slot int) error
	zero(dst pointer, bytes int64) error
	move(dst, src pointer, bytes int64) error
	// launch starts a kernel of a module. Args is a struct of arguments.go.
	launch(module, kernel string, s shape, args any) error
	// clusters returns how many clusters of a shape can work side by side.
	clusters(module, kernel string, s shape) (int, error)
	// elapsed returns the milliseconds that what f starts takes on the device.
	elapsed(f func() error) (float64, error)
	wait() error
	// together calls f. Calls that f makes are cheaper than others.
	together(f func() error) error
	close()
}

// Info is what is known of a device.
type Info struct {
	Number          int    `json:"number"` // from 0
	Name            string `json:"name"`   // such as "NVIDIA H200"
	Major           int    `json:"major"`  // compute capability
	Minor           int    `json:"minor"`  // compute capability, behind the point
	Memory          int64  `json:"memory"` // bytes
	Multiprocessors int    `json:"multiprocessors"`
	Cache           int64  `json:"cache"`  // bytes of the L2 cache
	Driver          int    `json:"driver"` // version of CUDA that the driver knows, such as 12040
}

// bytesOf returns the memory of a slice.
func bytesOf[T any](v []T) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(v[0])))
}
