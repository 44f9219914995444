package real

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"math"
	"slices"

	"fsa/data"
)

// Table is rows with their responses, dense or sparse.
type Table struct {
	Rows, Cols int

	// Dense holds the cells row after row; NaN is a missing one.
	Dense []float64
	// Start, Index and Value hold the cells of a sparse table, as in [data.Block].
	Start []int
	Index []uint32
	Value []float64

	// Y is a number for each row, or its class.
	Y []float64
	// Classes names the classes; nil for numbers.
	Classes []string
	// columns describes the columns; nil means numbers without names.
	columns []column
	// Query is the query of each row, for ranking; rows of a query are contiguous.
	Query []int64
}

// The kinds of response, as the peers call them.
const (
	twoClasses = "binary"
	multiclass = "multiclass"
	regression = "regression"
	ranking    = "ranking"
)

// task returns the kind of response.
func (t *Table) task() string {
	switch {
	case t.Query != nil:
		return ranking
	case len(t.Classes) == 2:
		return twoClasses
	case t.Classes != nil:
		return multiclass
	}
	return regression
}

func (t *Table) sparse() bool { return t.Start != nil }

// pick returns some rows, in their order.
func (t *Table) pick(rows []int) *Table {
	to := &Table{Rows: len(rows), Cols: t.Cols, columns: t.columns, Classes: t.Classes}
	if t.sparse() {
		to.Start = []int{0}
	}
	for _, i := range rows {
		if t.sparse() {
			lo, hi := t.Start[i], t.Start[i+1]
			to.Index = append(to.Index, t.Index[lo:hi]...)
			to.Value = append(to.Value, t.Value[lo:hi]...)
			to.Start = append(to.Start, len(to.Index))
		} else {
			to.Dense = append(to.Dense, t.Dense[i*t.Cols:(i+1)*t.Cols]...)
		}
		to.Y = append(to.Y, t.Y[i])
		if t.Query != nil {
			to.Query = append(to.Query, t.Query[i])
		}
	}
	return to
}

// append adds the rows of another table of the same kind.
func (t *Table) append(more *Table) {
	for _, end := range more.Start[min(1, len(more.Start)):] {
		t.Start = append(t.Start, len(t.Index)+end)
	}
	t.Rows += more.Rows
	t.Cols = max(t.Cols, more.Cols)
	t.Dense = append(t.Dense, more.Dense...)
	t.Index = append(t.Index, more.Index...)
	t.Value = append(t.Value, more.Value...)
	t.Y = append(t.Y, more.Y...)
	t.Query = append(t.Query, more.Query...)
}

// dataset returns the table as a dataset for fsa.
func (t *Table) dataset(ctx context.Context, name string) (*data.Dataset, error) {
	roles := data.Roles{TargetVector: &data.Vector{Values: t.Y, Categories: t.Classes}}
	if t.Query != nil {
		q := make([]float64, t.Rows)
		for i, id := range t.Query {
			q[i] = float64(id)
		}
		roles.QueryVector = &data.Vector{Values: q}
	}
	return data.Load(ctx, t.reader(), name, roles)
}

// reader returns a reader of the cells, to be used once.
func (t *Table) reader() data.Reader {
	r := &rows{
		schema: &data.Schema{Width: t.Cols, Sparse: t.sparse()},
		block:  &data.Block{Rows: t.Rows, Dense: slices.Clone(t.Dense), Start: t.Start, Index: slices.Clone(t.Index), Value: slices.Clone(t.Value)},
	}
	t.describe(r.schema, r.block.Dense)
	return r
}

// rows is a reader of one block.
type rows struct {
	schema *data.Schema
	block  *data.Block
}

var _ data.Reader = (*rows)(nil)

// Schema implements [data.Reader].
func (r *rows) Schema() *data.Schema { return r.schema }

// Next implements [data.Reader].
func (r *rows) Next(ctx context.Context) (*data.Block, error) {
	if r.block == nil {
		return nil, io.EOF
	}
	b := r.block
	r.block = nil
	return b, ctx.Err()
}

// Close implements [data.Reader].
func (r *rows) Close() error { return nil }

// fingerprint identifies a pair of tables by their contents.
func fingerprint(tables ...*Table) string {
	h := sha256.New()
	w := bufio.NewWriterSize(h, 1<<16)
	for _, t := range tables {
		t.digest(w)
	}
	w.Flush()
	return hex.EncodeToString(h.Sum(nil)[:12])
}

func (t *Table) digest(w *bufio.Writer) {
	put := func(v uint64) { w.Write(binary.LittleEndian.AppendUint64(w.AvailableBuffer(), v)) }
	put(uint64(t.Rows))
	put(uint64(t.Cols))
	put(uint64(len(t.Classes)))
	for _, list := range [][]float64{t.Dense, t.Value, t.Y} {
		for _, v := range list {
			put(math.Float64bits(v))
		}
	}
	for _, j := range t.Index {
		put(uint64(j))
	}
	for _, i := range t.Start {
		put(uint64(i))
	}
	for _, q := range t.Query {
		put(uint64(q))
	}
	for _, j := range t.textColumns() {
		put(uint64(j))
		for _, text := range t.columns[j].texts {
			put(uint64(len(text)))
			w.WriteString(text)
		}
	}
}
