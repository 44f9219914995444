package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"fsa/internal/need"
)

// browser is a headless Chromium, with what it has complained about or requested.
type browser struct {
	ctx      context.Context
	mu       sync.Mutex
	problems []string
}

// newBrowser starts a browser, or skips the test if there is none.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	need.Long(t)
	path := need.Program(t, "apt-get install chromium", "chromium", "chromium-browser", "google-chrome", "chrome")
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU)
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	b := &browser{ctx: ctx}
	b.listen()
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.check(t) })
	return b
}

// listen records everything that must not happen: messages, exceptions, requests, dialogs.
func (b *browser) listen() {
	messages := chromedp.Console(b.ctx)
	requests := chromedp.Events(b.ctx, network.RequestWillBeSent)
	dialogs := chromedp.Events(b.ctx, page.JavascriptDialogOpening)
	go func() {
		for m, err := range messages {
			if err == nil {
				b.complain("console: %v", m)
			}
		}
	}()
	go func() {
		for e, err := range requests {
			if err == nil && !local(e.Request.URL) {
				b.complain("request: %s", e.Request.URL)
			}
		}
	}()
	go func() {
		for e, err := range dialogs {
			if err == nil {
				b.complain("dialog: %s", e.Message)
				chromedp.Call(b.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{})
			}
		}
	}()
}

// local reports whether a request stays on this machine.
func local(url string) bool {
	for _, start := range []string{"file:", "data:", "blob:", "http://127.0.0.1:", "about:"} {
		if strings.HasPrefix(url, start) {
			return true
		}
	}
	return false
}

func (b *browser) complain(format string, a ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.problems = append(b.problems, fmt.Sprintf(format, a...))
}

func (b *browser) do(t *testing.T, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// run runs a script.
func (b *browser) run(t *testing.T, script string) {
	t.Helper()
	b.do(t, chromedp.Evaluate[chromedp.Void](script))
}

// check fails the test if anything was recorded since the last call.
func (b *browser) check(t *testing.T) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.problems {
		t.Error(p)
	}
	b.problems = nil
}

// open opens an address, or a file, in a window of the given width.
func (b *browser) open(t *testing.T, path string, width int64, scheme string) {
	t.Helper()
	if !strings.HasPrefix(path, "http:") {
		file, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		path = "file://" + file
	}
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}); err != nil {
		t.Fatal(err)
	}
	size := emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: width < 600}
	if _, err := chromedp.Call(b.ctx, emulation.SetDeviceMetricsOverride, size); err != nil {
		t.Fatal(err)
	}
	b.do(t, chromedp.Navigate(path))
}

// holds reports whether an expression is true in the page.
func (b *browser) holds(t *testing.T, expression string) {
	t.Helper()
	ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](expression))
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		t.Errorf("%s does not hold", expression)
	}
}

// screenshot saves the whole page to the folder that FSA_SCREENSHOTS names, for people to look at.
func (b *browser) screenshot(t *testing.T, name string) {
	t.Helper()
	folder := os.Getenv("FSA_SCREENSHOTS")
	if folder == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".png"), png, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// axe checks with axe-core that everything is accessible. It is a separate test, so that it can be
// skipped alone.
func (b *browser) axe(t *testing.T) {
	t.Helper()
	t.Run("axe", b.checkAxe)
}

func (b *browser) checkAxe(t *testing.T) {
	file := need.Variable(t, "FSA_AXE", "npm install axe-core@4, and set it to axe.min.js of that package")
	b.run(t, string(read(t, file))+";0")
	found, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`axe.run(document, {resultTypes: ["violations"]}).then(r =>
		JSON.stringify(r.violations.map(v => v.id + ": " + v.help + " " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200)).join(" "))))`, chromedp.EvalAwaitPromise))
	var list []string
	if err == nil {
		err = json.Unmarshal([]byte(found), &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range list {
		t.Errorf("inaccessible: %s", v)
	}
}
