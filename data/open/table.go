package open

import (
	"context"
	"slices"

	"fsa/data"
)

// Table reads a whole table. If no target is given, it uses the label that the format stores,
// a file or array beside the table, or a column named y, target or label.
func Table(ctx context.Context, path string, o Options, roles Roles) (*data.Dataset, error) {
	o.Skip = slices.Concat(o.Skip, roles.Drop)
	r, err := openReader(ctx, path, &o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := checkCategorical(path, r, o.Categorical); err != nil {
		return nil, err
	}
	t := &opened{reader: r, path: path, o: &o}
	if t.roles, err = roles.Resolve(ctx, path, r); err != nil {
		return nil, err
	}
	findTarget(&t.roles, r)
	if roles.SkipMissing {
		var skipped *int
		r.Reader, t.roles, skipped = data.KnownOnly(r.Reader, t.roles)
		defer func() {
			if *skipped > 0 && o.Note != nil {
				o.Note("%d rows were left out because their target is missing", *skipped)
			}
		}()
	}
	return t.facts().strategy().run(t, ctx)
}

// opened is a table from which a dataset is created.
type opened struct {
	*reader
	path  string
	roles data.Roles
	o     *Options
}

// keep leaves the file open when the reader is closed, because a dataset reads from it. If the file
// was copied, the copy stays open by itself.
func (t *opened) keep() {
	_, t.kept = t.in.regular()
}

// readStored returns the dataset of a table whose columns can be read one by one. It may be larger
// than memory.
func (t *opened) readStored(ctx context.Context) (*data.Dataset, error) {
	d, err := fromStore(ctx, t.path, t.Reader.(data.Store), t.roles, t.o)
	if err == nil {
		t.keep()
	}
	return d, err
}

// readInPlace returns the dataset of a table that is stored in its file as in memory. It may be
// larger than memory.
func (t *opened) readInPlace(ctx context.Context) (*data.Dataset, error) {
	offset, _ := t.Reader.(inPlacer).InPlace()
	f := t.facts()
	src, err := steadily(t.in.file, t.path, t.in.seen)
	if err != nil {
		return nil, err
	}
	m, err := t.o.inPlace(t.path, src, offset, int(f.rows), f.width)
	if err != nil {
		return nil, err
	}
	d, err := data.FromMatrix(ctx, t.path, t.names, m, t.roles)
	if err == nil {
		t.keep()
	}
	return d, err
}

// load reads all rows into memory.
func (t *opened) load(ctx context.Context) (*data.Dataset, error) {
	if c, ok := t.Reader.(data.ByColumn); ok {
		return data.Load(ctx, byColumn{t.reader, c}, t.path, t.roles)
	}
	return data.Load(ctx, t.reader, t.path, t.roles)
}

// refuse returns an error, because a table that must be in memory does not fit.
func (t *opened) refuse(context.Context) (*data.Dataset, error) {
	f := t.facts()
	if _, err := t.o.room(t.path, int(f.rows), f.width, 0); err != nil && !f.sparse {
		return nil, err
	}
	return nil, t.o.notWhole(t.path, needs(f.rows, f.cells, f.width, f.sparse))
}

// loadOrRefuse reads all rows into memory. It returns an error if they do not fit.
func (t *opened) loadOrRefuse(ctx context.Context) (*data.Dataset, error) {
	d, err := t.loadWhatFits(ctx)
	if d == nil && err == nil && t.o.Whole == "" {
		err = &MemoryError{t.path, 0, t.o.Memory, "give --memory to copy it to a temporary file first, or name a file"}
	} else if d == nil && err == nil {
		err = t.o.notWhole(t.path, 0)
	}
	return d, err
}

// loadOrSpool reads all rows into memory. If they do not fit, it reads them again into a paging
// file. A table is rarely larger than the memory of the machine.
func (t *opened) loadOrSpool(ctx context.Context) (*data.Dataset, error) {
	d, err := t.loadWhatFits(ctx)
	if d != nil || err != nil {
		return d, err
	}
	r, err := openReader(ctx, t.path, t.o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := t.in.seen.still(r.in.file, t.path); err != nil {
		return nil, err
	}
	again := *t
	again.reader = r
	return again.spool(ctx)
}

// loadWhatFits reads all rows into memory. It returns nil if they do not fit.
func (t *opened) loadWhatFits(ctx context.Context) (*data.Dataset, error) {
	b := data.NewBuilder(t.path, t.Schema(), t.roles)
	m := meter{memory: t.o.Memory}
	for block, err := range data.Blocks(ctx, t.reader) {
		if err != nil {
			return nil, err
		}
		if m.exceeds(block, t.Schema().Width, t.progress()) > 0 {
			return nil, nil
		}
		if err := b.Add(block); err != nil {
			return nil, err
		}
	}
	return b.Dataset(ctx)
}

// loadAndCopy reads all rows into memory and into a paging file at the same time. If they no longer
// fit into memory, the rest goes to the file only. So nothing is read twice, although the size is
// not known in advance.
func (t *opened) loadAndCopy(ctx context.Context) (*data.Dataset, error) {
	if err := t.checkWidth(); err != nil {
		return nil, err
	}
	b := data.NewBuilder(t.path, t.Schema(), t.roles)
	m := meter{memory: t.o.Memory}
	p, failed := t.newPaging() // an error matters only if the copy is needed
	defer p.close()
	for block, err := range data.Blocks(ctx, t.reader) {
		if err != nil {
			return nil, err
		}
		if b != nil {
			if need := m.exceeds(block, t.Schema().Width, t.progress()); need > 0 {
				if failed == nil {
					failed = p.announce(need)
				}
				b = nil
			} else if err := b.Add(block); err != nil {
				return nil, err
			}
		}
		if failed == nil {
			failed = p.add(block)
		}
		if failed != nil && b == nil {
			return nil, failed
		}
	}
	if b != nil {
		return b.Dataset(ctx)
	}
	return p.dataset(ctx)
}

// spool copies all rows to a paging file first.
func (t *opened) spool(ctx context.Context) (*data.Dataset, error) {
	if err := t.checkWidth(); err != nil {
		return nil, err
	}
	p, err := t.newPaging()
	if err != nil {
		return nil, err
	}
	defer p.close()
	if err := p.announce(t.facts().numbers()); err != nil {
		return nil, err
	}
	if err := p.copyAll(ctx, t.reader); err != nil {
		return nil, err
	}
	return p.dataset(ctx)
}
