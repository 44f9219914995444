package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fsa"
	"fsa/anneal"
	"fsa/baseline"
	"fsa/data"
	"fsa/data/open"
	"fsa/internal/machine"
	"fsa/model"
	"fsa/prior"
)

func fitCommand() *cobra.Command {
	return newFitCommand(&cobra.Command{
		Use:   "fit DATA…",
		Short: "Select variables of a table and learn a model on them",
		Long: `fit reads a table, selects variables and learns a model on them. How many is
chosen by cross-validation, unless -k says it. DATA is a
CSV, svmlight, NumPy, Parquet, fsa or NIPS-2003 challenge file, compressed or
not, or - for standard input; several, or a pattern such as 'part-*.csv', are
one table. Settings that are not given are chosen by the data.`,
		Example: `  fsa fit train.csv --target price -k 10 --out run
  fsa fit X.npy --target y.npy -k 30 --loss svm --json
  fsa fit letor.txt.gz -k 10 --loss rank --bins 5 --out run`,
	}, &fitTask{})
}

// newFitCommand gives a command the flags of fit, and lets it do a task.
func newFitCommand(cmd *cobra.Command, task *fitTask) *cobra.Command {
	var (
		in           input
		o            fsa.Options
		spacing      string
		scale        string
		storage      string
		groups       string
		classes      string
		memory       string
		deviceMemory string
		method       string
		priors       = strengths{}
		folds        validationFlags
	)
	cmd.Args, cmd.RunE = arguments, func(cmd *cobra.Command, args []string) error {
		var err error
		if err = checkFormat(&in.Options); err != nil {
			return err
		}
		o.CurvePriors = priors.values()
		o.Spacing, o.Scale, o.Storage = data.Spacing(spacing).Plain(), data.Scale(scale).Plain(), data.Storage(storage).Plain()
		if err = checkZeros(cmd, &o); err != nil {
			return err
		}
		if o.Balanced = classes == "balanced"; !o.Balanced {
			if o.ClassWeights, err = parseClassWeights(classes); err != nil {
				return err
			}
		}
		if deviceMemory != "" {
			if o.DeviceMemory, err = open.ParseSize(deviceMemory); err != nil {
				return usagef("--device-memory: %v", err)
			}
		}
		if in.Memory, in.Assumed = machine.Share(), true; memory != "" {
			if in.Memory, err = open.ParseSize(memory); err != nil {
				return usagef("--memory: %v", err)
			}
			in.Assumed = false
			debug.SetMemoryLimit(in.Memory)
		}
		if groups != "" {
			if o.Groups, err = readGroups(cmd.Context(), groups); err != nil {
				return err
			}
		}
		if err := errors.Join(o.Validate(), task.tests.validate(cmd), task.saving.check(cmd, task.out)); err != nil {
			return err
		}
		if o.Threads > 0 { // reading keeps to it, too
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(min(o.Threads, runtime.GOMAXPROCS(0))))
		}
		if task.cv && method != annealing {
			task.contenders, err = contenders(method, &o)
		} else {
			task.method, err = methodOf(cmd, method, &o)
		}
		if err != nil {
			return err
		}
		switch {
		case task.method != nil || task.contenders != nil:
			in.Whole = "--method " + method
		case o.Bins > 0:
			in.Whole = "--bins"
		case o.Storage != data.StorageFloat32:
			in.Whole = "--storage " + storage
		}
		if err := folds.resolve(cmd.Context(), &in, &o); err != nil {
			return err
		}
		if task.path, err = in.files(args); err != nil {
			return err
		}
		task.in, task.options = in, o
		return task.run(cmd)
	}
	f := cmd.Flags()
	f.SortFlags = false // what most fits need comes first
	alsoCalled(f, "k", "variables")
	f.VarP(&sizesFlag{o: &o, text: "auto"}, "variables", "k", "how many variables to select; auto lets cross-validation choose, among all sizes or those of a list such as 5,10,20 or 1:100")
	folds.flags(cmd, &in, &o)
	task.tests.flags(cmd, &o, task.cv)
	f.StringVar(&task.out, "out", "", "`folder` for model.json and what else is known of the run")
	f.BoolVar(&task.report, "report", false, "write report.html into that folder, too")
	f.BoolVar(&task.live, "live", false, "serve a page on this machine that shows the fit while it works, and in the end the report")
	f.BoolVar(&task.open, "open", false, "open that page in a browser")
	f.BoolVar(&task.noRows, "no-rows", false, "keep single rows out of that folder, for data that must not leave")
	task.saving.flags(f)
	f.BoolVar(&task.json, "json", false, "print one JSON object on standard output")
	f.BoolVar(&task.explain, "explain", false, "print what was decided about the fit, and why, and go on")
	f.BoolVar(&task.planOnly, "plan", false, "print what was decided about the fit, and why, and stop")
	f.StringVar(&o.LossName, "loss", "auto", "`name` of the loss: "+strings.Join(model.LossNames(), ", "))
	f.IntVar(&o.Bins, "bins", 0, "bins of a piecewise-linear response to each variable; 0 for a linear one")
	f.BoolVar(&o.Polish, "polish", false, "let dropped variables compete again while the loss falls: slower, and better where variables are weak")
	f.BoolVar(&o.Quick, "quick", false, "choose nothing by validation: as fast as can be")
	in.flags(cmd)
	f.BoolVar(&in.SkipMissing, "skip-missing-target", false, "leave out rows whose target is missing, which are an error otherwise")
	f.StringVar(&o.Positive, "positive", "", "the `class`, of two, that is the positive one (default: the last by alphabet)")
	f.StringSliceVar(&task.use, "use", nil, "columns to select from although they look like identifiers, which are left out")
	f.StringSliceVar(&o.Force, "force", nil, "variables that must stay, by name or number")
	f.StringVar(&groups, "groups", "", "`file` that lists on each line variables that stay or go together")
	f.StringVar(&classes, "class-weights", "", "weights of classes: balanced, or NAME=WEIGHT,…")
	f.StringVar(&memory, "memory", "", "how much memory may be used, such as 8GiB (default: four fifths of what there is); the table may be larger")
	f.IntVar(&o.Threads, "threads", 0, "number of threads (default: one a core); the model does not depend on it")
	f.StringVar(&o.Device, "device", fsa.DeviceCPU, "what descents run on: "+strings.Join(fsa.DeviceNames(), ", ")+"; see fsa devices")
	f.StringVar(&deviceMemory, "device-memory", "", "how much memory of the device may be used, such as 40GiB (default: all that is free)")
	f.StringVar(&method, "method", annealing, "`name` of another method to compare with: "+methodNames())
	f.Float64Var(&o.Mu, "mu", 0, "speed of the schedule: larger is faster and greedier (default 100, with --loss lorenz 150; less where rows are many)")
	f.IntVar(&o.Iterations, "iterations", 0, "number of epochs (default 500, fewer where rows are many, or sparse and few)")
	intChoice(f, &o.Batch, "batch", "all", "rows a step looks at, a minibatch, or all")
	f.Float64Var(&o.Eta, "eta", 0, "step of the gradient descent (default: chosen by the data)")
	floatChoice(f, &o.Momentum, "momentum", "none", "share of the last move that carries on, or none; auto is 0.9")
	f.IntVar(&o.WarmUp, "warm-up", 0, "epochs before the first variable is dropped")
	floatChoice(f, &o.Tolerance, "tolerance", "none", "stop once all variables are chosen and no coefficient moves by more than this share of the largest, or none")
	floatChoice(f, &o.Ridge, "ridge", "none", "strength λ of the ridge penalty λ‖β‖² (L2 regularisation), or none; auto lets the data decide")
	for _, k := range prior.Curves() {
		f.Float64Var(priors.add(k.Name), k.Name, 0, k.Help)
	}
	f.StringVar(&spacing, "spacing", "auto", "how wide bins are: "+strings.Join(data.SpacingNames(), ", ")+"; auto has as many values of a dense table in each")
	f.Float64Var(&o.Huber, "huber", 0, "half width of the rounded corner of the svm loss (default 0.5)")
	f.StringVar(&scale, "scale", "auto", "how numbers are scaled: "+strings.Join(data.ScaleNames(), ", "))
	f.StringVar(&storage, "storage", data.StorageFloat32.Name(), "how numbers of a dense table are kept: "+strings.Join(data.StorageNames(), ", ")+"; fewer bits are faster where tables are large")
	f.Uint64Var(&o.Seed, "seed", 0, "seed of the random order of rows")
	return cmd
}

