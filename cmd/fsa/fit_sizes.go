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

// sizesFlag is the flag for how many variables to select: a number, auto, or those to
// compare, as in 5,10,20 or 1:100.
type sizesFlag struct {
	o    *fsa.Options
	text string
}

var _ pflag.Value = (*sizesFlag)(nil)

// mostListed keeps a range from filling memory.
const mostListed = 100_000

// String implements [pflag.Value].
func (f *sizesFlag) String() string { return f.text }

// Type implements [pflag.Value].
func (f *sizesFlag) Type() string { return "number" }

// Set implements [pflag.Value].
func (f *sizesFlag) Set(text string) error {
	f.o.K, f.o.Sizes, f.text = fsa.Auto, nil, text
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
			return fmt.Errorf("%s: sizes must not be negative, and a range ends where it is largest", part)
		}
		for k := lo; k <= hi; k++ {
			sizes = append(sizes, k)
		}
	}
	if len(sizes) == 1 {
		if sizes[0] < 1 {
			return fmt.Errorf("at least one variable has to be selected")
		}
		f.o.K = sizes[0]
		return nil
	}
	slices.Sort(sizes)
	f.o.Sizes = slices.Compact(sizes)
	return nil
}
