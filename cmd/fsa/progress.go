package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"fsa"
	"fsa/data/open"
	"fsa/internal/decimal"
)

// progress is the line on a terminal that shows the progress of the work. It is silent if standard
// error is not a terminal.
type progress struct {
	w     io.Writer
	to    io.Writer // for the line, which uses control characters
	width int       // 0 if this is not a terminal
	start time.Time

	mu    sync.Mutex
	last  time.Time
	shown bool
	notes []string // notes so far
	heard func(text string)
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w, to: w, start: time.Now()}
	if m, ok := w.(*messages); ok {
		p.to = m.w
	}
	p.width = terminalWidth(p.to)
	return p
}

// show shows the progress of a descent.
func (p *progress) show(e fsa.Progress) {
	p.line(func() string {
		left := time.Duration(float64(time.Since(p.start)) * (1 - e.Done) / e.Done)
		return fmt.Sprintf("%s  %s left", epochDetail(e), left.Round(time.Second))
	})
}

// epochDetail describes an epoch.
func epochDetail(e fsa.Progress) string {
	left := fmt.Sprintf("%d variables", e.Groups)
	if e.Groups == 1 {
		left = "1 variable"
	}
	return fmt.Sprintf("epoch %d/%d  %s  loss %s", e.Epoch.Epoch, e.Epochs, left, decimal.Digits(e.Loss, 4))
}

// read shows how much of a file, or of its decompressed contents, has been read.
func (p *progress) read(done, size int64) {
	p.line(func() string {
		if done > size || size == 0 { // its size is not known, or it is empty
			return "reading  " + open.Size(done)
		}
		return fmt.Sprintf("reading  %d%% of %s", 100*done/size, open.Size(size))
	})
}

// line updates the line, at most ten times a second.
func (p *progress) line(text func() string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.width == 0 || now.Sub(p.last) < 100*time.Millisecond {
		return
	}
	p.last = now
	fmt.Fprintf(p.to, "\r\x1b[K%s", withinLine(clean(text()), p.width-1))
	p.shown = true
}

// withinLine leaves out the last parts of a line, which are separated by two blanks, until it has at most n characters.
func withinLine(line string, n int) string {
	for breadth(line) > n {
		i := strings.LastIndex(line, "  ")
		if i < 0 {
			return string([]rune(line)[:n])
		}
		line = line[:i]
	}
	return line
}

// end removes the line.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
	p.shown = false
}

// note prints a note, and stores it for the report.
func (p *progress) note(format string, a ...any) {
	p.notes = append(p.notes, p.say(format, a...))
}

// say prints a message that is not for the report, such as the address of a page.
func (p *progress) say(format string, a ...any) string {
	p.end()
	for i, v := range a {
		if text, ok := v.(string); ok {
			a[i] = oneLine(text)
		}
	}
	said := fmt.Sprintf(format, a...)
	if p.heard != nil {
		p.heard(said)
	}
	fmt.Fprintf(p.w, "fsa: %s\n", said)
	return said
}

// stageLog returns a function that shows the progress of a job with several stages.
func stageLog(p *progress) func(stage string, done, of int) {
	return func(stage string, done, of int) {
		p.line(func() string { return fmt.Sprintf("%s: %d of %d", stage, done, of) })
	}
}

// fits updates the progress line of an experiment.
func (p *progress) fits(name string, done, total int, start time.Time) {
	if p.width == 0 {
		return
	}
	fmt.Fprintf(p.to, "\r\x1b[K%s: %d of %d fits, %s", name, done, total, time.Since(start).Round(time.Second))
	p.shown = true
}
