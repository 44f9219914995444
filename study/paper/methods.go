package paper

import (
	"fmt"
	"slices"

	"fsa"
	"fsa/baseline"
)

// ours is the name of annealing among the methods.
const ours = "fsa"

// contender is a column of a table: a method with only the settings that the experiment is about.
type contender struct {
	label string // as in the paper
	name  string // ours, or the name of a method of package baseline
	loss  string // of ours; empty means that the target decides
	bins  int    // of ours
	// polish lets dropped variables compete again, in ours.
	polish bool
	// most limits the runs of methods that take very long; 0 means no limit.
	most int
	// free says that the method chooses the number of variables itself, so a comparison with the
	// true number says little.
	free bool
}

// fitter returns the method for a table, nil if there is no such method.
func (c contender) fitter(k int, seed uint64, threads int) baseline.Fitter {
	if c.name == ours {
		o := fsa.Options{K: k, Loss: c.loss, Bins: c.bins, Selection: fsa.Selection{Polish: c.polish}, Run: fsa.Run{Threads: threads}}
		if o.Bins == 0 {
			o.Bins = fsa.None // as in the paper
		}
		return o
	}
	if m, known := baseline.Find(c.name); known {
		return m.Make(baseline.Options{K: k, Seed: seed, Threads: threads})
	}
	return nil
}

// exists reports whether the program has the method.
func (c contender) exists() bool { return c.fitter(1, 0, 1) != nil }

// runs returns those of the seeds on which the method is run.
func (c contender) runs(seeds []uint64) []uint64 {
	if c.most > 0 && len(seeds) > c.most {
		return seeds[:c.most]
	}
	return seeds
}

// contenderNotes says which methods are missing and which have fewer runs.
func contenderNotes(list []contender, seeds []uint64) []string {
	var notes []string
	for _, c := range list {
		switch n := len(c.runs(seeds)); {
		case !c.exists():
			notes = append(notes, fmt.Sprintf("There is no method %s: the cells of %s are blank.", c.name, c.label))
		case n < len(seeds):
			notes = append(notes, fmt.Sprintf("%s takes so long that it was run only %d times.", c.label, n))
		}
	}
	return notes
}

// find returns the contender with a label.
func find(list []contender, label string) contender {
	return list[slices.IndexFunc(list, func(c contender) bool { return c.label == label })]
}
