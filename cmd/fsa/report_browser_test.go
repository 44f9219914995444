package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// fits are calls of fit that make all kinds of reports, on tables that are written first.
func fits(t *testing.T) map[string][]string {
	r := rand.New(rand.NewPCG(1, 2))
	table := func(name string, rows int, head string, line func(i int) string) {
		var b strings.Builder
		b.WriteString(head + "\n")
		for i := range rows {
			b.WriteString(line(i) + "\n")
		}
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	must(t, "generate", "ar1", "--task", "regression", "--n", "200", "--m", "60", "--k", "5", "--out", "numbers.csv")
	must(t, "generate", "ar1", "--n", "300", "--m", "40", "--k", "5", "--out", "classes.csv")
	must(t, "generate", "ar1", "--n", "60", "--m", "5000", "--k", "5", "--out", "wide.csv")
	table("mixed.csv", 240, "weight [kg],colour,empty,часы,身長,species", func(i int) string {
		w, h := r.NormFloat64(), r.NormFloat64()
		species := []string{"cat", "dog", "cow"}[i%3]
		cell := fmt.Sprintf("%.3f", w+float64(i%3))
		if i%5 == 0 {
			cell = ""
		}
		return fmt.Sprintf("%s,%s,,%.3f,%.3f,%s", cell, []string{"red", "blue", "green"}[(i+r.IntN(2))%3], h*h, h+float64(i%2), species)
	})
	var letor strings.Builder
	for i := range 200 {
		x := r.NormFloat64()
		fmt.Fprintf(&letor, "%d qid:%d 1:%.3f 2:%.3f 3:%.3f\n", min(2, max(0, int(x+1.5))), i/10, x+0.3*r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
	}
	if err := os.WriteFile("letor.txt", []byte(letor.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	writeDated(t, "dated.csv")
	return map[string][]string{
		"dates":      {"dated.csv", "--target", "price", "--bins", "4", "--stability", "2"},
		"regression": {"numbers.csv", "--target", "y"},
		"bins":       {"numbers.csv", "--target", "y", "-k", "4", "--bins", "5"},
		"binary":     {"classes.csv", "--target", "y"},
		"svm":        {"classes.csv", "--target", "y", "-k", "5", "--loss", "svm"},
		"classes":    {"mixed.csv", "--target", "species", "-k", "4", "--loss", "multinomial", "--bins", "4"},
		"ranking":    {"letor.txt", "-k", "2", "--loss", "rank"},
		"one":        {"numbers.csv", "--target", "y", "-k", "1", "--quick"},
		"wide":       {"wide.csv", "--target", "y", "-k", "200", "--quick"},
		"method":     {"numbers.csv", "--target", "y", "-k", "5", "--method", "l1"},
	}
}

// Reports of all kinds of fits open without a complaint and without a request, on a screen and on a
// phone, in light and dark; everything can be clicked, and everything is accessible.
func TestBrowserReport(t *testing.T) {
	b := newBrowser(t)
	t.Chdir(t.TempDir())
	for name, call := range fits(t) {
		t.Run(name, func(t *testing.T) {
			must(t, append(append([]string{"fit"}, call...), "--out", name, "--report")...)
			file := filepath.Join(name, reportName)
			for _, width := range []int64{1400, 360} {
				for _, scheme := range []string{"light", "dark"} {
					b.open(t, file, width, scheme)
					b.holds(t, `document.querySelectorAll("section").length >= 3`)
					b.holds(t, `document.documentElement.scrollWidth <= innerWidth`)
					b.holds(t, `!document.body.textContent.includes("NaN") && !document.documentElement.outerHTML.includes("ZgotmplZ")`)
					b.run(t, `document.querySelectorAll("#list details").forEach((d, i) => d.open = i < 3)`)
					if (width > 1000) == (scheme == "light") { // each width and each colour scheme once
						b.axe(t)
					}
					b.screenshot(t, fmt.Sprintf("%s-%d-%s", name, width, scheme))
				}
			}
			b.clickThrough(t)
			b.check(t)
		})
	}
	t.Run("comparison", func(t *testing.T) {
		must(t, "report", "regression", "bins", "one", "--out", "c.html")
		must(t, "runs", ".", "--html", "runs.html")
		for _, width := range []int64{1400, 360} {
			b.open(t, "c.html", width, "light")
			b.holds(t, `document.querySelectorAll("tr").length > 5`)
			b.axe(t)
			b.screenshot(t, fmt.Sprintf("comparison-%d", width))
			b.open(t, "runs.html", width, "dark")
			b.run(t, `document.querySelector("[data-order=path]").click(); const f = document.getElementById("find"); f.value = "bin"; f.dispatchEvent(new Event("input"))`)
			b.holds(t, `[...document.querySelectorAll("#entries tr")].filter(r => !r.hidden).length == 2`)
			b.axe(t)
		}
		b.check(t)
	})
}

// clickThrough clicks every button and moves every slider of the page.
func (b *browser) clickThrough(t *testing.T) {
	t.Helper()
	b.run(t, `navigator.clipboard && (navigator.clipboard.writeText = async () => {});
		HTMLAnchorElement.prototype.click = function () { window.saved = (window.saved || 0) + (this.download ? 1 : 0) };
		document.querySelectorAll("button").forEach(b => b.click());
		document.querySelectorAll("summary").forEach(s => s.click());
		const f = document.getElementById("filter"); f.value = "x"; f.dispatchEvent(new Event("input"));
		const s = document.getElementById("threshold");
		if (s) { s.value = 0; s.dispatchEvent(new Event("input")); s.value = s.max; s.dispatchEvent(new Event("input")) }`)
	b.holds(t, `window.saved >= 3`)
	b.holds(t, `(d => [...document.querySelectorAll("[data-csv]")].every(b => (d.csv[b.dataset.csv] || "").split("\n").length > 2))(JSON.parse(document.getElementById("data").textContent))`)
	b.holds(t, `[...document.querySelectorAll("figure, .threshold, #correlation, #variables")].every(f => f.querySelector("[data-csv]"))`)
	b.holds(t, `document.getElementById("threshold") == null || document.getElementById("tp").textContent != ""`)
}

// On paper, a report is black on white whatever the screen is, shows everything that was collapsed,
// and none of its buttons.
func TestBrowserPrint(t *testing.T) {
	b := newBrowser(t)
	t.Chdir(t.TempDir())
	writeDated(t, "t.csv")
	must(t, "fit", "t.csv", "--target", "price", "-k", "2", "--out", "run", "--report")
	b.open(t, filepath.Join("run", reportName), 700, "dark")
	b.run(t, `document.documentElement.dataset.theme = "dark"; dispatchEvent(new Event("beforeprint"))`)
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print", Features: features}); err != nil {
		t.Fatal(err)
	}
	b.holds(t, `getComputedStyle(document.body).color == "rgb(0, 0, 0)" && getComputedStyle(document.body).backgroundColor == "rgb(255, 255, 255)"`)
	b.holds(t, `getComputedStyle(document.querySelector(".chart .line.splain")).stroke == "rgb(0, 0, 0)" && getComputedStyle(document.querySelector(".chart.narrow")).display == "none"`)
	b.holds(t, `[...document.querySelectorAll("details")].every(d => d.open) && [...document.querySelectorAll("button, nav")].every(e => getComputedStyle(e).display == "none")`)
	b.screenshot(t, "print")
	b.run(t, `dispatchEvent(new Event("afterprint"))`)
	b.holds(t, `[...document.querySelectorAll(".numbers")].every(d => !d.open) && document.querySelector(".variable").open`)
	b.open(t, filepath.Join("run", reportName), 1400, "light") // and back to the screen
	b.check(t)
}

// Everything works without a mouse: the first stop skips the navigation, variables open, lists are
// sorted and the threshold is moved by keys.
func TestBrowserKeyboard(t *testing.T) {
	b := newBrowser(t)
	t.Chdir(t.TempDir())
	must(t, "generate", "ar1", "--n", "200", "--m", "20", "--k", "3", "--noise", "0.1", "--out", "t.csv")
	must(t, "fit", "t.csv", "--target", "y", "-k", "3", "--out", "run", "--report")
	b.open(t, filepath.Join("run", reportName), 1400, "light")
	press := func(focus string, key string) {
		t.Helper()
		if focus != "" {
			b.run(t, `document.querySelector("`+focus+`").focus()`)
		}
		b.do(t, chromedp.KeyEvent(key))
	}
	press("", kb.Tab)
	b.holds(t, `document.activeElement.className == "skip"`)
	b.holds(t, `document.querySelector(".variable").open`)
	press(".variable > summary", kb.Enter)
	b.holds(t, `!document.querySelector(".variable").open`)
	press("[data-sort=name]", kb.Enter)
	b.holds(t, `document.querySelector("[data-sort=name]").getAttribute("aria-pressed") == "true"`)
	b.run(t, `window.before = document.getElementById("threshold-says").textContent`)
	press("#threshold", kb.End)
	b.holds(t, `document.getElementById("threshold-says").textContent != window.before && document.getElementById("threshold").getAttribute("aria-valuetext") != ""`)
	b.check(t)
}
