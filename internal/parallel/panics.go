package parallel

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

// panics brings a panic of one of several threads to the one that waits for them. Otherwise it
// would end the program, whoever is ready to recover.
type panics struct {
	faults bool // what an access to missing memory leads to
	first  atomic.Pointer[any]
}

// inherit takes over from the caller, on whose goroutine it is called, what a fault leads to.
func (p *panics) inherit() {
	p.faults = debug.SetPanicOnFault(true)
	debug.SetPanicOnFault(p.faults)
}

// keep stores what was recovered on a thread, and reports whether there was something. A panic
// other than a fault is a bug, and gets a stack trace.
func (p *panics) keep(recovered any) bool {
	if recovered == nil {
		return false
	}
	if _, fault := recovered.(interface{ Addr() uintptr }); !fault {
		recovered = fmt.Sprintf("%v, on a thread that was here:\n%s", recovered, debug.Stack())
	}
	p.first.CompareAndSwap(nil, &recovered)
	return true
}

// raise continues a stored panic.
func (p *panics) raise() {
	if first := p.first.Load(); first != nil {
		panic(*first)
	}
}
