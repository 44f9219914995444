package data_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"fsa/data"
)

// A message has the parts that are known, and nothing where others are missing.
func TestErrorMessage(t *testing.T) {
	for want, e := range map[string]data.Error{
		"x.csv:3: column a: oops":                       {File: "x.csv", Line: 3, Column: "a", Msg: "oops"},
		"x.npy: row 3: column a: oops":                  {File: "x.npy", Row: 3, Column: "a", Msg: "oops"},
		"x.npy: oops: unexpected EOF":                   {File: "x.npy", Msg: "oops", Err: io.ErrUnexpectedEOF},
		"x.npy: unexpected EOF":                         {File: "x.npy", Err: io.ErrUnexpectedEOF},
		"row 3: oops":                                   {Row: 3, Msg: "oops"},
		"line 3: oops":                                  {Line: 3, Msg: "oops"},
		"line 3: row 2: column a: oops: unexpected EOF": {Line: 3, Row: 2, Column: "a", Msg: "oops", Err: io.ErrUnexpectedEOF},
		"column a: oops":                                {Column: "a", Msg: "oops"},
		"oops":                                          {Msg: "oops"},
		`"a\nb":3: column "\x1b[31m": oops`:             {File: "a\nb", Line: 3, Column: "\x1b[31m", Msg: "oops"},
		"größe: column " + strings.Repeat("x", 150) + "…" + strings.Repeat("x", 150): {File: "größe", Column: strings.Repeat("x", 1<<20)},
	} {
		if got := e.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if !errors.Is(&e, data.ErrBadData) || errors.Is(&e, io.ErrUnexpectedEOF) != (e.Err != nil) {
			t.Errorf("%q wraps %v", e.Error(), e.Unwrap())
		}
	}
}
