package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"fsa"
	"fsa/baseline"
	"fsa/data"
	"fsa/data/open"
	"fsa/model"
)

func fitCommand() *cobra.Command {
	return newFitCommand(&cobra.Command{
		Use:   "fit DATA…",
		Short: "Select variables of a table and learn a model on them",
		Long: `fit reads a table, selects variables and learns a model on them. How many is
chosen by cross-validation, unless -k says it. DATA is a
CSV, svmlight, NumPy, Parquet, fsa or NIPS-2003 challenge file, compressed or
not, an object s3://BUCKET/KEY, or - for standard input; several, or a pattern
such as 'part-*.csv', are one table. Settings that are not given are chosen by
the data.`,
		Example: `  fsa fit train.csv --target price -k 10 --out run
  fsa fit X.npy --target y.npy -k 30 --loss svm --json
  fsa fit letor.txt.gz -k 10 --loss rank --bins 5 --out run`,
	}, &fitTask{})
}

// fitTask is a fit as it was asked for.
type fitTask struct {
	path     string
	in       input
	options  fsa.Options // of the first variant
	variants variants
	method   baseline.Fitter // another method than annealing; nil for annealing
	use      []string        // columns that are not to be left out
	out      string          // run folder; empty for none
	json     bool
	explain  bool
	planOnly bool
	forecast forecast
	noRows   bool
	report   bool
	live     bool
	open     bool
	saving   saving
	tests    tests
	spread   spread

	contenders []contender // methods to compare; nil to validate annealing alone
	cv         bool        // validate, and learn nothing from all rows
}

// run does the fit here, or together with other processes.
func (t *fitTask) run(cmd *cobra.Command) error {
	if t.spread.text != "" {
		return t.spread.run(cmd, t)
	}
	return t.fit(cmd)
}

// fit reads the table, learns and tells.
func (t *fitTask) fit(cmd *cobra.Command) error {
	r := &fitRun{fitTask: t, ctx: cmd.Context(), cmd: cmd, progress: newProgress(cmd.ErrOrStderr())}
	t.live = t.live || t.open
	if (t.report || t.live) && t.out == "" {
		return usagef("--report and --live need a folder to keep the run: give --out, too")
	}
	t.saving.start = time.Now()
	defer r.close()
	if err := t.spread.agree(cmd, r.prepare()); err != nil {
		return err
	}
	if err := r.read(); err != nil {
		return err
	}
	if t.contenders != nil {
		return t.compare(cmd, r.progress, r.folder, r.table)
	}
	r.watchEpochs()
	result, err := r.learnAndMeasure()
	if err != nil || t.planOnly {
		return err
	}
	if t.cv {
		if err := t.tellValidation(cmd, r.progress, r.folder, result); err != nil {
			return err
		}
		r.keeper.drop()
		return nil
	}
	return r.save(result.model)
}

// fitRun is a fit at work: what it was asked, where it tells what it does, what it has read.
type fitRun struct {
	*fitTask
	ctx      context.Context
	cmd      *cobra.Command
	progress *progress
	folder   *runFolder // nil without --out
	keeper   *keeper    // of checkpoints; nil without a folder
	record   *recorder  // of what the report shows; nil without a folder
	watch    *watch     // nil without a folder

	table      *data.Dataset
	learning   *data.Dataset // the rows of the table that are learned from
	rows, kept []int         // those, and the ones held out; nil for all and none
	took       timing
	start      time.Time // of learning
}

// prepare makes the folder and the page that were asked for, before any work is done.
func (r *fitRun) prepare() (err error) {
	if r.planOnly {
		return nil
	}
	if r.out != "" {
		if r.folder, err = newRunFolder(r.out); err != nil {
			return err
		}
		if r.keeper, err = r.saving.newKeeper(r.ctx, r.folder, r.progress.note); err != nil {
			return err
		}
	}
	if r.folder != nil {
		if r.watch, err = newWatch(r.ctx, r.fitTask, r.progress); err != nil {
			return err
		}
	}
	if r.live {
		r.options.Stop = r.watch.stopped.Load
	}
	if r.folder != nil && !r.folder.older.IsZero() {
		r.progress.say("%s holds a model of %s, which this fit will replace", r.folder.path, r.folder.older.Format("2006-01-02 15:04"))
	}
	return nil
}

// close takes back what was not finished.
func (r *fitRun) close() {
	if r.watch != nil {
		r.watch.close()
	}
	if r.folder != nil {
		r.folder.abort()
	}
}

