package open

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"

	"fsa/data"
	"fsa/internal/format/npy"
)

// Labels in a separate file identify the table that they were written with, by a checksum of its
// shape and its first rows. Otherwise, if a program is killed between the two renames, or one of
// the files is copied alone, a table could silently be used with the labels of another.

// first stores the first bytes that are written to w.
type first struct {
	w    io.Writer
	head []byte
}

func (f *first) Write(p []byte) (int, error) {
	f.head = append(f.head, p[:min(len(p), headBytes-len(f.head))]...)
	return f.w.Write(p)
}

// seal returns the checksum.
func (f *first) seal() npy.Seal { return sha256.Sum256(f.head) }

// checkPair returns an error if the labels in a file beside a table were written with another
// table. Labels without a checksum, or beside a table of another format, are accepted.
func checkPair(ctx context.Context, path, labels string, of *npy.Seal) error {
	if of == nil || ending(path) != ".npy" {
		return nil
	}
	in, err := open(ctx, path)
	if err != nil {
		return err
	}
	defer in.closer()
	head, err := in.head()
	if err != nil {
		return err
	}
	if sha256.Sum256(head) != *of {
		return &data.Error{File: labels, Msg: fmt.Sprintf(
			"these labels were not written with %s: one of the two files was replaced without the other; generate both again, or name the labels with --target if they belong to it", path)}
	}
	return nil
}
