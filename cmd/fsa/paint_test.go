package main

import (
	"testing"

	"github.com/chromedp/chromedp"

	"fsa/internal/need"
)

// The page that FSA_PAINT names is opened several times, and the test reports how long it takes to
// appear: for people to judge, because it depends on the machine.
func TestBrowserPaint(t *testing.T) {
	file := need.Variable(t, "FSA_PAINT", "set it to the report to open")
	b := newBrowser(t)
	for range 5 {
		b.open(t, file, 1400, "light")
		paint, err := chromedp.Run(b.ctx, chromedp.Evaluate[float64](`new Promise(done => {
			const look = () => { const p = performance.getEntriesByName("first-contentful-paint")[0]; p ? done(p.startTime) : setTimeout(look, 20) };
			look();
		})`, chromedp.EvalAwaitPromise))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("first paint after %.0f ms", paint)
	}
	b.screenshot(t, "paint")
}
