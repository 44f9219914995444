package data

import (
	"context"
	"slices"
	"sort"

	"fsa/internal/matrix"
	"fsa/internal/parallel"
)

// Knots are the ends of the bins of a variable, ascending: one more than the number of bins.
type Knots []float64

// Locate returns the bin of x and its position within the bin, from 0 to 1. Values beyond the ends
// are treated as the nearer end.
func (k Knots) Locate(x float64) (bin int, alpha float64) {
	const few = 32 // knots that are looked at one after the other
	if len(k) > few {
		bin = min(max(sort.SearchFloat64s(k, x)-1, 0), len(k)-2)
	}
	for bin < len(k)-2 && !(k[bin+1] >= x) {
		bin++
	}
	return bin, Place(x, k[bin], k[bin+1])
}

// Knot returns the bin of a position t in [0,1] among count bins, and the position within the
// bin. The upper end belongs to the last bin.
func Knot(t float64, count int) (bin int, alpha float64) { return matrix.Knot(t, count) }

// Place returns the position of x between low and high, from 0 to 1. Values beyond the ends
// have the position of the nearer end.
func Place(x, low, high float64) float64 {
	// Halves are used because the range of the largest numbers overflows.
	t := (x/2 - low/2) / (high/2 - low/2)
	return min(max(t, 0), 1)
}

// Spacing says how wide the bins of a variable are.
type Spacing string

const (
	// SpacingAuto means bins with equal numbers of values in a dense table, unless a variable has
	// only a few different values, and equal width in a sparse table or one stored as bytes.
	SpacingAuto Spacing = ""
	// SpacingEven means equal width between the smallest and the largest number.
	SpacingEven Spacing = "even"
)

// spacings lists all spacings.
var spacings = []Spacing{SpacingAuto, SpacingEven}

// autoSpacing is the name of the zero value for users.
const autoSpacing = "auto"

// SpacingNames lists the names of the spacings.
func SpacingNames() []string { return names(spacings, autoSpacing) }

// Known reports whether the spacing is one of these.
func (s Spacing) Known() bool { return slices.Contains(spacings, s) }

// Plain returns the spacing, or the zero value if s is its name for users.
func (s Spacing) Plain() Spacing { return unnamed(s, autoSpacing) }

// EvenKnots returns the knots of count bins of equal width.
func EvenKnots(low, high float64, count int) Knots {
	k := make(Knots, count+1)
	for i := range k {
		t := float64(i) / float64(count)
		k[i] = low*(1-t) + high*t
	}
	return k
}

// tail is the share of the different values of a column that lies beyond each end of its bins. A
// single extreme number, or a code such as −999, should not create bins in a range without values.
const tail = 0.005

// knotsBetween returns the knots of count bins with about equal numbers of the given values, which
// are different and ascending. If there are fewer values than knots, all values are knots. It
// returns nil if there is only one value.
func knotsBetween(values []float64, count int) Knots {
	if len(values) < 2 {
		return nil
	}
	if len(values) <= count+1 {
		k := Knots(slices.Clone(values))
		for len(k) < count+1 { // divide the widest bin into two
			widest := 1
			for i := range k[1:] {
				if k[i+1]-k[i] > k[widest]-k[widest-1] {
					widest = i + 1
				}
			}
			k = slices.Insert(k, widest, k[widest-1]/2+k[widest]/2)
		}
		return k.ascending()
	}
	k := make(Knots, count+1)
	last := float64(len(values) - 1)
	for i := range k {
		at := last * (tail + (1-2*tail)*float64(i)/float64(count))
		j := min(int(at), len(values)-2)
		part := at - float64(j)
		k[i] = values[j]*(1-part) + values[j+1]*part
	}
	return k.ascending()
}

// ascending returns the knots, or nil if rounding has made two of them equal.
func (k Knots) ascending() Knots {
	for i := range k[1:] {
		if !(k[i] < k[i+1]) {
			return nil
		}
	}
	return k
}

// knotRows is about the number of rows from which knots are computed.
const knotRows = 1024

// knots computes the knots of numeric variables from some of the rows. A variable without knots has
// bins of equal width, which includes all variables of a table whose rows cannot be read.
func (d *Dataset) knots(ctx context.Context, numbers []int, bins int) ([]Knots, error) {
	var rows []int
	for i := 0; i < d.rows; i += max(d.rows/knotRows, 1) {
		if d.rowWeight(i) > 0 {
			rows = append(rows, i)
		}
	}
	switch m := d.numbers.(type) {
	case matrix.RowReader:
		return d.knotsHere(ctx, m, rows, numbers, bins)
	case matrix.Distributed:
		if !m.IsSparse() {
			return d.knotsTogether(ctx, m, rows, numbers, bins)
		}
	}
	return nil, nil
}

// knotsHere computes knots from rows of this process.
func (d *Dataset) knotsHere(ctx context.Context, m matrix.RowReader, rows, numbers []int, bins int) ([]Knots, error) {
	const stripe = 64 // number of columns that are processed together
	all := make([]Knots, len(numbers))
	return all, parallel.Do(ctx, 0, (len(numbers)+stripe-1)/stripe, func(_, s int) error {
		first := s * stripe
		numbers := numbers[first:min(first+stripe, len(numbers))]
		keys, count := make([]uint32, len(numbers)*len(rows)), make([]int, len(numbers))
		for _, i := range rows {
			row := m.Row(i)
			for k, j := range numbers {
				if v := row[d.place(j)]; v == v {
					keys[k*len(rows)+count[k]] = sortKey(v)
					count[k]++
				}
			}
		}
		values, room := make([]float64, 0, len(rows)), make([]uint32, len(rows))
		for k, j := range numbers {
			sorted := keys[k*len(rows):][:count[k]]
			sortKeys(sorted, room)
			values = values[:0]
			for _, key := range slices.Compact(sorted) {
				values = append(values, d.Columns[j].value(float64(keyed(key))))
			}
			all[first+k] = knotsBetween(slices.Compact(values), bins)
		}
		return nil
	})
}

// knotsTogether computes knots from rows that are distributed over several processes.
func (d *Dataset) knotsTogether(ctx context.Context, m matrix.Distributed, rows, numbers []int, bins int) ([]Knots, error) {
	_, cols := m.Dims()
	variable := slices.Repeat([]int{-1}, cols)
	for _, j := range numbers {
		variable[d.place(j)] = j
	}
	found, err := m.Summarize(ctx, rows, bins+1, func(column int, values []float32) []float64 {
		j := variable[column]
		if j < 0 {
			return nil
		}
		var known []float64
		for _, v := range values {
			if v == v {
				known = append(known, d.Columns[j].value(float64(v)))
			}
		}
		slices.Sort(known)
		return knotsBetween(slices.Compact(known), bins)
	})
	if err != nil {
		return nil, err
	}
	all := make([]Knots, len(numbers))
	for k, j := range numbers {
		all[k] = found[d.place(j)]
	}
	return all, nil
}
