package describe

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"fsa/data"
	"fsa/data/kind"
)

// Suspects lists problems of a dataset as a whole: columns that predict the response too well,
// copies, classes that are written in several ways, and rows that may be ordered by time. [Table]
// finds the same problems. ordered says that the user has already stated whether neighbouring rows
// are dependent. Tables that are large, sparse or not in memory are not searched.
func Suspects(ctx context.Context, d *data.Dataset, ordered bool) ([]Problem, error) {
	var labels []Problem
	if d.Target != nil && len(d.Target.Categories) <= mostClasses {
		for _, group := range alike(d.Target.Categories) {
			labels = append(labels, alikeProblem(d.Target.Name, group))
		}
	}
	if d.Target != nil && len(d.Target.Categories) > 0 {
		counts := map[float64]int{}
		for _, v := range d.Target.Y {
			counts[v]++
		}
		if p, found := manyClasses(d.Target.Name, counts, len(d.Target.Categories)); found {
			labels = append(labels, p)
		}
	}
	if d.Target == nil || d.Target.Each != nil || len(d.Target.Y) != d.Rows() || !d.InMemory() || d.Sparse() || float64(d.Rows())*float64(len(d.Columns)) > mostCells {
		return labels, nil
	}
	y, classes := d.Target.Y, d.Target.Categories != nil
	s := search{target: suspect{d.Target.Name, d.TargetKind().Kind, 0, &trace{text: classes}}, counts: map[float64]int{}, ordered: ordered || d.Target.Query != nil || d.Target.Group != nil, survival: d.Target.Event != nil}
	s.rows.add(0, -1, y)
	for _, v := range y {
		if n, known := s.counts[v]; known || classes || len(s.counts) < fewTimes {
			s.counts[v] = n + 1
		}
	}
	var vars []int
	for j := range d.Columns {
		if d.Part(j) != "" || !d.Varies(j) {
			continue
		}
		c, name := &d.Columns[j], d.ColumnName(j)
		vars = append(vars, j)
		s.columns = append(s.columns, suspect{name, d.Kind(j).Kind, 0, &trace{text: c.Text, classes: classes}})
	}
	if err := s.read(ctx, d, vars); err != nil {
		return nil, err
	}
	list := append(labels, s.problems()...)
	slices.SortStableFunc(list, func(a, b Problem) int { return cmp.Compare(b.weight, a.weight) })
	return list, nil
}

// read adds all rows of the target and of the columns, which are the given variables.
func (s *search) read(ctx context.Context, d *data.Dataset, vars []int) error {
	y, w := d.Target.Y, &stripe{}
	for lo := 0; lo < len(y); lo += stripeRows {
		hi := min(lo+stripeRows, len(y))
		w.set(lo, hi-lo)
		s.target.add(y[lo:hi], nil, w)
	}
	var columns [][]float64
	for at := 0; at < len(vars); at += data.Neighbours {
		some := vars[at:min(at+data.Neighbours, len(vars))]
		var err error
		if columns, err = d.NumbersOf(ctx, columns, some); err != nil {
			return err
		}
		for lo := 0; lo < len(y); lo += stripeRows {
			hi := min(lo+stripeRows, len(y))
			w.set(lo, hi-lo)
			for k, x := range columns {
				s.columns[at+k].add(x[lo:hi], y[lo:hi], w)
			}
		}
		for k, x := range columns {
			c := &s.columns[at+k]
			if checksummed(c.name, c.text) {
				s.rows.add(0, some[k], x)
			}
			if named.MatchString(c.name) {
				c.distinct = members(x, c.text)
			}
		}
	}
	return nil
}

// members returns the number of different values of a column that may name persons or things: of
// whole numbers or texts. It is 0 for others.
func members(x []float64, text bool) int {
	different := map[float64]bool{}
	for _, v := range x {
		if v == v && v != math.Trunc(v) && !text {
			return 0
		}
		if v == v {
			different[v] = true
		}
	}
	return len(different)
}

// suspect is a column that has been read.
type suspect struct {
	name     string
	kind     kind.Name
	distinct int // number of different values of a column that may name persons or things; 0 for others
	*trace
}

// search compares columns with each other and with the target.
type search struct {
	columns []suspect
	target  suspect         // its trace is nil if there is no target
	counts  map[float64]int // number of rows of each class
	rows    rowSums         // of the numbers of each row
	ordered bool            // the user stated whether neighbouring rows are dependent
	// survival says that the user named the events of survival times.
	survival bool
}

// problems lists all problems.
func (s *search) problems() (list []Problem) {
	copies := s.copies()
	for i, of := range copies {
		if of >= 0 {
			what := "correlation 1 with " + s.columns[of].name + ": they carry the same information"
			if s.columns[i].text && s.columns[i].texts > 2 {
				what = "same categories as " + s.columns[of].name + " in all rows"
			}
			list = append(list, Problem{Column: s.columns[i].name, What: what, Cure: Dropping(s.columns[i].name) + " or the other one", Copy: true, weight: 50})
		}
	}
	if s.target.trace != nil && s.target.present >= leastRows {
		list = append(list, s.leaks(copies)...)
		list = append(list, s.addends()...)
		list = append(list, s.order()...)
		list = append(list, s.events()...)
		list = append(list, s.copiedRows()...)
		list = append(list, s.groups(list)...)
	}
	return list
}

