package main

import (
	"fmt"

	"fsa/data"
	"fsa/data/open"
	"fsa/internal/grid"
	"fsa/internal/grid/part"
)

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
