package main

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"fsa/internal/atomicfile"
	"fsa/report"
)

// writeReport writes the report of a run, or one that compares several.
func writeReport(cmd *cobra.Command, folders []string, out string) error {
	var runs []*report.Run
	for _, path := range folders {
		r, err := readRun(cmd.Context(), path)
		if err != nil {
			return err
		}
		if err := tellChanged(cmd, path); err != nil {
			return err
		}
		runs = append(runs, r)
	}
	if slices.ContainsFunc(folders, func(f string) bool { return sameFile(out, modelPath(f)) }) {
		return usagef("--out %s: this is a model: give another name", out)
	}
	distinguish(runs, folders)
	if err := report.Comparable(runs); err != nil {
		return usagef("%v", err)
	}
	err := atomicfile.WriteFile(out, func(w io.Writer) error {
		if len(runs) == 1 {
			return report.Write(w, runs[0])
		}
		return report.WriteComparison(w, runs)
	})
	if err == nil {
		newProgress(cmd.ErrOrStderr()).note("the report is in %s", out)
	}
	return err
}

// distinguish names runs by their whole paths if their last parts are equal.
func distinguish(runs []*report.Run, folders []string) {
	count := map[string]int{}
	for _, r := range runs {
		count[r.Name]++
	}
	for i, r := range runs {
		if count[r.Name] > 1 {
			r.Name = folders[i]
		}
	}
}
