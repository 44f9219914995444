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
	"fsa/internal/grid/part"
)

// run does the fit in this process, or together with others.
func (t *fitTask) run(cmd *cobra.Command) error {
	if err := t.spread.meets.check(cmd, t.spread.text); err != nil {
		return err
	}
	if t.spread.text != "" {
		return t.spread.run(cmd, t)
	}
	return t.fit(cmd)
}

// fit reads the table, trains a model and prints the result.
func (t *fitTask) fit(cmd *cobra.Command) error {
	r := &fitRun{fitTask: t, ctx: cmd.Context(), cmd: cmd, progress: newProgress(cmd.ErrOrStderr())}
	t.live = t.live || t.open
	if (t.report || t.live) && t.out == "" {
		return usagef("--report and --live need a run folder: give --out FOLDER")
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
	if t.tell != nil {
		return t.tell(result.evidence, r.learning.Target, r.rows)
	}
	if t.cv {
		if err := t.tellValidation(cmd, r.progress, r.folder, result); err != nil {
			return err
		}
		r.keeper.drop()
		return nil
	}
	return r.save(result)
}

// run makes all processes of a job do a fit together. The first process prints and writes.
func (s *spread) run(cmd *cobra.Command, t *fitTask) error {
	if err := s.check(t); err != nil {
		return err
	}
	return s.together(cmd, func() error {
		if err := s.agree(cmd, nil); err != nil { // another process may have an error
			return err
		}
		if err := s.sameCommand(cmd, t); err != nil {
			return err
		}
		if s.comm.Rank() > 0 {
			t.out, t.report = "", false
			t.tests.file = ""     // the first process evaluates the test rows,
			if t.live || t.open { // and serves the page, whose button stops the fit
				t.options.Run.Stop = func() bool { return false }
			}
			t.live, t.open = false, false
		}
		return t.fit(cmd)
	})
}

// check returns an error for what a grid does not support, before the processes wait for each
// other.
func (s *spread) check(t *fitTask) error {
	o := &t.options
	var rows, columns int
	if n, err := fmt.Sscanf(s.text, "%dx%d", &rows, &columns); s.text != "auto" && (err != nil || n != 2 || s.text != fmt.Sprintf("%dx%d", rows, columns) || rows < 1 || columns < 1) {
		return usagef("--grid %s: it must be auto, or rows and columns such as 4x2", s.text)
	}
	for _, no := range []struct {
		given bool
		flag  string
	}{
		{o.Run.Device != "" && o.Run.Device != fsa.DeviceCPU, "--device"},
		{o.Validation.Reference != "", "--reference"},
		{o.Objective.OffsetModel != nil, "--offset-model"},
		{t.method != nil, "--method"},
		{o.Selection.FDR > 0, "--fdr"},
		{o.Validation.Rivals, "--rivals"},
		{o.Validation.Confidence > 0, "--confidence"},
		{t.in.Query != "", "--query"},
		{t.path == "-", "standard input"},
		{t.in.SQL != "", "--sql"},
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

// sameCommand returns an error if processes were started with other settings or another version.
func (s *spread) sameCommand(cmd *cobra.Command, t *fitTask) error {
	mine, err := settings(cmd), error(nil)
	for _, name := range []string{"max-time", "plan", "live", "open"} { // these do not change the model, only how the fit is done
		mine["--"+name] = cmd.Flags().Lookup(name).Value.String()
	}
	mine["--grid"], mine["DATA"] = s.text, strings.Join(append([]string{t.path}, t.in.More...), " ")
	if mine["program"], err = programSum(); err != nil {
		return s.agree(cmd, err)
	}
	var facts []part.Fact
	for _, name := range slices.Sorted(maps.Keys(mine)) {
		facts = append(facts, part.Fact{Name: name, Value: mine[name]})
	}
	d, err := s.differ(facts)
	if err == nil && d != nil {
		return &gridError{fmt.Sprintf("%s of %s is %q, and %q of %s: start all processes with the same program and command", d.name, d.who, d.value, d.first, d.of), exitUsage}
	}
	return err
}

// sameTable returns an error if processes read different tables: files may be on the disks of
// several machines, under the same names.
func (s *spread) sameTable(r *fitRun, t *part.Table) error {
	facts, err := t.Identity(r.ctx)
	if err := s.agree(r.cmd, err); err != nil {
		return err
	}
	d, err := s.differ(facts)
	if err == nil && d != nil {
		return &gridError{fmt.Sprintf("%s and %s read different tables from %s: %s is %s there, and %s here: give all processes the same files", d.of, d.who, r.path, d.name, d.first, d.value), exitBadData}
	}
	return err
}

// difference describes how a process differs from the first one.
type difference struct{ name, who, value, of, first string }

// differ compares the facts of all processes, and returns the first difference, or nil if all are
// the same.
func (s *spread) differ(facts []part.Fact) (*difference, error) {
	type told struct {
		Who   string
		Facts []part.Fact
	}
	said, err := json.Marshal(told{s.name(), facts})
	if err != nil {
		return nil, err
	}
	parts, err := collective.GatherAll(s.comm, said)
	if err != nil {
		return nil, err
	}
	all := make([]told, len(parts))
	for rank, p := range parts {
		if err := json.Unmarshal(p, &all[rank]); err != nil {
			return nil, fmt.Errorf("grid: a message of rank %d cannot be read: %w", rank, err)
		}
	}
	first := all[0]
	for _, other := range all[1:] {
		for i, f := range first.Facts {
			if i >= len(other.Facts) || other.Facts[i].Name != f.Name {
				return &difference{f.Name, other.Who, "missing", first.Who, f.Value}, nil
			}
			if other.Facts[i].Value != f.Value {
				return &difference{f.Name, other.Who, other.Facts[i].Value, first.Who, f.Value}, nil
			}
		}
	}
	return nil, nil
}
