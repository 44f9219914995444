//go:build (linux || windows) && (amd64 || arm64) && !static

package cuda

import "embed"

// compiled holds what kernels/build.py makes of the kernels.
//
//go:embed kernels/*.zst
var compiled embed.FS
