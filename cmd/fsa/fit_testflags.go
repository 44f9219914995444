package main

import (
	"github.com/spf13/cobra"

	"fsa"
)

// tests are the flags that keep rows from learning, to measure the model on them.
type tests struct {
	file, target string
	holdout      float64
	nested       bool
}

func (t *tests) flags(cmd *cobra.Command, o *fsa.Options, cv bool) {
	f := cmd.Flags()
	f.BoolVar(&t.nested, "nested", false, "cross-validate the whole procedure, with all that it chooses: slow, and the honest measure of it")
	if cv {
		return
	}
	f.IntVar(&o.Stability, "stability", 0, "`pairs` of half samples to select on again, which say how sure the selection is, such as 50")
	f.StringVar(&t.file, "test", "", "`file` with rows to measure the model on, with the columns of DATA")
	f.StringVar(&t.target, "test-target", "", "the response of these rows, where --target is a file: another `file`")
	f.Float64Var(&t.holdout, "holdout", 0, "`share` of the rows to keep from learning, to measure the model on")
}

func (t *tests) validate(cmd *cobra.Command) error {
	switch {
	case cmd.Flags().Changed("holdout") && !(t.holdout > 0 && t.holdout < 1):
		return usagef("--holdout %v: it must be above 0 and below 1", t.holdout)
	case t.target != "" && t.file == "":
		return usagef("--test-target is the response of --test, which is not given")
	}
	return nil
}
