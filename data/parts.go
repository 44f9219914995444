package data

import (
	"context"
	"math"

	"fsa/internal/matrix"
)

// A column may become several variables that are selected together. A date becomes its trend, which
// is a number, and its month, weekday and hour. A number whose missing values predict the target
// gets an indicator of missing values. Such parts are texts and come after all whole columns, so
// that the numbers of a table are stored in the order in which they are read.

// missingPart marks the indicator of missing values; other parts are numbered from 1.
const missingPart = math.MaxUint8

// MissingPart is the name of the indicator of missing values; see [Dataset.Part].
const MissingPart = "missing"

// addParts appends the parts of the columns.
func (b *Builder) addParts() {
	for k := range b.whole {
		j := b.columns[k].Index
		if _, text := b.schema.Categories[j]; text {
			continue
		}
		parts := b.schema.Kinds[j].Parts()
		for i := range parts {
			b.columns = append(b.columns, Column{Index: j, Text: true, part: uint8(i + 1)})
			b.texts = append(b.texts, textSource{j, &parts[i]})
		}
	}
}

// Part returns which part of its column variable j is: "" for the column itself, the name of a
// part, or [MissingPart].
func (d *Dataset) Part(j int) string {
	switch p := d.Columns[j].part; p {
	case 0:
		return ""
	case missingPart:
		return MissingPart
	default:
		return d.Kind(j).Parts()[p-1].Name
	}
}

// Parts returns the variables that are selected together with the variable of a whole column,
// by Column.Index.
func (d *Dataset) Parts() map[int][]int {
	parts := map[int][]int{}
	for j := d.whole; j < len(d.Columns) && d.whole > 0; j++ {
		index := d.Columns[j].Index
		parts[index] = append(parts[index], j)
	}
	return parts
}

// HasParts reports whether some columns consist of several variables that are selected
// together, such as the parts of a date.
func (d *Dataset) HasParts() bool { return d.whole < len(d.Columns) }

const (
	// leastMissing is the smallest number of rows with a missing value, and without one, for which
	// an indicator is considered.
	leastMissing = 10
	// indicatorErrors is how many standard errors the correlation of an indicator with the response
	// must exceed the largest correlation expected among as many indicators of pure noise.
	indicatorErrors = 2.0
)

// addIndicators appends an indicator for each number whose missing values are correlated with the
// response. Tables that are sparse or not in memory get none.
func (d *Dataset) addIndicators(ctx context.Context) error {
	if matrix.Elsewhere(d.numbers) || d.Sparse() || d.Target == nil || len(d.Target.Y) != d.rows {
		return nil
	}
	var candidates []int
	for j := range d.whole {
		if c := &d.Columns[j]; !c.Text && d.Varies(j) && c.Missing >= leastMissing && int(c.Missing) <= d.rows-leastMissing {
			candidates = append(candidates, j)
		}
	}
	limit := math.Sqrt(2*math.Log(float64(max(len(candidates), 1)))) + indicatorErrors
	var columns []Column
	var codes [][]uint32
	for _, j := range candidates {
		x, err := d.Numbers(ctx, j)
		if err != nil {
			return err
		}
		code := make([]uint32, d.rows)
		for i, v := range x {
			if v != v {
				code[i] = 1
			}
		}
		if d.Target.associated(code) > limit {
			columns, codes = append(columns, Column{Index: d.Columns[j].Index, Text: true, part: missingPart}), append(codes, code)
		}
	}
	if len(columns) == 0 {
		return nil
	}
	d.append(columns, codes)
	return d.measureTexts(ctx)
}

// append adds indicators to the variables.
func (d *Dataset) append(columns []Column, codes [][]uint32) {
	if d.levels == nil {
		d.levels = map[int][]string{}
	}
	for i := range columns {
		d.levels[len(d.Columns)+i] = []string{"known", "missing"}
	}
	d.Columns = append(d.Columns, columns...)
	d.places = placesOf(d.Columns)
	texts := matrix.NewOneHot(nil, nil)
	if d.texts != nil {
		texts = d.texts.(*matrix.OneHot)
	}
	d.texts = texts.With(2, codes)
}

// associated returns by how many standard errors the responses of two sets of rows differ. For a
// text response, it is that of the class that differs most, minus the maximum expected by chance
// among all classes; likewise for several targets.
func (t *Target) associated(set []uint32) float64 {
	if t.Each != nil {
		most := 0.0
		for i := range t.Each {
			most = max(most, t.Each[i].associated(set))
		}
		return most - math.Sqrt(2*math.Log(float64(len(t.Each))))
	}
	if t.Categories == nil {
		return difference(t.Y, set)
	}
	most := 0.0
	is := make([]float64, len(t.Y))
	for c := range t.Categories {
		for i, y := range t.Y {
			is[i] = 0
			if y == float64(c) {
				is[i] = 1
			}
		}
		most = max(most, difference(is, set))
	}
	return most - math.Sqrt(2*math.Log(max(float64(len(t.Categories))/2, 1)))
}

// associated is [Target.associated] for one of several targets.
func (v *Vector) associated(set []uint32) float64 {
	t, own := &Target{Categories: v.Categories}, []uint32(nil)
	for i, y := range v.Values {
		if y == y {
			t.Y, own = append(t.Y, y), append(own, set[i])
		}
	}
	return t.associated(own)
}

// difference returns the |t| of Welch's test between two sets of rows.
func difference(y []float64, set []uint32) float64 {
	var n, sum, squares [2]float64
	var mean float64
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for i, v := range y {
		v -= mean
		n[set[i]]++
		sum[set[i]] += v
		squares[set[i]] += v * v
	}
	var variance float64
	for s := range n {
		variance += (squares[s]/n[s] - sum[s]/n[s]*sum[s]/n[s]) / n[s]
	}
	if !(variance > 0) {
		return 0
	}
	return math.Abs(sum[0]/n[0]-sum[1]/n[1]) / math.Sqrt(variance)
}
