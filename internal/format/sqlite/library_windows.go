//go:build (amd64 || arm64) && !static

package sqlite

import "syscall"

// openLibrary loads the SQLite that is part of Windows.
func openLibrary() (uintptr, error) {
	h, err := syscall.LoadLibrary("winsqlite3.dll")
	return uintptr(h), err
}

func findSymbol(handle uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(handle), name)
}
