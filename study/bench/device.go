package bench

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"fsa"
	"fsa/anneal"
	"fsa/data/synth"
	"fsa/internal/cuda"
	"fsa/internal/matrix"
	"fsa/loss"
)

// storages are the storage types of a device.
var storages = []struct {
	name   string
	format matrix.Format
	bytes  int64 // of a cell
}{{"float32", matrix.Float32, 4}, {"bfloat16", matrix.BFloat16, 2}, {"int8", matrix.Int8, 1}}

// deviceFit is a fit of a table that is made on the device.
type deviceFit struct {
	storage int // number of it
	n       int64
	m, k    int
	batch   int64 // rows per step
	epochs  int   // epochs in which variables are dropped
	mu      float64
	polish  devicePolish
}

// devicePolish is the polishing of a device: that of fsa --polish with shorter rounds and larger
// steps.
type devicePolish struct {
	rounds int
	batch  int64
	epochs int
	rivals int // for each selected variable in the first round; then half as many, and at least one
}

// deviceFits are the timed fits. While more than 2048 variables are left, a step takes three times
// as long, so few rivals and more epochs find more in the same time.
var deviceFits = []deviceFit{
	{0, 10_000, 1000, 30, 500, 50, 30, devicePolish{}},
	{0, 100_000, 10_000, 100, 5000, 50, 30, devicePolish{}},
	{0, 100_000, 100_000, 500, 500, 50, 30, devicePolish{}},
	{0, 100_000, 100_000, 500, 500, 20, 30, devicePolish{3, 125, 40, 2}},
	{2, 1_000_000, 100_000, 500, 5000, 30, 30, devicePolish{}},
}

// device measures a GPU, if there is one. A missing one is reported only if it was requested by
// name.
func (b *bencher) device(ctx context.Context) error {
	d, err := cuda.Open(0)
	if err != nil {
		if slices.Equal(b.Only, []string{Device}) {
			return err
		}
		return nil
	}
	defer d.Close()
	r := &OnDevice{Name: d.Info().Name}
	b.report.Device = r
	if r.CopyBytesPerSecond, err = d.CopyRate(min(8<<30, d.Info().Memory/8)); err != nil {
		return err
	}
	for _, s := range storages {
		for _, m := range b.deviceWidths {
			p := DevicePass{Storage: s.name, M: m, N: max(min(b.deviceBytes, d.Info().Memory/4)/(int64(m)*s.bytes), 1)}
			b.Log("device: pass over %s, %d columns", s.name, m)
			err := made(ctx, d, cuda.Synthetic{Rows: p.N, Columns: m, Format: s.format, True: 1, Every: 1}, func(t *cuda.Made) error {
				return placed(t, 0, 0, func(o *cuda.Objective) (err error) {
					p.BytesPerSecond, err = o.PassRate(ctx)
					return err
				})
			})
			if err != nil {
				return err
			}
			p.OverCopy = p.BytesPerSecond / r.CopyBytesPerSecond
			r.Passes = append(r.Passes, p)
		}
	}
	for _, m := range []int{30, 100, 1000} {
		s := DeviceStep{Rows: 500, M: m}
		err := made(ctx, d, cuda.Synthetic{Rows: 100_000, Columns: m, True: 1, Every: 1}, func(t *cuda.Made) error {
			return placed(t, s.Rows, 0, func(o *cuda.Objective) (err error) {
				s.Seconds, err = o.StepTime(ctx)
				return err
			})
		})
		if err != nil {
			return err
		}
		r.Steps = append(r.Steps, s)
	}
	if err := b.deviceFits(ctx, d, r); err != nil {
		return err
	}
	return b.fromHost(ctx, r)
}

// fromHost fits a table in memory on the device and on the processor.
func (b *bencher) fromHost(ctx context.Context, r *OnDevice) error {
	c := config(synth.Classification, shape{10_000, 1000, 30}, 1)
	b.Log("device: fit of %d rows, %d columns from memory", c.N, c.M)
	table, err := b.table(ctx, c, nil)
	if err != nil {
		return err
	}
	f := &HostFit{N: c.N, M: c.M, K: c.K, Same: true}
	var chosen []int
	for _, on := range []struct {
		device  string
		seconds *float64
	}{{"cpu", &f.Processor}, {"cuda", &f.Seconds}} {
		var took []float64
		for range 2 * b.repeats {
			fit, err := fitted(ctx, table, fsa.Options{K: c.K, Run: fsa.Run{Threads: 2, Device: on.device}})
			if err != nil {
				return err
			}
			took = append(took, fit.seconds)
			columns := fit.selected()
			slices.Sort(columns)
			if chosen == nil {
				chosen = columns
			}
			f.Same = f.Same && slices.Equal(columns, chosen)
		}
		*on.seconds = median(took)
	}
	r.FromHost = f
	return nil
}

