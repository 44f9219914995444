package runs

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"os"

	"fsa/internal/manifest"
)

// hashedBytes is the largest size of a file for which a checksum is computed.
const hashedBytes = 1 << 30

// Checksum returns the size of a file and, unless it is very large, its checksum.
func Checksum(ctx context.Context, path string) (int64, string) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0, ""
	}
	if info.Size() > hashedBytes {
		return info.Size(), ""
	}
	f, err := os.Open(path)
	if err != nil {
		return info.Size(), ""
	}
	defer f.Close()
	sum := sha256.New()
	for piece := int64(1 << 24); ctx.Err() == nil; {
		if _, err := io.CopyN(sum, f, piece); errors.Is(err, io.EOF) {
			return info.Size(), manifest.Sum(sum)
		} else if err != nil {
			break
		}
	}
	return info.Size(), ""
}
