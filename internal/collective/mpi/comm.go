//go:build linux && (amd64 || arm64) && !static

package mpi

import (
	"fmt"
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"fsa/internal/collective"
)

// mostAtOnce is the largest count of a call, which has 32 bits.
const mostAtOnce = 1 << 30

// thread is the thread that makes all calls of the library.
type thread struct {
	work  chan func()
	pulse *pulse // nil before it exists, and in a process that is alone
}

func newThread() *thread {
	t := &thread{work: make(chan func())}
	go func() {
		runtime.LockOSThread()
		for tick := time.NewTicker(beatEvery); ; {
			select {
			case f := <-t.work:
				f()
			case now := <-tick.C:
				_ = t.pulse.look(now) // the next call fails, too, with the reason
			}
		}
	}()
	return t
}

// do calls f on that thread and waits for it.
func (t *thread) do(f func() error) error {
	done := make(chan error)
	t.work <- func() { done <- f() }
	return <-done
}

// comm is a group of processes.
type comm struct {
	*library
	*thread
	handle     uintptr
	rank, size int
	world      bool
}

var _ collective.Comm = (*comm)(nil)

// Open joins the job in which this process was started. It may be called once. Lost is called if
// another process does not answer any more, and then the job ends.
func Open(lost func(rank int)) (collective.Comm, error) {
	f := launcher()
	if f == nil {
		return nil, fmt.Errorf("%w: start the program with mpirun or srun", ErrNone)
	}
	l, err := load(f)
	if err != nil {
		return nil, err
	}
	c := &comm{library: l, thread: newThread(), handle: l.world, world: true}
	err = c.do(func() error {
		var given int32
		if err := l.call("MPI_Init_thread", 0, 0, uintptr(l.funneled), uintptr(unsafe.Pointer(&given))); err != nil {
			return err
		}
		if given < l.funneled {
			return fmt.Errorf("%w: the library of %s cannot be called by a program with threads", ErrNone, f.name)
		}
		if err := c.look(); err != nil || c.size == 1 {
			return err
		}
		own, err := c.split(0)
		if err != nil {
			return err
		}
		c.pulse, err = newPulse(own, lost)
		return err
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// look finds the rank of this process, and makes errors return.
func (c *comm) look() error {
	if err := c.call("MPI_Comm_set_errhandler", c.handle, c.errorsReturn); err != nil {
		return err
	}
	var rank, size int32
	if err := c.call("MPI_Comm_rank", c.handle, uintptr(unsafe.Pointer(&rank))); err != nil {
		return err
	}
	if err := c.call("MPI_Comm_size", c.handle, uintptr(unsafe.Pointer(&size))); err != nil {
		return err
	}
	c.rank, c.size = int(rank), int(size)
	return nil
}

// Size implements [collective.Comm].
func (c *comm) Size() int { return c.size }

// Rank implements [collective.Comm].
func (c *comm) Rank() int { return c.rank }

// address returns the address of the first element, or of something else if there is none. The
// vector must be kept alive until the address was used.
func address[T any](v []T) uintptr {
	if len(v) == 0 {
		return uintptr(unsafe.Pointer(&nothing))
	}
	return uintptr(unsafe.Pointer(&v[0]))
}

var nothing [8]byte

// A process that waits polls at full speed for so long, as libraries do forever, and then sleeps
// between polls: there may be more processes than cores.
const (
	awake = 200 * time.Microsecond
	nap   = 50 * time.Microsecond
)

// doze sleeps for a nap. The sleep of package time would take at least a millisecond if the program
// is idle.
func doze() {
	pause := syscall.NsecToTimespec(nap.Nanoseconds())
	_ = syscall.Nanosleep(&pause, nil) // a signal may end it
}

// wait starts a collective operation and returns when it is done.
func (c *comm) wait(name string, args ...uintptr) error {
	request := new([8]byte) // a handle of 4 or 8 bytes
	if err := c.call(name, append(args, uintptr(unsafe.Pointer(request)))...); err != nil {
		return err
	}
	done, start := new(int32), time.Now()
	for {
		if err := c.call("MPI_Test", uintptr(unsafe.Pointer(request)), uintptr(unsafe.Pointer(done)), c.noStatus); err != nil || *done != 0 {
			return err
		}
		if now := time.Now(); now.Sub(start) > awake {
			if err := c.pulse.look(now); err != nil {
				return err
			}
			doze()
		}
	}
}

// Sum implements [collective.Comm].
func (c *comm) Sum(v []int64) error {
	return c.do(func() error {
		for len(v) > 0 {
			n := min(len(v), mostAtOnce/8)
			err := c.wait("MPI_Iallreduce", c.inPlace, address(v), uintptr(n), c.int64Type, c.sum, c.handle)
			runtime.KeepAlive(v)
			if err != nil {
				return err
			}
			v = v[n:]
		}
		return nil
	})
}

// Gather implements [collective.Comm]. Data that are too long for one call are sent process by
// process.
func (c *comm) Gather(dst []byte, counts []int, src []byte) error {
	if len(dst) > mostAtOnce {
		for p, n := range counts {
			if p == c.rank {
				copy(dst[:n], src)
			}
			if err := c.Broadcast(p, dst[:n]); err != nil {
				return err
			}
			dst = dst[n:]
		}
		return nil
	}
	count, first := make([]int32, c.size), make([]int32, c.size)
	at := 0
	for p, n := range counts {
		count[p], first[p] = int32(n), int32(at)
		at += n
	}
	return c.do(func() error {
		err := c.wait("MPI_Iallgatherv", address(src), uintptr(len(src)), c.byteType, address(dst), address(count), address(first), c.byteType, c.handle)
		runtime.KeepAlive([][]byte{src, dst})
		runtime.KeepAlive([][]int32{count, first})
		return err
	})
}

// Broadcast implements [collective.Comm].
func (c *comm) Broadcast(root int, v []byte) error {
	return c.do(func() error {
		for len(v) > 0 {
			n := min(len(v), mostAtOnce)
			err := c.wait("MPI_Ibcast", address(v), uintptr(n), c.byteType, uintptr(root), c.handle)
			runtime.KeepAlive(v)
			if err != nil {
				return err
			}
			v = v[n:]
		}
		return nil
	})
}

// Barrier implements [collective.Comm].
func (c *comm) Barrier() error {
	return c.do(func() error { return c.wait("MPI_Ibarrier", c.handle) })
}

// Split implements [collective.Comm].
func (c *comm) Split(color int) (collective.Comm, error) {
	var part *comm
	if err := c.do(func() (err error) {
		part, err = c.split(color)
		return err
	}); err != nil {
		return nil, err
	}
	return part, nil
}

// split is Split on the thread of the library.
func (c *comm) split(color int) (*comm, error) {
	part := &comm{library: c.library, thread: c.thread}
	handle := new([8]byte)
	if err := c.call("MPI_Comm_split", c.handle, uintptr(color), uintptr(c.rank), uintptr(unsafe.Pointer(handle))); err != nil {
		return nil, err
	}
	if part.handle = *(*uintptr)(unsafe.Pointer(handle)); c.abi.handle == 4 {
		part.handle = uintptr(*(*uint32)(unsafe.Pointer(handle)))
	}
	return part, part.look()
}

// relayTime is the time that launchers get to pass on the last message of a process: some drop it
// when the job is aborted.
const relayTime = 200 * time.Millisecond

// Abort implements [collective.Comm]. The library ends this process, too. A call that waits for
// others occupies the thread, so this one is made beside it.
func (c *comm) Abort(code int, _ string) {
	time.Sleep(relayTime)
	_ = c.call("MPI_Abort", c.library.world, uintptr(code))
}

// Close implements [collective.Comm].
func (c *comm) Close() error {
	if c.world {
		if err := c.Barrier(); err != nil {
			return err
		}
		return c.do(func() error {
			if err := c.pulse.end(); err != nil {
				return err
			}
			err := c.call("MPI_Finalize")
			finalized.Store(err == nil)
			return err
		})
	}
	return c.do(func() error { return c.call("MPI_Comm_free", uintptr(unsafe.Pointer(&c.handle))) })
}
