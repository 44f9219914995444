//go:build linux && (amd64 || arm64) && !static

package mpi

import (
	"os"
	"sync/atomic"

	"github.com/ebitengine/purego"
)

// finalized says that this process has left its job in good order.
var finalized atomic.Bool

// Exit ends the program, as [os.Exit] does. After a job it goes through exit of the C library, which calls what others have
// left there with atexit: MPICH tells its launcher there, since version 5, that a process is done, and the launcher kills all others if
// one goes without a word.
func Exit(code int) {
	if finalized.Load() {
		if exit := symbol(purego.RTLD_DEFAULT, "exit"); exit != 0 {
			_, _, _ = purego.SyscallN(exit, uintptr(code))
		}
	}
	os.Exit(code)
}
