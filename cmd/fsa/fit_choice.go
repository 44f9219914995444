package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/pflag"

	"fsa"
)

// choice is a flag for a number that the data may decide, "auto", or that may be
// switched off, in a word of its own or by 0.
type choice[T int | float64] struct {
	to    *T
	off   string // the word
	parse func(string) (T, error)
}

var (
	_ pflag.Value = (*choice[int])(nil)
	_ pflag.Value = (*choice[float64])(nil)
)

// floatChoice adds a flag for a number.
func floatChoice(f *pflag.FlagSet, to *float64, name, off, usage string) {
	f.Var(&choice[float64]{to, off, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) }}, name, usage)
}

// intChoice adds a flag for a whole number.
func intChoice(f *pflag.FlagSet, to *int, name, off, usage string) {
	f.Var(&choice[int]{to, off, strconv.Atoi}, name, usage)
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
		return fmt.Errorf("it must not be negative; %s or 0 is %s", c.off, c.off)
	case v == 0:
		v = fsa.None
	}
	*c.to = v
	return nil
}

// Type implements [pflag.Value].
func (c *choice[T]) Type() string { return "number" }
