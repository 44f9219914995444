package open

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"

	"fsa/data"
	"fsa/internal/format/npy"
)

// Labels that have a file of their own know the table that they were written with, by a
// checksum of its first bytes: of its shape and its first rows. A program that was
// killed between the two names, or a copy of one file alone, could otherwise leave a
// table with the labels of another, from which one would learn without a word.

// first keeps the first bytes that are written to w.
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

// checkPair refuses labels in a file beside a table if they were written with another
// one. Those that do not say so, or lie beside a table of another format, are believed.
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
			"these labels were not written with %s: one of the two files was replaced without the other; make both again, or name the labels with --target if they belong to it", path)}
	}
	return nil
}
