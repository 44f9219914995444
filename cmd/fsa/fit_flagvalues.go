package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"fsa"
)

var (
	_ pflag.Value = (*choice[int])(nil)
	_ pflag.Value = (*choice[float64])(nil)
	_ pflag.Value = (*sizesFlag)(nil)
	_ pflag.Value = (*foldsFlag)(nil)
	_ pflag.Value = (*quantilesFlag)(nil)
)

// choice is a flag for a number that the fit may choose ("auto"), or that may be turned off by a
// word or by 0.
type choice[T int | float64] struct {
	to    *T
	off   string // the word that turns it off
	parse func(string) (T, error)
}

// String implements [pflag.Value].
func (c *choice[T]) String() string {
	switch {
	case c.to == nil || *c.to == fsa.Auto:
		return "auto"
	case *c.to == fsa.None:
		return c.off
	}
	return fmt.Sprint(*c.to)
}

// Set implements [pflag.Value].
func (c *choice[T]) Set(text string) error {
	switch text {
	case "auto":
		*c.to = fsa.Auto
		return nil
	case c.off:
		*c.to = fsa.None
		return nil
	}
	v, err := c.parse(text)
	switch {
	case err != nil:
		return fmt.Errorf("it must be a number, auto or %s", c.off)
	case v < 0:
		return fmt.Errorf("it must not be negative; 0 means %s", c.off)
	case v == 0:
		v = fsa.None
	}
	*c.to = v
	return nil
}

// Type implements [pflag.Value].
func (c *choice[T]) Type() string { return "number" }

// floatChoice adds a flag for a number.
func floatChoice(f *pflag.FlagSet, to *float64, name, off, usage string) {
	f.Var(&choice[float64]{to, off, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) }}, name, usage)
}

// intChoice adds a flag for an integer.
func intChoice(f *pflag.FlagSet, to *int, name, off, usage string) {
	f.Var(&choice[int]{to, off, strconv.Atoi}, name, usage)
}

// sizesFlag is the flag for the number of variables to select: a number, auto, or a list to
// compare, such as 5,10,20 or 1:100.
type sizesFlag struct {
	o    *fsa.Options
	text string
}

// mostListed limits the length of a range, so that it cannot fill the memory.
const mostListed = 100_000

// String implements [pflag.Value].
func (f *sizesFlag) String() string { return f.text }

// Type implements [pflag.Value].
func (f *sizesFlag) Type() string { return "number" }

// Set implements [pflag.Value].
func (f *sizesFlag) Set(text string) error {
	f.o.K, f.o.Selection.Sizes, f.text = fsa.Auto, nil, text
	if text == "auto" {
		return nil
	}
	var sizes []int
	for _, part := range strings.Split(text, ",") {
		from, to, isRange := strings.Cut(part, ":")
		lo, err := strconv.Atoi(from)
		hi := lo
		if isRange && err == nil {
			hi, err = strconv.Atoi(to)
		}
		switch {
		case errors.Is(err, strconv.ErrRange):
			return err
		case err != nil:
			return fmt.Errorf("it must be a number, auto, or sizes to compare such as 5,10,20 or 1:100")
		case lo < 0 || hi < lo || hi-lo >= mostListed:
			return fmt.Errorf("-k must be positive; write ranges as low:high, such as 1:50")
		}
		for k := lo; k <= hi; k++ {
			sizes = append(sizes, k)
		}
	}
	if len(sizes) == 1 {
		if sizes[0] < 1 {
			return fmt.Errorf("-k must be at least 1")
		}
		f.o.K = sizes[0]
		return nil
	}
	slices.Sort(sizes)
	f.o.Selection.Sizes = slices.Compact(sizes)
	return nil
}

// foldsFlag is a number of folds or, as in version 0.1, the file of --fold-ids.
type foldsFlag struct {
	o    *fsa.Options
	file string
}

// String implements [pflag.Value].
func (f *foldsFlag) String() string {
	if f.o == nil || f.o.Validation.Folds == 0 {
		return f.file
	}
	return strconv.Itoa(f.o.Validation.Folds)
}

// Type implements [pflag.Value].
func (f *foldsFlag) Type() string { return "number" }

// Set implements [pflag.Value].
func (f *foldsFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		f.o.Validation.Folds, f.file = 0, text
	case n < 2:
		return fmt.Errorf("at least 2 folds are needed")
	default:
		f.o.Validation.Folds, f.file = n, ""
	}
	return nil
}

// quantilesFlag is the flag for one quantile or several.
type quantilesFlag struct{ o *fsa.Objective }

// String implements [pflag.Value].
func (q *quantilesFlag) String() string {
	if q.o == nil || q.o.Quantile == 0 && q.o.Quantiles == nil {
		return ""
	}
	list := q.o.Quantiles
	if list == nil {
		list = []float64{q.o.Quantile}
	}
	var texts []string
	for _, v := range list {
		texts = append(texts, exactly(v))
	}
	return strings.Join(texts, ",")
}

// Set implements [pflag.Value].
func (q *quantilesFlag) Set(text string) error {
	var list []float64
	for _, part := range strings.Split(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(v > 0 && v < 1) {
			return errors.New("it must be a number above 0 and below 1, or several such as 0.1,0.5,0.9")
		}
		list = append(list, v)
	}
	slices.Sort(list)
	if q.o.Quantile, q.o.Quantiles = list[0], nil; len(list) > 1 {
		q.o.Quantile, q.o.Quantiles = 0, list
	}
	return nil
}

// Type implements [pflag.Value].
func (q *quantilesFlag) Type() string { return "quantiles" }
