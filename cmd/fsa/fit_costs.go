package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fsa"
	"fsa/data"
	"fsa/data/open"
	"fsa/model"
)

// costFlags are the flags of prices, budgets and quotas.
type costFlags struct {
	path, budget string
	limits       []string
	heading      []string // the first line of the file, if it has no price
}

func (c *costFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.path, "costs", "", "`FILE` with the price of a column on each line: the column, its price and, if several columns are paid together, the name of their panel")
	f.StringArrayVar(&c.limits, "quota", nil, "limit how many of the columns are selected whose names match, `PATTERN=N`: sensor*=3 is at most 3, sensor*=1.. at least 1, and sensor*=1..3 from 1 to 3; may be given several times")
	f.StringVar(&c.budget, "budget", "", "select what predicts best for at most `MONEY`, instead of -k; cross-validation chooses from a list such as 20,50,100, or from amounts up to the price of all if it is left out (with --costs)")
}

// read returns the prices and the budgets.
func (c *costFlags) read(ctx context.Context) (costs []model.Cost, budgets []float64, err error) {
	switch {
	case c.path == "" && c.budget != "":
		return nil, nil, usagef("--budget %s: give the prices of the columns, too, with --costs FILE", c.budget)
	case c.path == "":
		return nil, nil, nil
	}
	if c.budget != "" && c.budget != "auto" {
		for _, part := range strings.Split(c.budget, ",") {
			b, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
			if err != nil || !(b >= 0) || math.IsInf(b, 0) {
				return nil, nil, usagef("--budget %s: it must be an amount of money such as 100, a list such as 20,50,100, or auto", c.budget)
			}
			budgets = append(budgets, b)
		}
	}
	f, err := open.Small(ctx, c.path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	costs, c.heading, err = parseCosts(f, c.path)
	return costs, budgets, err
}

// check returns an error if the first line of the file is no heading, because it names a column of the table.
func (c *costFlags) check(t *data.Dataset) error {
	if c.heading == nil || t.Lookup(c.heading[0]) < 0 && c.heading[0] != model.AllColumns {
		return nil
	}
	return &data.Error{File: c.path, Msg: fmt.Sprintf("line 1: the price %.40q of %q is no number", c.heading[1], c.heading[0])}
}

// quotas returns the quotas.
func (c *costFlags) quotas() (list []fsa.Quota, err error) {
	for _, text := range c.limits {
		at := strings.LastIndex(text, "=") // a name may contain it
		least, most, ranged := strings.Cut(strings.TrimSpace(text[at+1:]), "..")
		if !ranged {
			least, most = "0", least
		}
		q := fsa.Quota{Columns: []string{text[:max(at, 0)]}}
		var errs [2]error
		q.Least, errs[0] = strconv.Atoi(least)
		if most != "" || !ranged {
			q.Most, errs[1] = strconv.Atoi(most)
		}
		if at < 1 || errors.Join(errs[:]...) != nil || q.Least < 0 || q.Most < 0 || ranged && (q.Least == 0 || most != "" && q.Most < q.Least) {
			return nil, usagef("--quota %s: it must be PATTERN=N, such as sensor*=3, or PATTERN=LEAST.. or PATTERN=LEAST..MOST, such as sensor*=1..3", text)
		}
		list = append(list, q)
	}
	return list, nil
}

// parseCosts parses a file of prices; name is for messages. The first line may be a heading.
func parseCosts(f io.Reader, name string) (list []model.Cost, heading []string, err error) {
	limited := &io.LimitedReader{R: f, N: maxGroups}
	text := bufio.NewReader(limited)
	skipMark(text)
	r := csv.NewReader(text)
	r.FieldsPerRecord, r.TrimLeadingSpace, r.Comment = -1, true, '#'
	const rule = "each line must be a column, its price and, if it belongs to one, its panel, separated by commas"
	for first := true; ; first = false {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		switch {
		case limited.N == 0:
			return nil, nil, &data.Error{File: name, Msg: fmt.Sprintf("the file is larger than %s", open.Size(maxGroups))}
		case err != nil:
			return nil, nil, &data.Error{File: name, Msg: rule, Err: err}
		}
		line, _ := r.FieldPos(0)
		if len(cells) < 2 || len(cells) > 3 {
			return nil, nil, &data.Error{File: name, Msg: fmt.Sprintf("line %d: %d cells: %s", line, len(cells), rule)}
		}
		cells = append(cells, "")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		price, wrong := strconv.ParseFloat(cells[1], 64)
		switch {
		case wrong != nil && first:
			heading = cells
			continue
		case wrong != nil || !(price >= 0) || math.IsInf(price, 0):
			return nil, nil, &data.Error{File: name, Msg: fmt.Sprintf("line %d: the price %.40q is no number that is at least 0: %s", line, cells[1], rule)}
		}
		list = append(list, model.Cost{Column: cells[0], Price: price, Panel: cells[2]})
	}
	if len(list) == 0 {
		return nil, nil, &data.Error{File: name, Msg: "it has no price: " + rule}
	}
	return list, heading, nil
}

// keepsQuotas returns an error if --drop leaves a quota too few of the columns that it needs.
func (in *input) keepsQuotas(quotas []fsa.Quota, t *data.Dataset) error {
	for _, q := range quotas {
		matches := func(name string) bool {
			ok, _ := path.Match(q.Columns[0], name)
			return ok
		}
		left := map[string]bool{}
		for j := range t.Columns {
			if name := t.ColumnName(j); matches(name) {
				left[name] = true
			}
		}
		for _, name := range in.Drop {
			if len(left) < q.Least && matches(name) {
				return usagef("--quota %s and --drop %s: the quota needs %d of its columns, and %d are left: drop fewer, or lower the quota", q, name, q.Least, len(left))
			}
		}
	}
	return nil
}
