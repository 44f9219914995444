package data

import "context"

// Load reads a whole table into a dataset.
func Load(ctx context.Context, r Reader, name string, roles Roles) (*Dataset, error) {
	b := NewBuilder(name, r.Schema(), roles)
	if s, ok := r.(Sized); ok {
		rows, _ := s.Size()
		b.expected = int(rows)
	}
	if c, ok := r.(ByColumn); ok {
		if err := b.readColumns(ctx, c); err != nil {
			return nil, err
		}
		return b.Dataset(ctx)
	}
	for block, err := range Blocks(ctx, r) {
		if err != nil {
			return nil, err
		}
		if err := b.Add(block); err != nil {
			return nil, err
		}
		if block.Reuse != nil {
			block.Reuse()
		}
	}
	return b.Dataset(ctx)
}
