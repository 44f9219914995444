package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fsa/data"
	"fsa/data/open"
	"fsa/model"
)

// constraintFlags are the flags that limit the effects of columns.
type constraintFlags struct {
	columns map[string]*[]string // by kind
	bounds  []string
	levels  []string
	path    string // of a file
}

// constraintUsage describes the flag of each kind that only needs columns.
var constraintUsage = []struct{ kind, usage string }{
	{model.Nonnegative, "keep the coefficients of the columns `COLUMN,...` at 0 or above; all means all numbers"},
	{model.Nonpositive, "keep the coefficients of the columns `COLUMN,...` at 0 or below"},
	{model.Increasing, "let predictions never fall as a column of `COLUMN,...` rises, for lines, curves and ordered categories"},
	{model.Decreasing, "let predictions never rise as a column of `COLUMN,...` rises, for lines, curves and ordered categories"},
	{model.Convex, "let the curves of the columns `COLUMN,...` never bend downwards"},
	{model.Concave, "let the curves of the columns `COLUMN,...` never bend upwards"},
}

func (c *constraintFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	c.columns = map[string]*[]string{}
	for _, u := range constraintUsage {
		c.columns[u.kind] = f.StringSlice(u.kind, nil, u.usage)
	}
	f.StringSliceVar(&c.bounds, "bounds", nil, "keep the coefficient of a column between bounds, `COLUMN=LOWER:UPPER,...`; either may be left out")
	f.StringArrayVar(&c.levels, "levels", nil, "the categories of a text from the lowest to the highest, `COLUMN=CATEGORY,...`, for --increasing and --decreasing (several times for several columns)")
	f.StringVar(&c.path, "constraints", "", "`FILE` with a constraint on each line: a column, a kind such as increasing, and the lower and upper bound of bounds, or the categories of a text in their order")
}

// read returns the constraints of all flags.
func (c *constraintFlags) read(ctx context.Context) (list []model.Constraint, err error) {
	if c.path != "" {
		if list, err = readConstraints(ctx, c.path); err != nil {
			return nil, err
		}
	}
	for _, u := range constraintUsage {
		for _, column := range *c.columns[u.kind] {
			list = append(list, model.Constraint{Column: column, Kind: u.kind})
		}
	}
	for _, text := range c.bounds {
		at := strings.LastIndex(text, "=") // a name may contain it
		lower, upper, ok := strings.Cut(text[at+1:], ":")
		of := model.Constraint{Column: text[:max(at, 0)], Kind: model.Bounds}
		if ok = ok && at > 0; ok {
			var low, high error
			of.Lower, low = bound(lower)
			of.Upper, high = bound(upper)
			ok = low == nil && high == nil
		}
		if !ok {
			return nil, usagef("--bounds %s: it must be COLUMN=LOWER:UPPER, such as age=0:2 or age=:1", text)
		}
		list = append(list, of)
	}
	return list, c.order(list)
}

// order gives constraints of texts the order of their categories.
func (c *constraintFlags) order(list []model.Constraint) error {
	for _, text := range c.levels {
		column, names, _ := strings.Cut(text, "=")
		levels, err := csv.NewReader(strings.NewReader(names)).Read()
		if err != nil || column == "" {
			return usagef("--levels %s: it must be COLUMN=CATEGORY,..., such as grade=low,mid,high", text)
		}
		used := false
		for i := range list {
			if list[i].Column == column && list[i].Ordering() {
				list[i].Levels, used = levels, true
			}
		}
		if !used {
			return usagef("--levels %s: it is for --increasing %s or --decreasing %s: give one of them", text, column, column)
		}
	}
	return nil
}

// bound reads a bound; nil means none.
func bound(text string) (*float64, error) {
	if text = strings.TrimSpace(text); text == "" {
		return nil, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
		err = errors.New("not finite")
	}
	return &v, err
}

// readConstraints reads a file of constraints.
func readConstraints(ctx context.Context, path string) ([]model.Constraint, error) {
	f, err := open.Small(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return parseConstraints(f, path)
}

// parseConstraints parses such a file; name is for messages.
func parseConstraints(f io.Reader, name string) (list []model.Constraint, err error) {
	limited := &io.LimitedReader{R: f, N: maxGroups}
	text := bufio.NewReader(limited)
	skipMark(text)
	r := csv.NewReader(text)
	r.FieldsPerRecord, r.TrimLeadingSpace, r.Comment = -1, true, '#'
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		wrong := func(msg string) error {
			line, _ := r.FieldPos(0)
			return &data.Error{File: name, Msg: fmt.Sprintf("line %d: %s: each line must be a column and one of %s; bounds have a lower and an upper bound after it, and texts their categories in order", line, msg, strings.Join(model.ConstraintKinds(), ", "))}
		}
		switch {
		case limited.N == 0:
			return nil, &data.Error{File: name, Msg: fmt.Sprintf("the file is larger than %s", open.Size(maxGroups))}
		case err != nil:
			return nil, &data.Error{File: name, Msg: "each line must be a column and a constraint, separated by commas", Err: err}
		case len(cells) < 2:
			return nil, wrong(fmt.Sprintf("%d cells", len(cells)))
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		c := model.Constraint{Column: cells[0], Kind: strings.ToLower(cells[1])}
		if len(cells) > 2 && c.Ordering() {
			c.Levels = cells[2:]
			list = append(list, c)
			continue
		}
		if len(cells) > 4 {
			return nil, wrong(fmt.Sprintf("%d cells", len(cells)))
		}
		bounds := append(cells[2:], "", "")
		var low, high error
		c.Lower, low = bound(bounds[0])
		c.Upper, high = bound(bounds[1])
		switch {
		case !slices.Contains(model.ConstraintKinds(), c.Kind):
			return nil, wrong(fmt.Sprintf("%.40q is no kind of constraint", cells[1]))
		case low != nil || high != nil:
			return nil, wrong("a bound is not a number")
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		return nil, &data.Error{File: name, Msg: "it has no constraint: each line must be a column and a constraint, separated by commas"}
	}
	return list, nil
}