// leaks lists columns that predict the response almost perfectly, or far better than all others.
func (s *search) leaks(copies []int) (list []Problem) {
	best, next := -1, 0.0
	share := make([]float64, len(s.columns))
	for i := range s.columns {
		if share[i] = s.columns[i].alone(); share[i] != share[i] {
			share[i] = 0
		}
		if share[i] > leak {
			list = append(list, leaking(&s.columns[i], fmt.Sprintf("it predicts the target almost perfectly on its own (R² %.3f): possible leakage", share[i])))
		}
		if missing := s.columns[i].byGaps(); missing > leak {
			list = append(list, leaking(&s.columns[i], fmt.Sprintf("whether it is missing predicts the target almost perfectly (R² %.3f): possible leakage", missing)))
		}
		if best < 0 || share[i] > share[best] {
			best = i
		}
	}
	if len(list) > 0 || len(s.columns) < leastFew || share[best] < strong {
		return list
	}
	for i := range s.columns {
		if i != best && copies[i] != best && copies[best] != i && (copies[i] < 0 || copies[i] != copies[best]) {
			next = max(next, share[i])
		}
	}
	if share[best] >= farAhead*next {
		list = append(list, leaking(&s.columns[best], fmt.Sprintf("it explains %.2f of the target on its own, and no other column more than %.2f: possible leakage", share[best], next)))
	}
	return list
}

// Dropping returns the flag that leaves out a column.
func Dropping(column string) string {
	if strings.ContainsFunc(column, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_.-", r)
	}) {
		return fmt.Sprintf("--drop %q", column)
	}
	return "--drop " + column
}

func leaking(c *suspect, what string) Problem {
	cure := Dropping(c.name) + " if it is not known in advance"
	if c.text && c.texts >= leastMembers {
		cure += ", or " + strings.Replace(Dropping(c.name), "--drop", "--fold-by", 1) + " if it names persons or things that have several rows each"
	}
	return Problem{Column: c.name, What: what, Cure: cure, Leak: true, weight: 100}
}

// order reports whether rows seem to be ordered by time.
func (s *search) order() []Problem {
	if s.ordered {
		return nil
	}
	by := ""
	for _, c := range s.columns {
		if c.text || !c.sorted(sortedSteps) {
			continue
		}
		if c.kind == kind.Date || c.kind == kind.Time {
			return []Problem{{Column: c.name, What: "rows are sorted by this " + string(c.kind), Cure: "use --ordered if the model is to predict later rows", weight: 95}}
		}
		if by == "" {
			by = fmt.Sprintf("; rows are sorted by %s", c.name)
		}
	}
	t := s.target
	r, errors := t.autocorrelation(s.counts)
	steps := t.rises + t.falls
	up := float64(t.rises) / float64(max(steps, 1))
	if r < dependent || errors < certain || steps < leastSteps || !t.text && min(up, 1-up) < bothWays {
		return nil
	}
	return []Problem{{Column: t.name, What: fmt.Sprintf("the target is similar in neighbouring rows (autocorrelation %.2f)%s", r, by), Cure: "use --ordered if rows are in the order of time, or --fold-by COLUMN if neighbours belong together", weight: 95}}
}

// copies returns, for each column, the first column that it is a copy of, or −1. Columns of
// numbers, and of two texts, are compared with their nearest neighbours in a space of random
// projections.
func (s *search) copies() []int {
	of := make([]int, len(s.columns))
	type line struct {
		column int
		at     [projections]float64
	}
	var lines []line
	texts := map[uint64]int{} // the first column of each checksum
	for i := range s.columns {
		c := &s.columns[i]
		of[i] = -1
		if c.present < leastRows {
			continue
		}
		if c.text && c.texts > 2 {
			if first, known := texts[c.hash]; known {
				of[i] = first
			} else {
				texts[c.hash] = i
			}
			continue
		}
		if at, varies := c.direction(); varies {
			lines = append(lines, line{i, at})
		}
	}
	slices.SortFunc(lines, func(a, b line) int {
		return cmp.Or(slices.Compare(a.at[:], b.at[:]), cmp.Compare(a.column, b.column))
	})
	const most = 2 * projections * copied // largest squared distance of copies
	for i := range lines {
		for j := i + 1; j < min(i+1+neighbours, len(lines)); j++ {
			apart := 0.0
			for k := range projections {
				apart += (lines[i].at[k] - lines[j].at[k]) * (lines[i].at[k] - lines[j].at[k])
			}
			if d := lines[j].at[0] - lines[i].at[0]; d*d > most {
				break
			}
			if apart <= most {
				first, second := min(lines[i].column, lines[j].column), max(lines[i].column, lines[j].column)
				if of[first] >= 0 && of[first] != second {
					first = of[first]
				}
				if of[second] < 0 {
					of[second] = first
				}
			}
		}
	}
	return of
}
