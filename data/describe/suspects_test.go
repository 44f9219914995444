package describe

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/data"
	"fsa/data/open"
)

// TestSuspects has a table for everything that is suspected, and for what looks like it. Both
// [Table] and [Suspects] have to say the same.
func TestSuspects(t *testing.T) {
	type row = map[string]string
	number := func(x float64) string { return fmt.Sprintf("%.6g", x) }
	for _, c := range []struct {
		name string
		row  func(rng *rand.Rand, i int) row // besides a, b and c, which are noise
		want map[string]string               // column and what is said of it
	}{
		{"independent rows", func(rng *rand.Rand, i int) row { return row{"y": number(rng.NormFloat64())} }, nil},
		{"independent classes", func(rng *rand.Rand, i int) row { return row{"y": []string{"no", "yes"}[rng.IntN(2)]} }, nil},
		{"a rare class", func(rng *rand.Rand, i int) row { return row{"y": []string{"no", "yes"}[rng.IntN(30)/29]} }, nil},
		{"the target itself", func(rng *rand.Rand, i int) row {
			y := rng.NormFloat64()
			return row{"y": number(y), "z": number(3*y + 0.1*rng.NormFloat64())}
		}, map[string]string{"z": "almost perfectly"}},
		{"the class itself", func(rng *rand.Rand, i int) row {
			k := rng.IntN(3)
			return row{"y": "class" + string(rune('A'+k)), "z": "code" + string(rune('P'+k))}
		}, map[string]string{"z": "almost perfectly"}},
		{"missing by class", func(rng *rand.Rand, i int) row {
			k := rng.IntN(2)
			return row{"y": []string{"no", "yes"}[k], "z": []string{"", number(rng.NormFloat64())}[k]}
		}, map[string]string{"z": "whether it is missing"}},
		{"a category missing by class", func(rng *rand.Rand, i int) row {
			k := rng.IntN(3)
			return row{"y": []string{"no", "yes"}[min(k, 1)], "z": []string{"", "visa", "bank"}[k]}
		}, map[string]string{"z": "whether it is missing"}},
		{"missing by number", func(rng *rand.Rand, i int) row {
			k := rng.IntN(2)
			return row{"y": number(10*float64(k) + rng.NormFloat64()), "z": []string{"", number(rng.NormFloat64())}[k]}
		}, map[string]string{"z": "whether it is missing"}},
		{"patients", func(rng *rand.Rand, i int) row {
			patient := rng.IntN(40)
			return row{"y": []string{"no", "yes"}[patient%2], "z": fmt.Sprintf("patient %c%c", 'A'+patient%20, 'A'+patient/20)}
		}, map[string]string{"z": "no other column"}},
		{"missing at random", func(rng *rand.Rand, i int) row {
			return row{"y": number(rng.NormFloat64()), "z": []string{"", number(rng.NormFloat64())}[rng.IntN(2)]}
		}, nil},
		{"far ahead", func(rng *rand.Rand, i int) row {
			y := rng.NormFloat64()
			return row{"y": number(y), "z": number(y + 0.68*rng.NormFloat64())}
		}, map[string]string{"z": "no other column"}},
		{"far ahead, twice", func(rng *rand.Rand, i int) row {
			y := rng.NormFloat64()
			z := y + 0.68*rng.NormFloat64()
			return row{"y": number(y), "z": number(z), "z2": number(-2 * z)}
		}, map[string]string{"z": "no other column", "z2": "correlation 1 with z"}},
		{"a sum", func(rng *rand.Rand, i int) row {
			p, q := rng.NormFloat64(), 2*rng.NormFloat64()
			return row{"y": number(p + q), "p": number(p), "q": number(q)}
		}, map[string]string{"p": "the target is p + q"}},
		{"a difference", func(rng *rand.Rand, i int) row {
			p, q := 100+rng.NormFloat64(), rng.NormFloat64()
			return row{"y": number(p - q), "q": number(q), "p": number(p)}
		}, map[string]string{"p": "the target is p − q"}},
		{"a sum of much and little", func(rng *rand.Rand, i int) row {
			p, q := rng.NormFloat64(), 0.01*rng.NormFloat64()
			return row{"y": number(p + q), "p": number(p), "q": number(q)}
		}, map[string]string{"p": "almost perfectly"}},
		{"nearly a sum", func(rng *rand.Rand, i int) row {
			p, q := rng.NormFloat64(), rng.NormFloat64()
			return row{"y": number(p + q + 0.1*rng.NormFloat64()), "p": number(p), "q": number(q)}
		}, nil},
		{"two good ones", func(rng *rand.Rand, i int) row {
			y := rng.NormFloat64()
			return row{"y": number(y), "z": number(y + 0.68*rng.NormFloat64()), "z2": number(y + rng.NormFloat64())}
		}, nil},
		{"other units", func(rng *rand.Rand, i int) row {
			x := 100 + 50*rng.NormFloat64()
			return row{"y": number(rng.NormFloat64()), "minutes": number(x), "charge": fmt.Sprintf("%.2f", 0.17*x)}
		}, map[string]string{"charge": "correlation 1 with minutes"}},
		{"alike, but no copies", func(rng *rand.Rand, i int) row {
			x := rng.NormFloat64()
			return row{"y": number(rng.NormFloat64()), "p": number(x), "q": number(x + 0.05*rng.NormFloat64())}
		}, nil},
		{"the same categories", func(rng *rand.Rand, i int) row {
			k := rng.IntN(3)
			return row{"y": number(rng.NormFloat64()), "p": []string{"x", "y", "z"}[k], "q": []string{"Z", "X", "Y"}[k]}
		}, map[string]string{"q": "same categories as p"}},
		{"two texts", func(rng *rand.Rand, i int) row {
			k := rng.IntN(2)
			return row{"y": number(rng.NormFloat64()), "p": []string{"male", "female"}[k], "q": fmt.Sprint(k)}
		}, map[string]string{"q": "correlation 1 with p"}},
		{"dates in order", func(rng *rand.Rand, i int) row {
			return row{"y": number(rng.NormFloat64()), "when": fmt.Sprintf("%d-%02d-%02d", 2020+i/336, 1+i/28%12, 1+i%28)}
		}, map[string]string{"when": "sorted by this date"}},
		{"dates in no order", func(rng *rand.Rand, i int) row {
			return row{"y": number(rng.NormFloat64()), "when": fmt.Sprintf("2020-%02d-%02d", 1+rng.IntN(12), 1+rng.IntN(28))}
		}, nil},
		{"a season", func(rng *rand.Rand, i int) row {
			return row{"y": number(math.Sin(float64(i)/20) + rng.NormFloat64())}
		}, map[string]string{"y": "neighbouring rows"}},
		{"classes by season", func(rng *rand.Rand, i int) row {
			return row{"y": []string{"no", "yes"}[int(2.5+math.Sin(float64(i)/20)+rng.Float64())/3%2]}
		}, map[string]string{"y": "neighbouring rows"}},
		{"sorted by the target", func(rng *rand.Rand, i int) row { return row{"y": number(float64(i%150) + 0.1*rng.Float64())} }, nil},
		{"one class after the other", func(rng *rand.Rand, i int) row { return row{"y": []string{"a", "b", "c"}[i/134]} }, nil},
		{"an event beside a time", func(rng *rand.Rand, i int) row {
			return row{"y": number(rng.ExpFloat64() + 0.01), "has_died": []string{"0", "1"}[rng.IntN(2)]}
		}, map[string]string{"has_died": "occurred at the time y"}},
		{"a yes or no beside a time", func(rng *rand.Rand, i int) row {
			return row{"y": number(rng.ExpFloat64() + 0.01), "event": []string{"no", "yes"}[rng.IntN(2)]}
		}, map[string]string{"event": "occurred at the time y"}},
		{"an event beside a number", func(rng *rand.Rand, i int) row {
			return row{"y": number(rng.NormFloat64()), "event": []string{"0", "1"}[rng.IntN(2)]}
		}, nil},
		{"a flag beside an amount", func(rng *rand.Rand, i int) row {
			return row{"y": number(rng.ExpFloat64() + 0.01), "status": []string{"0", "1"}[rng.IntN(2)]}
		}, nil},
		{"codes beside a time", func(rng *rand.Rand, i int) row {
			return row{"y": number(rng.ExpFloat64() + 0.01), "event": []string{"0", "1", "2"}[rng.IntN(3)]}
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(11, 12))
			var text strings.Builder
			var names []string
			for i := range 400 {
				cells := c.row(rng, i)
				for _, noise := range []string{"a", "b", "c"} {
					cells[noise] = number(rng.NormFloat64())
				}
				if i == 0 {
					for name := range cells {
						names = append(names, name)
					}
					slices.SortFunc(names, func(a, b string) int { return strings.Compare(order(a), order(b)) })
					text.WriteString(strings.Join(names, ",") + "\n")
				}
				for j, name := range names {
					text.WriteString(cells[name] + map[bool]string{true: "\n", false: ","}[j == len(names)-1])
				}
			}
			fromFit, fromTable := found(t, text.String())
			for _, got := range []map[string]string{fromFit, fromTable} {
				for column, want := range c.want {
					if !strings.Contains(got[column], want) {
						t.Errorf("of %s it says %q, want %q", column, got[column], want)
					}
				}
				if len(got) != len(c.want) {
					t.Errorf("it says %q, want %q", got, c.want)
				}
			}
		})
	}
}

