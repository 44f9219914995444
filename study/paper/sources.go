package paper

import (
	"context"
	"fmt"
	"io"

	"fsa/data"
	"fsa/data/open"
)

// source is a table that can be read repeatedly; its rows have their target.
type source interface {
	reader() data.Reader
}

// held is a table in memory: all rows in one block.
type held struct {
	schema *data.Schema
	block  *data.Block
}

var _ source = (*held)(nil)

// hold reads a sparse table into memory. Its target is in the file, or beside it.
func hold(ctx context.Context, path string) (*held, error) {
	r, err := open.Reader(ctx, path, open.Options{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	roles, err := open.Roles{}.Resolve(ctx, path, r)
	if err != nil {
		return nil, err
	}
	all := &data.Block{Start: []int{0}}
	for b, err := range data.Blocks(ctx, r) {
		if err != nil {
			return nil, err
		}
		if !r.Schema().Sparse {
			return nil, &data.Error{File: path, Msg: "a sparse table is expected here"}
		}
		for i := range b.Rows {
			appendRow(all, b, i)
		}
		all.Label = append(all.Label, b.Label...)
	}
	if v := roles.TargetVector; v != nil {
		all.Label = v.Values
	}
	if len(all.Label) != all.Rows {
		return nil, &data.Error{File: path, Msg: fmt.Sprintf("%d labels for %d rows: every row needs one", len(all.Label), all.Rows)}
	}
	return &held{r.Schema(), all}, nil
}

// appendRow copies the cells of row i of a sparse block.
func appendRow(to, from *data.Block, i int) {
	lo, hi := from.Start[i], from.Start[i+1]
	to.Index = append(to.Index, from.Index[lo:hi]...)
	to.Value = append(to.Value, from.Value[lo:hi]...)
	to.Start = append(to.Start, len(to.Index))
	to.Rows++
}

// pick returns the rows for which take is true.
func (h *held) pick(take func(row int) bool) *held {
	to := &data.Block{Start: []int{0}}
	for i := range h.block.Rows {
		if take(i) {
			appendRow(to, h.block, i)
			to.Label = append(to.Label, h.block.Label[i])
		}
	}
	return &held{h.schema, to}
}

func (h *held) reader() data.Reader { return &replay{schema: h.schema, blocks: []*data.Block{h.block}} }

// replay returns stored blocks.
type replay struct {
	schema *data.Schema
	blocks []*data.Block
}

var _ data.Reader = (*replay)(nil)

// Schema implements [data.Reader].
func (r *replay) Schema() *data.Schema { return r.schema }

// Next implements [data.Reader].
func (r *replay) Next(ctx context.Context) (*data.Block, error) {
	if len(r.blocks) == 0 {
		return nil, io.EOF
	}
	b := r.blocks[0]
	r.blocks = r.blocks[1:]
	return b, ctx.Err()
}

// Close implements [data.Reader].
func (r *replay) Close() error { return nil }

// load returns the rows of some sources as one dataset.
func load(ctx context.Context, name string, from ...source) (*data.Dataset, error) {
	var b *data.Builder
	for _, s := range from {
		r := s.reader()
		if b == nil {
			b = data.NewBuilder(name, r.Schema(), data.Roles{})
		}
		for block, err := range data.Blocks(ctx, r) {
			if err != nil {
				return nil, err
			}
			if err := b.Add(block); err != nil {
				return nil, err
			}
		}
	}
	return b.Dataset(ctx)
}
