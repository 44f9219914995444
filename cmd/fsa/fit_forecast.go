package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"fsa"
	"fsa/anneal"
	"fsa/data"
	"fsa/data/open"
	"fsa/internal/decimal"
	"fsa/internal/grid"
)

// forecast holds the flags for plans on other machines.
type forecast struct {
	machines int
	network  string
}

func (f *forecast) flags(flags *pflag.FlagSet) {
	flags.IntVar(&f.machines, "machines", 0, "with --plan: predict the time on a grid of `N` machines like this one; --memory is then the memory of each")
	flags.StringVar(&f.network, "network", "10Gbit,50us", "with --machines: `RATE` of the network per second, such as 10Gbit or 1GB, optionally followed by the latency of a message")
}

// check returns an error for invalid combinations of flags.
func (f *forecast) check(planOnly bool) error {
	switch {
	case f.machines < 0:
		return usagef("--machines %d: at least one is needed", f.machines)
	case f.machines > 0 && !planOnly:
		return usagef("--machines is for --plan: start a fit on several machines with mpirun -n %d", f.machines)
	}
	_, _, err := f.rate()
	return err
}

// rate returns the bytes per second of the network, and the seconds that a message takes.
func (f *forecast) rate() (bytes, latency float64, err error) {
	text, wait, both := strings.Cut(f.network, ",")
	latency = 50e-6
	if both {
		d, err := time.ParseDuration(wait)
		if err != nil || d < 0 {
			return 0, 0, usagef("--network %s: the latency must be written as 50us or 1ms", f.network)
		}
		latency = d.Seconds()
	}
	for _, unit := range []struct {
		name  string
		bytes float64
	}{{"Gbit", 1e9 / 8}, {"Mbit", 1e6 / 8}} {
		if number, ok := strings.CutSuffix(text, unit.name); ok {
			if v, err := strconv.ParseFloat(number, 64); err == nil && v > 0 {
				return v * unit.bytes, latency, nil
			}
		}
	}
	if n, err := open.ParseSize(text); err == nil && n > 0 {
		return float64(n), latency, nil
	}
	return 0, 0, usagef("--network %s: the rate must be written as 10Gbit, 100Mbit or 1GB", f.network)
}

// decisions returns the predicted costs of a plan on the given machines. memory is that of each
// machine; 0 means the memory of this one.
func (f *forecast) decisions(ctx context.Context, d *data.Dataset, p *fsa.Plan, memory int64) ([]fsa.Decision, error) {
	if f.machines == 0 {
		return nil, nil
	}
	speed, err := grid.Rate(ctx)
	if err != nil {
		return nil, err
	}
	c := grid.Cluster{Machines: f.machines, Speed: speed}
	if c.Network, c.Latency, err = f.rate(); err != nil {
		return nil, err
	}
	w := grid.Work{Rows: d.Rows(), Columns: d.Width(), Outputs: 1, Steps: (d.Rows() + p.Batch - 1) / p.Batch}
	if p.Loss == "multinomial" {
		w.Outputs = len(d.Target.Categories)
	}
	w.Alive = anneal.Alive(p.Schedule, p.Epochs, w.Columns, min(p.K, w.Columns))
	to := grid.Predict(c, w)
	if to.Rows == 0 {
		return []fsa.Decision{{Setting: "machines", Value: fmt.Sprint(f.machines), Why: fmt.Sprintf("%d rows of %d columns cannot be divided into that many blocks: use fewer machines", w.Rows, w.Columns)}}, nil
	}
	fits := "of 4 bytes each"
	if memory > 0 && to.Part > float64(memory) {
		fits = fmt.Sprintf("more than its %s: use more machines", open.Size(memory))
	}
	cells := speed.Apart
	if to.Columns == 1 {
		cells = speed.Fused
	}
	seconds := func(s float64) string { return decimal.Digits(s, 3) + " s" }
	return []fsa.Decision{
		{Setting: "machines", Value: fmt.Sprint(f.machines), Why: fmt.Sprintf("predicted for a grid of %d×%d blocks", to.Rows, to.Columns)},
		{Setting: "table per machine", Value: decimal.Digits(to.Part/1e6, 4) + " MB", Why: fits},
		{Setting: "computation", Value: seconds(to.Multiplying), Why: fmt.Sprintf("in the first epoch; %s million cells per second were measured here", decimal.Digits(cells/1e6, 3))},
		{Setting: "communication", Value: seconds(to.Talking), Why: fmt.Sprintf("in the first epoch: %d steps, %s MB at %s", w.Steps, decimal.Digits(to.Sent/1e6, 4), f.network)},
		{Setting: "descent", Value: seconds(to.Descent), Why: fmt.Sprintf("%d epochs, including the choice of the step size and the dropping of columns, but not reading the table or the steps after the descent", p.Epochs)},
	}, nil
}