// order lets originals stand before copies.
func order(name string) string {
	if name == "charge" || name == "z2" {
		return "zz" + name
	}
	return name
}

// found returns what [Suspects] and [Table] say of each column of a text.
func found(t *testing.T, text string) (fit, table map[string]string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := open.Table(t.Context(), path, open.Options{}, open.Roles{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	list, err := Suspects(t.Context(), d, false)
	if err != nil {
		t.Fatal(err)
	}
	r, err := open.Reader(t.Context(), path, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	report, err := Table(t.Context(), r, data.Roles{Target: "y"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	fit, table = map[string]string{}, map[string]string{}
	for _, p := range list {
		fit[p.Column] = p.What
	}
	for _, p := range report.Problems {
		if p.Leak || p.Copy || p.Table || p.weight == 94 || p.weight == 95 {
			table[p.Column] = p.What
		}
	}
	return fit, table
}

// TestFewFalseAlarms looks at independent rows of many kinds: of 300 tables of 40 columns
// practically none is suspected.
func TestFewFalseAlarms(t *testing.T) {
	alarms := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		rows := 20 + rng.IntN(400)
		s := search{target: suspect{name: "y", trace: &trace{text: seed%3 == 0}}, counts: map[float64]int{}}
		y := make([]float64, rows)
		for i := range y {
			switch seed % 3 {
			case 0:
				y[i] = float64(rng.IntN(2 + int(seed%5)))
			case 1:
				y[i] = rng.NormFloat64()
			default:
				y[i] = math.Exp(2 * rng.NormFloat64())
			}
			s.counts[y[i]]++
		}
		addAll(s.target.trace, y, nil)
		for j := range 40 {
			c := suspect{name: fmt.Sprint(j), trace: &trace{text: j%4 == 3, classes: seed%3 == 0}}
			x := make([]float64, rows)
			for i := range x {
				if x[i] = rng.NormFloat64(); c.text {
					x[i] = float64(rng.IntN(3 + j/8))
				}
			}
			addAll(c.trace, x, y)
			s.columns = append(s.columns, c)
		}
		if list := s.problems(); len(list) > 0 {
			alarms++
			t.Logf("seed %d, %d rows: %+v", seed, rows, list)
		}
	}
	if alarms > 1 {
		t.Errorf("%d of 300 tables are suspected", alarms)
	}
}

// addAll adds all rows of a column.
func addAll(t *trace, x, y []float64) {
	w := &stripe{}
	for lo := 0; lo < len(x); lo += stripeRows {
		hi := min(lo+stripeRows, len(x))
		w.set(lo, hi-lo)
		if y == nil {
			t.add(x[lo:hi], nil, w)
		} else {
			t.add(x[lo:hi], y[lo:hi], w)
		}
	}
}
