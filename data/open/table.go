package open

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"
	"strings"

	"fsa/data"
	"fsa/data/npy"
)

// Roles say which part of a table is not a variable. Target, Weights and Query
// each name a column, give its number counted from 0, or name a file with one
// value a row.
type Roles struct {
	Target, Weights, Query string
	Drop                   []string
}

// Table reads a whole table. Without a target it looks for one: what the
// format says itself, a file beside it, a column called y, target or label.
func Table(ctx context.Context, path string, o Options, roles Roles) (*data.Dataset, error) {
	r, err := Reader(path, o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	resolved, err := roles.Resolve(path, r.Schema())
	if err != nil {
		return nil, err
	}
	if o.Memory > 0 {
		if m, err := larger(path, r, o.Memory); m != nil || err != nil {
			if err != nil {
				return nil, err
			}
			return data.FromFile(ctx, path, m, resolved)
		}
	}
	if resolved.Target == "" && resolved.TargetVector == nil && !r.Schema().Sparse {
		for _, name := range []string{"y", "target", "label"} {
			if r.Schema().Names != nil && r.Schema().FindColumn(name) >= 0 {
				resolved.Target = name
				break
			}
		}
	}
	return data.Load(ctx, r, path, resolved)
}

// Resolve finds out which roles are columns of a table and reads those that
// are files. A target that is not named may lie beside the table: x.y.npy for
// x.npy, x.labels for x.data.
func (roles Roles) Resolve(path string, s *data.Schema) (data.Roles, error) {
	out := data.Roles{Drop: roles.Drop}
	var err [3]error
	out.Target, out.TargetVector, err[0] = resolve(roles.Target, "target", s)
	out.Weight, out.WeightVector, err[1] = resolve(roles.Weights, "weights", s)
	out.Query, out.QueryVector, err[2] = resolve(roles.Query, "query", s)
	if err := errors.Join(err[:]...); err != nil {
		return out, err
	}
	if roles.Target == "" {
		for _, name := range besides(path) {
			v, err := Vector(name)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			out.TargetVector = v
			return out, err
		}
	}
	return out, nil
}

// besides returns where the target of a table may lie.
func besides(path string) []string {
	base := uncompressed(path)
	if cut, ok := strings.CutSuffix(base, ".npy"); ok {
		return []string{cut + ".y.npy"}
	}
	if cut, ok := strings.CutSuffix(base, ".data"); ok {
		return []string{cut + ".labels", cut + ".labels.gz"}
	}
	return nil
}

// resolve says whether ref is a column, or reads the file that it names.
func resolve(ref, role string, s *data.Schema) (string, *data.Vector, error) {
	if ref == "" || !s.Sparse && s.FindColumn(ref) >= 0 {
		return ref, nil, nil
	}
	v, err := Vector(ref)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, fmt.Errorf("--%s %s: there is no such column and no such file: %w", role, ref, data.ErrBadData)
	}
	return "", v, err
}

// Vector reads a file with one value a line, or a NumPy vector.
func Vector(path string) (*data.Vector, error) {
	in, err := open(path)
	if err != nil {
		return nil, err
	}
	defer in.closer()
	head, _ := in.stream.Peek(headBytes)
	if npy.Sniff(head) {
		values, err := npy.ReadVector(in.stream, path)
		return &data.Vector{Name: path, Values: values}, err
	}
	texts, err := readLines(in.stream, path)
	if err != nil {
		return nil, err
	}
	if len(texts) == 0 {
		return nil, &data.Error{File: path, Msg: "the file is empty"}
	}
	return vector(path, texts)
}

// readLines returns the lines of a text without blanks and quotes around them.
// Empty lines at the end do not count.
func readLines(r *bufio.Reader, path string) ([]string, error) {
	var texts []string
	for {
		line, err := r.ReadString('\n')
		if line != "" {
			text := strings.TrimSpace(line)
			if len(texts) == 0 {
				text = strings.TrimPrefix(text, "\ufeff")
			}
			if len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"' {
				text = text[1 : len(text)-1]
			}
			texts = append(texts, text)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, &data.Error{File: path, Line: len(texts) + 1, Msg: "cannot be read", Err: err}
		}
	}
	for len(texts) > 0 && texts[len(texts)-1] == "" {
		texts = texts[:len(texts)-1]
	}
	return texts, nil
}

// vector turns lines into numbers, or into categories if they are not numbers.
// A first line that is the only one which is not a number is a heading.
func vector(path string, texts []string) (*data.Vector, error) {
	values := make([]float64, len(texts))
	bad := -1 // the last line that is not a number
	count := 0
	for i, text := range texts {
		v, err := strconv.ParseFloat(text, 64)
		switch {
		case text == "":
			v = math.NaN()
		case errors.Is(err, strconv.ErrRange):
			return nil, &data.Error{File: path, Line: i + 1, Msg: fmt.Sprintf("%s is too large for a number", text)}
		case err != nil:
			bad = i
			count++
		case math.IsInf(v, 0):
			return nil, &data.Error{File: path, Line: i + 1, Msg: "the value is infinite: it must be a finite number"}
		}
		values[i] = v
	}
	switch {
	case count == 0:
		return &data.Vector{Name: path, Values: values}, nil
	case count == 1 && bad == 0 && len(texts) > 1:
		return &data.Vector{Name: path, Values: values[1:]}, nil
	case count < len(texts)/2:
		return nil, &data.Error{File: path, Line: bad + 1, Msg: fmt.Sprintf("%q is not a number, as most lines are", texts[bad])}
	}
	v := &data.Vector{Name: path, Values: values}
	code := map[string]int{}
	for i, text := range texts {
		c, known := code[text]
		if !known {
			c = len(v.Levels)
			code[text] = c
			v.Levels = append(v.Levels, text)
		}
		values[i] = float64(c)
		if text == "" {
			return nil, &data.Error{File: path, Line: i + 1, Msg: "the line is empty: every row needs a value"}
		}
	}
	return v, nil
}
