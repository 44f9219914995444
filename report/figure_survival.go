package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"fsa/eval"
	"fsa/internal/plots"
)

// riskNames are the groups of rows whose survival is drawn, by increasing risk.
var riskNames = []string{"low risk", "medium risk", "high risk"}

// survivalFigures shows how long the rows of groups of risk lived, compared with what their risks predict.
func survivalFigures(r *Run) []*Figure {
	s := r.Rows.lives()
	if s == nil {
		return nil
	}
	middle := s.middle()
	return []*Figure{s.curves(r.Model.Target), s.calibration(r.Model.Target, middle), s.deviances()}
}

// lives are the times of rows with their out-of-fold risks.
type lives struct {
	row               []int
	time, event, risk []float64
	entry             []float64 // nil if all rows are observed from the start
	hazard            []hazard  // baseline hazard of each stratum
	of                []int     // stratum of each row
}

// lives returns the rows of survival times; nil if they are not known.
func (r *Rows) lives() *lives {
	s := &lives{row: r.Row, time: r.numbers(), event: r.Event, risk: r.Number, entry: r.Entry, of: make([]int, len(r.Row))}
	n := len(s.time)
	if n == 0 || len(s.event) != n || len(s.risk) != n || !slices.Contains(s.event, 1) {
		return nil
	}
	strata := slices.Compact(slices.Sorted(slices.Values(r.Stratum)))
	members := make([][]int, max(len(strata), 1))
	for i := range s.of {
		if r.Stratum != nil {
			s.of[i], _ = slices.BinarySearch(strata, r.Stratum[i])
		}
		members[s.of[i]] = append(members[s.of[i]], i)
	}
	for _, rows := range members {
		s.hazard = append(s.hazard, s.baseline(rows))
	}
	return s
}

// hazard is a cumulative hazard: it reaches sum[k] at time[k], ascending, and is constant between.
type hazard struct{ time, sum []float64 }

// at returns the cumulative hazard at a time.
func (h hazard) at(t float64) float64 {
	k := sort.Search(len(h.time), func(k int) bool { return h.time[k] > t })
	if k == 0 {
		return 0
	}
	return h.sum[k-1]
}

// steps calls a function for each time at which some of the rows had an event, ascending, with the number of these events
// and the sum of a value over the rows at risk.
func (s *lives) steps(rows []int, value func(i int) float64, to func(t, events, atRisk float64)) {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b int) int { return cmp.Compare(s.time[a], s.time[b]) })
	entering := slices.Clone(rows)
	atRisk := 0.0
	if s.entry != nil {
		slices.SortFunc(entering, func(a, b int) int { return cmp.Compare(s.entry[a], s.entry[b]) })
	} else {
		for _, i := range rows {
			atRisk += value(i)
		}
		entering = nil
	}
	for lo := 0; lo < len(rows); {
		t, hi, events, gone := s.time[rows[lo]], lo, 0.0, 0.0
		for ; len(entering) > 0 && s.entry[entering[0]] < t; entering = entering[1:] {
			atRisk += value(entering[0])
		}
		for ; hi < len(rows) && s.time[rows[hi]] == t; hi++ {
			events, gone = events+s.event[rows[hi]], gone+value(rows[hi])
		}
		if events > 0 && atRisk > 0 {
			to(t, events, atRisk)
		}
		atRisk, lo = atRisk-gone, hi
	}
}

// baseline returns the hazard of a row of risk 0, by Breslow's method.
func (s *lives) baseline(rows []int) (h hazard) {
	sum := 0.0
	s.steps(rows, func(i int) float64 { return math.Exp(s.risk[i]) }, func(t, events, atRisk float64) {
		sum += events / atRisk
		h.time, h.sum = append(h.time, t), append(h.sum, sum)
	})
	return h
}

// observed returns the share of rows without an event until each time at which one of them has it (Kaplan and Meier 1958),
// with its standard error (Greenwood 1926).
func (s *lives) observed(rows []int) (time, share, se []float64) {
	left, variance := 1.0, 0.0
	s.steps(rows, func(int) float64 { return 1 }, func(t, events, atRisk float64) {
		left *= 1 - events/atRisk
		if atRisk > events {
			variance += events / (atRisk * (atRisk - events))
		}
		time, share, se = append(time, t), append(share, left), append(se, left*math.Sqrt(variance))
	})
	return time, share, se
}

// predicted returns the mean predicted share of rows without an event until a time.
func (s *lives) predicted(rows []int, t float64) float64 {
	sum := 0.0
	for _, i := range rows {
		sum += math.Exp(-s.hazard[s.of[i]].at(t) * math.Exp(s.risk[i]))
	}
	return sum / float64(len(rows))
}

// middle returns the time until which half of the events occurred.
func (s *lives) middle() float64 {
	var times []float64
	for i, e := range s.event {
		if e == 1 {
			times = append(times, s.time[i])
		}
	}
	slices.Sort(times)
	return times[len(times)/2]
}

