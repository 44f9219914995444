package open

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"fsa/data"
	"fsa/internal/atomicfile"
	"fsa/internal/format/panel"
)

// Converted is the progress of a conversion.
type Converted struct {
	Rows int
	// Share is the share of the input that has been read; 0 if it is unknown.
	Share float64
}

// Conversion has the options of [Convert].
type Conversion struct {
	// Exact names columns that are stored without rounding.
	Exact []string
	// Observe is called with the progress.
	Observe func(Converted)
	// Part is the name of the incomplete file, so that what was written remains if the program
	// ends. If it is empty, the file has no name until it is complete, and nothing remains.
	Part string
	// Due reports whether it is time to call Note. Note gets the state with which another
	// conversion can continue from Part; everything before it is on the disk by then. Both are used
	// only if Part is set.
	Due  func() bool
	Note func(state []byte, since time.Time)
	// State is a state that an earlier conversion gave to Note; nil starts from the beginning.
	State []byte
}

// Convert writes a table as a .fsa file, the format that is fastest for training. The file appears
// when it is complete. All columns are stored with their names and texts. If there is a numeric
// target in a file beside the input, it becomes the label of the rows.
func Convert(ctx context.Context, in, out string, o Options, how Conversion) error {
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
	c := copying{path: in, occurring: occurring{o.Memory, converter + sparseGroup, convSparse}}
	if c.memory, err = o.roomToConvert(in, r.Schema(), how.Part != ""); err != nil {
		return err
	}
	for _, ref := range how.Exact {
		j := r.Schema().FindColumn(ref)
		if j < 0 || r.Schema().Sparse {
			return &data.Error{File: in, Msg: fmt.Sprintf("there is no column %q to store exactly; a sparse table cannot have exact columns", ref)}
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
		o.Note("the labels in %s are texts and are not copied: name that file with --target", target.Name)
	case target != nil && target.Categories == nil:
		c.labels = target.Values
	}
	c.observe = func(rows int) { how.Observe(Converted{rows, r.progress()}) }
	f, err := how.create(out)
	if err != nil {
		return err
	}
	defer f.Abort()
	noted := how.State != nil
	if how.Part != "" {
		c.state, c.ended = how.State, func(w *panel.Writer) error { return how.ended(w, f, &noted) }
	}
	err = c.begin(f, r.Schema())
	if err == nil {
		err = c.copyAll(ctx, r)
	}
	if err == nil {
		err = c.finish()
	}
	switch {
	case errors.Is(err, panel.ErrOther):
		return usageError(fmt.Sprintf("%s has other rows than %s has now: start again without --resume", how.Part, in))
	case err != nil:
		if !noted || errors.Is(err, data.ErrBadData) {
			f.Discard()
		}
		return err
	}
	return f.Commit()
}

// create creates the file, or opens it to continue.
func (how *Conversion) create(out string) (*atomicfile.File, error) {
	if how.Part == "" {
		return atomicfile.Create(out)
	}
	if how.State != nil {
		end, err := panel.StateEnd(how.State)
		if err != nil {
			return nil, err
		}
		f, err := atomicfile.Continue(out, how.Part, end)
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			return f, err
		}
		how.State = nil // the partial file is missing, or was lost in a power failure
	}
	return atomicfile.Continue(out, how.Part, 0)
}

// ended calls Note after a group of rows, if it is due.
func (how *Conversion) ended(w *panel.Writer, f *atomicfile.File, noted *bool) error {
	if !how.Due() {
		return nil
	}
	since := time.Now()
	if err := f.Save(); err != nil {
		return err
	}
	how.Note(w.State(), since)
	*noted = true
	return nil
}
