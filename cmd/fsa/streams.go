package main

import (
	"io"
	"os"
	"strings"

	"golang.org/x/term"
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
// Control characters in messages are escaped, and long messages are continued on the next line of a terminal.
type messages struct {
	w     io.Writer
	width int // of the terminal; 0 if this is none
}

func newMessages(w io.Writer) *messages { return &messages{w, terminalWidth(w)} }

func (m *messages) Write(p []byte) (int, error) {
	text := clean(string(p))
	if m.width > 0 {
		var b strings.Builder
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, sender) && breadth(line) > m.width {
				line = strings.Join(wrap(line, m.width-1, m.width-5), "\n    ") + "\n"
			}
			b.WriteString(line)
		}
		text = b.String()
	}
	io.WriteString(m.w, text)
	return len(p), nil
}

// sender is how messages of the program begin.
const sender = "fsa: "

// terminalWidth returns the number of characters of a line of a terminal, or 0 if a stream is none.
func terminalWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		return max(width, 20)
	}
	return 80
}
