// Package fault is where a test makes a call of the operating system fail. Code
// that opens, reads or writes files asks [Check] before each call; without a test
// that costs one look at a pointer. So every error path of a command can be walked,
// one call after the other, with the program that users run.
package fault

import "sync/atomic"

// Op is a kind of call.
type Op string

// The calls that can fail.
const (
	Open   Op = "open"
	Read   Op = "read"
	Write  Op = "write"
	Sync   Op = "sync"
	Link   Op = "link" // a nameless file gets a name
	Rename Op = "rename"
	Close  Op = "close"
	Map    Op = "mmap"
	Mkdir  Op = "mkdir"
)

var hook atomic.Pointer[func(op Op, path string) error]

// Check returns the error that a call is to fail with, nil where it may go ahead.
func Check(op Op, path string) error {
	if f := hook.Load(); f != nil {
		return (*f)(op, path)
	}
	return nil
}

// Install lets f decide about all calls until remove is called. It may be called from
// several goroutines at once.
func Install(f func(op Op, path string) error) (remove func()) {
	hook.Store(&f)
	return func() { hook.Store(nil) }
}