// read reads the table and holds rows out that are not to be learned from.
func (r *fitRun) read() (err error) {
	o, start := &r.options, time.Now()
	r.in.Note, r.in.Reading, r.in.Least = r.progress.note, r.progress.read, o.K
	r.in.Use = slices.Concat(r.use, o.Force)
	if r.spread.joined() {
		r.table, err = r.spread.read(r)
	} else {
		r.table, err = open.Table(r.ctx, r.path, r.in.Options, r.in.Roles)
	}
	r.progress.end()
	if err != nil {
		return err
	}
	if err = r.checkNamed(); err == nil {
		err = r.checkTest(r.ctx, r.table)
	}
	if err := r.spread.agree(r.cmd, err); err != nil {
		return err
	}
	r.learning, r.rows, r.kept, err = r.hold(r.ctx, r.table)
	if err := r.spread.agree(r.cmd, err); err != nil {
		return err
	}
	debug.FreeOSMemory() // what reading needed and learning does not
	r.took.SecondsRead = time.Since(start).Seconds()
	return nil
}

// checkNamed refuses names of variables that the table does not have.
func (r *fitRun) checkNamed() error {
	for _, name := range r.options.Force {
		if role := r.in.role(name, r.table.Target); role != "" && r.table.Lookup(name) < 0 {
			return usagef("--force %s: this column is no variable, %s", name, role)
		}
	}
	for _, name := range r.use {
		if r.table.Lookup(name) < 0 {
			return usagef("--use %s: there is no such variable in %s", name, r.path)
		}
	}
	return nil
}

// watchEpochs lets the fit tell what it does: to the terminal, the folder and the page.
func (r *fitRun) watchEpochs() {
	if r.folder != nil {
		r.record = newRecorder(r.ctx, r.path, r.options.Seed, r.table)
		r.record.rows = !r.noRows
	}
	if r.watch != nil {
		r.watch.begin(r.table)
	}
	r.start = time.Now()
	r.progress.start = r.start
	r.options.Observe = func(p fsa.Progress) {
		if r.folder != nil {
			r.folder.epoch(p, time.Since(r.start))
			r.record.descent.Add(p)
		}
		if r.watch != nil {
			r.watch.epoch(p)
		}
		r.progress.show(p)
	}
	r.options.Count = r.watch.counting(r.progress.count)
	if r.watch != nil {
		r.options.Curve = r.watch.curve
	}
}

// learnAndMeasure learns, and measures what was learned in all ways that were asked for.
func (r *fitRun) learnAndMeasure() (result fitResult, err error) {
	o := &r.options
	o.CrossValidate = o.CrossValidate || r.cv
	o.Discard = !r.tests.nested && r.kept == nil && (r.spread.joined() || r.record == nil || !small(r.table)) // nobody alone can look at a table that is spread
	result, err = r.learn()
	r.progress.end()
	if exitCode(r.ctx, err, true) == exitUsage { // settings are those of all processes
		err = r.spread.agree(r.cmd, err)
	}
	if err != nil || r.planOnly {
		return result, err
	}
	if r.folder != nil {
		r.folder.attachValidation(result, r.learning.Target, r.rows, !r.noRows)
	}
	if r.cv {
		return result, nil
	}
	if result.nested != nil {
		result.model = result.model.WithTest(*result.nested)
	}
	result.model, err = r.measure(r.ctx, result.model, r.table, r.kept)
	return result, r.spread.agree(r.cmd, err)
}

// save lets the model appear in its folder, and says what was learned.
func (r *fitRun) save(learned *model.Model) (err error) {
	r.took.SecondsFit, r.took.BytesRead, r.took.PeakBytes = time.Since(r.start).Seconds(), r.table.BytesRead(), peakMemory()
	if learned.Training().Status == model.OutOfTime {
		r.progress.note("the time was up: this is a model of the strongest variables that were left")
	}
	out := r.out
	notes(r.progress, learned, r.learning, &r.options)
	if r.folder != nil {
		r.folder.attachStability(learned)
		if err := r.record.look(r.ctx, learned, r.table, r.progress); err != nil {
			return err
		}
		r.record.attach(r.folder, r.took)
		if err = r.folder.commit(learned, r.took); err != nil {
			if out = rescue(r.progress, r.cmd.OutOrStdout(), learned); out == "" {
				return err
			}
		} else {
			r.keeper.saved(learned)
			if r.report {
				err = writeReport(r.cmd, []string{r.out}, filepath.Join(r.out, reportName))
			}
		}
		if r.watch != nil {
			defer r.watch.finish(r.ctx, r.out, r.progress) // after all is said here
		}
	}
	if r.json {
		return errors.Join(err, printJSON(r.cmd.OutOrStdout(), newSummary(learned, &r.took, out)))
	}
	if err := errors.Join(err, printModel(r.cmd.OutOrStdout(), learned, &r.took)); err != nil {
		return err
	}
	if r.folder == nil {
		r.progress.note("the model was not saved: name a folder with --out to keep it")
	} else {
		r.progress.note("the model is in %s", r.folder.model())
	}
	return nil
}

