package main

import (
	"io"
)

// output is standard output. It remembers the first error, for those who do not look,
// such as whatever prints the help.
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

// messages is standard error. Whoever read it may have gone, which is no reason to
// stop: its errors are nobody's. What files and strangers put into messages is made
// harmless.
type messages struct{ w io.Writer }

func (m *messages) Write(p []byte) (int, error) {
	io.WriteString(m.w, clean(string(p)))
	return len(p), nil
}
