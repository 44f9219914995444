package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
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

// Reports of all kinds of fits open without a complaint and without a request, on a screen
// and on a phone, in light and dark; everything can be clicked, and nothing is inaccessible.
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
					if (width > 1000) == (scheme == "light") { // each width and each scheme once
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
		for _, width := range []int64{1400, 360} {
			b.open(t, "c.html", width, "light")
			b.holds(t, `document.querySelectorAll("tr").length > 5`)
			b.axe(t)
			b.screenshot(t, fmt.Sprintf("comparison-%d", width))
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
