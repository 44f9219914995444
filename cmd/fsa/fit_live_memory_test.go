package main

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/memory"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"fsa/internal/live"
	"fsa/internal/need"
)

// held is what a page holds after a garbage collection.
type held struct {
	heap, nodes, listeners int64 // bytes, of scripts and of the document; counts
}

func (b *browser) held(t *testing.T) held {
	t.Helper()
	if _, err := chromedp.Call(b.ctx, heapprofiler.CollectGarbage, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	heap, err := chromedp.Call(b.ctx, runtime.GetHeapUsage, cdp.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	dom, err := chromedp.Call(b.ctx, memory.GetDOMCounters, cdp.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	return held{int64(heap.UsedSize + heap.EmbedderHeapUsedSize + heap.BackingStorageSize), dom.Nodes, dom.JsEventListeners}
}

// A page that is updated fifty times a second for the time in FSA_LIVE_TIME, such as 10m, holds no
// more in the end than after the first tenth of that time, in which its curves and its log fill.
func TestBrowserLiveTime(t *testing.T) {
	text := need.Variable(t, "FSA_LIVE_TIME", "set it to a duration, such as 10m")
	length, err := time.ParseDuration(text)
	if err != nil || length < 20*time.Second {
		t.Fatalf("FSA_LIVE_TIME=%s: it must be a duration of at least 20s", text)
	}
	b := newBrowser(t)
	s, err := live.Listen(t.Context(), "run", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b.open(t, s.Address(), 1400, "light")
	const perSecond = 50
	const parts = 10
	updates := int(length.Seconds()) * perSecond
	tick := time.NewTicker(time.Second / perSecond)
	defer tick.Stop()
	s.BeginCurve("logistic", false)
	var before, after held
	start := time.Now()
	for e := 1; e <= updates; e++ {
		<-tick.C
		s.Fill(live.CurvePoint{Size: e % 100, Folds: e%10 + 1, Of: 10, Mean: 1 + math.Sin(float64(e)), SE: 0.1})
		now := live.Now{Stage: "Learning", Epoch: e, Epochs: updates, Variables: 2*updates - e, Loss: 1 / float64(e), Done: float64(e) / float64(updates), Memory: int64(e) << 20}
		for i := range 12 {
			now.Strongest = append(now.Strongest, live.Strength{Name: fmt.Sprint("variable ", e+i), Value: float64(12 - i)})
		}
		s.Show(now)
		s.Say(fmt.Sprint("line ", e))
		if e%(updates/parts) > 0 {
			continue
		}
		after = b.held(t)
		t.Logf("after %d updates, %.0f s: %+v", e, time.Since(start).Seconds(), after)
		if e == updates/parts {
			before = after
		}
	}
	b.wait(t, fmt.Sprintf(`document.getElementById("epoch").textContent.replaceAll(",", "").startsWith("%d ")`, updates))
	const slack = 1 << 20 // bytes: heaps differ by a third of that from one collection to the next
	if after.heap > before.heap+slack || after.nodes > before.nodes+100 || after.listeners > before.listeners {
		t.Errorf("the page grew from %+v to %+v", before, after)
	}
	b.leave(t)
}
