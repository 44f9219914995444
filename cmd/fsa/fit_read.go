package main

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"fsa/data"
	"fsa/data/open"
	"fsa/internal/grid"
	"fsa/internal/grid/part"
)

// prepare creates the requested folder and page before any work is done.
func (r *fitRun) prepare() (err error) {
	if r.planOnly {
		return nil
	}
	if r.out != "" {
		if r.folder, err = newRunFolder(r.out); err != nil {
			return err
		}
		if r.keeper, err = r.saving.newKeeper(r.ctx, r.folder, r.progress.note); err != nil {
			return err
		}
	}
	if r.folder != nil {
		if r.watch, err = newWatch(r.ctx, r.fitTask, r.progress); err != nil {
			return err
		}
	}
	if r.live {
		r.options.Run.Stop = r.watch.stopped.Load
	}
	if r.folder != nil && !r.folder.Older.IsZero() {
		r.progress.say("%s holds a model of %s, which this fit will replace", r.folder.Path, r.folder.Older.Format("2006-01-02 15:04"))
	}
	return nil
}

// read reads the table and holds out rows that are not used for training.
func (r *fitRun) read() (err error) {
	o, start := &r.options, time.Now()
	r.in.Note, r.in.Reading, r.in.Least = r.progress.note, r.progress.read, o.K
	r.in.Use = slices.Concat(r.use, o.Selection.Force, r.in.expects)
	if r.spread.joined() {
		r.table, err = r.spread.read(r)
	} else {
		r.table, err = open.Table(r.ctx, r.path, r.in.Options, r.in.Roles)
	}
	r.progress.end()
	if err != nil {
		return err
	}
	readNotes(r.progress, r.table)
	if y := r.table.Target; y != nil && y.Name != "" && r.in.Roles.Target == "" {
		r.progress.note("the target is column %s; --target names another", shorten(y.Name, shownLetters))
	}
	if err = checkTarget(r.table); err == nil {
		err = r.checkNamed()
	}
	if err == nil {
		err = r.checkTest(r.ctx, r.table)
	}
	if err == nil && !r.planOnly {
		err = r.suspectNotes()
	}
	if err := r.spread.agree(r.cmd, err); err != nil {
		return err
	}
	r.choosePositive()
	r.learning, r.rows, r.kept, err = r.hold(r.ctx, r.table)
	if err := r.spread.agree(r.cmd, err); err != nil {
		return err
	}
	debug.FreeOSMemory() // memory that reading needed and the fit does not
	r.took.SecondsRead = time.Since(start).Seconds()
	return nil
}

// checkTarget returns an error for a table without a target, and lists the columns that could be
// the target.
func checkTarget(t *data.Dataset) error {
	const most = 8 // columns that are named
	if t.Target != nil && t.Target.Y != nil {
		return nil
	}
	var names []string
	for j := range t.Columns[:min(len(t.Columns), most)] {
		names = append(names, fmt.Sprintf("%.40q", t.ColumnName(j)))
	}
	more := ""
	if len(t.Columns) > most {
		more = " and so on"
	}
	return &data.Error{File: t.Name, Msg: fmt.Sprintf("there is no target: give --target COLUMN, or --target FILE with one value per row; the columns are %s%s", strings.Join(names, ", "), more)}
}

// checkNamed returns an error if the table lacks a variable that the user named.
func (r *fitRun) checkNamed() error {
	for _, name := range r.options.Selection.Force {
		if role := r.in.role(name, r.table.Target); role != "" && r.table.Lookup(name) < 0 {
			return usagef("--force %s: this column cannot be selected, %s", name, role)
		}
	}
	for _, c := range r.options.Objective.Constraints {
		if role := r.in.role(c.Column, r.table.Target); role != "" && r.table.Lookup(c.Column) < 0 {
			return usagef("%s: this column cannot be selected, %s", c, role)
		}
	}
	if err := r.prices.check(r.table); err != nil {
		return err
	}
	if err := r.in.keepsQuotas(r.options.Selection.Quotas, r.table); err != nil {
		return err
	}
	for _, name := range r.use {
		if r.table.Lookup(name) < 0 {
			return usagef("--use %s: there is no such variable in %s", name, r.path)
		}
	}
	return nil
}

// read reads the part of the table that belongs to this process.
func (s *spread) read(r *fitRun) (*data.Dataset, error) {
	o := r.in.Options
	o.Bytes = new(atomic.Int64)
	t, err := part.Survey(r.ctx, r.path, o, r.in.Roles)
	if err := s.agree(r.cmd, err); err != nil {
		return nil, err
	}
	if err := s.sameTable(r, t); err != nil {
		return nil, err
	}
	if err := s.agree(r.cmd, t.Together(r.options.Selection.Groups)); err != nil {
		return nil, err
	}
	rows, columns := 0, 0
	if s.text == "auto" {
		if rows, columns = grid.Shape(s.comm.Size(), t.Cut(), t.Bytes()); rows == 0 {
			return nil, s.agree(r.cmd, usagef("%[2]d rows of %[3]d columns cannot be divided among %[1]d processes: start fewer", s.comm.Size(), t.Rows, t.Width()))
		}
	} else if _, err := fmt.Sscanf(s.text, "%dx%d", &rows, &columns); err != nil {
		return nil, err
	}
	if rows*columns != s.comm.Size() {
		return nil, s.agree(r.cmd, usagef("--grid %s is for %d processes, and there are %d: start as many with mpirun -n %d, or give --grid auto", s.text, rows*columns, s.comm.Size(), rows*columns))
	}
	if cut := t.Cut(); rows >= len(cut.Shards) || columns >= len(cut.Slices) {
		return nil, s.agree(r.cmd, usagef("--grid %s is too fine: %s can be divided into at most %dx%d blocks: give this grid or a coarser one, and start as many processes", s.text, r.path, len(cut.Shards)-1, len(cut.Slices)-1))
	}
	g, err := grid.New(s.comm, rows, columns)
	if err != nil {
		return nil, err
	}
	if err := s.agree(r.cmd, s.room(r, t, g)); err != nil {
		return nil, err
	}
	d, err := t.Read(r.ctx, g, func(err error) error { return s.agree(r.cmd, err) })
	if err != nil {
		return nil, err
	}
	all := []int64{o.Bytes.Load()}
	err = s.comm.Sum(all)
	s.bytes = all[0]
	return d, err
}

// room returns an error if a part needs more memory than may be used.
func (s *spread) room(r *fitRun, t *part.Table, g *grid.Grid) error {
	need, err := t.PartBytes(g)
	if err == nil && r.in.Memory > 0 && need > r.in.Memory {
		err = &open.MemoryError{File: r.path, Need: need, Memory: r.in.Memory, Cure: "start more processes, so that each holds less, or allow more memory"}
	}
	return err
}
