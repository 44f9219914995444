//go:build !((linux || windows) && (amd64 || arm64))

package cuda

import (
	"fmt"
	"runtime"
)

func list() ([]Info, error) { return nil, errNone() }

func openMachine(int) (machine, error) { return nil, errNone() }

// errNone says that there is no driver for this system.
func errNone() error {
	return fmt.Errorf("%w: there is none for %s on %s", ErrNoDriver, runtime.GOOS, runtime.GOARCH)
}
