package open

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"fsa/data"
)

// findBeside returns the target in the file of a table or in a file beside it, or nil if there is
// none.
func (f *format) findBeside(ctx context.Context, path string) (*data.Vector, error) {
	file, _ := splitArray(path)
	if f.target != nil && slices.Contains(f.ext, ending(file)) {
		if v, err := f.inside(ctx, path); v != nil || err != nil {
			return v, err
		}
	}
	for _, end := range f.beside[ending(file)] {
		v, of, err := sealedVector(ctx, Stem(file)+end)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = checkPair(ctx, path, Stem(file)+end, of)
		}
		return v, err
	}
	return nil, nil
}

// inside returns the target in the file of a table.
func (f *format) inside(ctx context.Context, path string) (*data.Vector, error) {
	in, err := open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer in.closer()
	return f.target(in)
}
