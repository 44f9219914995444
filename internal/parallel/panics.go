package parallel

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

// panics brings one of several threads to the one that waits for them. Otherwise it would
// end the program, whoever is ready to recover.
type panics struct {
	faults bool // is what memory that is not there leads to
	first  atomic.Pointer[any]
}

// inherit learns from the caller, on whose goroutine it is called, what a fault leads to.
func (p *panics) inherit() {
	p.faults = debug.SetPanicOnFault(true)
	debug.SetPanicOnFault(p.faults)
}

// keep keeps what was recovered on a thread, and says whether that was something. What is no
// fault is a mistake, and says where it was made.
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

// raise goes on with a panic that was kept.
func (p *panics) raise() {
	if first := p.first.Load(); first != nil {
		panic(*first)
	}
}
