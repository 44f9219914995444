//go:build (amd64 || arm64) && !static

package cuda

import "syscall"

func openLibrary() (uintptr, error) {
	h, err := syscall.LoadLibrary("nvcuda.dll")
	return uintptr(h), err
}

func findSymbol(handle uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(handle), name)
}
