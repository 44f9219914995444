package cuda

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"io/fs"
)

// compiled holds what kernels/build.py makes of the kernels.
//
//go:embed kernels/*.gz
var compiled embed.FS

// kernels is where code is found; tests may look elsewhere.
var kernels fs.FS = compiled

// codeFor returns the code of a module for a device: that of its kind, or the newest PTX
// that it knows, which its driver compiles.
func codeFor(module string, i *Info) ([]byte, error) {
	target := "sm_80.ptx"
	switch {
	case i.Major == 9:
		target = "sm_90.cubin"
	case i.Major > 9:
		target = "sm_90.ptx"
	}
	file, err := fs.ReadFile(kernels, fmt.Sprintf("kernels/%s.%s.gz", module, target))
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	code, err := io.ReadAll(r)
	return append(code, 0), err
}