// checkZeros refuses a zero that makes no sense, and takes a given mu of 0 at its word.
func checkZeros(cmd *cobra.Command, o *fsa.Options) error {
	given := cmd.Flags().Changed
	switch {
	case given("iterations") && o.Iterations == 0:
		return usagef("--iterations 0: at least one is needed")
	case given("huber") && o.Huber == 0:
		return usagef("--huber 0: it must be larger than 0")
	case given("mu") && o.Mu == 0:
		o.Schedule = anneal.Inverse(0)
	}
	return nil
}

// fitTask is a fit as it was asked for.
type fitTask struct {
	path     string
	in       input
	options  fsa.Options
	method   baseline.Fitter // another method than annealing; nil for annealing
	use      []string        // columns that are not to be left out
	out      string          // run folder; empty for none
	json     bool
	explain  bool
	planOnly bool
	noRows   bool
	report   bool
	live     bool
	open     bool
	watch    *watch    // nil without --live
	record   *recorder // nil without a run folder
	saving   saving
	tests    tests

	contenders []contender // methods to compare; nil to validate annealing alone
	cv         bool        // validate, and learn nothing from all rows
}

// run reads the table, learns and tells.
func (t *fitTask) run(cmd *cobra.Command) error {
	ctx, o := cmd.Context(), &t.options
	t.live = t.live || t.open
	if (t.report || t.live) && t.out == "" {
		return usagef("--report and --live need a folder to keep the run: give --out, too")
	}
	t.saving.start = time.Now()
	progress := newProgress(cmd.ErrOrStderr())
	var folder *runFolder
	var keeper *keeper
	if t.out != "" && !t.planOnly {
		var err error
		if folder, err = newRunFolder(t.out); err != nil {
			return err
		}
		defer folder.abort()
		if keeper, err = t.saving.newKeeper(ctx, folder, progress.note); err != nil {
			return err
		}
	}
	if t.live && !t.planOnly {
		var err error
		if t.watch, err = newWatch(ctx, runTitle(t.path, t.out), t.open, progress); err != nil {
			return err
		}
		defer t.watch.Close()
		o.Stop = t.watch.stopped.Load
	}
	if folder != nil && !folder.older.IsZero() {
		progress.note("%s holds a model of %s, which this fit will replace", folder.path, folder.older.Format("2006-01-02 15:04"))
	}
	t.in.Note, t.in.Reading, t.in.Least = progress.note, progress.read, o.K
	t.in.Use = slices.Concat(t.use, o.Force)
	start := time.Now()
	table, err := open.Table(ctx, t.path, t.in.Options, t.in.Roles)
	progress.end()
	if err != nil {
		return err
	}
	for _, name := range o.Force {
		if role := t.in.role(name, table.Target); role != "" && table.Lookup(name) < 0 {
			return usagef("--force %s: this column is no variable, %s", name, role)
		}
	}
	for _, name := range t.use {
		if table.Lookup(name) < 0 {
			return usagef("--use %s: there is no such variable in %s", name, t.path)
		}
	}
	if err := t.checkTest(ctx, table); err != nil {
		return err
	}
	learning, rows, kept, err := t.hold(ctx, table)
	if err != nil {
		return err
	}
	if t.contenders != nil {
		return t.compare(cmd, progress, folder, table)
	}
	debug.FreeOSMemory() // what reading needed and learning does not
	t.record = folder.recorder(ctx, t, table)
	if t.watch != nil {
		t.watch.begin(table)
	}
	read := time.Since(start)
	start = time.Now()
	progress.start = start
	o.Observe = func(p fsa.Progress) {
		if folder != nil {
			folder.epoch(p, time.Since(start))
			t.record.descent.Add(p)
		}
		if t.watch != nil {
			t.watch.epoch(p)
		}
		progress.show(p)
	}
	o.Count = t.watch.counting(progress.count)
	o.CrossValidate = o.CrossValidate || t.cv
	var nested *model.Test
	if !t.planOnly {
		if nested, err = t.nest(ctx, learning); err != nil {
			return err
		}
	}
	o.Discard = kept == nil && (t.record == nil || !small(table))
	result, err := t.learn(cmd, learning, keeper)
	progress.end()
	if err != nil || t.planOnly {
		return err
	}
	if folder != nil {
		folder.attachValidation(result, learning.Target, rows, !t.noRows)
	}
	result.nested = nested
	if t.cv {
		err := t.tellValidation(cmd, progress, folder, result)
		if err == nil && keeper != nil {
			keeper.drop()
		}
		return err
	}
	if nested != nil {
		result.model = result.model.WithTest(*nested)
	}
	learned, err := t.measure(ctx, result.model, table, kept)
	if err != nil {
		return err
	}
	if folder != nil {
		folder.attachStability(learned)
	}
	if learned.Training().Status == model.OutOfTime {
		progress.note("the time was up: this is a model of the strongest variables that were left")
	}
	took := timing{SecondsRead: read.Seconds(), SecondsFit: time.Since(start).Seconds(), BytesRead: table.BytesRead(), PeakBytes: peakMemory()}
	out := t.out
	notes(progress, learned, learning, o)
	if folder != nil {
		if err := t.record.look(ctx, learned, table, progress); err != nil {
			return err
		}
		t.record.attach(folder, took)
		if err = folder.commit(learned, took); err != nil {
			if out = rescue(progress, cmd.OutOrStdout(), learned); out == "" {
				return err
			}
		} else {
			keeper.saved(learned)
			if t.report {
				err = writeReport(cmd, []string{t.out}, filepath.Join(t.out, reportName))
			}
		}
		if t.watch != nil {
			defer t.watch.finish(ctx, t.out, progress) // after all is said here
		}
	}
	if t.json {
		return errors.Join(err, printJSON(cmd.OutOrStdout(), newSummary(learned, &took, out)))
	}
	if err := errors.Join(err, printModel(cmd.OutOrStdout(), learned, &took)); err != nil {
		return err
	}
	if folder == nil {
		progress.note("the model was not saved: name a folder with --out to keep it")
	} else {
		progress.note("the model is in %s", folder.model())
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
func (t *fitTask) learn(cmd *cobra.Command, table *data.Dataset, keeper *keeper) (r fitResult, err error) {
	ctx := cmd.Context()
	if t.method != nil {
		if t.options.K == fsa.Auto {
			return r, usagef("-k is missing: --method does not choose how many variables to select")
		}
		if t.record != nil {
			t.record.intact = true
		}
		r.model, err = t.method.Fit(ctx, table)
		return r, err
	}
	t.options.Deadline = t.saving.deadline()
	if keeper != nil {
		t.options.Record = keeper.record
	}
	job, err := fsa.Prepare(ctx, table, t.options)
	if err != nil {
		return r, err
	}
	switch {
	case t.planOnly && t.json:
		return r, printJSON(cmd.OutOrStdout(), job.Plan().Decisions)
	case t.planOnly:
		return r, printPlan(cmd.OutOrStdout(), job.Plan())
	case t.explain:
		if err := printPlan(cmd.ErrOrStderr(), job.Plan()); err != nil {
			return r, err
		}
	}
	if t.record != nil {
		t.record.plan(job)
	}
	if keeper != nil {
		if err := keeper.bind(ctx, cmd, job); err != nil {
			return r, err
		}
		keeper.begin(t.saving.every)
		defer func() {
			if keeper.stop(); err != nil {
				keeper.leave(err)
			}
		}()
	}
	if t.cv {
		r.validation, err = job.Validate(ctx)
	} else if r.model, err = job.Run(ctx); err == nil {
		r.validation = r.model.Validation()
	}
	r.evidence = job.Evidence()
	return r, err
}

// printPlan prints what was decided, and why.
func printPlan(w io.Writer, p *fsa.Plan) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "setting\tvalue\twhy")
	for _, d := range p.Decisions {
		fmt.Fprintf(t, "%s\t%s\t%s\n", d.Setting, clean(d.Value), clean(d.Why))
	}
	return t.Flush()
}

