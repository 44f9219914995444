package paper

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// uci fits every line once: the data are fixed. Missing data sets are named, and it fails if there
// is none.
func uci(ctx context.Context, s *Setup) (*Result, error) {
	r := &Result{byMethod: true}
	sets := datasets()
	var units []unit
	var lacking []string
	for i := range sets {
		d := &sets[i]
		folder := filepath.Join(s.Data, d.folder)
		if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
			lacking = append(lacking, d.folder)
			r.Notes = append(r.Notes, fmt.Sprintf("%s: there is no folder %s; --data says where the data sets are.", d.name, folder))
			continue
		}
		units = append(units, d.units(ctx, folder, s)...)
	}
	if len(lacking) == len(sets) {
		return nil, fmt.Errorf("no data set was found: none of the folders %s is in %s; give their folder with --data", strings.Join(slices.Compact(lacking), ", "), s.Data)
	}
	out, err := s.fit(ctx, "uci", s.Threads, units)
	if err != nil {
		return nil, err
	}
	table := readUCI()
	for i := range sets {
		d := &sets[i]
		for _, l := range d.lines {
			r.Rows = append(r.Rows, l.rows(d, out, table, s.SeedFrom)...)
			if after := out.summarize(l.cell(d), l.label, gaveUp, []uint64{s.SeedFrom}).mean; after != nil {
				r.Notes = append(r.Notes, fmt.Sprintf("%s on %s was stopped after %.0f seconds.", l.label, d.name, *after))
			}
		}
		if d.note != "" {
			r.Notes = append(r.Notes, d.name+": "+d.note)
		}
	}
	r.Notes = append(r.Notes, fmt.Sprintf("Every fit had one thread; %d fits ran in parallel.", s.Threads))
	r.Notes = append(r.Notes, out.notes()...)
	return r, nil
}

// units are the lines of a data set, each separate, because some take long. The files are read when
// the first line needs them.
func (d *dataset) units(ctx context.Context, folder string, s *Setup) []unit {
	load := sync.OnceValues(func() (*splits, error) { return d.load(ctx, folder) })
	var units []unit
	for _, l := range d.lines {
		units = append(units, unit{cell: l.cell(d), seed: s.SeedFrom, methods: []string{l.label}, load: func(context.Context) (trial, error) {
			parts, err := load()
			return func(ctx context.Context, _ string) (values, error) {
				return l.measure(ctx, d.name, parts, s.SeedFrom, fitLimit)
			}, err
		}})
	}
	return units
}

// fitLimit is the time limit of a fit. The paper waited for days.
const fitLimit = 10 * time.Minute

// measure fits a line within the time limit, and tests it on every part.
func (l *line) measure(ctx context.Context, name string, parts *splits, seed uint64, limit time.Duration) (values, error) {
	from := []source{parts.train}
	if l.both {
		from = append(from, parts.valid)
	}
	train, err := load(ctx, name, from...)
	if err != nil {
		return nil, err
	}
	k := l.k
	if k == 0 {
		k = train.Width()
	}
	start := time.Now()
	patient, stop := context.WithTimeout(ctx, limit)
	defer stop()
	model, err := l.fitter(k, seed, 1).Fit(patient, train)
	switch {
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return values{gaveUp: limit.Seconds()}, nil
	case err != nil:
		return nil, err
	}
	out := values{
		seconds: time.Since(start).Seconds(), trainRows: float64(train.Rows()), trainColumns: float64(train.Width()),
		selected: float64(len(model.Selected())),
	}
	for metric, part := range map[string]source{trainError: parts.train, validError: parts.valid, testError: parts.test} {
		if part == nil {
			continue
		}
		m, err := score(ctx, model, part.reader())
		if err != nil {
			return nil, err
		}
		if v, ok := m["error"]; ok {
			out[metric] = 100 * v
		}
	}
	return out, nil
}

// rows returns the results of a line.
func (l *line) rows(d *dataset, out *outcomes, table uciTable, seed uint64) []Row {
	seeds := []uint64{seed}
	whole := func(metric string) *int {
		if v := out.summarize(l.cell(d), l.label, metric, seeds).mean; v != nil {
			return new(int(*v))
		}
		return nil
	}
	base := Row{Data: d.name, N: whole(trainRows), M: whole(trainColumns), Method: l.label}
	if l.k > 0 {
		base.K = new(l.k)
	}
	var rows []Row
	for _, metric := range []string{trainError, validError, testError, selected, seconds} {
		row := base
		row.Metric = metric
		sum := out.summarize(l.cell(d), l.label, metric, seeds)
		row.Ours, row.Runs = sum.mean, sum.runs
		row.compare(table.find(d.printed, l.label, l.k, metric))
		if row.Ours != nil || row.Published != nil {
			rows = append(rows, row)
		}
	}
	return rows
}
