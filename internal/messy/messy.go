// Package messy generates messy tables with known truth: with identifiers, dates, missing values,
// texts of many categories, and numbers in all notations. They are text, so that reading is tested,
// too.
package messy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"
)

// Table is a table as CSV with a header and the target y.
type Table struct {
	CSV string
	// True lists the columns on which y depends. Columns with the same contents are in one text,
	// separated by bars.
	True []string
}

// Maker makes a table of one kind from random numbers.
type Maker struct {
	Name string
	Make func(rng *rand.Rand) Table
}

// Makers lists all kinds.
func Makers() []Maker {
	return []Maker{
		{"high-cardinality", highCardinality},
		{"identifiers", identifiers},
		{"noise-dates", noiseDates},
		{"true-dates", trueDates},
		{"times", times},
		{"leak", leak},
		{"missing-not-at-random", missingNotAtRandom},
		{"mostly-missing", mostlyMissing},
		{"mixed-types", mixedTypes},
		{"duplicates", duplicates},
		{"rare-levels", rareLevels},
		{"outliers", outliers},
		{"imbalance", imbalance},
		{"german", german},
		{"currencies", currencies},
		{"booleans", booleans},
		{"many-texts", manyTexts},
		{"classes", classes},
	}
}

// table collects columns of cells.
type table struct {
	rng   *rand.Rand
	names []string
	cells [][]string
	comma string
}

func newTable(rng *rand.Rand) *table { return &table{rng: rng, comma: ","} }

func (t *table) add(name string, cells []string) {
	t.names, t.cells = append(t.names, name), append(t.cells, cells)
}

// noise adds columns of numbers without an effect.
func (t *table) noise(rows, count int) {
	for j := range count {
		t.add(fmt.Sprintf("noise%d", j), written(t.normal(rows), "%.4f"))
	}
}

// done puts the columns in random order, and the target last.
func (t *table) done(y []string, truth ...string) Table {
	order := t.rng.Perm(len(t.names))
	var b strings.Builder
	for _, j := range order {
		b.WriteString(t.names[j] + t.comma)
	}
	b.WriteString("y\n")
	for i := range y {
		for _, j := range order {
			b.WriteString(t.cells[j][i] + t.comma)
		}
		b.WriteString(y[i] + "\n")
	}
	return Table{b.String(), truth}
}

func (t *table) normal(rows int) []float64 {
	x := make([]float64, rows)
	for i := range x {
		x[i] = t.rng.NormFloat64()
	}
	return x
}

// texts returns one of n texts for each row.
func (t *table) texts(rows, levels int, prefix string) []string {
	out := make([]string, rows)
	for i := range out {
		out[i] = fmt.Sprintf("%s%d", prefix, t.rng.IntN(levels))
	}
	return out
}

func written(x []float64, format string) []string {
	out := make([]string, len(x))
	for i, v := range x {
		out[i] = fmt.Sprintf(format, v)
	}
	return out
}

// sum returns Σ effect·column plus noise of the given size, as cells.
func (t *table) sum(noise float64, effects []float64, columns ...[]float64) []float64 {
	y := make([]float64, len(columns[0]))
	for i := range y {
		y[i] = noise * t.rng.NormFloat64()
		for j, x := range columns {
			y[i] += effects[j] * x[i]
		}
	}
	return y
}

const rows = 1000

func highCardinality(rng *rand.Rand) Table {
	t := newTable(rng)
	a, b := t.normal(2*rows), t.normal(2*rows)
	t.add("a", written(a, "%.4f"))
	t.add("b", written(b, "%.4f"))
	t.add("store", t.texts(2*rows, 400, "s"))
	t.noise(2*rows, 4)
	return t.done(written(t.sum(1, []float64{0.35, 0.35}, a, b), "%.4f"), "a", "b")
}

func identifiers(rng *rand.Rand) Table {
	t := newTable(rng)
	a := t.normal(rows)
	index, key := make([]string, rows), make([]string, rows)
	for i := range index {
		index[i], key[i] = fmt.Sprint(i), fmt.Sprintf("%08x-%04x", rng.Uint32(), i)
	}
	t.add("", index)
	t.add("customer_id", shuffled(rng, index))
	t.add("session", key)
	t.add("a", written(a, "%.4f"))
	t.noise(rows, 5)
	return t.done(written(t.sum(1, []float64{0.4}, a), "%.4f"), "a")
}

func shuffled(rng *rand.Rand, cells []string) []string {
	out := make([]string, len(cells))
	for i, j := range rng.Perm(len(cells)) {
		out[i] = cells[j]
	}
	return out
}

// dates returns random times within three years.
func (t *table) dates(rows int) []time.Time {
	out := make([]time.Time, rows)
	for i := range out {
		out[i] = time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(t.rng.IntN(3*365*24)) * time.Hour)
	}
	return out
}

func dated(at []time.Time, layout string) []string {
	out := make([]string, len(at))
	for i, d := range at {
		out[i] = d.Format(layout)
	}
	return out
}

