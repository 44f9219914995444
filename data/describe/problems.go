package describe

import (
	"fmt"
	"math"
	"regexp"
	"slices"

	"fsa/internal/decimal"
)

// Limits above which something is reported as a problem.
const (
	mostlyMissing = 0.5  // share of rows without a value
	wild          = 30.0 // distance of an outlier from the quartiles, in interquartile ranges
	rareClass     = 0.05 // share of the rows in a class
	fewPerText    = 5.0  // mean number of rows per text
)

// coded matches typical names of columns with codes.
var coded = regexp.MustCompile(`(?i)(^|[._ -])(zip|plz|postcode|code|type|category|class|group|region|area_code|store|branch|id)([._ -]|$)`)

// sentinels are numbers that often mean a missing value.
var sentinels = []float64{-1, -9, -99, -999, -9999, -99999, 99, 999, 9999, 99999, 999999}

// problems lists the problems of column j.
func (p *pass) problems(out *Report, c *counted, col *Column, j int) {
	add := func(weight int, what, cure string) { out.add(col.Name, weight, what, cure) }
	share := float64(c.missing) / float64(max(p.rows, 1))
	switch {
	case c.n == 0:
		add(20, "it is empty", "--drop it; it is never selected")
		return
	case c.distinct() == 1 && !c.many:
		add(20, "all rows have the same value", "--drop it; it is never selected")
		return
	case col.Role == leftOut:
		add(60, fmt.Sprintf("%d different values in %d rows: an identifier, which is left out", col.Distinct, p.rows), "--use it if it is none")
		return
	}
	if share > mostlyMissing {
		add(70, fmt.Sprintf("it is missing in %.0f%% of the rows", 100*share), "find out why; --drop it, or keep it: missing values are replaced by the mean")
	}
	if k := p.schema.Kinds[j]; len(k.Missing) > 0 {
		add(80, fmt.Sprintf("%q is not a number; such texts are treated as missing", k.Missing[0]), "correct them, or give --categorical")
	}
	if c.text {
		if n := len(p.schema.Categories[j]); float64(c.n)/float64(n) < fewPerText {
			add(40, fmt.Sprintf("%d different texts in %d rows", n, c.n), "few rows per category; --drop it, or merge categories")
		}
		return
	}
	p.numberProblems(add, c, col)
}

// numberProblems lists the problems of a column of numbers.
func (p *pass) numberProblems(add func(weight int, what, cure string), c *counted, col *Column) {
	sorted := slices.Sorted(slices.Values(c.sample))
	lower, upper := sorted[len(sorted)/4], sorted[3*len(sorted)/4]
	if spread := upper - lower; spread > 0 && col.Kind == "number" {
		away := max(c.high-upper, lower-c.low) / spread
		switch at := p.sentinel(c); {
		case !math.IsNaN(at):
			add(80, fmt.Sprintf("%g occurs in %d rows, far from the other values: it may mean a missing value", at, c.counts[at]), "leave such cells empty")
		case away > wild:
			add(45, fmt.Sprintf("outliers: the range is %s to %s, but half of the rows are between %s and %s", col.Low, col.High, decimal.Digits(lower, 4), decimal.Digits(upper, 4)), "check them; curves (--bins) are less affected")
		}
	}
	if c.whole && c.low >= 19000101 && c.high <= 22001231 && isDate(c.low) && isDate(c.high) && c.distinct() > 5 {
		add(75, fmt.Sprintf("numbers such as %.0f look like dates", c.low), "write them as 2024-01-31, so that they are read as such")
	}
	if c.whole && c.distinct() > 2 && c.distinct() < 1000 && coded.MatchString(col.Name) {
		add(30, "whole numbers that may be codes", "--categorical if their order means nothing")
	}
}

// isDate reports whether a whole number is a date when its digits are year, month and day.
func isDate(x float64) bool {
	n := int(x)
	return n/100%100 >= 1 && n/100%100 <= 12 && n%100 >= 1 && n%100 <= 31
}

// sentinel returns a number that probably means a missing value, or NaN if there is none.
func (p *pass) sentinel(c *counted) float64 {
	low, high := math.Inf(1), math.Inf(-1) // range of the other numbers
	found := math.NaN()
	for _, at := range []float64{c.low, c.high} {
		if slices.Contains(sentinels, at) && c.counts[at]*200 > c.n && c.counts[at] > 2 {
			found = at
		}
	}
	for _, x := range c.sample {
		if x != found {
			low, high = min(low, x), max(high, x)
		}
	}
	if found >= low-(high-low) && found <= high+(high-low)/2 {
		return math.NaN()
	}
	return found
}

// targetProblems lists the problems of the target.
func (p *pass) targetProblems(out *Report, c *counted, j int) {
	if c.missing > 0 {
		out.add(out.Target, 110, fmt.Sprintf("the target is missing in %d rows", c.missing), "--skip-missing-target leaves these rows out")
	}
	if c.n == 0 || c.distinct() == 1 {
		out.add(out.Target, 110, "the target has only one value: there is nothing to learn", "name another")
		return
	}
	if !c.text {
		p.countProblem(out, c)
		return
	}
	var texts []string
	if j >= 0 {
		texts = p.schema.Categories[j]
	} else if p.vector != nil {
		texts = p.vector.Categories
	}
	if p, found := manyClasses(out.Target, c.counts, len(texts)); found {
		out.Problems = append(out.Problems, p)
		return
	}
	for _, group := range alike(texts) {
		out.Problems = append(out.Problems, alikeProblem(out.Target, group))
	}
	out.Classes = map[string]int{}
	for v, n := range c.counts {
		if int(v) < len(texts) {
			out.Classes[texts[int(v)]] = n
		}
	}
	for _, text := range texts {
		if n := out.Classes[text]; float64(n) < rareClass*float64(c.n) {
			out.add(out.Target, 65, fmt.Sprintf("class %q has %d of %d rows", text, n, c.n), "look at auc and logloss, not at error; --class-weights balanced if this class matters")
		}
	}
}

// namedTwice lists names that several columns share.
func (p *pass) namedTwice(out *Report) {
	count := map[string]int{}
	for _, name := range p.schema.Names {
		if count[name]++; count[name] == 2 {
			out.add(name, 105, "several columns have this name", "rename them; --drop drops all of them")
		}
	}
}
