package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"fsa"
	"fsa/data/open"
)

// progress is a line on a terminal that shows how far the work is. It is silent
// where standard error is not a terminal.
type progress struct {
	w     io.Writer
	to    io.Writer // for the line, which moves the cursor
	width int       // 0 if this is not a terminal
	start time.Time

	pace pace // of the stage that is being counted

	mu    sync.Mutex
	last  time.Time
	shown bool
	notes []string // what was said so far
	heard func(text string)
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w, to: w, start: time.Now()}
	if m, ok := w.(*messages); ok {
		p.to = m.w
	}
	if f, ok := p.to.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
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

// count says how much of a stage is done, and how long the rest of it will take.
func (p *progress) count(stage string, done, total int) {
	left := p.pace.left(stage, done, total)
	p.line(func() string {
		if left < 0 {
			return fmt.Sprintf("%d of %d %s", done, total, stage)
		}
		return fmt.Sprintf("%d of %d %s  %s left", done, total, stage, time.Duration(left*float64(time.Second)).Round(time.Second))
	})
}

// pace is how fast the pieces of a stage are done.
type pace struct {
	stage  string    // that is being counted,
	since  time.Time // since when
	before int       // and how much of it was done then
}

// left returns how many seconds the rest of a stage will take, about; −1 while that is not
// known. The first piece only begins to tell.
func (p *pace) left(stage string, done, total int) float64 {
	if done == 1 || p.stage != stage {
		*p = pace{stage, time.Now(), done}
	}
	if done == p.before {
		return -1
	}
	return time.Since(p.since).Seconds() * float64(total-done) / float64(done-p.before)
}

// read says how much of a file was read, or of what comes out of it.
func (p *progress) read(done, size int64) {
	p.line(func() string {
		if done > size { // which is not known
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
	line := []rune(clean(text()))
	if len(line) > p.width-1 {
		line = line[:p.width-1]
	}
	fmt.Fprintf(p.to, "\r\x1b[K%s", string(line))
	p.shown = true
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

// note says something to whoever watches, and keeps it for the report.
func (p *progress) note(format string, a ...any) {
	p.notes = append(p.notes, p.say(format, a...))
}

// say says something that a report has no use for, such as where a page is served.
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

// stages returns what shows how far a job of several stages is.
func stages(p *progress) func(stage string, done, of int) {
	return func(stage string, done, of int) {
		p.line(func() string { return fmt.Sprintf("%s: %d of %d", stage, done, of) })
	}
}

// fits updates the line of progress of an experiment.
func (p *progress) fits(name string, done, total int, start time.Time) {
	if p.width == 0 {
		return
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s: %d of %d fits, %s", name, done, total, time.Since(start).Round(time.Second))
	p.shown = true
}
