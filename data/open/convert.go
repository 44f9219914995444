package open

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"fsa/data"
	"fsa/internal/atomicfile"
)

// Converted says how far a conversion is.
type Converted struct {
	Rows int
	// Share of the input that was read; 0 if that is not known.
	Share float64
}

// Convert brings a table into the layout that is fastest to learn from: out is
// a .fsa file, which appears when it is complete. All columns are kept, their
// names and texts too; a numeric target that lies beside the input becomes the
// label of its rows. Exact names columns to keep to the last digit.
func Convert(ctx context.Context, in, out string, o Options, exact []string, observe func(Converted)) error {
	if strings.ToLower(filepath.Ext(out)) != ".fsa" {
		return usageError(out + ": the name must end in .fsa")
	}
	r, err := openReader(ctx, in, &o)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := checkCategorical(in, r, o.Categorical); err != nil {
		return err
	}
	c := copying{path: in, memory: o.Memory}
	for _, ref := range exact {
		j := r.Schema().FindColumn(ref)
		if j < 0 || r.Schema().Sparse {
			return &data.Error{File: in, Msg: fmt.Sprintf("there is no column %q to keep exactly; in a sparse table there is none", ref)}
		}
		c.exact = append(c.exact, j)
	}
	var target *data.Vector
	if !r.labelled() {
		if target, err = r.format.findBeside(ctx, in); err != nil {
			return err
		}
	}
	switch {
	case target != nil && target.Categories != nil && o.Note != nil:
		o.Note("the labels in %s are texts and stay there: name that file with --target", target.Name)
	case target != nil && target.Categories == nil:
		c.labels = target.Values
	}
	c.observe = func(rows int) { observe(Converted{rows, r.progress()}) }
	f, err := atomicfile.Create(out)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := c.begin(f, r.Schema()); err != nil {
		return err
	}
	if err := c.copyAll(ctx, r); err != nil {
		return err
	}
	if err := c.finish(); err != nil {
		return err
	}
	return f.Commit()
}
