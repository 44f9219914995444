package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strings"
	"time"
)

// runner is another program that fits models. It reads requests from its standard input and answers
// in lines of JSON; see scripts/peers.
type runner struct {
	args   []string // the command
	env    []string // its environment, in addition to ours
	serial bool     // its methods use one thread, whatever number is requested

	cmd     *exec.Cmd // nil if it is not running
	in      io.WriteCloser
	answers chan answer
	stderr  bytes.Buffer
}

// answer is a line that a runner prints.
type answer struct {
	// Methods and Missing are in the first line: the package of each method, or why it is missing.
	Methods map[string]string `json:"methods"`
	Missing map[string]string `json:"missing"`
	// Ready says that the data are loaded and the fit begins.
	Ready bool `json:"ready"`
	// Seconds and Selected describe the fit, Error the reason if there is none.
	Seconds  float64 `json:"seconds"`
	Selected []int   `json:"selected"`
	Error    string  `json:"error"`
}

// parseAnswer parses a line. An invalid one becomes an answer with an error, because the reader
// expects an answer.
func parseAnswer(line []byte) answer {
	var a answer
	if err := json.Unmarshal(line, &a); err != nil {
		return answer{Error: fmt.Sprintf("an answer that is not JSON: %q", line)}
	}
	return a
}

// check returns an error for a fit that is impossible for a table with cols columns.
func (a *answer) check(cols, k int) error {
	switch {
	case a.Error != "":
		return errors.New(a.Error)
	case !(a.Seconds >= 0) || math.IsInf(a.Seconds, 0):
		return fmt.Errorf("a fit that took %v seconds", a.Seconds)
	case len(a.Selected) > k:
		return fmt.Errorf("%d variables selected, not %d", len(a.Selected), k)
	}
	seen := map[int]bool{}
	for _, j := range a.Selected {
		if j < 0 || j >= cols || seen[j] {
			return fmt.Errorf("column %d selected twice or out of range", j)
		}
		seen[j] = true
	}
	return nil
}

// loadLimit is the time limit for starting or loading a table.
const loadLimit = 5 * time.Minute

var errTooLong = errors.New("time limit exceeded")

// start starts the program and returns its first answer.
func (r *runner) start(ctx context.Context) (answer, error) {
	r.stderr.Reset()
	cmd := exec.CommandContext(ctx, r.args[0], r.args[1:]...)
	cmd.Env = append(os.Environ(), r.env...)
	cmd.Stderr = &r.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return answer{}, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return answer{}, err
	}
	if err := cmd.Start(); err != nil {
		return answer{}, err
	}
	r.cmd, r.in, r.answers = cmd, in, make(chan answer)
	go func(answers chan<- answer) {
		defer close(answers)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			answers <- parseAnswer(lines.Bytes())
		}
	}(r.answers)
	return r.wait(ctx, loadLimit)
}

// wait returns the next answer. Without one it stops the program.
func (r *runner) wait(ctx context.Context, limit time.Duration) (answer, error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case a, ok := <-r.answers:
		if ok {
			return a, nil
		}
		r.stop()
		return answer{}, fmt.Errorf("it ended without an answer: %s", r.lastWords())
	case <-timer.C:
		r.stop()
		return answer{}, errTooLong
	case <-ctx.Done():
		r.stop()
		return answer{}, ctx.Err()
	}
}

// fit requests a fit. The limit applies to the fit alone.
func (r *runner) fit(ctx context.Context, request string, limit time.Duration) (answer, error) {
	if err := r.send(ctx, request); err != nil {
		return answer{}, err
	}
	a, err := r.wait(ctx, loadLimit)
	if errors.Is(err, errTooLong) {
		return a, fmt.Errorf("the table was not loaded within %v", loadLimit)
	}
	if err != nil || !a.Ready {
		return a, err
	}
	return r.wait(ctx, limit)
}

// send sends a request. A program that has died since the last one, for example because memory ran
// out, is started again.
func (r *runner) send(ctx context.Context, request string) (err error) {
	for range 2 {
		if r.cmd == nil {
			if _, err := r.start(ctx); err != nil {
				return err
			}
		}
		if _, err = io.WriteString(r.in, request+"\n"); err == nil {
			return nil
		}
		r.stop()
	}
	return fmt.Errorf("it takes no request: %w", err)
}

// stop ends the program, if it is running.
func (r *runner) stop() {
	if r.cmd == nil {
		return
	}
	r.cmd.Process.Kill()
	r.in.Close()
	for range r.answers {
	}
	r.cmd.Wait()
	r.cmd = nil
}

// lastWords returns the last line that the ended program wrote to its standard error.
func (r *runner) lastWords() string {
	text := strings.TrimSpace(r.stderr.String())
	if text == "" {
		return "it did not say why"
	}
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}