// fitResult is what came out of a fit.
type fitResult struct {
	model      *model.Model      // nil where nothing was learned from all rows
	validation *model.Validation // nil where there was none
	evidence   *fsa.Evidence
	nested     *model.Test
}

// learn learns a model, or only validates or plans to.
func (r *fitRun) learn() (result fitResult, err error) {
	if r.method != nil {
		if r.options.K == fsa.Auto {
			return result, usagef("-k is missing: --method does not choose how many variables to select")
		}
		if r.record != nil {
			r.record.intact = true
		}
		result.model, err = r.method.Fit(r.ctx, r.learning)
		return result, err
	}
	r.options.Deadline = r.saving.deadline()
	if r.options.Record, err = r.spread.share(r.keeper); err != nil {
		return result, err
	}
	job, err := fsa.Prepare(r.ctx, r.learning, r.options)
	if err := r.spread.agree(r.cmd, err); err != nil {
		return result, err
	}
	switch {
	case r.planOnly:
		return result, r.tellPlan(job.Plan())
	case r.explain:
		if err := printPlan(r.cmd.ErrOrStderr(), job.Plan().Decisions); err != nil {
			return result, err
		}
	}
	if r.record != nil {
		r.record.plan(job)
	}
	if r.keeper != nil {
		err = r.keeper.bind(r.ctx, r.cmd, job, r.spread.joined())
	}
	if err := r.spread.agree(r.cmd, err); err != nil {
		return result, err
	}
	if r.keeper != nil {
		r.keeper.begin(r.ctx, r.saving.every)
		defer func() {
			if r.keeper.stop(); err != nil {
				r.keeper.leave(err)
			}
		}()
	}
	if result.nested, err = r.nest(r.ctx, r.learning); err != nil {
		return result, err
	}
	if r.variants.several() {
		if job, err = r.contest(); err != nil {
			return result, err
		}
	}
	if r.cv {
		result.validation, err = job.Validate(r.ctx)
	} else if result.model, err = job.Run(r.ctx); err == nil {
		result.validation = result.model.Validation()
	}
	if errors.Is(err, fsa.ErrTime) { // of which all processes learn at the same point
		err = r.spread.agree(r.cmd, err)
	}
	result.evidence = job.Evidence()
	if err == nil && r.explain {
		err = printContest(r.cmd.ErrOrStderr(), job.Contenders())
	}
	return result, err
}

// contest returns the job of the variant that validation chooses.
func (r *fitRun) contest() (*fsa.Job, error) {
	among := r.variants.of(r.options)
	c, err := fsa.BestOf(r.ctx, r.learning, among)
	r.progress.end()
	if err != nil {
		return nil, err
	}
	noteContest(r.progress, c, among)
	r.options = among[c.Winner]
	if r.record != nil {
		r.record.plan(c.Job)
	}
	return c.Job, nil
}

// tellPlan prints the plan, and what other machines would take.
func (r *fitRun) tellPlan(p *fsa.Plan) error {
	more, err := r.forecast.decisions(r.ctx, r.learning, p, r.in.Memory)
	if err != nil {
		return err
	}
	all := slices.Concat(p.Decisions, more)
	if r.json {
		return printJSON(r.cmd.OutOrStdout(), all)
	}
	return printPlan(r.cmd.OutOrStdout(), all)
}

// printContest prints the recipes that were compared at the size that was chosen.
func printContest(w io.Writer, list []fsa.Contender) error {
	if len(list) == 0 {
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "out of fold\tworse than the best\t\trecipe")
	for _, c := range list {
		won := ""
		if c.Won {
			won = "chosen"
		}
		fmt.Fprintf(t, "%.4g\t%.2g ± %.2g\t%s\t%s\n", c.Mean, c.Worse, c.SE, won, c.Recipe)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "The simplest recipe wins that is not significantly worse than the best (paired t test, 5%) and gives up at most 2% of its gain over the null model; simpler ones come first.")
	return err
}

// printPlan prints what was decided, and why.
func printPlan(w io.Writer, decisions []fsa.Decision) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "setting\tvalue\twhy")
	for _, d := range decisions {
		fmt.Fprintf(t, "%s\t%s\t%s\n", d.Setting, clean(d.Value), clean(d.Why))
	}
	return t.Flush()
}
