package cuda

import (
	"fmt"
	"io/fs"

	"github.com/klauspost/compress/zstd"
)

// kernels holds the compiled kernels; tests may replace it by another folder.
var kernels fs.FS = compiled

// codeFor returns the code of a module for a device: that for its architecture, or the newest PTX
// that its driver supports and compiles.
func codeFor(module string, i *Info) ([]byte, error) {
	target := "sm_80.ptx"
	switch {
	case i.Major == 9:
		target = "sm_90.cubin"
	case i.Major > 9:
		target = "sm_90.ptx"
	}
	file, err := fs.ReadFile(kernels, fmt.Sprintf("kernels/%s.%s.zst", module, target))
	if err != nil {
		return nil, err
	}
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	code, err := r.DecodeAll(file, nil)
	return append(code, 0), err
}
