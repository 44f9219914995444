package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"fsa/app/keypoint"
	"fsa/app/keypoint/faces"
	"fsa/internal/atomicfile"
	"fsa/internal/manifest"
	"fsa/internal/runs"
	"fsa/report"
)

func keypointTrainCommand() *cobra.Command {
	var (
		o             keypoint.TrainOptions
		l             keypoint.LearnerOptions
		point, method string
		out, memory   string
		asJSON, card  bool
	)
	cmd := &cobra.Command{
		Use:   "train DIR --point NAME --out MODEL",
		Short: "Train a detector of a keypoint on annotated photographs",
		Long: `train trains a detector on the photographs in DIR that show one face and belong
to the set helen_train. DIR has a table landmarks.tsv and a folder img.
Training starts with random positions as negatives. Each further round scans
all photographs and adds the positions that are most easily mistaken for the
keypoint. With --state, training can be stopped after any round and continued
later.`,
		Example: `  fsa keypoint train faces --point left-eye --out left-eye.json --state work
  fsa keypoint train faces --point chin --out chin.json -k 300 --haar 6000`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if point == "" || out == "" {
				return usagef("--point or --out is missing: give the keypoint and the file for the detector")
			}
			if card && detectorPage(out) == out {
				return usagef("--report would replace the detector %s: give the detector a name that does not end in .html", out)
			}
			if o.Point, err = faces.ParsePoint(point); err != nil {
				return usagef("--point: %v", err)
			}
			if l.K < 1 || l.Bins < 1 || o.Negatives < 1 || o.Rounds < 0 || o.Pool.Haar < 0 {
				return usagef("-k, --bins and --negatives must be at least 1, --rounds and --haar at least 0")
			}
			if o.Pool.Seed == 0 {
				return usagef("--pool-seed must be at least 1")
			}
			// Zero means none here, not the default.
			if o.Rounds == 0 {
				o.Rounds = -1
			}
			if o.Pool.Haar == 0 {
				o.Pool.Haar = -1
			}
			if memory != "" {
				if o.Memory, err = parseSize("memory", memory); err != nil {
					return err
				}
				debug.SetMemoryLimit(o.Memory)
			}
			l.Threads, l.Seed = o.Threads, o.Seed
			if o.Learner, err = keypoint.FindLearner(method, l); err != nil {
				return err
			}
			if o.Folder, err = faces.Open(args[0]); err != nil {
				return err
			}
			return keypointTrain(cmd, args[0], o, out, card, asJSON)
		},
	}
	f := cmd.Flags()
	f.StringVar(&point, "point", "", "`KEYPOINT` to train: left-eye, right-eye, left-nose, right-nose, left-mouth, right-mouth or chin, as seen on the photo")
	f.StringVar(&out, "out", "", "`FILE` for the detector")
	f.StringVar(&method, "method", keypoint.FSALorenz, "`METHOD`: fsa-logistic, fsa-svm, fsa-lorenz, logitboost or svm-hog")
	f.IntVarP(&l.K, "features", "k", 1500, "select `N` features")
	f.IntVar(&l.Bins, "bins", 10, "`N` bins for the curve of each feature")
	f.Float64Var(&l.Smooth, "smooth", 0, "strength `LAMBDA` of the second-order prior on curves")
	f.IntVar(&o.Pool.Haar, "haar", 61000, "`N` Haar features in the pool, in addition to 864 HOG features")
	f.Uint64Var(&o.Pool.Seed, "pool-seed", 1, "`SEED` of the Haar features")
	f.IntVar(&o.Photos, "photos", 0, "train on `N` photographs (default: all)")
	f.IntVar(&o.Rounds, "rounds", 10, "mine hard negatives `N` times")
	f.IntVar(&o.Negatives, "negatives", 20000, "`N` negatives per round")
	f.Uint64Var(&o.Seed, "seed", 0, "`SEED` of the first negatives")
	f.IntVar(&o.Threads, "threads", 0, "use `N` threads (default: one per core); this does not change the detector")
	f.StringVar(&memory, "memory", "", "use at most `SIZE` of memory, such as 8GiB (default: all free memory)")
	f.StringVar(&o.State, "state", "", "`FOLDER` in which every round is saved")
	f.BoolVar(&card, "report", false, "also write a page about the detector, beside it")
	jsonFlag(f, &asJSON)
	return cmd
}

// keypointTrain trains a detector and saves it, with a page about it if requested.
func keypointTrain(cmd *cobra.Command, dir string, o keypoint.TrainOptions, out string, card, asJSON bool) error {
	progress := newProgress(cmd.ErrOrStderr())
	o.Log = progress.note
	file, err := atomicfile.Create(out) // to fail early
	if err != nil {
		return err
	}
	defer file.Abort()
	record := runs.NewRecord(words(cmd.Context()), dir, o.Seed)
	t, err := keypoint.Train(cmd.Context(), o)
	if err != nil {
		return err
	}
	if card {
		err = commitWithCard(file, out, t, record)
	} else if _, err = t.Detector.WriteTo(file); err == nil {
		err = file.Commit()
	}
	if err != nil {
		rescue(progress, cmd.OutOrStdout(), t.Detector)
		return err
	}
	if card {
		progress.note("the report is in %s", detectorPage(out))
	}
	return printTraining(cmd.OutOrStdout(), t, out, asJSON)
}

// commitWithCard saves a new detector, and beside it a page with what the file does not contain:
// the command, the time it took, and every round. It writes both files or neither.
func commitWithCard(file *atomicfile.File, out string, t *keypoint.Training, record report.RunRecord) error {
	sum := sha256.New()
	if _, err := t.Detector.WriteTo(io.MultiWriter(file, sum)); err != nil {
		return err
	}
	r := detectorRun(t.Detector, out, manifest.Sum(sum))
	own := r.Record
	record.Header, record.Title, record.Facts, record.Plan = own.Header, own.Title, own.Facts, own.Plan
	record.Data.Rows, record.Data.Columns = r.Model.Rows, r.Model.Columns
	record.Notes = own.Notes
	for _, round := range t.Rounds {
		record.Seconds.Read += round.Mine + round.Extract
		record.Seconds.Fit += round.Fit
		record.Notes = append(record.Notes, fmt.Sprintf("round %d trained with %d negatives", round.Round, round.Negatives))
	}
	r.Record = &record
	page, err := atomicfile.Create(detectorPage(out))
	if err != nil {
		return err
	}
	defer page.Abort()
	if err := report.Write(page, r); err != nil {
		return err
	}
	return atomicfile.CommitAll(file, page)
}

// trained is what train prints as JSON.
type trained struct {
	Point    string                 `json:"point"`
	Method   string                 `json:"method"`
	Pool     string                 `json:"pool"`
	Features int                    `json:"features"`
	Metrics  map[string]float64     `json:"metrics"` // on the training photographs
	Rounds   []keypoint.RoundRecord `json:"rounds"`
	Out      string                 `json:"out"`
}

func printTraining(w io.Writer, t *keypoint.Training, out string, asJSON bool) error {
	d := t.Detector
	if asJSON {
		return printJSON(w, trained{d.Point().String(), d.Learner(), d.PoolID(), d.Features(), d.Model().Training().Metrics, t.Rounds, out})
	}
	last := t.Rounds[len(t.Rounds)-1]
	_, err := fmt.Fprintf(w, "%s by %s: %d features of pool %s, trained with %d negatives after %d rounds of mining\ndetector  %s\n",
		d.Point(), d.Learner(), d.Features(), d.PoolID(), last.Negatives, last.Round, out)
	return err
}
