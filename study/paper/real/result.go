package real

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Result has the measurements of a call.
type Result struct {
	// Open says that the size was open and that there are Standings.
	Open        bool         `json:"open,omitempty"`
	Records     []Record     `json:"records"`
	Comparisons []Comparison `json:"comparisons"`
	Families    []Summary    `json:"families"`
	Standings   []Standing   `json:"standings,omitempty"`
}

// Summary describes the calibration of a method in a family.
type Summary struct {
	Family string `json:"family"`
	Method string `json:"method"`
	// Slope is the calibration slope over all held-out rows of two classes. MeanSlope is the mean
	// of the slopes of single fits.
	Slope     *float64 `json:"slope"`
	MeanSlope *float64 `json:"mean_slope"`
	// Signal says that the target can be predicted in every set of the family.
	Signal bool `json:"signal"`
	// Above is the share of fits whose log loss, or squared error, exceeds that of the null model
	// by more than its standard error.
	Above *float64 `json:"above_base"`
	// Seconds is the mean time of a fit.
	Seconds float64 `json:"seconds"`
}

// summarise computes the summaries from the records.
func (r *Result) summarise() {
	r.Comparisons = compare(r.Records)
	if r.Open {
		r.Standings = standings(r.Records)
	}
	for _, family := range distinct(r.Records, func(r Record) string { return r.Family }) {
		for _, method := range distinct(r.Records, func(r Record) string { return r.Method }) {
			var list []Record
			for _, x := range r.Records {
				if x.Family == family && x.Method == method {
					list = append(list, x)
				}
			}
			if len(list) > 0 {
				r.Families = append(r.Families, summary(family, method, list))
			}
		}
	}
}

func summary(family, method string, list []Record) Summary {
	s := Summary{Family: family, Method: method, Signal: true}
	if v := pooledSlope(list); v == v {
		s.Slope = &v
	}
	var above, compared, slopes, n float64
	for _, r := range list {
		s.Signal = s.Signal && r.Signal
		s.Seconds += r.Measures[seconds] / float64(len(list))
		if d, ok := r.Measures[excess]; ok {
			compared++
			if d > r.Measures[excessSE] {
				above++
			}
		}
		if v, ok := r.Measures[slope]; ok {
			slopes += v
			n++
		}
	}
	if compared > 0 {
		s.Above = new(above / compared)
	}
	if n > 0 {
		s.MeanSlope = new(slopes / n)
	}
	return s
}

// Markdown writes the result as Markdown: tables by family, then the comparisons in which fsa is
// worse.
func (r *Result) Markdown(to io.Writer) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "# real\n\nMeans on held-out rows; in brackets the lead (+) or deficit (−) of fsa, its standard error, and fits won:lost.\n")
	fmt.Fprintf(w, "▲ and ▼ mark significant differences (5%% after Holm's correction over all families and peers of a measure).\n")
	for _, family := range distinct(r.Records, func(r Record) string { return r.Family }) {
		r.family(w, family)
	}
	if r.Open {
		r.standings(w)
	} else {
		r.verdict(w)
	}
	return w.Flush()
}

// family writes the table of a family.
func (r *Result) family(w io.Writer, family string) {
	list := slices.DeleteFunc(slices.Clone(r.Records), func(x Record) bool { return x.Family != family })
	sets := distinct(list, func(x Record) string { return x.Set })
	seeds := distinct(list, func(x Record) uint64 { return x.Seed })
	fmt.Fprintf(w, "\n## %s\n\n%s; %d seeds\n\n", family, strings.Join(sets, ", "), len(seeds))
	var measures []string
	for _, m := range compared {
		if slices.ContainsFunc(list, func(x Record) bool { _, ok := x.Measures[m]; return ok }) {
			measures = append(measures, m)
		}
	}
	line(w, append(append([]string{"method"}, measures...), "slope", "above base", "seconds"))
	fmt.Fprintln(w, strings.Repeat("|---", len(measures)+4)+"|")
	for _, s := range r.Families {
		if s.Family != family {
			continue
		}
		cells := []string{s.Method}
		for _, m := range measures {
			cells = append(cells, r.cell(family, s.Method, m))
		}
		cells = append(cells, share(s.Slope, "%.2f"), percent(s.Above), fmt.Sprintf("%.2g", s.Seconds))
		line(w, cells)
	}
}

// cell writes a mean, and its comparison with fsa.
func (r *Result) cell(family, method, measure string) string {
	if method == Ours {
		// Comparisons use our mean over the fits that both methods have; this is the mean over all
		// fits.
		return fmt.Sprintf("%.4f", meanOf(r.Records, family, method, measure))
	}
	for _, c := range r.Comparisons {
		if c.Family == family && c.Method == method && c.Measure == measure {
			mark := ""
			switch {
			case c.Behind():
				mark = " ▼"
			case c.Leads():
				mark = " ▲"
			}
			return fmt.Sprintf("%.4f (%s ± %s, %d:%d)%s", c.Theirs, signed(c.Ahead), share(c.SE, "%.4f"), c.Wins, c.Losses, mark)
		}
	}
	return "–"
}

