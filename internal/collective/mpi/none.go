//go:build !(linux && (amd64 || arm64)) || static

package mpi

import (
	"fmt"
	"os"
	"runtime"

	"fsa/internal/collective"
)

// Open joins the job in which this process was started.
func Open(func(rank int)) (collective.Comm, error) {
	if launcher() == nil {
		return nil, fmt.Errorf("%w: start the program with mpirun", ErrNone)
	}
	return nil, fmt.Errorf("%w: this build, for %s on %s, cannot load its library", ErrNone, runtime.GOOS, runtime.GOARCH)
}

// Exit ends the program, like [os.Exit].
func Exit(code int) { os.Exit(code) }
