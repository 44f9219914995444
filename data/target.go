package data

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Target is the target of each row, with weights, queries and groups.
type Target struct {
	// Name, WeightName, QueryName, GroupName and OffsetName are the names of the columns of the
	// response, the weights, the queries, the groups and the offset; empty if there is no such
	// column.
	Name, WeightName, QueryName, GroupName, OffsetName string
	// EventName, StratumName and EntryName are the columns of the events, the strata and the entries.
	EventName, StratumName, EntryName string
	// TrialsName is that of the trials.
	TrialsName string
	// Y is a number for each row, or the index of its text in Categories.
	Y []float64
	// Categories holds the texts of a text response; nil for numbers.
	Categories []string
	// Each holds the targets if there are several, NaN where one is missing; otherwise nil. Y then holds the numbers of the
	// rows, from 0, and Name the names of the targets, separated by commas.
	Each []Vector
	// Weight is the weight of each row; nil means 1 for all.
	Weight []float64
	// Offset is added to the decision value of each row; nil means 0 for all. Exposure says that
	// the offsets are logarithms of exposures.
	Offset   []float64
	Exposure bool
	// Event says, for survival times, whether the row had the event at its time, 1, or was observed
	// until then without one, 0. It is nil if there are no events. Stratum has the stratum of each
	// row; only rows of the same stratum are compared. It is nil if there is only one stratum.
	Event, Stratum []float64
	// Entry is the time from which on each row is observed: its event would be unknown if it had been
	// earlier. It is nil if all rows are observed from the start.
	Entry []float64
	// Trials is the number of trials of each row; nil without trials. Y is then the share of successes, and Weight
	// counts trials.
	Trials []float64
	// Query divides the rows into queries for ranking: rows Query[q] to Query[q+1]−1 belong
	// together. It is nil if there are no queries.
	Query []int
	// Group labels rows that belong together, such as those of a patient: all rows of a group are
	// in the same fold. It is nil if there are no groups.
	Group []float64
	// Pairs are judged pairs of rows of the same query.
	Pairs []Pair
}

// Pair compares two rows: R is 1 if row I is better, 0 if row J is, ½ if they are equal, or a
// value in between.
type Pair struct {
	I, J int
	R    float64
}

// Vector is a single column: numbers, or texts as indices in Categories.
type Vector struct {
	Name       string // of its file, or of the column if Column is set
	Column     bool   // it is a column in the file of the table
	Values     []float64
	Categories []string
}

// Select returns the target of the given rows. Pairs are kept if both of their rows are.
func (t *Target) Select(rows []int) *Target {
	to := &Target{Name: t.Name, WeightName: t.WeightName, QueryName: t.QueryName, GroupName: t.GroupName, OffsetName: t.OffsetName, EventName: t.EventName, StratumName: t.StratumName, EntryName: t.EntryName, TrialsName: t.TrialsName, Exposure: t.Exposure, Categories: t.Categories,
		Y: pick(t.Y, rows), Weight: pick(t.Weight, rows), Offset: pick(t.Offset, rows), Event: pick(t.Event, rows), Stratum: pick(t.Stratum, rows), Entry: pick(t.Entry, rows), Trials: pick(t.Trials, rows), Group: pick(t.Group, rows)}
	for _, v := range t.Each {
		v.Values = pick(v.Values, rows)
		to.Each = append(to.Each, v)
	}
	if t.Each != nil {
		to.several()
	}
	if t.Query != nil {
		to.Query = cuts(len(rows), func(i int) bool { return t.query(rows[i]) != t.query(rows[i-1]) })
	}
	if t.Pairs != nil {
		place := make(map[int]int, len(rows))
		for at, row := range rows {
			place[row] = at
		}
		to.Pairs = []Pair{}
		for _, p := range t.Pairs {
			i, hasI := place[p.I]
			j, hasJ := place[p.J]
			if hasI && hasJ {
				to.Pairs = append(to.Pairs, Pair{i, j, p.R})
			}
		}
	}
	return to
}

func pick(v []float64, rows []int) []float64 {
	if v == nil {
		return nil
	}
	to := make([]float64, len(rows))
	for i, r := range rows {
		to[i] = v[r]
	}
	return to
}

// cuts returns the first row of each run of rows, followed by the number of rows. begins reports
// whether row i begins a run; it is not called for the first row.
func cuts(rows int, begins func(i int) bool) []int {
	at := []int{0}
	for i := 1; i < rows; i++ {
		if begins(i) {
			at = append(at, i)
		}
	}
	return append(at, rows)
}

// queries converts the query of each row to cuts. The rows of a query must be contiguous.
func queries(id []int64) ([]int, *Error) {
	first := map[int64]int{} // first row of each query, counted from 1
	for i := range id {
		if i > 0 && id[i] == id[i-1] {
			continue
		}
		if row := first[id[i]]; row > 0 {
			return nil, &Error{Row: i + 1, Msg: fmt.Sprintf("query %d appears again after other queries (it began in row %d): rows of a query must be contiguous; sort the rows by query", id[i], row)}
		}
		first[id[i]] = i + 1
	}
	return cuts(len(id), func(i int) bool { return id[i] != id[i-1] }), nil
}