// meanOf returns the mean over sets of the means over their fits.
func meanOf(records []Record, family, method, measure string) float64 {
	sum, count := map[string]float64{}, map[string]float64{}
	for _, r := range records {
		if v, ok := r.Measures[measure]; ok && r.Family == family && r.Method == method {
			sum[r.Set] += v
			count[r.Set]++
		}
	}
	var mean, n float64
	for _, set := range distinct(records, func(r Record) string { return r.Set }) {
		if count[set] > 0 {
			mean += sum[set] / count[set]
			n++
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return mean / n
}

// The calibration slopes that a family should have.
const lowSlope, highSlope = 0.8, 1.25

// verdict lists the comparisons in which fsa is worse.
func (r *Result) verdict(w io.Writer) {
	fmt.Fprintf(w, "\n## Behind by more than chance\n\n")
	line(w, []string{"family", "measure", "method", "fsa", "theirs", "ahead", "p (Holm)"})
	fmt.Fprintln(w, strings.Repeat("|---", 7)+"|")
	for _, c := range r.Comparisons {
		if c.Behind() {
			line(w, []string{c.Family, c.Measure, c.Method, fmt.Sprintf("%.4f", c.Ours), fmt.Sprintf("%.4f", c.Theirs), signed(c.Ahead) + " ± " + share(c.SE, "%.4f"), share(c.Holm, "%.2g")})
		}
	}
	fmt.Fprintf(w, "\n## Beside the best single peer of each family\n\n")
	line(w, []string{"family", "measure", "peer", "fsa", "theirs", "ahead", "p, uncorrected"})
	fmt.Fprintln(w, strings.Repeat("|---", 7)+"|")
	for _, c := range r.best() {
		line(w, []string{c.Family, c.Measure, c.Method, fmt.Sprintf("%.4f", c.Ours), fmt.Sprintf("%.4f", c.Theirs), signed(c.Ahead) + " ± " + share(c.SE, "%.4f"), share(c.P, "%.2g")})
	}
	fmt.Fprintf(w, "\n## Probabilities of fsa\n\nA slope should be between %v and %v if there is a signal, and few fits should be above the base.\n\n", lowSlope, highSlope)
	line(w, []string{"family", "slope", "mean slope of fits", "above base"})
	fmt.Fprintln(w, strings.Repeat("|---", 4)+"|")
	for _, s := range r.Families {
		if s.Method != Ours {
			continue
		}
		held := func(v *float64) string {
			text := share(v, "%.2f")
			if v != nil && s.Signal && (*v < lowSlope || *v > highSlope) {
				text += " ▼"
			}
			return text
		}
		line(w, []string{s.Family, held(s.Slope), held(s.MeanSlope), percent(s.Above)})
	}
	fmt.Fprintf(w, "\n## Cells (set and k) of fsa beside the best peer of the cell\n\n")
	line(w, []string{"set", "k", "measure", "fsa", "peer", "theirs", "ahead"})
	fmt.Fprintln(w, strings.Repeat("|---", 7)+"|")
	for _, c := range r.cells() {
		line(w, c)
	}
}

// best returns, for every family and measure, the peer with the best mean.
func (r *Result) best() []Comparison {
	var out []Comparison
	for _, c := range r.Comparisons {
		if !slices.Contains(PeerNames(), c.Method) || c.Measure == auc {
			continue
		}
		at := slices.IndexFunc(out, func(o Comparison) bool { return o.Family == c.Family && o.Measure == c.Measure })
		switch {
		case at < 0:
			out = append(out, c)
		case c.Ahead < out[at].Ahead:
			out[at] = c
		}
	}
	slices.SortStableFunc(out, func(a, b Comparison) int { return cmp.Compare(a.Measure, b.Measure) })
	return out
}

// cells returns a line for every set, k and measure.
func (r *Result) cells() [][]string {
	var out [][]string
	type place struct {
		set string
		k   int
	}
	for _, at := range distinct(r.Records, func(r Record) place { return place{r.Set, r.K} }) {
		var here []Record
		for _, x := range r.Records {
			if x.Set == at.set && x.K == at.k {
				x.Family = at.set
				here = append(here, x)
			}
		}
		for _, m := range compared {
			if m == auc {
				continue
			}
			ours := meanOf(here, at.set, Ours, m)
			best, name := math.NaN(), ""
			for _, method := range PeerNames() {
				if v := meanOf(here, at.set, method, m); v == v && !(better[m]*(best-v) >= 0) {
					best, name = v, method
				}
			}
			if ours == ours && name != "" {
				out = append(out, []string{at.set, fmt.Sprint(at.k), m, fmt.Sprintf("%.4f", ours), name, fmt.Sprintf("%.4f", best), signed(better[m] * (ours - best))})
			}
		}
	}
	return out
}

func line(w io.Writer, cells []string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }

// share writes a number that may be unknown.
func share(v *float64, format string) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf(format, *v)
}

func percent(v *float64) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf("%.0f%%", 100**v)
}

// signed writes the lead of fsa; zero has no sign.
func signed(v float64) string {
	if text := fmt.Sprintf("%+.4f", v); text != "-0.0000" {
		return text
	}
	return "+0.0000"
}
