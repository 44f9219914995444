package open

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"fsa/data"
	"fsa/data/kind"
)

// readNames reads a file with one column name per line, such as the vocabulary of a sparse table.
func readNames(ctx context.Context, path string) ([]string, error) {
	f, err := Small(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var names []string
	line := bufio.NewScanner(f)
	line.Buffer(nil, 1<<20)
	for line.Scan() {
		name := strings.TrimSpace(strings.TrimPrefix(line.Text(), "\ufeff"))
		if name == "" {
			return nil, &data.Error{File: path, Line: len(names) + 1, Msg: "the name is missing: each line must have the name of a column"}
		}
		names = append(names, name)
	}
	if errors.Is(line.Err(), bufio.ErrTooLong) {
		return nil, &data.Error{File: path, Line: len(names) + 1, Msg: "the line is too long for a name: each line must have the name of a column"}
	}
	return names, line.Err()
}

// named is a reader whose column names come from another file.
type named struct {
	data.Reader
	schema *data.Schema
	file   string
}

// nameColumns sets the names of the columns of a table.
func (r *reader) nameColumns(ctx context.Context, path, file string) error {
	names, err := readNames(ctx, file)
	if err != nil {
		return err
	}
	s := r.Schema()
	switch {
	case s.Names != nil:
		return &data.Error{File: path, Msg: "its columns already have names: --names is for tables without names"}
	case !s.Open && s.Width != len(names):
		return &data.Error{File: file, Msg: fmt.Sprintf("it has %d names, but %s has %d columns", len(names), path, s.Width)}
	}
	r.names = names
	if !s.Open && s == r.Schema() { // the reader may still use the schema that it returned
		s.Names = names
		return nil
	}
	own := *s
	own.Names = names
	r.Reader = &named{r.Reader, &own, file}
	return nil
}

// addTexts makes texts of the columns of a table of numbers whose texts are given, and gives its other columns their
// kinds.
func (r *reader) addTexts(o *Options) {
	s := r.Schema()
	s.Categories, s.Kinds = map[int][]string{}, map[int]kind.Column{}
	for j := range s.Width {
		name := s.Name(j)
		if texts, ok := o.Texts[name]; ok {
			s.Categories[j] = texts
		}
		if k, ok := o.Kinds[name]; ok && k.Kind != kind.Number {
			s.Kinds[j] = k
		}
	}
}

// Schema implements [data.Reader].
func (n *named) Schema() *data.Schema { return n.schema }

// Next implements [data.Reader].
func (n *named) Next(ctx context.Context) (*data.Block, error) {
	b, err := n.Reader.Next(ctx)
	s := n.Reader.Schema()
	if s.Width > len(n.schema.Names) {
		return nil, &data.Error{File: n.file, Msg: fmt.Sprintf("it has %d names, but the table has at least %d columns", len(n.schema.Names), s.Width)}
	}
	n.schema.Width, n.schema.Categories = s.Width, s.Categories
	return b, err
}

// HasLabels reports whether the table has labels.
func (n *named) HasLabels() bool {
	l, ok := n.Reader.(labeller)
	return ok && l.HasLabels()
}
