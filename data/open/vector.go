package open

import (
	"context"

	"fsa/data"
	"fsa/internal/format/npy"
)

// Vector reads a file with one value per row of a table: a NumPy vector, an array of an .npz
// archive (FILE.npz:ARRAY), or a text file with one value per line.
//
// The lines of a text file are all numbers or all texts. If only the first line is not a number, it
// is a heading. Among texts, a number must be in quotation marks, and so must a text with a comma,
// semicolon, tab or bar, because a line that differs from the others is probably a mistake.
func Vector(ctx context.Context, path string) (*data.Vector, error) {
	v, _, err := sealedVector(ctx, path)
	return v, err
}

// sealedVector reads a vector and the checksum of its table, or nil if it has none.
func sealedVector(ctx context.Context, path string) (*data.Vector, *npy.Seal, error) {
	in, err := open(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	defer in.closer()
	v, of, err := in.vector(path)
	if err == nil {
		err = in.unchanged()
	}
	return v, of, err
}

func (in *input) vector(path string) (*data.Vector, *npy.Seal, error) {
	head, err := in.head()
	if err != nil {
		return nil, nil, err
	}
	for i := range formats {
		f := &formats[i]
		if f.vector != nil && (in.array != "" && f.archive || in.array == "" && (f.sniff(head) || f.guess != nil && f.guess(head))) {
			v, err := f.vector(in)
			return v, in.of, err
		}
	}
	return nil, nil, &data.Error{File: path, Msg: "this is not a list of values: a text with one value per line, or a NumPy vector, is expected"}
}
