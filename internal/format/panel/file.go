package panel

import (
	"fmt"
	"io"

	"fsa/data"
)

// file is a table that is being written.
type file struct {
	out    output
	schema *data.Schema
	foot   footer
	again  written
}

// infinite returns the error for a cell that is infinite.
func (f *file) infinite(row, column int) error {
	return &data.Error{Row: row + 1, Column: f.schema.Name(column), Msg: "the value is infinite: it must be a finite number or missing"}
}

// endGroup writes the end of a group: labels and queries of rows, and the checksums of everything.
func (f *file) endGroup(g group, checks []uint32, label []float64, query []int64) error {
	if f.foot.labels {
		checks = append(checks, checksum(bytesOf(label)))
		if err := f.out.write(bytesOf(label)); err != nil {
			return err
		}
	}
	if f.foot.queries {
		checks = append(checks, checksum(bytesOf(query)))
		if err := f.out.write(bytesOf(query)); err != nil {
			return err
		}
	}
	g.check = checksum(bytesOf(checks))
	f.foot.groups = append(f.foot.groups, g)
	if err := f.out.write(bytesOf(checks)); err != nil {
		return err
	}
	return f.ended()
}

// ended is called after every group.
func (f *file) ended() error {
	if f.again.ended == nil {
		return nil
	}
	return f.again.ended()
}

// output counts the written bytes.
type output struct {
	w  io.Writer
	at int64
}

func (o *output) write(b []byte) error {
	n, err := o.w.Write(b)
	o.at += int64(n)
	if err != nil {
		return fmt.Errorf("panel: %w", err)
	}
	return nil
}

// pad writes zeros up to where a group may begin.
func (o *output) pad() error {
	if n := o.at % page; n > 0 {
		return o.write(make([]byte, page-n))
	}
	return nil
}
