package cuda

import "unsafe"

// pointer is an address on a device.
type pointer uint64

// shape is the shape of a launch.
type shape struct {
	grid    [3]int // blocks
	block   int    // threads per block
	cluster int    // blocks that exchange data; 0 for none
	shared  int    // bytes of shared memory that each block requests at run time
}

// machine is a device as this package needs it: memory, and kernels that run one after another.
// Calls do not wait for kernels unless their comment says so. A fake machine in the tests has the
// same kernels in Go.
type machine interface {
	info() Info
	// free returns the number of bytes that are free.
	free() (int64, error)
	alloc(bytes int64) (pointer, error)
	release(pointer)
	// upload waits until src may be changed, download until dst is filled.
	upload(dst pointer, src []byte) error
	download(dst []byte, src pointer) error
	// pin returns memory of the host that the device can read while the processor works.
	pin(bytes int64) ([]byte, error)
	unpin([]byte)
	// send starts to upload src in parallel with the kernels, once the kernels started before
	// spent(slot) no longer need dst; there are two slots. Later kernels wait for it. Src must not
	// be changed before sent returns.
	send(slot int, dst pointer, src []byte) error
	sent(slot int) error
	spent(slot int) error
	// fetch starts to download src to pinned memory. dst is filled when sent returns.
	fetch(slot int, dst []byte, src pointer) error
	// borrow opens memory that another process has allocated, until giveBack.
	borrow(handle *[64]byte) (pointer, error)
	giveBack(pointer)
	zero(dst pointer, bytes int64) error
	move(dst, src pointer, bytes int64) error
	// moveRows copies rows. Those that are longer keep the bytes behind the others.
	moveRows(dst pointer, dstStride int64, src pointer, srcStride, rows int64) error
	// launch starts a kernel of a module. Args is a struct of arguments.go.
	launch(module, kernel string, s shape, args any) error
	// clusters returns how many clusters of a shape can run at the same time.
	clusters(module, kernel string, s shape) (int, error)
	// elapsed returns the milliseconds that the work started by f takes on the device.
	elapsed(f func() error) (float64, error)
	wait() error
	// together calls f. Within f, calls of the other methods are cheaper.
	together(f func() error) error
	close()
}

// Info describes a device.
type Info struct {
	Number          int    `json:"number"` // counted from 0
	Name            string `json:"name"`   // such as "NVIDIA H200"
	Major           int    `json:"major"`  // compute capability, before the point
	Minor           int    `json:"minor"`  // compute capability, after the point
	Memory          int64  `json:"memory"` // bytes
	Multiprocessors int    `json:"multiprocessors"`
	Cache           int64  `json:"cache"`  // bytes of the L2 cache
	Driver          int    `json:"driver"` // newest version of CUDA that the driver supports, such as 12040
	uuid            [16]byte
}

// bytesOf returns the memory of a slice.
func bytesOf[T any](v []T) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(v[0])))
}
