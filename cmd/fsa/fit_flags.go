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
		losses       string
		bins         string
		priors       = strengths{}
		folds        validationFlags
	)
	cmd.Args, cmd.RunE = arguments, func(cmd *cobra.Command, args []string) (err error) {
		defer func() { err = task.spread.refuse(cmd, err) }()
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
		if o.DeviceMemory, err = parseSize("device-memory", deviceMemory); err != nil {
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
			if o.Groups, err = readGroups(cmd.Context(), groups); err != nil {
				return err
			}
		}
		if task.variants, err = newVariants(losses, bins); err != nil {
			return err
		}
		if err := errors.Join(task.variants.validate(o), task.tests.validate(cmd), task.saving.check(cmd, task.out), task.forecast.check(task.planOnly)); err != nil {
			return err
		}
		o = task.variants.of(o)[0]
		if o.Threads > 0 { // reading keeps to it, too
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(min(o.Threads, runtime.GOMAXPROCS(0))))
		}
		if task.variants.several() && method != annealing {
			return usagef("--method %s: name one loss and one number of bins", method)
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
		case o.Storage != data.StorageFloat32:
			in.Whole = "--storage " + storage
		}
		if err := folds.resolve(cmd.Context(), &in, &o); err != nil {
			return err
		}
		if task.path, err = in.files(cmd.Context(), args); err != nil {
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
	jsonFlag(f, &task.json)
	f.BoolVar(&task.explain, "explain", false, "print what was decided about the fit, and why, and go on")
	f.BoolVar(&task.planOnly, "plan", false, "print what was decided about the fit, and why, and stop")
	task.forecast.flags(f)
	f.StringVar(&losses, "loss", "auto", "`name` of the loss: "+strings.Join(model.LossNames(), ", ")+"; cross-validation chooses from a list such as auto,lorenz")
	f.StringVar(&bins, "bins", "auto", "`number` of bins of the curve of each variable, or 0 for straight lines; cross-validation chooses from a list, and auto compares lines and curves where that is cheap")
	f.BoolVar(&o.Polish, "polish", false, "let dropped variables compete again while the loss falls: slower, and better where variables are weak")
	f.BoolVar(&o.Quick, "quick", false, "choose nothing by validation: as fast as can be; an information criterion chooses the size if -k is left out")
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
	if !task.cv {
		task.spread.flags(cmd)
	}
	f.StringVar(&deviceMemory, "device-memory", "", "how much memory of the device may be used, such as 40GiB (default: all that is free); the table may be larger")
	f.StringVar(&method, "method", annealing, "`name` of another method to compare with: "+methodNames())
	f.Float64Var(&o.Mu, "mu", 0, "speed of the schedule: larger is faster and greedier (default 100, with --loss lorenz up to 150; less where rows are many)")
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
