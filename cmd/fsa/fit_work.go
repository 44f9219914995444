package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fsa"
	"fsa/internal/collective"
)

// run does the fit here, or together with other processes.
func (t *fitTask) run(cmd *cobra.Command) error {
	if t.spread.text != "" {
		return t.spread.run(cmd, t)
	}
	return t.fit(cmd)
}

// fit reads the table, learns and tells.
func (t *fitTask) fit(cmd *cobra.Command) error {
	r := &fitRun{fitTask: t, ctx: cmd.Context(), cmd: cmd, progress: newProgress(cmd.ErrOrStderr())}
	t.live = t.live || t.open
	if (t.report || t.live) && t.out == "" {
		return usagef("--report and --live need a run folder: give --out FOLDER too")
	}
	t.saving.start = time.Now()
	defer r.close()
	if err := t.spread.agree(cmd, r.prepare()); err != nil {
		return err
	}
	if err := r.read(); err != nil {
		return err
	}
	if t.contenders != nil {
		return t.compare(cmd, r.progress, r.folder, r.table)
	}
	r.watchEpochs()
	result, err := r.learnAndMeasure()
	if err != nil || t.planOnly {
		return err
	}
	if t.cv {
		if err := t.tellValidation(cmd, r.progress, r.folder, result); err != nil {
			return err
		}
		r.keeper.drop()
		return nil
	}
	return r.save(result.model)
}

// run lets all processes of a job do a fit together. The first of them tells and writes.
func (s *spread) run(cmd *cobra.Command, t *fitTask) error {
	if err := s.check(t); err != nil {
		return err
	}
	return s.together(cmd, func() error {
		if err := s.agree(cmd, nil); err != nil { // others may refuse to begin
			return err
		}
		if err := s.sameCommand(cmd, t); err != nil {
			return err
		}
		if s.comm.Rank() > 0 {
			t.out, t.report = "", false
			t.tests.file = ""     // the first process measures,
			if t.live || t.open { // and serves the page, where it can be stopped
				t.options.Stop = func() bool { return false }
			}
			t.live, t.open = false, false
		}
		return t.fit(cmd)
	})
}

// check refuses what a grid cannot do, before anybody waits for others.
func (s *spread) check(t *fitTask) error {
	o := &t.options
	var rows, columns int
	if n, err := fmt.Sscanf(s.text, "%dx%d", &rows, &columns); s.text != "auto" && (err != nil || n != 2 || s.text != fmt.Sprintf("%dx%d", rows, columns) || rows < 1 || columns < 1) {
		return usagef("--grid %s: it must be auto, or rows and columns such as 4x2", s.text)
	}
	for _, name := range slices.Sorted(maps.Keys(o.CurvePriors)) {
		if o.CurvePriors[name] > 0 {
			return usagef("--%s does not work on a grid yet: leave it out, or fit without --grid", name)
		}
	}
	for _, no := range []struct {
		given bool
		flag  string
	}{
		{o.Device != "" && o.Device != fsa.DeviceCPU, "--device"},
		{t.method != nil, "--method"},
		{t.in.Query != "", "--query"},
		{t.path == "-", "standard input"},
	} {
		if no.given {
			return usagef("%s does not work on a grid yet: leave it out, or fit without --grid", no.flag)
		}
	}
	if t.in.SkipMissing {
		return usagef("--skip-missing-target does not work on a grid yet: take rows without a target out of the table, or fit without --grid")
	}
	return nil
}

// sameCommand refuses processes that were started with other settings or another version.
func (s *spread) sameCommand(cmd *cobra.Command, t *fitTask) error {
	mine := settings(cmd)
	for _, name := range []string{"max-time", "plan", "live", "open"} { // by which nothing is learned otherwise, but done otherwise
		mine["--"+name] = cmd.Flags().Lookup(name).Value.String()
	}
	mine["--grid"], mine["DATA"] = s.text, strings.Join(append([]string{t.path}, t.in.More...), " ")
	said, _ := json.Marshal(mine)
	parts, err := collective.GatherAll(s.comm, said)
	if err != nil {
		return err
	}
	var first map[string]string
	for rank, p := range parts {
		var other map[string]string
		if err := json.Unmarshal(p, &other); err != nil {
			return fmt.Errorf("grid: rank %d says what cannot be understood: %w", rank, err)
		}
		if first == nil {
			first = other
		}
		for _, name := range slices.Sorted(maps.Keys(first)) {
			if other[name] != first[name] || len(other) != len(first) {
				return &gridError{fmt.Sprintf("%s of rank %d is %q, and %q of rank 0: start all processes with the same program and command", name, rank, other[name], first[name]), exitUsage}
			}
		}
	}
	return nil
}
