package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fsa/internal/need"
)

const seed = 17

// walks returns lines of random steps; line j is highlighted when j < shown.
func walks(lines, shown, epochs int) PathPlot {
	rng := rand.New(rand.NewPCG(seed, 1))
	p := PathPlot{Title: "walks"}
	for j := range lines {
		values := make([]float64, 1+rng.IntN(epochs))
		if j < shown {
			values = make([]float64, epochs)
		}
		for e := 1; e < len(values); e++ {
			values[e] = values[e-1] + rng.NormFloat64()
		}
		p.Lines = append(p.Lines, Line{Name: "x" + strconv.Itoa(j), Values: values, Highlight: j < shown})
	}
	return p
}

func svg(t *testing.T, p PathPlot) string {
	t.Helper()
	var b bytes.Buffer
	if err := Paths(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// wellFormed parses a document and returns how often each element occurs.
func wellFormed(t *testing.T, doc string) map[string]int {
	t.Helper()
	count := make(map[string]int)
	d := xml.NewDecoder(strings.NewReader(doc))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return count
		}
		if err != nil {
			t.Fatalf("not XML: %v", err)
		}
		if e, ok := token.(xml.StartElement); ok {
			count[e.Name.Local]++
		}
	}
}

var position = regexp.MustCompile(`[MLQ](-?[0-9.e+-]+),(-?[0-9.e+-]+)`)

func TestPathsIsSelfContained(t *testing.T) {
	doc := svg(t, walks(100, 10, 80))
	elements := wellFormed(t, doc)
	for name := range elements {
		if name != "svg" && name != "g" && name != "path" {
			t.Errorf("there is a <%s>", name)
		}
	}
	for _, bad := range []string{"href=", "url(", "@import", "font-family"} {
		if strings.Contains(doc, bad) {
			t.Errorf("there is a %q", bad)
		}
	}
	places := position.FindAllStringSubmatch(doc, -1)
	if len(places) < 1000 {
		t.Fatalf("only %d points", len(places))
	}
	for _, m := range places {
		x, errX := strconv.ParseFloat(m[1], 64)
		y, errY := strconv.ParseFloat(m[2], 64)
		if errX != nil || errY != nil || x < 0 || x > float64(pathsWidth) || y < 0 || y > float64(pathsHeight) {
			t.Errorf("a point at %s is outside of the picture", m[0])
		}
	}
}

func TestPathsIsDeterministic(t *testing.T) {
	p := walks(200, 12, 60)
	if first, second := svg(t, p), svg(t, p); first != second {
		t.Error("two pictures of the same numbers are different")
	}
}

func TestPathsSize(t *testing.T) {
	need.Long(t)
	for _, c := range []struct{ lines, shown, epochs, limit int }{
		{1000, 10, 500, 600_000},
		{1000, 1000, 500, 1_000_000},
		{50_000, 20, 40, 1_000_000},
		{3, 3, 50_000, 300_000},
	} {
		p := walks(c.lines, c.shown, c.epochs)
		if size := len(svg(t, p)); size > c.limit {
			t.Errorf("%d lines of %d iterations: %d bytes, want at most %d", c.lines, c.epochs, size, c.limit)
		}
	}
}

func TestPathsRefuses(t *testing.T) {
	for name, p := range map[string]PathPlot{
		"no lines":  {},
		"no values": {Lines: []Line{{Name: "a"}, {Name: "b", Highlight: true}}},
		"NaN":       {Lines: []Line{{Name: "a", Values: []float64{0, math.NaN()}}}},
		"infinity":  {Lines: []Line{{Name: "a", Values: []float64{math.Inf(-1)}}}},
		"overflow":  {Lines: []Line{{Name: "a", Values: []float64{1e300, -1e300}}}},
	} {
		var b bytes.Buffer
		if err := Paths(&b, p); err == nil {
			t.Errorf("%s: no error", name)
		}
		if b.Len() > 0 {
			t.Errorf("%s: something was written", name)
		}
	}
}

