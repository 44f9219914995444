package main

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"fsa/report/live"
)

// spoken is what a program has said so far, for a test that listens.
type spoken struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

func (s *spoken) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.more <- struct{}{}:
	default:
	}
	return s.text.Write(p)
}

// find waits until something was said.
func (s *spoken) find(t *testing.T, what *regexp.Regexp) string {
	t.Helper()
	late := time.After(time.Minute)
	for {
		s.mu.Lock()
		found := what.FindString(s.text.String())
		s.mu.Unlock()
		if found != "" {
			return found
		}
		select {
		case <-s.more:
		case <-late:
			t.Fatalf("%v was not said: %s", what, s.text.String())
		}
	}
}

var pageAddress = regexp.MustCompile(`http://127\.0\.0\.1:\d+/[0-9a-f]+/`)

// wait waits until an expression is true in the page.
func (b *browser) wait(t *testing.T, expression string) {
	t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, time.Minute)
	defer stop()
	for {
		_, err := chromedp.Run(ctx, chromedp.Poll[bool](expression))
		if err == nil {
			return
		}
		if ctx.Err() != nil { // else the page has changed while it was looked at
			t.Fatalf("%s: %v", expression, err)
		}
	}
}

// The page shows a fit while it works; its button stops it and keeps what there is, and the
// page turns into the report.
func TestBrowserLive(t *testing.T) {
	b := newBrowser(t)
	t.Chdir(t.TempDir())
	must(t, "generate", "ar1", "--n", "1000", "--m", "1000", "--k", "5", "--out", "t.csv")
	said := &spoken{more: make(chan struct{}, 1)}
	ended := make(chan int)
	go func() {
		ended <- run(t.Context(), []string{"fit", "t.csv", "--target", "y", "-k", "5", "--quick", "--iterations", "1000000", "--out", "run", "--live"}, &bytes.Buffer{}, said)
	}()
	b.open(t, said.find(t, pageAddress), 1400, "light")
	b.wait(t, `document.getElementById("epoch").textContent.includes("/") && document.querySelector("#bars .name").textContent != ""`)
	b.axe(t)
	b.screenshot(t, "live-1400")
	b.run(t, `document.getElementById("stop").click()`)
	b.wait(t, `document.title == "What predicts y"`)
	if code := <-ended; code != exitDone {
		t.Fatalf("exit code %d: %s", code, said.text.String())
	}
	if !strings.Contains(string(read(t, "run/model.json")), `"stopped"`) {
		t.Error("the model does not say that it was stopped")
	}
	b.check(t)
}

// However many updates come, the page does not grow.
func TestBrowserLiveMemory(t *testing.T) {
	b := newBrowser(t)
	s, err := live.Listen(t.Context(), "run", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	show := func(from, to int) {
		for e := from; e <= to; e++ {
			s.Show(live.Now{Epoch: e, Epochs: 100_000, Variables: 200_000 - e, Loss: 1 / float64(e), Strongest: []live.Strength{{Name: "<img src=x onerror=alert(1)>", Value: 1}}})
			s.Say("a line")
		}
	}
	b.open(t, s.Address(), 360, "dark")
	show(1, 500)
	b.wait(t, `document.getElementById("epoch").textContent.startsWith("500 ")`)
	nodes, err := chromedp.Run(b.ctx, chromedp.Evaluate[int](`document.querySelectorAll("*").length`))
	if err != nil {
		t.Fatal(err)
	}
	show(501, 30_000) // as many as 50 a second are in 10 minutes
	b.wait(t, `document.getElementById("epoch").textContent.startsWith("30,000 ")`)
	b.holds(t, fmt.Sprintf(`document.querySelectorAll("*").length <= %d + 100 && document.querySelector("#alive .line").getAttribute("d").length < 20000`, nodes))
	b.screenshot(t, "live-360")
	b.check(t)
}

// A finished run is shown until the program is interrupted.
func TestBrowserView(t *testing.T) {
	b := newBrowser(t)
	t.Chdir(t.TempDir())
	must(t, "generate", "ar1", "--n", "100", "--m", "20", "--k", "2", "--out", "t.csv")
	must(t, "fit", "t.csv", "-k", "2", "--out", "run")
	ctx, stop := context.WithCancel(t.Context())
	said := &spoken{more: make(chan struct{}, 1)}
	ended := make(chan int)
	go func() { ended <- run(ctx, []string{"view", "run"}, &bytes.Buffer{}, said) }()
	b.open(t, said.find(t, pageAddress), 1400, "light")
	b.wait(t, `document.title == "What predicts y"`)
	stop()
	if code := <-ended; code != exitDone {
		t.Errorf("exit code %d: %s", code, said.text.String())
	}
	b.check(t)
}