// curves shows the survival of groups of rows by their risk.
func (s *lives) curves(target string) *Figure {
	chart := &plots.Chart{X: target, Y: "share without an event", YRange: unit}
	f := &Figure{ID: "survival", Title: "Survival by risk", Half: true, chart: chart, Table: [][]string{{"risk", target, "observed", "standard_error", "predicted"}}}
	list := groups(s.risk, len(riskNames))
	for g, rows := range list {
		name := "all rows"
		if len(list) > 1 {
			name = riskNames[g*(len(riskNames)-1)/(len(list)-1)]
		}
		time, share, se := s.observed(rows)
		seen := plots.Curve{Name: fmt.Sprintf("%s, %s", name, plural(len(rows), "row", "rows")), Label: name, Steps: true, Tint: classTint(g), X: []float64{0}, Y: []float64{1}, Low: []float64{1}, High: []float64{1}}
		told := plots.Curve{Dashed: true, Tint: classTint(g), X: []float64{0}, Y: []float64{1}}
		index := make([]int, len(time))
		for k := range index {
			index[k] = k
		}
		for _, k := range some(index, curvePoints) {
			p := s.predicted(rows, time[k])
			seen.X, seen.Y = append(seen.X, time[k]), append(seen.Y, share[k])
			seen.Low, seen.High = append(seen.Low, max(share[k]-se[k], 0)), append(seen.High, min(share[k]+se[k], 1))
			told.X, told.Y = append(told.X, time[k]), append(told.Y, p)
			f.Table = append(f.Table, []string{name, exact(time[k]), exact(share[k]), exact(se[k]), exact(p)})
		}
		if len(time) > 0 {
			chart.Curves = append(chart.Curves, seen, told)
		}
	}
	concordance := eval.ConcordanceFrom(s.risk, s.time, s.event, s.entry, floats(s.of), nil)
	f.Caption = fmt.Sprintf("Concordance %s. Rows in thirds by their out-of-fold risk: observed (Kaplan–Meier, with a band of one standard error) and predicted (dashed).", precise(concordance))
	f.Alt = fmt.Sprintf("Survival curves of %d groups of rows by risk.", len(list))
	return f
}

func floats(list []int) []float64 {
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = float64(v)
	}
	return out
}

// calibration compares the predicted probability of no event until a time with the observed share.
func (s *lives) calibration(target string, until float64) *Figure {
	c := plots.Curve{Tint: plots.Plain, Dots: true}
	table := [][]string{{"rows", "predicted", "observed", "standard_error"}}
	list := groups(s.risk, calibrationBins)
	slices.Reverse(list) // by increasing probability
	for _, rows := range list {
		time, share, errors := s.observed(rows)
		p, seen, se := s.predicted(rows, until), 1.0, 0.0
		if k := sort.Search(len(time), func(k int) bool { return time[k] > until }); k > 0 {
			seen, se = share[k-1], errors[k-1]
		}
		c.X, c.Y = append(c.X, p), append(c.Y, seen)
		c.Low, c.High = append(c.Low, max(seen-se, 0)), append(c.High, min(seen+se, 1))
		c.Tips = append(c.Tips, fmt.Sprintf("predicted %s, observed %s of %d rows", percent(p), percent(seen), len(rows)))
		table = append(table, []string{fmt.Sprint(len(rows)), exact(p), exact(seen), exact(se)})
	}
	return &Figure{ID: "calibration", Title: "Calibration", Half: true, Table: table,
		chart:   &plots.Chart{X: "predicted share without an event", Y: "observed share", XRange: unit, YRange: unit, Curves: []plots.Curve{c}, Rules: []plots.Rule{{Diagonal: true}}},
		Caption: fmt.Sprintf("No event until %s = %s, the time of half of the events, in groups of rows by risk. On the diagonal, predicted probabilities equal observed shares (Kaplan–Meier). The band is one standard error.", target, brief(until)),
		Alt:     fmt.Sprintf("Calibration of survival in %d groups of rows.", len(c.X))}
}

// deviances shows deviance residuals against risks (Therneau, Grambsch and Fleming 1990).
func (s *lives) deviances() *Figure {
	residual := make([]float64, len(s.time))
	for i, event := range s.event {
		h := s.hazard[s.of[i]]
		expected := h.at(s.time[i])
		if s.entry != nil {
			expected -= h.at(s.entry[i])
		}
		expected = max(expected*math.Exp(s.risk[i]), math.SmallestNonzeroFloat64)
		residual[i] = signedRoot(event-expected, expected-event*(1+math.Log(expected)))
	}
	return devianceFigure(s.row, s.risk, residual, "risk", "Above 0, the event came earlier than predicted; below, later or not at all.")
}