// made generates a table on the device and calls f.
func made(ctx context.Context, d *cuda.Device, s cuda.Synthetic, f func(*cuda.Made) error) error {
	s.Loss, s.Seed = loss.Logistic{}, 1
	t, err := d.Synthetic(ctx, s)
	if err != nil {
		return err
	}
	defer t.Close()
	return f(t)
}

// placed creates an objective for a table and calls f.
func placed(t *cuda.Made, batch int64, final int, f func(*cuda.Objective) error) error {
	o, err := t.Objective(batch, final)
	if err != nil {
		return err
	}
	defer o.Close()
	return f(o)
}

// deviceFits runs descents on tables that fit into the memory of the device.
func (b *bencher) deviceFits(ctx context.Context, d *cuda.Device, r *OnDevice) error {
	for _, c := range deviceFits {
		s := storages[c.storage]
		if c.n*int64(c.m)*s.bytes > b.deviceBytes*9 {
			continue
		}
		b.Log("device: fit of %d rows, %d columns in %s", c.n, c.m, s.name)
		f := DeviceFit{Storage: s.name, N: c.n, M: c.m, K: c.k, Polish: c.polish.rounds}
		table := cuda.Synthetic{Rows: c.n, Columns: c.m, Format: s.format, True: c.k, Every: 10, Ridge: 0.05 / float64(c.n)}
		err := made(ctx, d, table, func(t *cuda.Made) error {
			d.Peak()
			start := time.Now()
			chosen, err := c.fit(ctx, t)
			f.Seconds = time.Since(start).Seconds()
			f.Memory = float64(d.Peak()) / float64(c.n*int64(c.m)*s.bytes)
			for _, g := range chosen {
				if (g+1)%10 == 0 && g < 10*c.k {
					f.Found += 1 / float64(c.k)
				}
			}
			return err
		})
		if errors.Is(err, cuda.ErrMemory) {
			continue
		}
		if err != nil {
			return err
		}
		r.Fits = append(r.Fits, f)
	}
	return nil
}

// fit runs a descent. Then the most promising dropped variables compete with the selected ones, as
// with fsa --polish.
func (c *deviceFit) fit(ctx context.Context, t *cuda.Made) ([]int, error) {
	res, err := c.descend(ctx, t, nil, c.batch, c.epochs, c.mu)
	for round := 0; err == nil && round < c.polish.rounds; round++ {
		var among []int
		if among, err = c.rivals(ctx, t, res, max(c.polish.rivals>>round, 1)*c.k); err == nil {
			res, err = c.descend(ctx, t, among, c.polish.batch, c.polish.epochs, 3)
		}
	}
	if err != nil {
		return nil, err
	}
	return res.Groups, nil
}

// descend anneals some groups; nil means all.
func (c *deviceFit) descend(ctx context.Context, t *cuda.Made, among []int, batch int64, epochs int, mu float64) (res *anneal.Result, err error) {
	schedule := anneal.Inverse(mu)
	err = placed(t, batch, c.k, func(o *cuda.Objective) error {
		if among != nil {
			if err := o.Keep(ctx, among); err != nil {
				return err
			}
		}
		res, err = anneal.Run(ctx, o, anneal.Settings{
			K: c.k, Iterations: epochs + 20, Tolerance: 1e-4, FactorWarmUp: 20, NullLoss: math.Ln2,
			Schedule: func(e, _, groups, k int) int { return schedule(min(e, epochs), epochs, groups, k) },
		})
		return err
	})
	return res, err
}

// rivals returns the selected variables and the requested number of others, those along which the
// loss would fall fastest.
func (c *deviceFit) rivals(ctx context.Context, t *cuda.Made, res *anneal.Result, count int) ([]int, error) {
	beta, grad := make([]float64, c.m+1), make([]float64, c.m+1)
	for i, g := range res.Groups {
		beta[g] = res.Beta[i]
	}
	beta[c.m] = res.Beta[len(res.Beta)-1]
	err := placed(t, 0, 0, func(o *cuda.Objective) error {
		_, _, err := o.Eval(ctx, 0, grad, beta)
		return err
	})
	if err != nil {
		return nil, err
	}
	slope := make([]float64, c.m)
	for g := range slope {
		slope[g] = math.Abs(grad[g])
	}
	for _, g := range res.Groups {
		slope[g] = math.Inf(1)
	}
	limit := anneal.NthLargest(slices.Clone(slope), min(count+len(res.Groups), c.m))
	var among []int
	for g, s := range slope {
		if s >= limit {
			among = append(among, g)
		}
	}
	return among, nil
}
