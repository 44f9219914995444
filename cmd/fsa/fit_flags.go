package main

import (
	"errors"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fsa"
	"fsa/anneal"
	"fsa/data"
	"fsa/internal/machine"
	"fsa/model"
	"fsa/prior"
)

// newFitCommand adds the flags of fit to a command, and makes it run a task.
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
		losses       string
		offsetModel  string
		bins         string
		priors       = strengths{}
		folds        validationFlags
		constraints  constraintFlags
		costs        costFlags
	)
	cmd.Args, cmd.RunE = arguments, func(cmd *cobra.Command, args []string) (err error) {
		defer func() { err = task.spread.refuse(cmd, err) }()
		if err = checkFormat(&in.Options); err != nil {
			return err
		}
		o.Objective.CurvePriors = priors.values()
		o.Design.Spacing, o.Design.Scale, o.Design.Storage = data.Spacing(spacing).Plain(), data.Scale(scale).Plain(), data.Storage(storage).Plain()
		if err = checkZeros(cmd, &o); err != nil {
			return err
		}
		if o.Objective.Balanced = classes == "balanced"; !o.Objective.Balanced {
			if o.Objective.ClassWeights, err = parseClassWeights(classes); err != nil {
				return err
			}
		}
		if o.Run.DeviceMemory, err = parseSize("device-memory", deviceMemory); err != nil {
			return err
		}
		if in.Memory, in.Assumed = machine.Share(), true; memory != "" {
			if in.Memory, err = parseSize("memory", memory); err != nil {
				return err
			}
			in.Assumed = false
			debug.SetMemoryLimit(in.Memory)
		}
		if groups != "" {
			if o.Selection.Groups, err = readGroups(cmd.Context(), groups); err != nil {
				return err
			}
		}
		if o.Objective.Constraints, err = constraints.read(cmd.Context()); err != nil {
			return err
		}
		if o.Selection.Costs, o.Selection.Budgets, err = costs.read(cmd.Context()); err != nil {
			return err
		}
		task.prices = costs
		if o.Selection.Quotas, err = costs.quotas(); err != nil {
			return err
		}
		if err = startFrom(cmd, offsetModel, &in, &o); err != nil {
			return err
		}
		if task.variants, err = newVariants(losses, bins); err != nil {
			return err
		}
		if err := errors.Join(task.variants.validate(o), task.tests.validate(cmd), task.saving.check(cmd, task.out), task.forecast.check(task.planOnly)); err != nil {
			return err
		}
		o = task.variants.of(o)[0]
		if o.Run.Threads > 0 { // also used when reading
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(min(o.Run.Threads, runtime.GOMAXPROCS(0))))
		}
		if task.variants.several() && method != annealing {
			return usagef("--method %s: give one loss and one number of bins", method)
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
		case task.variants.curved():
			in.Whole = "--bins"
		case o.Design.Storage != data.StorageFloat32:
			in.Whole = "--storage " + storage
		}
		if err := folds.resolve(cmd.Context(), &in, &o); err != nil {
			return err
		}
		if task.path, err = in.files(cmd.Context(), args); err != nil {
			return err
		}
		if task.adjust != nil {
			if err := task.adjust(task, &o); err != nil {
				return err
			}
		}
		task.in, task.options = in, o
		return task.run(cmd)
	}
	f := cmd.Flags()
	f.SortFlags = false                                                                                // the most common ones first
	alsoCalled(f, map[string]string{"k": "variables", "iterations": "epochs", "huber": "hinge-width"}) // the last two are the names of version 0.1
	f.VarP(&sizesFlag{o: &o, text: "auto"}, "variables", "k", "select `N` variables; auto lets cross-validation choose, among all sizes or those of a list such as 5,10,20 or 1:100")
	folds.flags(cmd, &in, &o)
	task.tests.flags(cmd, &o, task.cv)
	f.StringVar(&task.out, "out", "", "write the model and the record of the run to `FOLDER`")
	f.BoolVar(&task.report, "report", false, "also write report.html to that folder")
	f.BoolVar(&task.live, "live", false, "serve a page on this machine that shows the progress of the fit, and then the report")
	f.BoolVar(&task.open, "open", false, "open that page in a browser")
	f.BoolVar(&task.noRows, "no-rows", false, "write no single rows to that folder, for confidential data")
	task.saving.flags(f)
	jsonFlag(f, &task.json)
	verboseFlag(f, &task.verbose)
	f.BoolVar(&task.explain, "explain", false, "print each setting and why it was chosen")
	f.BoolVar(&task.planOnly, "plan", false, "print each setting and why it was chosen, and stop before the fit")
	task.forecast.flags(f)
	f.StringVar(&losses, "loss", "auto", "`LOSS` to minimise: "+strings.Join(model.LossNames(), ", ")+"; cross-validation chooses from a list such as auto,lorenz")
	f.Var(&quantilesFlag{&o.Objective}, "quantile", "`QUANTILE` to predict with --loss quantile, between 0 and 1 (default 0.5, the median); several such as 0.1,0.5,0.9 share their variables")
	f.StringVar(&o.Objective.Ties, "ties", "efron", "survival times: treat events at the same time as `METHOD` does: "+strings.Join(model.Ties(), " or "))
	f.StringVar(&bins, "bins", "auto", "fit a curve with `N` bins for each variable, or straight lines with 0; cross-validation chooses from a list, and auto compares lines and curves if that is cheap")
	flagInteractions(f, &o.Selection.Interactions)
	f.BoolVar(&o.Selection.Polish, "polish", false, "let dropped variables compete again while the loss falls: slower, and better if effects are weak")
	f.BoolVar(&o.Quick, "quick", false, "do not cross-validate: fastest; without -k an information criterion chooses the size")
	in.flags(cmd)
	f.StringVar(&offsetModel, "offset-model", "", "start from the decision values of `MODEL`, a run folder or its model.json: they are offsets, and the new model contains that model and predicts with it")
	f.BoolVar(&in.SkipMissing, "skip-missing-target", false, "leave out rows whose target is missing (otherwise they are an error)")
	f.StringVar(&o.Objective.Positive, "positive", "", "`CLASS` that counts as positive, of two (default: one with a name such as yes or bad, or one that less than a fifth of the rows have; else the last in alphabetical order)")
	f.StringSliceVar(&o.Objective.Order, "order", nil, "the classes `CLASS,...` from the lowest to the highest, for ordered classes (--loss ordinal)")
	f.StringSliceVar(&task.use, "use", nil, "keep the columns `COLUMN,...` even if they look like identifiers")
	f.StringSliceVar(&o.Selection.Force, "force", nil, "always select the columns `COLUMN,...`")
	f.StringVar(&groups, "groups", "", "`FILE` with variables that are selected together, one group per line")
	costs.flags(cmd)
	constraints.flags(cmd)
	f.StringVar(&classes, "class-weights", "", "class weights: balanced, or `CLASS=WEIGHT,...`")
	f.StringVar(&memory, "memory", "", "use at most `SIZE` of memory, such as 8GiB (default: 80% of the machine); the table may be larger")
	f.IntVar(&o.Run.Threads, "threads", 0, "use `N` threads (default: one per core); this does not change the model")
	f.StringVar(&o.Run.Device, "device", fsa.DeviceCPU, "`DEVICE` to train on: "+strings.Join(fsa.DeviceNames(), ", ")+"; see fsa devices")
	task.spread.flags(cmd)
	f.StringVar(&deviceMemory, "device-memory", "", "use at most `SIZE` of device memory, such as 40GiB (default: all free memory); the table may be larger")
	f.StringVar(&method, "method", annealing, "use another `METHOD`, for comparison: "+methodNames())
	f.Float64Var(&o.Descent.Mu, "mu", 0, "speed `MU` of the schedule: larger is faster and greedier (default 100, up to 150 with --loss lorenz, less with many rows)")
	f.IntVar(&o.Descent.Iterations, "epochs", 0, "train for `N` epochs (default 500; fewer with many rows, or with few sparse ones)")
	intChoice(f, &o.Descent.Batch, "batch", "all", "use minibatches of `N` rows, or all rows")
	f.Float64Var(&o.Descent.Eta, "eta", 0, "step size `ETA` of gradient descent (default: chosen from the data)")
	floatChoice(f, &o.Descent.Momentum, "momentum", "none", "`MOMENTUM` of gradient descent, or none; auto is 0.9")
	f.IntVar(&o.Descent.WarmUp, "warm-up", 0, "train for `N` epochs before the first variable is dropped")
	floatChoice(f, &o.Descent.Tolerance, "tolerance", "none", "stop once k variables are left and no coefficient changes by more than `SHARE` of the largest, or none")
	floatChoice(f, &o.Objective.Ridge, "ridge", "none", "strength `LAMBDA` of the ridge penalty λ‖β‖² (L2 regularisation), or none; auto chooses it from the data")
	for _, k := range prior.Curves() {
		f.Float64Var(priors.add(k.Name), k.Name, 0, "`LAMBDA`: "+k.Help)
	}
	f.StringVar(&o.Design.Extrapolate, "extrapolate", "clip", extrapolateUsage)
	f.StringVar(&spacing, "spacing", "auto", "`SPACING` of bins: "+strings.Join(data.SpacingNames(), ", ")+"; auto puts equal numbers of values of a dense table into each")
	f.Float64Var(&o.Objective.Huber, "hinge-width", 0, "half `WIDTH` of the smoothed corner of the svm loss (default 0.5)")
	f.StringVar(&scale, "scale", "auto", "`SCALE` of numbers: "+strings.Join(data.ScaleNames(), ", "))
	f.StringVar(&storage, "storage", data.StorageFloat32.Name(), "`TYPE` in which a dense table is stored: "+strings.Join(data.StorageNames(), ", ")+"; fewer bits are faster for large tables")
	f.Uint64Var(&o.Seed, "seed", 0, "`SEED` of the random order of rows")
	inTiers(cmd, fitTiers())
	return cmd
}

// checkZeros returns an error for zeros that are invalid, and takes a given mu of 0 literally.
func checkZeros(cmd *cobra.Command, o *fsa.Options) error {
	given := cmd.Flags().Changed
	switch {
	case given("epochs") && o.Descent.Iterations == 0:
		return usagef("--epochs 0: at least one is needed")
	case given("hinge-width") && o.Objective.Huber == 0:
		return usagef("--hinge-width 0: it must be above 0")
	case given("fdr") && o.Selection.FDR == 0:
		return usagef("--fdr 0: it must be above 0 and below 1, such as 0.1")
	case given("mu") && o.Descent.Mu == 0:
		o.Descent.Schedule = anneal.Inverse(0)
	}
	return nil
}

// strengths are the values of the flags that are listed in a table.
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
			return nil, usagef("--class-weights %s: class %q occurs twice", text, name)
		}
		weights[name] = w
	}
	return weights, nil
}