// strengths are the values of flags that come from a table.
type strengths map[string]*float64

func (s strengths) add(name string) *float64 {
	s[name] = new(float64)
	return s[name]
}

// values returns those that are not zero.
func (s strengths) values() map[string]float64 {
	all := map[string]float64{}
	for name, v := range s {
		if *v != 0 {
			all[name] = *v
		}
	}
	return all
}

// annealing is the name of the method that is no comparison.
const annealing = "fsa"

// common are the flags of fit that all methods understand. All others are for
// annealing.
var common = []string{
	"target", "weights", "query", "drop", "use", "names", "skip-missing-target", "format", "header", "categorical", "decimal", "thousands", "date-order", "index-base", "memory", "out", "report", "live", "open", "no-rows", "json",
	"variables", "method", "loss", "test", "test-target", "holdout", "iterations", "scale", "seed", "threads",
}

// methodOf returns the method of the given name, nil for annealing.
func methodOf(cmd *cobra.Command, name string, o *fsa.Options) (baseline.Fitter, error) {
	if name == annealing {
		return nil, nil
	}
	m, ok := baseline.Find(name)
	if !ok {
		return nil, usagef("--method %s: it must be %s, or %s", name, annealing, methodNames())
	}
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) { // those that were given
		if err == nil && !slices.Contains(common, f.Name) {
			err = usagef("--%s is for annealing: --method %s does not know it", f.Name, name)
		}
	})
	if err != nil {
		return nil, err
	}
	return m.Make(baseline.Options{K: o.K, LossName: o.LossName, Iterations: o.Iterations, Scale: o.Scale, Seed: o.Seed, Threads: o.Threads}), nil
}

func methodNames() string {
	var names []string
	for _, m := range baseline.Methods() {
		names = append(names, m.Name)
	}
	return strings.Join(names, ", ")
}

// parseClassWeights reads NAME=WEIGHT,….
func parseClassWeights(text string) (map[string]float64, error) {
	if text == "" {
		return nil, nil
	}
	weights := map[string]float64{}
	for _, part := range strings.Split(text, ",") {
		name, number, ok := strings.Cut(part, "=")
		w, err := strconv.ParseFloat(number, 64)
		if !ok || err != nil {
			return nil, usagef("--class-weights %s: it must be balanced, or NAME=WEIGHT separated by commas", text)
		}
		if _, twice := weights[name]; twice {
			return nil, usagef("--class-weights %s: class %q is there twice", text, name)
		}
		weights[name] = w
	}
	return weights, nil
}
