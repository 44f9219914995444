//go:build linux && (amd64 || arm64) && !static

package mpi

import (
	"os"
	"sync/atomic"

	"github.com/ebitengine/purego"
)

// finalized says that this process has left its job properly.
var finalized atomic.Bool

// Exit ends the program, like [os.Exit]. After a job it calls exit of the C library, which runs the
// functions registered with atexit: since version 5, MPICH tells its launcher there that a process
// is done, and the launcher kills all others if one ends without that.
func Exit(code int) {
	if finalized.Load() {
		if exit := symbol(purego.RTLD_DEFAULT, "exit"); exit != 0 {
			_, _, _ = purego.SyscallN(exit, uintptr(code))
		}
	}
	os.Exit(code)
}
