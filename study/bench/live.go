package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// live fits a table with and without a page, in turn.
func (b *bencher) live(ctx context.Context) error {
	if b.Program == "" {
		return nil
	}
	for _, c := range []struct {
		shape
		k     string
		flags []string
	}{
		{b.liveShape, "open", nil},
		{b.liveShape, strconv.Itoa(b.liveShape.k), []string{"-k", strconv.Itoa(b.liveShape.k), "--quick", "--epochs", "20000", "--tolerance", "none"}},
	} {
		path := filepath.Join(b.dir, "live.fsa")
		if err := b.generate(ctx, "ar1", c.shape, path); err != nil {
			return err
		}
		w := Watched{N: c.n, M: c.m, K: c.k, Repeats: b.liveRepeats}
		var seconds, processor [2][]float64 // without a page, and with one
		for i := range w.Repeats {
			b.Log("live: k %s, fits %d and %d of %d", c.k, 2*i+1, 2*i+2, 2*w.Repeats)
			for with, flag := range []string{"--report", "--live"} { // which make the same page at the end
				s, p, err := b.fitWatched(ctx, append([]string{path, flag}, c.flags...))
				if err != nil {
					return err
				}
				seconds[with], processor[with] = append(seconds[with], s), append(processor[with], p)
			}
		}
		w.Seconds = median(seconds[0])
		w.Over, w.ProcessorOver = median(seconds[1])/w.Seconds, median(processor[1])/median(processor[0])
		b.report.Watched = append(b.report.Watched, w)
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return ctx.Err()
}

var watchedAt = regexp.MustCompile(`http://127\.0\.0\.1:\d+/[0-9a-f]+/`)

// fitWatched fits a table into a folder, watches the page if there is one, and returns the seconds
// of the fit and of the processors.
func (b *bencher) fitWatched(ctx context.Context, args []string) (seconds, processor float64, err error) {
	folder := filepath.Join(b.dir, "live-run")
	defer os.RemoveAll(folder)
	cmd := exec.CommandContext(ctx, b.Program, append([]string{"fit", "--out", folder, "--json", "--threads", strconv.Itoa(b.Threads)}, args...)...)
	var out strings.Builder
	cmd.Stdout = &out
	said, err := cmd.StderrPipe()
	if err != nil {
		return 0, 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	looked := make(chan struct{})
	close(looked)
	var text strings.Builder
	for lines := bufio.NewScanner(said); lines.Scan(); {
		text.WriteString(lines.Text() + "\n")
		if address := watchedAt.FindString(lines.Text()); address != "" {
			looked = make(chan struct{})
			go func() {
				look(ctx, address)
				close(looked)
			}()
		}
	}
	err = cmd.Wait()
	<-looked
	if err != nil {
		return 0, 0, fmt.Errorf("bench: the fit of a table with a page: %w: %s", err, text.String())
	}
	var took struct {
		Seconds float64 `json:"seconds_fit"`
	}
	err = json.Unmarshal([]byte(out.String()), &took)
	return took.Seconds, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), err
}

// look reads the events of a page until the end, and then the report, as a browser does. Errors are
// ignored, because the fit continues without it.
func look(ctx context.Context, address string) {
	for _, page := range []string{"events", "report"} {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, address+page, nil)
		if err != nil {
			return
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}
}
