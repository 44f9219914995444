package part

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"fsa/data"
	"fsa/data/open"
	"fsa/internal/grid"
)

// readDense reads the part of a dense table.
func (t *Table) readDense(ctx context.Context, g *grid.Grid, agree func(error) error) (*data.StoredTable, error) {
	cut, _ := t.cut.Apart(len(t.numbers))
	x, err := grid.NewMatrix(g, cut)
	if err != nil {
		return nil, agree(err)
	}
	p, err := t.newPart(g)
	if err == nil {
		err = p.fill(ctx, x, nil)
	}
	if err := agree(err); err != nil {
		return nil, err
	}
	low, high, err := g.Extremes(ctx, cut, p.low, p.high)
	if err != nil {
		return nil, err
	}
	to := &data.StoredTable{Schema: t.schema(), Numbers: x, Columns: make([]data.Stored, len(t.numbers)), Response: t.response}
	plain := true
	for k, v := range t.numbers {
		to.Columns[k].Index = v
		if low[k] <= high[k] {
			to.Columns[k].Unit = data.UnitOf(low[k], high[k])
		}
		plain = plain && to.Columns[k].Unit == data.Unit{}
	}
	if err := p.exchange(g, to); err != nil {
		return nil, agree(err)
	}
	if !plain { // this time with the digits that a float32 would lose
		if err := agree(p.fill(ctx, x, to.Columns)); err != nil {
			return nil, err
		}
	}
	return to, nil
}

// newPart returns the part of this process, which has not been read yet.
func (t *Table) newPart(g *grid.Grid) (*own, error) {
	numbers, texts := t.cut.Apart(len(t.numbers))
	p := &own{Table: t}
	var last int
	var err error
	if p.fromRow, p.toRow, p.firstText, last, err = g.Part(texts); err != nil {
		return nil, err
	}
	_, _, p.from, p.to, _ = g.Part(numbers)
	for k := p.firstText; k < last; k++ {
		p.texts = append(p.texts, &codes{text: t.texts[k]})
	}
	for k := p.from; k < p.to; k++ {
		if v := t.numbers[k]; t.mayNumberRows(v) {
			p.ids = append(p.ids, &rowNumbers{place: k, whole: true})
		}
	}
	return p, nil
}

// fill reads the numbers into a matrix, in the units of the columns. The first time, without units,
// it also finds the smallest and the largest number of each column, and reads texts.
func (p *own) fill(ctx context.Context, x *grid.Matrix, units []data.Stored) error {
	o, mine := p.options, p.columns()
	if !p.nameless {
		o.Only = nil
		for _, v := range mine {
			o.Only = append(o.Only, p.Columns[v])
		}
	}
	r, err := open.Reader(ctx, p.path, o)
	if err != nil {
		return err
	}
	defer r.Close()
	if p.held > 0 && (p.fromRow != p.first || p.toRow != p.first+p.held) {
		return &data.Error{File: p.path, Msg: fmt.Sprintf("it has the rows %d to %d of the table, and should have %d to %d", p.first+1, p.first+p.held, p.fromRow+1, p.toRow)}
	}
	at, err := open.Skip(ctx, r, p.fromRow-p.first)
	if err != nil {
		return err
	}
	at += p.first
	n := p.to - p.from
	p.low, p.high = slices.Repeat([]float64{math.Inf(1)}, n), slices.Repeat([]float64{math.Inf(-1)}, n)
	row, cells := make([]float32, n), make([]float64, n)
	numbers := p.numbers[p.from:p.to]
	side := p.sideBySide(numbers)
	var texts []int
	for _, c := range p.texts {
		texts = append(texts, c.variable)
	}
	check := func(variables []int) error { // the kinds may change while rows are read
		s := r.Schema()
		for _, v := range variables {
			if err := p.checkKind(s, v); err != nil {
				return err
			}
		}
		return nil
	}
	for block, err := range data.Blocks(ctx, r) {
		if err != nil {
			return err
		}
		if err := check(texts); err != nil {
			return err
		}
		s := r.Schema()
		for i := max(p.fromRow-at, 0); i < min(block.Rows, p.toRow-at); i++ {
			all := block.Dense[i*s.Width : (i+1)*s.Width]
			if side && n > 0 {
				cells = all[p.place[numbers[0]]:][:n]
			} else {
				for k, variable := range numbers {
					cells[k] = all[p.place[variable]]
				}
			}
			if k := p.widen(row, cells); k >= 0 {
				return cmp.Or(check(mine), p.infinite(block, at, i, p.Columns[numbers[k]]))
			}
			if units != nil {
				for k, v := range cells {
					row[k] = units[p.from+k].Store(v)
				}
			}
			x.Set(at+i, row)
			if units == nil {
				p.addTexts(s, all)
				p.addNumbers(all)
			}
		}
		if at += block.Rows; at >= p.toRow {
			return check(mine)
		}
	}
	if err := check(mine); err != nil {
		return err
	}
	return p.changed(at)
}
