package cuda

import (
	"errors"
	"fmt"
)

// What may be missing.
var (
	ErrNoDriver    = errors.New("cuda: the driver of a CUDA device is not installed")
	ErrOldDriver   = errors.New("cuda: the driver is too old")
	ErrNoDevice    = errors.New("cuda: no device was found")
	ErrOldDevice   = errors.New("cuda: the device is too old")
	ErrUnsupported = errors.New("cuda: this cannot be computed on a device")
	ErrMemory      = errors.New("cuda: the memory of the device is too small")
	ErrForeign     = errors.New("cuda: the memory of another process cannot be opened")
	ErrLost        = errors.New("cuda: the device failed")
)

// driverError is an error code of the driver.
type driverError struct {
	function string
	code     int
	name     string
}

func (e *driverError) Error() string {
	return fmt.Sprintf("%s: error %d, %s", e.function, e.code, e.name)
}

// Unwrap returns the kind of the error, for callers that act on it.
func (e *driverError) Unwrap() error {
	const outOfMemory, noDevice = 2, 100
	switch e.code {
	case outOfMemory:
		return ErrMemory
	case noDevice:
		return ErrNoDevice
	}
	return ErrLost
}