func TestPathsReportsTheWriter(t *testing.T) {
	want := errors.New("disk full")
	if err := Paths(failing{want}, walks(3, 1, 10)); !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestPathsOfAwkwardInput(t *testing.T) {
	names := []string{
		"", "a\x00b\x1f\nc", "<script>alert('&\"')</script>", "\xff\xfe", "変数", "\uffff", "−½ β²",
		strings.Repeat("long ", 100_000),
	}
	for _, name := range names {
		for _, values := range [][]float64{{0}, {3}, {0, 0, 0}, {-1e-9, 1e-9}, {-1e100, 1e100}, {5e-324, 0}} {
			for _, first := range []int{0, 1, 1_000_000} {
				doc := svg(t, PathPlot{Title: name, First: first, Lines: []Line{
					{Name: name, Values: values, Highlight: true}, {Name: name, Values: values}, {Name: name},
				}})
				if n := wellFormed(t, doc)["script"]; n > 0 {
					t.Errorf("name %.20q: %d scripts", name, n)
				}
				if strings.Contains(doc, "NaN") || strings.Contains(doc, "Inf") {
					t.Errorf("values %v: a place that is not a number", values)
				}
			}
		}
	}
}

// Letters that the font of the picture does not have stay text.
func TestPathsKeepsOtherScripts(t *testing.T) {
	p := walks(3, 2, 10)
	p.Lines[0].Name = "変数"
	doc := svg(t, p)
	if n := wellFormed(t, doc)["text"]; n != 1 || !strings.Contains(doc, ">変数<") {
		t.Errorf("%d texts, want the one name", n)
	}
}

// A colour is drawn for each highlighted line, and once more in the legend as
// long as there is one.
func TestPathsLegend(t *testing.T) {
	for shown, want := range map[int]int{0: 0, 1: 2, 10: 2, 11: 1} {
		doc := svg(t, walks(20, shown, 30))
		if got := strings.Count(doc, "stroke:#0072B2"); got != want {
			t.Errorf("%d highlighted: the first colour is used %d times, want %d", shown, got, want)
		}
	}
}

// A line ends at the iteration in which its variable was dropped.
func TestPathsEnd(t *testing.T) {
	p := PathPlot{First: 1, Lines: []Line{
		{Name: "a", Values: []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, Highlight: true},
		{Name: "b", Values: []float64{0, 1, 0, 1, 0, 1}},
	}}
	places := func(color string) []float64 {
		path := regexp.MustCompile(`d="([^"]*)"\s+style="fill:none;stroke:` + color).FindStringSubmatch(svg(t, p))
		if path == nil {
			t.Fatalf("nothing is drawn in %s", color)
		}
		var xs []float64
		for _, m := range position.FindAllStringSubmatch(path[1], -1) {
			x, err := strconv.ParseFloat(m[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			xs = append(xs, x)
		}
		return xs
	}
	long, short := places("#0072B2"), places("#B4B4B4")
	if len(long) != 2 {
		t.Errorf("a straight line has %d points", len(long))
	}
	if len(short) != 6 {
		t.Errorf("a zigzag of 6 points has %d", len(short))
	}
	if share := (short[len(short)-1] - long[0]) / (long[len(long)-1] - long[0]); math.Abs(share-0.5) > 1e-3 {
		t.Errorf("a line of 5 of 10 iterations ends at %v of the width", share)
	}
}

func ExamplePaths() {
	var b bytes.Buffer
	err := Paths(&b, PathPlot{
		Title: "two of three",
		Lines: []Line{
			{Name: "age", Values: []float64{0, 0.5, 0.8, 0.9}, Highlight: true},
			{Name: "height", Values: []float64{0, -0.2, -0.5, -0.6}, Highlight: true},
			{Name: "shoe size", Values: []float64{0, 0.1}},
		},
	})
	fmt.Println(err, strings.HasPrefix(b.String(), "<?xml"))
	// Output: <nil> true
}
