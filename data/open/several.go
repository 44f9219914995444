package open

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fsa/data"
	"fsa/data/kind"
	"fsa/internal/format/s3"
)

// Expand returns the files that a name with wildcards matches, in the order of their names. A
// name without wildcards, or that of an existing file, is returned unchanged.
func Expand(ctx context.Context, path string) ([]string, error) {
	if !strings.ContainsAny(path, "*?[") {
		return []string{path}, nil
	}
	if s3.Is(path) {
		return s3.Expand(ctx, path)
	}
	if _, err := os.Stat(path); err == nil {
		return []string{path}, nil
	}
	found, err := filepath.Glob(path)
	if err != nil {
		return nil, usageError(fmt.Sprintf("%s: this is not a valid pattern: %v", path, err))
	}
	if len(found) == 0 {
		return nil, &data.Error{File: path, Msg: "no file matches"}
	}
	return found, nil
}

// Files sets the options to read the files that the arguments name as one table, and returns the first one. An argument
// is a file, a pattern with wildcards, or a folder. The columns that the names of folders give, as in year=2024/month=5,
// are added to the table.
func (o *Options) Files(ctx context.Context, args []string) (string, error) {
	var all []string
	for _, a := range args {
		found, err := inside(ctx, a)
		if found == nil && err == nil {
			found, err = Expand(ctx, a)
		} else if err == nil {
			err = o.addFolder(a, found)
		}
		if err != nil {
			return "", err
		}
		all = append(all, found...)
	}
	if o.folder != nil && len(args) > 1 {
		return "", usageError(fmt.Sprintf("%s: a folder with columns in its names, such as %s, must be the only table: leave the others out", o.folder.root, o.folder.names[0]))
	}
	o.More = all[1:]
	return all[0], nil
}

// several reads files one after the other as one table. The first file determines the kinds of the
// columns; the others must have the same.
type several struct {
	data.Reader // reader of the current file
	schema      *data.Schema
	rest        []string
	o           Options
	closer      func() error // closes the current file, unless it is the first
	codes       map[int][]float64
	places      map[int]map[string]int
	at          int64 // rows of the current file that were read or skipped
}

func newSeveral(first *reader, rest []string, o *Options) *several {
	s := &several{Reader: first.Reader, schema: first.Schema(), rest: rest, o: *o, closer: func() error { return nil }}
	s.o.More, s.o.Reading = nil, nil
	return s
}

// Schema implements [data.Reader].
func (s *several) Schema() *data.Schema { return s.schema }

// Next implements [data.Reader].
func (s *several) Next(ctx context.Context) (*data.Block, error) {
	for {
		b, err := s.Reader.Next(ctx)
		if err != io.EOF {
			if err == nil {
				s.at += int64(b.Rows)
			}
			if err == nil && s.codes != nil {
				err = s.recode(b)
			}
			return b, err
		}
		if len(s.rest) == 0 {
			return nil, io.EOF
		}
		if err := s.open(ctx, s.rest[0]); err != nil {
			return nil, err
		}
		s.rest = s.rest[1:]
	}
}

// open opens the next file.
func (s *several) open(ctx context.Context, path string) error {
	if err := errors.Join(s.Reader.Close(), s.closer()); err != nil {
		return err
	}
	o := s.o
	o.Header = "no"
	o.Kinds = map[string]kind.Column{}
	if s.schema.Names != nil {
		o.Header, o.columns = "yes", s.schema.Names
	}
	for j := range s.schema.Width {
		o.Kinds[s.schema.Name(j)] = s.schema.KindOf(j)
	}
	r, err := openReader(ctx, path, &o)
	if err != nil {
		return err
	}
	s.Reader, s.closer, s.at = r.Reader, r.in.closer, 0
	other := r.Schema()
	same := other.Sparse == s.schema.Sparse && slices.Equal(other.Names, s.schema.Names) && (other.Width == s.schema.Width || other.Open)
	for j := range s.schema.Width {
		_, text := s.schema.Categories[j]
		if _, is := other.Categories[j]; is != text {
			same = false
		}
	}
	if !same {
		return &data.Error{File: path, Msg: "its columns differ from those of the first file: all files of a table must have the same columns, in the same order"}
	}
	if s.places == nil {
		s.places = map[int]map[string]int{}
		for j, texts := range s.schema.Categories {
			s.places[j] = make(map[string]int, len(texts))
			for at, text := range texts {
				s.places[j][text] = at
			}
		}
	}
	s.codes = map[int][]float64{}
	return nil
}

// recode converts text indices to those of the whole table.
func (s *several) recode(b *data.Block) error {
	other := s.Reader.Schema()
	s.schema.Width = max(s.schema.Width, other.Width)
	for j, texts := range other.Categories {
		for _, text := range texts[len(s.codes[j]):] {
			at, known := s.places[j][text]
			if !known {
				at = len(s.schema.Categories[j])
				s.schema.Categories[j] = append(s.schema.Categories[j], text)
				s.places[j][text] = at
			}
			s.codes[j] = append(s.codes[j], float64(at))
		}
		for i := j; i < len(b.Dense); i += s.schema.Width {
			if v := b.Dense[i]; v == v {
				b.Dense[i] = s.codes[j][int(v)]
			}
		}
	}
	return nil
}

// HasLabels reports whether the files have labels.
func (s *several) HasLabels() bool {
	l, ok := s.Reader.(labeller)
	return ok && l.HasLabels()
}

// Close implements [data.Reader].
func (s *several) Close() error { return errors.Join(s.Reader.Close(), s.closer()) }
