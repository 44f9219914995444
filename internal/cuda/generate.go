package cuda

import (
	"context"
	"math"

	"fsa/internal/matrix"
	"fsa/internal/objective"
	"fsa/loss"
)

// Synthetic describes a table that is generated on the device, so that nothing has to be uploaded:
// the paper's equally correlated variables (α = ½), nearly normal. One variable in Every, True in
// all, decides the label by the sign of their sum. A cell depends on its row, its column and the
// seed alone.
type Synthetic struct {
	Rows        int64
	Columns     int
	Format      matrix.Format
	True, Every int
	Loss        loss.Loss
	Ridge       float64
	Seed        uint64
}

type generateArgs struct {
	X, Y                          pointer
	First, Rows, Stride           int64
	Seed                          uint64
	Columns, Format, Every, Count int32
}

// Constants of the kernel.
const (
	perUnit     = 75674 // of the sum of a cell
	int8PerUnit = 24    // of a cell of 8 bits
	common      = 0xffffff
)

// noise is nearly normal: the sum of four numbers of 16 bits, minus its mean.
func noise(seed uint64, row int64, column int) int {
	h := seed + (uint64(row)<<24|uint64(column))*0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	h ^= h >> 31
	return int(h&0xffff+h>>16&0xffff+h>>32&0xffff+h>>48) - 2*0xffff
}

// Cell returns the number stored in a cell.
func (s *Synthetic) Cell(row int64, column int) float64 {
	v := 2*noise(s.Seed, row, column) + noise(s.Seed, row, common)
	f := float32(v) * float32(1.0/float32(perUnit))
	switch s.Format {
	case matrix.BFloat16:
		return float64(math.Float32frombits((math.Float32bits(f) + 0x8000) &^ 0xffff))
	case matrix.Int8:
		return min(max(math.Floor(float64(v*int8PerUnit+perUnit/2)/perUnit), -127), 127)
	}
	return float64(f)
}

// Label returns the label of a row.
func (s *Synthetic) Label(row int64) float64 {
	sum := 0
	for t := range s.True {
		sum += 2*noise(s.Seed, row, (t+1)*s.Every-1) + noise(s.Seed, row, common)
	}
	if sum > 0 {
		return 1
	}
	return -1
}

// Made is a table that was generated on a device. Its labels stay there, too, because they may take
// gigabytes.
type Made struct {
	d     *Device
	table *table
	y     pointer
	parts objective.Parts
}

// Synthetic generates a table on the device.
func (d *Device) Synthetic(ctx context.Context, s Synthetic) (*Made, error) {
	d.Lock()
	defer d.Unlock()
	size := sizeOf[s.Format]
	m := &Made{d: d, table: newTable(cellFormat{format: s.Format, knots: 1}, s.Rows, s.Columns)}
	var err error
	if m.table.x, err = d.make(s.Rows*m.table.stride, size); err != nil {
		return nil, err
	}
	if m.y, err = d.make(s.Rows, 8); err == nil {
		err = m.fill(ctx, &s)
	}
	if err != nil {
		d.drop(m.table.x, m.y)
		return nil, err
	}
	return m, nil
}

// Close frees the table.
func (m *Made) Close() {
	m.d.Lock()
	defer m.d.Unlock()
	m.d.drop(m.table.x, m.y)
}

// Objective returns an objective of the table, with standardised columns: steps use minibatches of
// the given number of rows, 0 meaning all rows, until no more than final groups are left.
func (m *Made) Objective(batch int64, final int) (*Objective, error) {
	m.d.Lock()
	defer m.d.Unlock()
	p, rows := m.parts, m.table.rows
	p.Free, p.Final, p.Meter = 1, final, new(objective.Meter)
	o, err := m.d.newObjective(&p)
	if err != nil {
		return nil, err
	}
	o.table = m.table
	n := int64(1)
	if batch > 0 {
		n = (rows + batch - 1) / batch
	}
	for b := range n {
		p.Batches = append(p.Batches, [][2]int{{int(rows * b / n), int(rows * (b + 1) / n)}})
	}
	o.table.users++
	places := make([]int32, len(p.Columns))
	for j := range places {
		places[j] = int32(j)
	}
	if o.y, err = m.d.make(rows, 8); err == nil {
		err = m.d.move(o.y, m.y, 8*rows)
	}
	if err == nil {
		err = o.begun(&p, places)
	}
	if err == nil {
		err = o.prepare()
	}
	if err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}

// fill generates the cells, labels and moments.
func (m *Made) fill(ctx context.Context, s *Synthetic) error {
	err := m.d.launch("generate", "generate", shape{grid: [3]int{8 * m.d.info().Multiprocessors}, block: 256}, &generateArgs{
		X: m.table.x, Y: m.y, Rows: s.Rows, Stride: m.table.stride, Seed: s.Seed,
		Columns: int32(s.Columns), Format: int32(s.Format), Every: int32(s.Every), Count: int32(s.True),
	})
	if err != nil {
		return err
	}
	p := &m.parts
	*p = objective.Parts{Scale: make([]float64, s.Columns), Columns: make([]int, s.Columns), Loss: s.Loss, Ridge: s.Ridge}
	sd := math.Sqrt(1.25)
	if s.Format == matrix.Int8 {
		sd *= int8PerUnit
	}
	for j := range p.Columns {
		p.Columns[j], p.Scale[j] = j, 1/sd
	}
	if err := m.d.wait(); err != nil {
		return err
	}
	return ctx.Err()
}