func noiseDates(rng *rand.Rand) Table {
	t := newTable(rng)
	a, b := t.normal(rows), t.normal(rows)
	t.add("signup", dated(t.dates(rows), "2006-01-02"))
	t.add("seen", dated(t.dates(rows), "2006-01-02 15:04:05"))
	t.add("a", written(a, "%.4f"))
	t.add("b", written(b, "%.4f"))
	t.noise(rows, 5)
	return t.done(written(t.sum(1, []float64{0.4, -0.4}, a, b), "%.4f"), "a", "b")
}

func trueDates(rng *rand.Rand) Table {
	t := newTable(rng)
	a, at := t.normal(rows), t.dates(rows)
	weekend := make([]float64, rows)
	for i, d := range at {
		if d.Weekday() == time.Saturday || d.Weekday() == time.Sunday {
			weekend[i] = 1
		}
	}
	t.add("day", dated(at, "02.01.2006"))
	t.add("other", dated(t.dates(rows), "02.01.2006"))
	t.add("a", written(a, "%.4f"))
	t.noise(rows, 5)
	return t.done(written(t.sum(1, []float64{0.5, 2}, a, weekend), "%.4f"), "a", "day")
}

func times(rng *rand.Rand) Table {
	t := newTable(rng)
	hour, clock := make([]float64, rows), make([]string, rows)
	for i := range hour {
		h := rng.IntN(24)
		clock[i] = fmt.Sprintf("%d:%02d", h, rng.IntN(60))
		hour[i] = math.Cos(2 * math.Pi * float64(h) / 24)
	}
	t.add("clock", clock)
	t.noise(rows, 6)
	return t.done(written(t.sum(1, []float64{1.2}, hour), "%.4f"), "clock")
}

func leak(rng *rand.Rand) Table {
	t := newTable(rng)
	a := t.normal(rows)
	y := t.sum(1, []float64{0.5}, a)
	t.add("total", written(t.sum(0.01, []float64{10}, y), "%.4f"))
	t.noise(rows, 6)
	return t.done(written(y, "%.4f"), "total")
}

func missingNotAtRandom(rng *rand.Rand) Table {
	t := newTable(rng)
	a, income := t.normal(rows), t.normal(rows)
	gone := make([]float64, rows)
	cells := written(income, "%.4f")
	for i := range gone {
		if rng.Float64() < 0.25 {
			gone[i], cells[i], income[i] = 1, "", 0
		}
	}
	t.add("income", cells)
	t.add("a", written(a, "%.4f"))
	t.noise(rows, 6)
	return t.done(written(t.sum(1, []float64{0.2, -1.2, 0.4}, income, gone, a), "%.4f"), "income", "a")
}

func mostlyMissing(rng *rand.Rand) Table {
	t := newTable(rng)
	a, rare := t.normal(rows), written(t.normal(rows), "%.4f")
	for i := range rare {
		if rng.Float64() < 0.84 {
			rare[i] = "NA"
		}
	}
	t.add("rarely", rare)
	t.add("a", written(a, "%.4f"))
	t.noise(rows, 5)
	return t.done(written(t.sum(1, []float64{0.4}, a), "%.4f"), "a")
}

func mixedTypes(rng *rand.Rand) Table {
	t := newTable(rng)
	age, noise := t.normal(rows), written(t.normal(rows), "%.2f")
	cells := written(age, "%.3f")
	for i := range cells {
		switch rng.IntN(30) {
		case 0:
			cells[i], age[i] = "refused", 0
		case 1:
			cells[i], age[i] = "-", 0
		}
		if rng.IntN(20) == 0 {
			noise[i] = "unknown"
		}
	}
	t.add("age", cells)
	t.add("score", noise)
	t.noise(rows, 6)
	return t.done(written(t.sum(1, []float64{0.5}, age), "%.4f"), "age")
}

func duplicates(rng *rand.Rand) Table {
	t := newTable(rng)
	a, b := t.normal(rows), t.normal(rows)
	t.add("a", written(a, "%.4f"))
	t.add("a_copy", written(a, "%.4f"))
	t.add("b", written(b, "%.4f"))
	t.noise(rows, 6)
	return t.done(written(t.sum(1, []float64{0.6, 0.5}, a, b), "%.4f"), "a|a_copy", "b")
}

func rareLevels(rng *rand.Rand) Table {
	t := newTable(rng)
	city, effect := make([]string, rows), make([]float64, rows)
	other := make([]string, rows)
	for i := range city {
		level := rng.IntN(4)
		if city[i] = fmt.Sprintf("c%d", level); rng.IntN(12) == 0 {
			city[i] = fmt.Sprintf("village %d", rng.IntN(60))
			level = 2
		}
		effect[i] = float64(level) - 1.5
		if other[i] = fmt.Sprintf("k%d", rng.IntN(3)); rng.IntN(4) == 0 {
			other[i] = fmt.Sprintf("rare %d", rng.IntN(200))
		}
	}
	t.add("city", city)
	t.add("kind", other)
	t.noise(rows, 6)
	return t.done(written(t.sum(1, []float64{0.5}, effect), "%.4f"), "city")
}

