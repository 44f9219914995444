package report

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Rows is rows.csv: the out-of-fold predictions.
type Rows struct {
	Row, Fold []int
	Target    []string
	// Number is the prediction of a regression, the score of a ranking, or the decision value for
	// two classes.
	Number []float64
	// Probability has the probability of the positive class of two or, row after row, of each of
	// Classes.
	Probability []float64
	Classes     []string // from the columns probability_…
	Query       []string // for a ranking; nil if it is not known
	// Event, Entry and Stratum are those of survival times; nil if they are not known or there are none.
	Event, Entry, Stratum []float64
	Quantiles             [][]float64 // predictions of each of several quantiles
	quantiles             []string    // names of their columns
	several               bool        // rows have several targets, whose predictions are in each
	each                  rowTargets
}

// ReadRows reads rows.csv.
func ReadRows(r io.Reader, path string) (*Rows, error) {
	table := csv.NewReader(r)
	table.ReuseRecord = true
	head, err := table.Read()
	if err != nil {
		return nil, badRows(path, err, "it has no heading")
	}
	head = slices.Clone(head)
	out := &Rows{}
	out.several = slices.ContainsFunc(head, func(name string) bool { return strings.HasPrefix(name, targetOf) })
	for _, name := range head {
		if out.several {
			break
		}
		if class, ok := strings.CutPrefix(name, probabilityOf); ok {
			out.Classes = append(out.Classes, class)
		}
	}
	for line := 2; ; line++ {
		cells, err := table.Read()
		if errors.Is(err, io.EOF) {
			return out, out.check(path)
		}
		if err != nil {
			return nil, badRows(path, err, fmt.Sprintf("line %d is damaged", line))
		}
		for i, cell := range cells {
			err := out.add(head[i], cell)
			if out.several && err == nil {
				err = out.each.add(head[i], cell)
			}
			if err != nil {
				return nil, damaged(path, "line %d, column %s: %q is not a number", line, head[i], cell)
			}
		}
	}
}

// badRows returns what is wrong with the table, or the error of the disk.
func badRows(path string, err error, what string) error {
	if errors.As(err, new(*csv.ParseError)) || errors.Is(err, io.EOF) {
		return damaged(path, "%s", what)
	}
	return fmt.Errorf("report: %s: %w", path, err)
}

// add adds a cell.
func (r *Rows) add(name, cell string) error {
	var err error
	number := func(to *[]float64) {
		var v float64
		v, err = strconv.ParseFloat(cell, 64)
		*to = append(*to, v)
	}
	whole := func(to *[]int) {
		var v int
		v, err = strconv.Atoi(cell)
		*to = append(*to, v)
	}
	switch name {
	case "row":
		whole(&r.Row)
	case "fold":
		whole(&r.Fold)
	case "target":
		r.Target = append(r.Target, cell)
	case "query":
		r.Query = append(r.Query, cell)
	case "event":
		number(&r.Event)
	case "entry":
		number(&r.Entry)
	case "stratum":
		number(&r.Stratum)
	case "prediction", "score", "decision", "risk":
		number(&r.Number)
	case "probability":
		number(&r.Probability)
	default:
		switch {
		case strings.HasPrefix(name, quantileOf) && !r.several:
			err = r.quantile(name, cell)
		case strings.HasPrefix(name, probabilityOf) && !r.several:
			number(&r.Probability)
		case strings.HasPrefix(name, targetOf) && len(r.Target) == len(r.Row): // another target of the row
			r.Target[len(r.Target)-1] += ", " + cell
		case strings.HasPrefix(name, targetOf):
			r.Target = append(r.Target, cell)
		}
	}
	return err
}

// quantile adds a cell of one of several quantiles; their columns are in ascending order.
func (r *Rows) quantile(name, cell string) error {
	v, err := strconv.ParseFloat(cell, 64)
	at := slices.Index(r.quantiles, name)
	if at < 0 {
		at = len(r.quantiles)
		r.quantiles, r.Quantiles = append(r.quantiles, name), append(r.Quantiles, nil)
	}
	r.Quantiles[at] = append(r.Quantiles[at], v)
	return err
}

// check returns an error unless all rows are complete.
func (r *Rows) check(path string) error {
	n := len(r.Target)
	ok := n == len(r.Row) && n == len(r.Fold)
	for _, v := range r.Number {
		ok = ok && !math.IsNaN(v)
	}
	if len(r.Number) > 0 {
		ok = ok && len(r.Number) == n
	}
	if len(r.Probability) > 0 {
		ok = ok && len(r.Probability) == n*max(len(r.Classes), 1)
	}
	for _, t := range r.each {
		ok = ok && t.sound(n)
	}
	for _, list := range slices.Concat(r.Quantiles, [][]float64{r.Event, r.Entry, r.Stratum}) {
		ok = ok && (list == nil || len(list) == n) && !slices.ContainsFunc(list, math.IsNaN)
	}
	if !ok || n == 0 {
		return damaged(path, "every line must have row, fold, target and a prediction")
	}
	return nil
}

// numbers returns the targets as numbers, or nil if one of them is not a number.
func (r *Rows) numbers() []float64 {
	out := make([]float64, len(r.Target))
	for i, t := range r.Target {
		v, err := strconv.ParseFloat(t, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		out[i] = v
	}
	return out
}

// positive returns 1 for rows of a class and −1 for others.
func (r *Rows) positive(class string) []float64 {
	out := make([]float64, len(r.Target))
	for i, t := range r.Target {
		out[i] = -1
		if t == class {
			out[i] = 1
		}
	}
	return out
}

// score returns the numbers by which rows of two classes are ordered, and whether they are
// probabilities.
func (r *Rows) score() ([]float64, bool) {
	if len(r.Probability) == len(r.Target) {
		return r.Probability, true
	}
	return r.Number, false
}

// probabilities returns the probabilities of all rows, or nil if there are none.
func (r *Rows) probabilities() []float64 {
	if r == nil {
		return nil
	}
	return r.Probability
}

// of returns the probabilities of class c, for several classes.
func (r *Rows) of(c int) []float64 {
	out := make([]float64, len(r.Target))
	for i := range out {
		out[i] = r.Probability[i*len(r.Classes)+c]
	}
	return out
}

// folds returns the rows of each fold.
func (r *Rows) folds() [][]int {
	by := map[int][]int{}
	var order []int
	for i, f := range r.Fold {
		if by[f] == nil {
			order = append(order, f)
		}
		by[f] = append(by[f], i)
	}
	slices.Sort(order)
	var out [][]int
	for _, f := range order {
		out = append(out, by[f])
	}
	return out
}
