package part

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"math"
	"os"
	"path/filepath"

	"fsa/data"
)

// Fact is something that distinguishes a table from others.
type Fact struct{ Name, Value string }

// Identity describes the table that was surveyed, beginning with what a person understands: it has
// to be the same in all processes. The files may be on disks of different machines, under the same
// names.
func (t *Table) Identity(ctx context.Context) ([]Fact, error) {
	kinds := newDigest()
	for v := range t.Columns {
		kinds.text(fmt.Sprint(t.kindOf(v)))
	}
	response := newDigest()
	response.target(t.target)
	facts := []Fact{
		{"the number of rows", fmt.Sprint(t.Rows)},
		{"the number of columns", fmt.Sprint(t.Width())},
		{"the names of the columns", t.header().String()},
		{"the kinds of the columns", kinds.String()},
		{"the target, the weights or the folds", response.String()},
	}
	for _, path := range append([]string{t.path}, t.options.More...) {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue // an object of a store, which is the same for all
		}
		sum, err := contents(ctx, path, info.Size())
		if err != nil {
			return nil, err
		}
		name := filepath.Base(path)
		facts = append(facts, Fact{"the size of " + name, fmt.Sprint(info.Size())}, Fact{"the contents of " + name, sum})
	}
	return facts, nil
}

// header returns a checksum of the names of the columns.
func (t *Table) header() digest {
	d := newDigest()
	for _, name := range t.Columns {
		d.text(name)
	}
	return d
}

// For a file larger than wholeBytes, only this many pieces are compared, from its beginning to its
// end: they distinguish files that were written separately, without reading a large one once more.
const (
	wholeBytes = 1 << 30
	pieces     = 1024
	pieceBytes = 64 << 10
)

// contents returns a checksum of a file.
func contents(ctx context.Context, path string, size int64) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	d := newDigest()
	count, length := int64(pieces), int64(pieceBytes)
	if size <= wholeBytes {
		count, length = size/pieceBytes+1, pieceBytes
	}
	for i := range count {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		at := i * length
		if size > wholeBytes {
			at = int64(float64(size-length) * float64(i) / float64(count-1))
		}
		if _, err := io.Copy(d, io.NewSectionReader(f, at, length)); err != nil {
			return "", err
		}
	}
	return d.String(), nil
}

// digest is a checksum of texts and numbers.
type digest struct{ hash.Hash }

func newDigest() digest { return digest{sha256.New()} }

func (d digest) String() string { return hex.EncodeToString(d.Sum(nil))[:16] }

func (d digest) text(s string) {
	d.number(float64(len(s)))
	io.WriteString(d, s)
}

func (d digest) number(x float64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], math.Float64bits(x))
	d.Write(b[:])
}

func (d digest) target(t *data.Target) {
	for _, list := range [][]float64{t.Y, t.Weight, t.Group} {
		d.number(float64(len(list)))
		for _, x := range list {
			d.number(x)
		}
	}
	for _, text := range t.Categories {
		d.text(text)
	}
}
