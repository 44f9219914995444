package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"fsa"
)

// progress is a line on a terminal that shows how far the work is. It is silent
// where standard error is not a terminal.
type progress struct {
	w     io.Writer
	width int // 0 if this is not a terminal
	start time.Time
	last  time.Time
	shown bool
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w, start: time.Now()}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.width = 80
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			p.width = width
		}
	}
	return p
}

// show says how far a fit is.
func (p *progress) show(e fsa.Progress) {
	p.line(func() string {
		left := time.Duration(float64(time.Since(p.start)) * (1 - e.Done) / e.Done)
		return fmt.Sprintf("epoch %d/%d  %d variables  loss %.4g  %s left", e.Epoch.Epoch, e.Epochs, e.Groups, e.Loss, left.Round(time.Second))
	})
}

// line updates the line, at most ten times a second.
func (p *progress) line(text func() string) {
	now := time.Now()
	if p.width == 0 || now.Sub(p.last) < 100*time.Millisecond {
		return
	}
	p.last = now
	line := text()
	if len(line) > p.width-1 {
		line = line[:p.width-1]
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", line)
	p.shown = true
}

// end removes the line.
func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// note says something to whoever watches.
func (p *progress) note(format string, a ...any) {
	fmt.Fprintf(p.w, "fsa: "+format+"\n", a...)
}
