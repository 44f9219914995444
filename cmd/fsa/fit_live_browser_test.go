package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"fsa/internal/live"
)

// spoken is the output of a program so far, for a test that waits for parts of it.
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

// find waits until a text was printed.
func (s *spoken) find(t *testing.T, what *regexp.Regexp) string {
	t.Helper()
	late := time.After(10 * time.Minute)
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
	ctx, stop := context.WithTimeout(b.ctx, 10*time.Minute)
	defer stop()
	for {
		_, err := chromedp.Run(ctx, chromedp.Poll[bool](expression))
		if err == nil {
			return
		}
		if ctx.Err() != nil { // otherwise the page has changed while it was evaluated
			t.Fatalf("%s: %v", expression, err)
		}
	}
}

// leave closes the page before its server ends, which the page would complain about.
func (b *browser) leave(t *testing.T) {
	t.Helper()
	b.do(t, chromedp.Navigate("about:blank"))
	b.check(t)
}

// The page shows a running fit; its button stops the fit and keeps the result so far, and the page
// turns into the report.
func TestBrowserLive(t *testing.T) {
	b := newBrowser(t)
	t.Chdir(t.TempDir())
	must(t, "generate", "ar1", "--n", "1000", "--m", "1000", "--k", "5", "--out", "t.csv")
	said := &spoken{more: make(chan struct{}, 1)}
	ended := make(chan int)
	go func() {
		ended <- run(t.Context(), []string{"fit", "t.csv", "--target", "y", "-k", "5", "--quick", "--epochs", "1000000", "--out", "run", "--live"}, &bytes.Buffer{}, said)
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

// Folds fill the curve of error against size during validation, and it stays while the model is
// trained.
func TestBrowserLiveCurve(t *testing.T) {
	b := newBrowser(t)
	t.Chdir(t.TempDir())
	must(t, "generate", "ar1", "--n", "200", "--m", "40", "--k", "5", "--out", "t.csv")
	said := &spoken{more: make(chan struct{}, 1)}
	ended := make(chan int)
	go func() {
		ended <- run(t.Context(), []string{"fit", "t.csv", "--target", "y", "--epochs", "1000000", "--folds", "2", "--ridge", "0.01", "--out", "run", "--live"}, &bytes.Buffer{}, said)
	}()
	b.open(t, said.find(t, pageAddress), 1400, "dark")
	b.wait(t, `document.querySelector("#alive .line").getAttribute("d").length > 10 && document.getElementById("sizes-note").textContent.includes("Best so far")`)
	b.wait(t, `document.querySelector("#sizes .dots").getAttribute("d").split("M").length > 8 && !document.querySelector("#sizes-box").hidden`)
	b.axe(t)
	b.screenshot(t, "live-curve-1400-dark")
	b.run(t, `document.getElementById("stop").click()`)
	b.wait(t, `document.title == "What predicts y"`)
	if code := <-ended; code != exitDone {
		t.Fatalf("exit code %d: %s", code, said.text.String())
	}
}

// The page draws a half-filled curve.
func TestBrowserLiveHalfCurve(t *testing.T) {
	b := newBrowser(t)
	s, err := live.Listen(t.Context(), "run", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{1400, 360} {
			b.open(t, s.Address(), width, scheme)
			s.BeginCurve("logistic", false)
			for size := range 40 {
				p := live.CurvePoint{Size: size, Folds: 10, Of: 10, Mean: 0.2 + 0.5/float64(size+1), SE: 0.03}
				if size > 20 {
					p.Folds = min(9, 40-size)
				}
				s.Fill(p)
			}
			s.Show(live.Now{Stage: "12 of 40 folds", Done: 0.3, Left: 100, LeftMost: 400, Memory: 1 << 28, ReadRate: 3e8})
			b.wait(t, `document.getElementById("sizes-note").textContent.includes("with 20 variables")`)
			b.holds(t, `document.querySelector("#sizes .rings").getAttribute("d").split("z").length == 20`)
			b.holds(t, `document.documentElement.scrollWidth <= innerWidth && document.getElementById("left").textContent == "2–7 min" && !document.getElementById("rate-box").hidden`)
			b.axe(t)
			b.screenshot(t, fmt.Sprintf("live-half-%d-%s", width, scheme))
		}
	}
	s.BeginCurve("auc", true)
	s.Fill(live.CurvePoint{Size: 5, Folds: 1, Of: 5, Mean: 0.9})
	b.wait(t, `document.getElementById("sizes-note").textContent.startsWith("auc")`)
	b.screenshot(t, "live-one-point")
	b.leave(t)
}

// However many updates arrive, the page does not grow.
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
	show(501, 30_000) // as many as in 10 minutes at 50 a second
	b.wait(t, `document.getElementById("epoch").textContent.startsWith("30,000 ")`)
	b.holds(t, fmt.Sprintf(`document.querySelectorAll("*").length <= %d + 100 && document.querySelector("#alive .line").getAttribute("d").length < 20000`, nodes))
	b.screenshot(t, "live-360")
	b.leave(t)
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

// A running fit that serves no page is shown by view: folds fill the curve and the number of
// variables falls. Its half samples last longer than any test. When the fit was stopped, the page says so, and after the next fit it shows the
// report.
func TestBrowserViewOfWork(t *testing.T) {
	b := newBrowser(t)
	t.Chdir(t.TempDir())
	must(t, "generate", "ar1", "--n", "200", "--m", "40", "--k", "5", "--out", "t.csv")
	fitting, interrupt := context.WithCancel(t.Context())
	fitted := make(chan int)
	go func() {
		fitted <- run(fitting, []string{"fit", "t.csv", "--target", "y", "--epochs", "30000", "--folds", "2", "--ridge", "0.01", "--stability", "100000", "--out", "run"}, &bytes.Buffer{}, &bytes.Buffer{})
	}()
	ctx, stop := context.WithCancel(t.Context())
	said := &spoken{more: make(chan struct{}, 1)}
	ended := make(chan int)
	for !isFolder("run") { // a moment
		runtime.Gosched()
	}
	go func() { ended <- run(ctx, []string{"view", "run"}, &bytes.Buffer{}, said) }()
	b.open(t, said.find(t, pageAddress), 360, "light")
	b.wait(t, `document.querySelector("#alive .line").getAttribute("d").length > 10 && document.getElementById("sizes-note").textContent.includes("Best so far")`)
	b.wait(t, `document.querySelector("#sizes .dots").getAttribute("d").split("M").length > 8 && document.getElementById("stop") == null`)
	b.holds(t, `document.getElementById("memory").textContent.includes("iB") && document.documentElement.scrollWidth <= innerWidth`)
	b.axe(t)
	b.screenshot(t, "view-360")
	interrupt()
	if code := <-fitted; code != exitInterrupted {
		t.Errorf("exit code %d", code)
	}
	if _, err := os.Stat(filepath.Join("run", progressName)); err == nil {
		t.Error("a fit that has ended says how it stands")
	}
	b.wait(t, `document.getElementById("stage").textContent.includes("not complete")`)
	must(t, "fit", "t.csv", "--target", "y", "-k", "2", "--quick", "--out", "run")
	b.wait(t, `document.title == "What predicts y"`)
	stop()
	<-ended
	b.check(t)
}
