package bench

import (
	"context"
	"fmt"
	"io"

	"fsa"
	"fsa/data/synth"
)

// The fits that are compared, by their index in the list.
const (
	open = iota
	openLines
	given
	givenLines
	givenQuick
)

// choosingWays returns the fits of tables with k true variables.
func choosingWays(k int) []way {
	return []way{
		open:       {"k open", fsa.Options{K: fsa.Auto}},
		openLines:  {"k open, --bins 0", fsa.Options{K: fsa.Auto, Bins: fsa.None}},
		given:      {"k given", fsa.Options{K: k}},
		givenLines: {"k given, --bins 0", fsa.Options{K: k, Bins: fsa.None}},
		givenQuick: {"k given, --quick", fsa.Options{K: k, Quick: true}},
	}
}

// choice measures the cost of choosing, and compares it with peers that choose, if there are any.
func (b *bencher) choice(ctx context.Context) error {
	b.report.Choosing = []Choosing{}
	for _, s := range b.choosingShapes {
		for _, task := range []string{synth.Classification, synth.Regression} {
			c, err := b.choosing(ctx, task, s)
			if err != nil {
				return err
			}
			b.report.Choosing = append(b.report.Choosing, c)
		}
	}
	return b.contest(ctx, b.choiceShapes, true, &b.report.Choices)
}

// choosing fits tables of one size in all ways. Every repetition is a new table.
func (b *bencher) choosing(ctx context.Context, task string, s shape) (Choosing, error) {
	ways := choosingWays(s.k)
	to := Choosing{Task: task, N: s.n, M: s.m, K: s.k, Ways: make([]ChoosingWay, len(ways))}
	seconds := make([][]float64, len(ways))
	for seed := range b.repeats {
		c := config(task, s, seed+1)
		table, err := b.table(ctx, c, nil)
		if err != nil {
			return to, err
		}
		for i, w := range ways {
			b.Log("choice: %s: %s, table %d of %d", kind(c), w.name, seed+1, b.repeats)
			w.options.Run.Threads = b.Threads
			f, err := fitted(ctx, table, w.options)
			if err != nil {
				return to, err
			}
			seconds[i] = append(seconds[i], f.seconds)
			to.Ways[i].add(f, c, b.repeats)
		}
	}
	for i, w := range ways {
		to.Ways[i].Way, to.Ways[i].Seconds = w.name, median(seconds[i])
	}
	to.OpenOverGiven, to.ContestOverQuick = medianRatio(seconds[open], seconds[given]), medianRatio(seconds[given], seconds[givenQuick])
	to.CurvesOverLines, to.OpenCurvesOverLines = medianRatio(seconds[given], seconds[givenLines]), medianRatio(seconds[open], seconds[openLines])
	return to, ctx.Err()
}

// add adds one of several tables to the means.
func (w *ChoosingWay) add(f outcome, c synth.Config, tables int) {
	share, selected := 1/float64(tables), f.selected()
	w.Recipes += share * float64(f.recipes)
	w.Reads += share * f.model.Training().Passes
	w.Found += share * float64(found(selected, c)) / float64(c.K)
	if len(selected) == c.K {
		w.SizeFound += share
	}
}

// printChoosing writes a paragraph for each kind of table: the fits, and then the ratios.
func (r *Report) printChoosing(w io.Writer) {
	for _, c := range r.Choosing {
		title := "choice: " + kind(config(c.Task, shape{c.N, c.M, c.K}, 0))
		fmt.Fprintf(w, "\n%-42s%8s%8s%9s%7s%6s\n", title, "seconds", "recipes", "reads", "true k", "found")
		for i, x := range c.Ways {
			recipes, size := "–", "–"
			if x.Recipes > 0 {
				recipes = fmt.Sprintf("%.1f", x.Recipes)
			}
			if i < given {
				size = fmt.Sprintf("%.2f", x.SizeFound)
			}
			fmt.Fprintf(w, "  %-40s%8.3g%8s%9.1f%7s%6.2f\n", x.Way, x.Seconds, recipes, x.Reads, size, x.Found)
		}
		for _, x := range []struct {
			name  string
			ratio float64
		}{
			{"k open / k given", c.OpenOverGiven},
			{"k given / --quick", c.ContestOverQuick},
			{"default / --bins 0, k given", c.CurvesOverLines},
			{"default / --bins 0, k open", c.OpenCurvesOverLines},
		} {
			fmt.Fprintf(w, "  %-40s%8.2f\n", x.name, x.ratio)
		}
	}
	r.printChoices(w)
}
