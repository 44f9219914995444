package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fsa"
	"fsa/baseline"
	"fsa/model"
)

// annealing is the name of the default method.
const annealing = "fsa"

// common lists the flags of fit that all methods support. All others are for annealing.
var common = []string{
	"target", "weights", "query", "drop", "use", "names", "skip-missing-target", "format", "encoding", "header", "categorical", "decimal", "thousands", "date-order", "index-base", "memory", "out", "report", "live", "open", "no-rows", "json",
	"variables", "method", "loss", "test", "test-target", "holdout", "epochs", "scale", "seed", "threads",
}

// methodOf returns the method with the given name, or nil for annealing.
func methodOf(cmd *cobra.Command, name string, o *fsa.Options) (baseline.Fitter, error) {
	if name == annealing {
		return nil, nil
	}
	maker, err := otherMethod(name, o)
	if err != nil {
		return nil, err
	}
	cmd.Flags().Visit(func(f *pflag.Flag) { // flags that were given
		if err == nil && !slices.Contains(common, f.Name) {
			err = usagef("--%s is for annealing, and not available with --method %s", f.Name, name)
		}
	})
	if err != nil {
		return nil, err
	}
	return maker(o.K), nil
}

// otherMethod returns a function that creates a method other than annealing for a size.
func otherMethod(name string, o *fsa.Options) (func(k int) baseline.Fitter, error) {
	m, ok := baseline.Find(name)
	if !ok {
		if meant := meantBy(name, strings.Split(annealing+", "+methodNames(), ", "), otherMethods); meant != "" {
			return nil, usagef("--method %s: did you mean --method %s?", name, meant)
		}
		return nil, usagef("--method %s: it must be %s, or %s", name, annealing, methodNames())
	}
	return func(k int) baseline.Fitter {
		return m.Make(baseline.Options{K: k, LossName: o.Loss, Iterations: o.Descent.Iterations, Scale: o.Design.Scale, Seed: o.Seed, Threads: o.Run.Threads})
	}, nil
}

func methodNames() string {
	var names []string
	for _, m := range baseline.Methods() {
		names = append(names, m.Name)
	}
	return strings.Join(names, ", ")
}

// contender is a method of a comparison.
type contender struct {
	name string
	make func(k int) model.Learner
}

// contenders returns the methods of a list of names.
func contenders(names string, o *fsa.Options) (list []contender, err error) {
	if o.Validation.Reference != "" {
		return nil, usagef("--reference compares annealing with a model of all columns: leave it out with --method, or give --method ridge")
	}
	for _, name := range strings.Split(names, ",") {
		c := contender{name: name, make: func(k int) model.Learner {
			to := *o
			to.K, to.Selection.Sizes, to.Selection.Choose, to.Run.Observe, to.Run.Discard, to.Validation.Always = k, nil, "", nil, false, false
			to.Validation.Folds, to.Validation.Repeats, to.Validation.FoldOf, to.Validation.Measure = 0, 0, nil, ""
			return to
		}}
		if name != annealing {
			maker, err := otherMethod(name, o)
			if err != nil {
				return nil, err
			}
			c.make = func(k int) model.Learner { return maker(k) }
		}
		list = append(list, c)
	}
	return list, nil
}
