package data_test

import (
	"errors"
	"io/fs"
	"testing"

	"fsa/data"
)

func TestFindColumn(t *testing.T) {
	named := &data.Schema{Width: 3, Names: []string{"y", "2", "x1"}}
	unnamed := &data.Schema{Width: 3}
	open := &data.Schema{Width: 3, Sparse: true, Open: true}
	for _, c := range []struct {
		name   string
		schema *data.Schema
		ref    string
		want   int
	}{
		{"a name", named, "y", 0},
		{"a name that looks like a number", named, "2", 1},
		{"a name that looks made up", named, "x1", 2},
		{"a number", named, "0", 0},
		{"a made-up name where there are others", named, "x0", -1},
		{"another case", named, "Y", -1},
		{"a number that is too large", named, "3", -1},
		{"a made-up name", unnamed, "x2", 2},
		{"a number without names", unnamed, "2", 2},
		{"a made-up name beyond the width", unnamed, "x3", -1},
		{"a number beyond the width", unnamed, "3", -1},
		{"a negative number", unnamed, "-1", -1},
		{"a negative made-up name", unnamed, "x-1", -1},
		{"another spelling", unnamed, "x02", -1},
		{"nothing", unnamed, "", -1},
		{"x", unnamed, "x", -1},
		{"a column of an open table", open, "x2", 2},
		{"a column of zeros of an open table", open, "x1000", 1000},
		{"another spelling of it", open, "x01000", -1},
	} {
		if got := c.schema.FindColumn(c.ref); got != c.want {
			t.Errorf("%s: FindColumn(%q) = %d, want %d", c.name, c.ref, got, c.want)
		}
	}
}

func TestName(t *testing.T) {
	s := &data.Schema{Width: 2, Names: []string{"a", "b"}}
	if s.Name(1) != "b" || (&data.Schema{Width: 2}).Name(1) != "x1" {
		t.Error("names are not those of the input, or not made up as xJ")
	}
}

func TestError(t *testing.T) {
	for want, e := range map[string]*data.Error{
		"a.csv:3: column y: it is missing":           {File: "a.csv", Line: 3, Column: "y", Msg: "it is missing"},
		"a.npy: row 4: it is missing":                {File: "a.npy", Row: 4, Msg: "it is missing"},
		"it is missing":                              {Msg: "it is missing"},
		"a.csv: cannot be read: file already exists": {File: "a.csv", Msg: "cannot be read", Err: fs.ErrExist},
	} {
		if e.Error() != want {
			t.Errorf("%q, want %q", e.Error(), want)
		}
		if !errors.Is(e, data.ErrBadData) || errors.Is(e, fs.ErrExist) != (e.Err != nil) {
			t.Errorf("%q is not bad data, or hides its cause", want)
		}
	}
}
