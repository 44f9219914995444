package main

import (
	"io"
)

// output is standard output. It remembers its first error, for callers that do not check errors,
// such as the help.
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
// Control characters in messages are escaped.
type messages struct{ w io.Writer }

func (m *messages) Write(p []byte) (int, error) {
	io.WriteString(m.w, clean(string(p)))
	return len(p), nil
}
