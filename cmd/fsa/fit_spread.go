package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fsa"
	"fsa/checkpoint"
	"fsa/data"
	"fsa/data/open"
	"fsa/internal/collective"
	"fsa/internal/collective/mpi"
	"fsa/internal/grid"
	"fsa/internal/grid/part"
)

// spread is the flag that lets a fit run on a grid of processes, and the job of them
// once it was joined.
type spread struct {
	text string          // RxC or auto; empty for no grid
	comm collective.Comm // nil without
}

func (s *spread) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.text, "grid", "", "spread the table over the processes that mpirun has started, as a grid of R rows and C columns of blocks: `RxC` or auto")
}

// joined reports whether the fit runs on a grid.
func (s *spread) joined() bool { return s.comm != nil }

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

// refuse tells the other processes, which wait for this one, what it has failed with before it has joined them.
func (s *spread) refuse(cmd *cobra.Command, err error) error {
	if err == nil || s.text == "" || s.joined() || !mpi.Launched() {
		return err
	}
	return s.together(cmd, func() error { return s.agree(cmd, err) })
}

// together joins the processes of the job and does what all of them do. What they fail with is said once, or by those that
// fail alone, who end the job.
func (s *spread) together(cmd *cobra.Command, do func() error) error {
	s.comm = collective.Single{}
	told := cmd.ErrOrStderr()
	if mpi.Launched() {
		var err error
		if s.comm, err = mpi.Open(func(rank int) {
			fmt.Fprintf(told, "fsa: rank %d was not heard of for too long: its machine hangs or is not reached any more, and the fit ends\n", rank)
		}); err != nil {
			s.comm = nil
			return err
		}
	}
	if s.comm.Rank() > 0 {
		cmd.SetOut(io.Discard)
		cmd.SetErr(io.Discard)
	}
	err := do()
	e, all := errors.AsType[*gridError](err)
	if all && s.comm.Rank() == 0 { // before all meet in Close: launchers end all processes when the first one fails
		complain(told, cmd, e.code, e)
	}
	if err == nil || all {
		return errors.Join(err, s.comm.Close())
	}
	if s.comm.Size() > 1 {
		what := message(err)
		if cmd.Context().Err() != nil {
			what = "interrupted"
			s.grace()
		}
		fmt.Fprintf(told, "fsa: %s: %s\n", s.name(), what)
		s.comm.Abort(exitCode(cmd.Context(), err, true))
	}
	return err
}

// graceTime is how long the first process has to write a checkpoint when all are interrupted.
const graceTime = 3 * time.Second

// grace lets the first process, which ends the job, write what it has noted.
func (s *spread) grace() {
	if s.comm.Rank() > 0 {
		time.Sleep(graceTime)
	}
}

// name says which process this is.
func (s *spread) name() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("rank %d of %d on %s", s.comm.Rank(), s.comm.Size(), host)
}

// agree lets all processes fail if one does. It must be called by all of them.
func (s *spread) agree(cmd *cobra.Command, err error) error {
	if !s.joined() || s.comm.Size() == 1 || err != nil && cmd.Context().Err() != nil { // one that is interrupted does not know where others are, and ends the job
		return err
	}
	var mine collective.Failure
	if err != nil {
		mine = collective.Failure{Who: s.name(), Kind: strconv.Itoa(exitCode(cmd.Context(), err, true)), Text: message(err)}
	}
	first, err := collective.Agree(s.comm, mine)
	if err != nil || first.Text == "" {
		return err
	}
	code, err := strconv.Atoi(first.Kind)
	if err != nil {
		return fmt.Errorf("grid: another process says what cannot be understood: %w", err)
	}
	return &gridError{first.Text, code}
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

// share gives all processes the record of the first one, which reads and writes its file; nil where it has none.
func (s *spread) share(k *keeper) (*checkpoint.Record, error) {
	var mine bytes.Buffer
	if k != nil {
		if !s.joined() || s.comm.Size() == 1 {
			return k.record, nil
		}
		if _, err := k.record.WriteTo(&mine); err != nil {
			return nil, err
		}
	} else if !s.joined() {
		return nil, nil
	}
	parts, err := collective.GatherAll(s.comm, mine.Bytes())
	switch {
	case err != nil:
		return nil, err
	case k != nil:
		return k.record, nil
	case len(parts[0]) == 0:
		return nil, nil
	}
	return checkpoint.Read(bytes.NewReader(parts[0]))
}

// read reads the part of the table that this process has.
func (s *spread) read(r *fitRun) (*data.Dataset, error) {
	t, err := part.Survey(r.ctx, r.path, r.in.Options, r.in.Roles)
	if err := s.agree(r.cmd, err); err != nil {
		return nil, err
	}
	if err := s.agree(r.cmd, t.Together(r.options.Groups)); err != nil {
		return nil, err
	}
	rows, columns := 0, 0
	if s.text == "auto" {
		if rows, columns = grid.Shape(s.comm.Size(), t.Cut(), t.Bytes()); rows == 0 {
			return nil, s.agree(r.cmd, usagef("no grid of %d processes suits %d rows of %d columns: start fewer", s.comm.Size(), t.Rows, t.Width()))
		}
	} else if _, err := fmt.Sscanf(s.text, "%dx%d", &rows, &columns); err != nil {
		return nil, err
	}
	if rows*columns != s.comm.Size() {
		return nil, s.agree(r.cmd, usagef("--grid %s is for %d processes, and there are %d: start as many with mpirun -n %d, or give --grid auto", s.text, rows*columns, s.comm.Size(), rows*columns))
	}
	if cut := t.Cut(); rows >= len(cut.Shards) || columns >= len(cut.Slices) {
		return nil, s.agree(r.cmd, usagef("--grid %s is too fine: %s can be cut into %dx%d blocks at most: give these or less, and start as many processes with mpirun -n", s.text, r.path, len(cut.Shards)-1, len(cut.Slices)-1))
	}
	g, err := grid.New(s.comm, rows, columns)
	if err != nil {
		return nil, err
	}
	if err := s.agree(r.cmd, s.room(r, t, g)); err != nil {
		return nil, err
	}
	return t.Read(r.ctx, g, func(err error) error { return s.agree(r.cmd, err) })
}

// room refuses a part that takes more memory than may be used.
func (s *spread) room(r *fitRun, t *part.Table, g *grid.Grid) error {
	need, err := t.PartBytes(g)
	if err == nil && r.in.Memory > 0 && need > r.in.Memory {
		err = &open.MemoryError{File: r.path, Need: need, Memory: r.in.Memory, Cure: "start more processes, which have less each, or allow more"}
	}
	return err
}
