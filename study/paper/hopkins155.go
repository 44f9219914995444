package paper

import (
	"context"
	"errors"
	"io"
	"path/filepath"

	"fsa/app/motion"
)

// hopkinsRuns is the default number of assignments of videos to folds.
const hopkinsRuns = 5

// hopkins155 is the paper's table of motion segmentation: ten-fold
// cross-validation by video, on the candidates of the paper and on our wider
// pool. A run is an assignment of videos to folds.
func hopkins155(ctx context.Context, s *Setup) (*Result, error) {
	sequences, err := motion.ReadFolder(ctx, filepath.Join(s.Data, "hopkins155"))
	if err != nil {
		return nil, err
	}
	r := &Result{byMethod: true}
	for _, pool := range []motion.Pool{motion.PaperPool, motion.WidePool} {
		s.Log("hopkins155: %s pool", pool)
		k, err := s.keep(ctx, "hopkins155-"+string(pool), map[string]string{"data": motion.Fingerprint(sequences)})
		if err != nil {
			return nil, err
		}
		e, err := motion.Evaluate(ctx, sequences, motion.Options{
			Pool: pool, Assignments: len(s.seeds(hopkinsRuns)), Seed: s.SeedFrom, Record: k.record,
			Log: func(_ string, done, of int) { s.Progress(done, of) },
		})
		if err := errors.Join(err, k.end()); err != nil {
			return nil, err
		}
		for i := range e.Methods {
			r.addMotion(pool, &e.Methods[i], e.Assignments)
		}
		for i, name := range []string{"two", "three"} {
			curves := e.Curves(sequences, 2+i)
			r.pictures = append(r.pictures, picture{
				name: "hopkins155-" + string(pool) + "-" + name,
				draw: func(w io.Writer) error { return motion.WriteCurves(w, "Hopkins 155, "+name+" motions", curves) },
			})
		}
	}
	r.Notes = []string{
		"Mean of misclassified points over sequences, in percent; a run is an assignment of videos to folds.",
		"The spread is the standard deviation of the mean over all sequences between runs.",
		"The paper has the candidates of the paper pool; its numbers stand beside both.",
	}
	return r, nil
}

// addMotion adds the errors of a method, beside the published ones.
func (r *Result) addMotion(pool motion.Pool, m *motion.Result, runs int) {
	var known motion.Published
	for _, p := range motion.PublishedTable() {
		if p.Method == m.Method {
			known = p
		}
	}
	add := func(part string, cells []motion.Cell, published []float64) {
		for g, c := range cells {
			row := Row{Data: string(pool), Method: m.Method, Metric: c.Group + " " + part, Ours: new(c.Mean), Runs: runs}
			if published != nil && published[g] >= 0 {
				row.Published = new(published[g])
			}
			r.Rows = append(r.Rows, row)
		}
	}
	add("test", m.Test, known.Test)
	if all := m.Cell("all"); runs > 1 && m.Train != nil {
		r.Rows = append(r.Rows, Row{Data: string(pool), Method: m.Method, Metric: "all test spread", Ours: new(all.Spread), Runs: runs})
	}
	add("train", m.Train, known.Train)
}
