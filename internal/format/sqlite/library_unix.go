//go:build (linux || darwin) && (amd64 || arm64) && !static

package sqlite

import (
	"runtime"

	"github.com/ebitengine/purego"
)

func openLibrary() (uintptr, error) {
	name := "libsqlite3.so.0"
	if runtime.GOOS == "darwin" {
		name = "/usr/lib/libsqlite3.dylib"
	}
	return purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func findSymbol(handle uintptr, name string) (uintptr, error) { return purego.Dlsym(handle, name) }
