package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"fsa"
)

const (
	interactionsName = "interactions"
	anyInteractions  = "any"
)

var _, _ pflag.Value = (*interactionsFlag)(nil), (*amongFlag)(nil)

// interactionsFlag is the flag that looks for pairs of variables. Its value, the largest number of
// pairs, may be left out.
type interactionsFlag struct{ to *fsa.Interactions }

// flagInteractions adds the flags of interactions.
func flagInteractions(f *pflag.FlagSet, to *fsa.Interactions) {
	f.Var(&interactionsFlag{to}, interactionsName, "also select pairs of variables, as products: at most `N` pairs, or any number that is significant; 0 for none (default: if k is open, cross-validation decides)")
	f.Lookup(interactionsName).NoOptDefVal = anyInteractions
	f.Var(&amongFlag{to}, "pairs-among", "let only the columns `COLUMN,...` interact with each other: names, or patterns such as lab*; may be given several times, for several such sets")
	f.StringVar(&to.Heredity, "heredity", "", "`WHICH` variables of a pair must be selected with it: "+strings.Join(fsa.Heredities(), ", ")+" (default strong, both of them; weak is at least one)")
}

// String implements [pflag.Value].
func (f *interactionsFlag) String() string {
	switch {
	case f.to != nil && f.to.None:
		return "0"
	case f.to == nil || !f.to.Find:
		return ""
	case f.to.Most == 0:
		return anyInteractions
	}
	return strconv.Itoa(f.to.Most)
}

// Type implements [pflag.Value].
func (f *interactionsFlag) Type() string { return "number" }

// Set implements [pflag.Value].
func (f *interactionsFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	switch {
	case text == anyInteractions:
		n = 0
	case err != nil || n < 0:
		return fmt.Errorf("it must be a number of pairs, or %s", anyInteractions)
	case n == 0:
		f.to.None, f.to.Find, f.to.Most = true, false, 0
		return nil
	}
	f.to.None, f.to.Find, f.to.Most = false, true, n
	return nil
}

// joinInteractions joins --interactions and a number after it, because a flag whose value may be left
// out takes it only after an equals sign.
func joinInteractions(args []string) []string {
	for i, arg := range args {
		if arg == "--" || i+1 == len(args) {
			break
		}
		if _, err := strconv.Atoi(args[i+1]); arg == "--"+interactionsName && (err == nil || args[i+1] == anyInteractions) {
			return slices.Concat(args[:i], []string{arg + "=" + args[i+1]}, args[i+2:])
		}
	}
	return args
}

// amongFlag is the flag that limits pairs to sets of variables.
type amongFlag struct{ to *fsa.Interactions }

// String implements [pflag.Value].
func (f *amongFlag) String() string { return "" }

// Type implements [pflag.Value].
func (f *amongFlag) Type() string { return "names" }

// Set implements [pflag.Value].
func (f *amongFlag) Set(text string) error {
	names, err := csv.NewReader(strings.NewReader(text)).Read()
	if err != nil || slices.Contains(names, "") {
		return errors.New("it must be names separated by commas")
	}
	f.to.Among = append(f.to.Among, names)
	return nil
}
