package main

import (
	"io"
)

// output is standard output. It remembers the first error, for callers that do not check, such as
// the printing of help.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// messages is standard error. Its errors are ignored, because a closed reader is no reason to stop.
// What files and foreign programs put into messages is made harmless.
type messages struct{ w io.Writer }

func (m *messages) Write(p []byte) (int, error) {
	io.WriteString(m.w, clean(string(p)))
	return len(p), nil
}
