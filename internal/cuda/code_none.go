//go:build !((linux || windows) && (amd64 || arm64)) || static

package cuda

import "embed"

// compiled is empty: without a driver, nothing can be run.
var compiled embed.FS
