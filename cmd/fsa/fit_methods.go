package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fsa"
	"fsa/baseline"
)

// annealing is the name of the method that is no comparison.
const annealing = "fsa"

// common are the flags of fit that all methods understand. All others are for
// annealing.
var common = []string{
	"target", "weights", "query", "drop", "use", "names", "skip-missing-target", "format", "header", "categorical", "decimal", "thousands", "date-order", "index-base", "memory", "out", "report", "live", "open", "no-rows", "json",
	"variables", "method", "loss", "test", "test-target", "holdout", "iterations", "scale", "seed", "threads",
}

// methodOf returns the method of the given name, nil for annealing.
func methodOf(cmd *cobra.Command, name string, o *fsa.Options) (baseline.Fitter, error) {
	if name == annealing {
		return nil, nil
	}
	m, ok := baseline.Find(name)
	if !ok {
		return nil, usagef("--method %s: it must be %s, or %s", name, annealing, methodNames())
	}
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) { // those that were given
		if err == nil && !slices.Contains(common, f.Name) {
			err = usagef("--%s is for annealing: --method %s does not know it", f.Name, name)
		}
	})
	if err != nil {
		return nil, err
	}
	return m.Make(baseline.Options{K: o.K, LossName: o.LossName, Iterations: o.Iterations, Scale: o.Scale, Seed: o.Seed, Threads: o.Threads}), nil
}

func methodNames() string {
	var names []string
	for _, m := range baseline.Methods() {
		names = append(names, m.Name)
	}
	return strings.Join(names, ", ")
}