func outliers(rng *rand.Rand) Table {
	t := newTable(rng)
	a, wild := t.normal(rows), t.normal(rows)
	for i := range wild {
		if rng.IntN(200) == 0 {
			wild[i] *= 1e6
		}
	}
	t.add("a", written(a, "%.4f"))
	t.add("wild", written(wild, "%.4f"))
	t.noise(rows, 6)
	return t.done(written(t.sum(1, []float64{0.4}, a), "%.4f"), "a")
}

func imbalance(rng *rand.Rand) Table {
	t := newTable(rng)
	a := t.normal(3 * rows)
	y := make([]string, 3*rows)
	for i := range y {
		if y[i] = "no"; rng.Float64() < 1/(1+math.Exp(4-1.2*a[i])) {
			y[i] = "yes"
		}
	}
	t.add("a", written(a, "%.4f"))
	t.add("city", t.texts(3*rows, 20, "c"))
	t.noise(3*rows, 6)
	return t.done(y, "a")
}

// comma writes a number with a decimal comma.
func comma(x float64) string {
	text := strings.Replace(fmt.Sprintf("%.2f", math.Abs(x)), ".", ",", 1)
	if n := len(text) - 3; n > 3 {
		text = text[:n-3] + "." + text[n-3:]
	}
	if x < 0 {
		text = "-" + text
	}
	return text
}

func german(rng *rand.Rand) Table {
	t := newTable(rng)
	t.comma = ";"
	price, other := t.normal(rows), t.normal(rows)
	cells, noise := make([]string, rows), make([]string, rows)
	for i := range cells {
		cells[i], noise[i] = comma(2000+800*price[i]), comma(other[i])
	}
	t.add("preis", cells)
	t.add("rauschen", noise)
	t.add("menge", t.texts(rows, 9000, "1."))
	t.cells[2] = make([]string, rows)
	for i := range t.cells[2] {
		t.cells[2][i] = fmt.Sprintf("%d.%03d", 1+rng.IntN(8), rng.IntN(1000))
	}
	y := t.sum(1, []float64{0.5}, price)
	out := make([]string, rows)
	for i := range out {
		out[i] = comma(y[i])
	}
	return t.done(out, "preis")
}

func currencies(rng *rand.Rand) Table {
	t := newTable(rng)
	price, rate := t.normal(rows), t.normal(rows)
	cells, shares := make([]string, rows), make([]string, rows)
	for i := range cells {
		dollars := 5000 + 1500*price[i]
		cells[i] = fmt.Sprintf("\"$%d,%03d.%02d\"", int(math.Abs(dollars))/1000, int(math.Abs(dollars))%1000, rng.IntN(100))
		if shares[i] = fmt.Sprintf("%.1f%%", 50+10*rate[i]); rate[i] < -2 {
			shares[i] = fmt.Sprintf("(%.1f%%)", math.Abs(50+10*rate[i]))
			rate[i] = -5 - (rate[i] + 5)
		}
	}
	t.add("price", cells)
	t.add("share", shares)
	t.noise(rows, 6)
	return t.done(written(t.sum(1, []float64{0.5}, price), "%.4f"), "price")
}

func booleans(rng *rand.Rand) Table {
	t := newTable(rng)
	flag, effect := make([]string, rows), make([]float64, rows)
	other := make([]string, rows)
	for i := range flag {
		flag[i] = []string{"yes", "Yes", "Y", "TRUE"}[rng.IntN(4)]
		if effect[i] = 1; rng.IntN(2) == 0 {
			flag[i], effect[i] = []string{"no", "N", "False"}[rng.IntN(3)], 0
		}
		other[i] = []string{"ja", "nein", "Ja"}[rng.IntN(3)]
	}
	t.add("active", flag)
	t.add("member", other)
	t.noise(rows, 6)
	return t.done(written(t.sum(1, []float64{0.8}, effect), "%.4f"), "active")
}

func manyTexts(rng *rand.Rand) Table {
	t := newTable(rng)
	a := t.normal(rows)
	group, effect := make([]string, rows), make([]float64, rows)
	for i := range group {
		g := rng.IntN(3)
		group[i], effect[i] = fmt.Sprintf("g%d", g), float64(g-1)
	}
	for j := range 8 {
		t.add(fmt.Sprintf("text%d", j), t.texts(rows, 30, "t"))
	}
	t.add("group", group)
	t.add("a", written(a, "%.4f"))
	return t.done(written(t.sum(1, []float64{0.4, 0.5}, a, effect), "%.4f"), "a", "group")
}

func classes(rng *rand.Rand) Table {
	t := newTable(rng)
	a, b := t.normal(rows), t.normal(rows)
	y := make([]string, rows)
	for i := range y {
		best, most := 0, math.Inf(-1)
		for c, z := range []float64{1.2 * a[i], 1.2 * b[i], 0} {
			if z -= math.Log(-math.Log(rng.Float64())); z > most {
				best, most = c, z
			}
		}
		y[i] = []string{"red", "green", "blue"}[best]
	}
	t.add("a", written(a, "%.4f"))
	t.add("b", written(b, "%.4f"))
	t.add("shop", t.texts(rows, 60, "s"))
	t.noise(rows, 5)
	return t.done(y, "a", "b")
}
