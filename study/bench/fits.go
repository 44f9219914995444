package bench

import (
	"context"
	"runtime/debug"

	"fsa"
	"fsa/data"
	"fsa/data/synth"
)

// fits compares fits of fsa with those of its peers. Every repetition is a new table, which all
// methods get in turn: a method that finds the variables of a single table may have been lucky.
func (b *bencher) fits(ctx context.Context) error {
	return b.contest(ctx, b.fitShapes, false, &b.report.Fits)
}

// contest fits tables of several sizes with fsa and with peers: those that choose the number of
// variables, or those that are given it.
func (b *bencher) contest(ctx context.Context, shapes []shape, choose bool, to *[]Fit) error {
	peers := b.startPeers(ctx, choose)
	defer peers.close()
	*to = []Fit{}
	if choose && len(peers.here) == 0 {
		shapes = nil // measures the cost of our own choice, too
	}
	for _, s := range shapes {
		for _, task := range []string{synth.Classification, synth.Regression} {
			fits, err := b.fitShape(ctx, s, task, peers)
			if err != nil {
				return err
			}
			*to = append(*to, fits...)
		}
	}
	b.report.Missing = append(b.report.Missing, peers.missing...)
	return ctx.Err()
}

// way is a way to call fsa that is measured.
type way struct {
	name    string
	options fsa.Options
}

// own are the measured ways to call fsa. Peers are given k and settings and do not cross-validate,
// so they are compared with the first one; the cost of cross-validation with few rows is measured
// next to it.
func own(task string, choose bool) []way {
	if choose { // with ten folds, like the peers
		return []way{{"fsa", fsa.Options{K: fsa.Auto}}, {"fsa --quick", fsa.Options{K: fsa.Auto, Quick: true}}}
	}
	list := []way{{"fsa", fsa.Options{Quick: true}}, {"fsa validated", fsa.Options{}}}
	if task == synth.Classification {
		list = append(list, way{"fsa lorenz", fsa.Options{Quick: true, Loss: "lorenz"}}, way{"fsa lorenz val.", fsa.Options{Loss: "lorenz"}})
	}
	return list
}

// fitShape fits tables of one size by every method.
func (b *bencher) fitShape(ctx context.Context, s shape, task string, peers *peers) ([]Fit, error) {
	var lines []*tally
	ways := own(task, peers.choose)
	for _, w := range ways {
		lines = append(lines, &tally{method: w.name, threads: b.Threads})
	}
	theirs := peers.methods(task)
	for _, method := range theirs {
		lines = append(lines, &tally{method: method})
	}
	for seed := range b.repeats {
		c := config(task, s, seed+1)
		b.Log("fits: %s: table %d of %d", kind(c), seed+1, b.repeats)
		var files *tableFiles
		if len(theirs) > 0 {
			files = newTableFiles(b.dir)
		}
		table, err := b.table(ctx, c, files)
		if err != nil {
			return nil, err
		}
		for i, w := range ways {
			if !peers.choose {
				w.options.K = c.K
			}
			if err := b.fitOwn(ctx, table, w.options, c, lines[i]); err != nil {
				return nil, err
			}
		}
		// Peers need the memory more than fsa does.
		table = nil
		debug.FreeOSMemory()
		for i, method := range theirs {
			peers.fit(ctx, c, method, files, b.Threads, lines[len(ways)+i])
		}
		if err := files.remove(); err != nil {
			return nil, err
		}
	}
	var fits []Fit
	for _, l := range lines {
		if len(l.seconds) == b.repeats || l.limit > 0 {
			fits = append(fits, l.fit(task, s))
		}
	}
	return fits, ctx.Err()
}

func (b *bencher) fitOwn(ctx context.Context, table *data.Dataset, o fsa.Options, c synth.Config, l *tally) error {
	o.Run.Threads = b.Threads
	f, err := fitted(ctx, table, o)
	if err != nil {
		return err
	}
	l.add(f.seconds, f.selected(), c)
	if bytes := 4 * c.N * c.M; bytes >= b.buffer {
		rate, err := b.listen(ctx)
		if err != nil {
			return err
		}
		l.overRead = append(l.overRead, f.seconds*rate/(f.model.Training().Passes*float64(bytes)))
	}
	return nil
}
