//go:build !((linux || windows) && (amd64 || arm64)) || static

package cuda

import (
	"fmt"
	"runtime"
)

func list() ([]Info, error) { return nil, errNone() }

func openMachine(int) (machine, error) { return nil, errNone() }

// errNone is the error of a build that cannot load a driver: there is none for its system, or the
// program is linked statically.
func errNone() error {
	return fmt.Errorf("%w: this build, for %s on %s, cannot load one", ErrNoDriver, runtime.GOOS, runtime.GOARCH)
}
