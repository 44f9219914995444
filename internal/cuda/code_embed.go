//go:build (linux || windows) && (amd64 || arm64) && !static

package cuda

import "embed"

// compiled holds the kernels as compiled by kernels/build.py.
//
//go:embed kernels/*.zst
var compiled embed.FS