// Check returns an error if the target does not match a table with this many rows. Targets that
// were read from a file have been checked already.
func (t *Target) Check(rows int) error {
	if len(t.Y) != rows {
		return &Error{Msg: fmt.Sprintf("there are %d target values for %d rows", len(t.Y), rows)}
	}
	if err := t.checkEach(rows); err != nil {
		return err
	}
	for i, y := range t.Y {
		err := checkResponse(y)
		if err == nil && t.Categories != nil && (y != math.Trunc(y) || y < 0 || y >= float64(len(t.Categories))) {
			err = &Error{Msg: fmt.Sprintf("the target %v is not the number of one of its %d texts", y, len(t.Categories))}
		}
		if err != nil {
			err.Row = i + 1
			return err
		}
	}
	if t.Weight != nil && len(t.Weight) != rows {
		return &Error{Msg: fmt.Sprintf("there are %d weights for %d rows", len(t.Weight), rows)}
	}
	for i, w := range t.Weight {
		if err := checkWeight(w); err != nil {
			err.Row = i + 1
			return err
		}
	}
	if t.Weight != nil && rows > 0 && slices.Max(t.Weight) == 0 {
		return &Error{Msg: "all weights are zero"}
	}
	if t.Offset != nil && len(t.Offset) != rows {
		return &Error{Msg: fmt.Sprintf("there are %d offsets for %d rows", len(t.Offset), rows)}
	}
	for i, v := range t.Offset {
		if err := checkOffset(v); err != nil {
			err.Row = i + 1
			return err
		}
	}
	if err := checkList("events", t.Event, rows, checkEvent); err != nil {
		return err
	}
	if err := checkList("strata", t.Stratum, rows, checkStratum); err != nil {
		return err
	}
	if err := checkList("entries", t.Entry, rows, checkEntry); err != nil {
		return err
	}
	if err := checkList("trials", t.Trials, rows, checkTrials); err != nil {
		return err
	}
	if t.Group != nil && len(t.Group) != rows {
		return &Error{Msg: fmt.Sprintf("there are groups of %d rows for %d", len(t.Group), rows)}
	}
	if i := slices.IndexFunc(t.Group, math.IsNaN); i >= 0 {
		return &Error{Row: i + 1, Msg: "the group is missing: every row needs one"}
	}
	if q := t.Query; q != nil && (len(q) < 2 || q[0] != 0 || q[len(q)-1] != rows || !slices.IsSorted(q)) {
		return &Error{Msg: fmt.Sprintf("queries must divide the rows from 0 to %d", rows)}
	}
	for i, p := range t.Pairs {
		if min(p.I, p.J) < 0 || max(p.I, p.J) >= rows || !(p.R >= 0 && p.R <= 1) {
			return &Error{Msg: fmt.Sprintf("pair %d has rows %d and %d and r = %v: there are %d rows, and r must be between 0 and 1", i, p.I, p.J, p.R, rows)}
		}
		if t.Query != nil && t.query(p.I) != t.query(p.J) {
			return &Error{Msg: fmt.Sprintf("pair %d has rows %d and %d, which belong to different queries", i, p.I, p.J)}
		}
	}
	return nil
}

// query returns the query of a row.
func (t *Target) query(row int) int {
	return sort.SearchInts(t.Query, row+1)
}

const noTarget = "all targets are missing: every row needs one (--skip-missing-target leaves such rows out)"

// several sets what stands for several targets in the fields of a single one.
func (t *Target) several() {
	var names []string
	for _, v := range t.Each {
		names = append(names, v.Name)
	}
	t.Name, t.Y, t.Categories = strings.Join(names, ","), rowNumbers(len(t.Each[0].Values)), nil
}

// rowNumbers returns the numbers from 0 to rows−1.
func rowNumbers(rows int) []float64 {
	list := make([]float64, rows)
	for i := range list {
		list[i] = float64(i)
	}
	return list
}

// checkEach returns an error unless several targets match a table with this many rows.
func (t *Target) checkEach(rows int) *Error {
	if t.Each == nil {
		return nil
	}
	known, names := make([]bool, rows), map[string]bool{}
	for _, v := range t.Each {
		if len(v.Values) != rows {
			return &Error{Column: v.Name, Msg: fmt.Sprintf("there are %d target values for %d rows", len(v.Values), rows)}
		}
		if v.Name == "" || names[v.Name] {
			return &Error{Column: v.Name, Msg: "each of several targets needs a name of its own"}
		}
		names[v.Name] = true
		for i, y := range v.Values {
			if math.IsInf(y, 0) {
				return &Error{Column: v.Name, Row: i + 1, Msg: "the target is infinite: it must be a finite number or missing"}
			}
			known[i] = known[i] || y == y
		}
	}
	if i := slices.Index(known, false); i >= 0 {
		return &Error{Row: i + 1, Msg: noTarget}
	}
	return nil
}

// Cell returns the cell of a row as a text, empty if it is missing.
func (v *Vector) Cell(row int) string {
	x := v.Values[row]
	switch {
	case x != x:
		return ""
	case v.Categories != nil:
		return v.Categories[int(x)]
	}
	return strconv.FormatFloat(x+0, 'f', -1, 64)
}
