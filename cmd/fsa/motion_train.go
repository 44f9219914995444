package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"fsa"
	"fsa/app/motion"
	"fsa/data"
	"fsa/internal/runs"
	"fsa/model"
	"fsa/report"
)

func motionTrainCommand() *cobra.Command {
	var (
		pool, out    string
		asJSON, card bool
		saving       saving
	)
	cmd := &cobra.Command{
		Use:   "train DIR --out RUN",
		Short: "Train a model on sequences whose segmentation is known",
		Long: `train makes the candidate segmentations of all sequences NAME_truth.mat in DIR,
computes their features, and trains a model that ranks them by their error. The
model is written into a run folder.`,
		Example: "  fsa motion train hopkins155 --out run",
		Args:    arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			p := motion.Pool(pool)
			if err := p.Validate(); err != nil {
				return usagef("--pool: %v", err)
			}
			if out == "" {
				return usagef("--out is missing: give a folder for the model")
			}
			if err := saving.check(cmd, out); err != nil {
				return err
			}
			return motionTrain(cmd, args[0], p, out, &saving, asJSON, card)
		},
	}
	poolFlag(cmd, &pool, motion.WidePool)
	cmd.Flags().StringVar(&out, "out", "", "`FOLDER` for the model")
	cmd.Flags().BoolVar(&card, "report", false, "also write the report of the run to that folder")
	saving.resumeFlags(cmd.Flags(), "training")
	jsonFlag(cmd.Flags(), &asJSON)
	return cmd
}

func motionTrain(cmd *cobra.Command, dir string, pool motion.Pool, out string, s *saving, asJSON, card bool) error {
	ctx, progress := cmd.Context(), newProgress(cmd.ErrOrStderr())
	folder, err := newRunFolder(out)
	if err != nil {
		return err
	}
	defer folder.Abort()
	keeper, err := s.newKeeper(ctx, folder, progress.note)
	if err != nil {
		return err
	}
	start := time.Now()
	sequences, err := motion.ReadFolder(ctx, dir)
	if err != nil {
		return err
	}
	of := settings(cmd)
	of["data"] = motion.Fingerprint(sequences)
	if err := keeper.bindTo(of); err != nil {
		return err
	}
	keeper.begin(ctx, s.every)
	l := &motionLearning{dir: dir, sequences: sequences, pool: pool, folder: folder, keeper: keeper, progress: progress}
	learned, took, err := l.learn(ctx, start)
	keeper.stop()
	progress.end()
	if err != nil {
		keeper.leave(err)
		return err
	}
	if err := folder.Commit(learned, took); err != nil {
		rescue(progress, cmd.OutOrStdout(), learned)
		return err
	}
	keeper.drop()
	if card {
		if err := writeReport(cmd, []string{out}, filepath.Join(out, reportName)); err != nil {
			return err
		}
	}
	if asJSON {
		return printJSON(cmd.OutOrStdout(), newSummary(learned, &took, out))
	}
	if err := printModel(cmd.OutOrStdout(), learned, &took, false, ""); err != nil {
		return err
	}
	progress.note("the model is in %s", folder.Model())
	return nil
}

// motionLearning holds the inputs of training on sequences.
type motionLearning struct {
	dir       string
	sequences []*motion.Sequence
	pool      motion.Pool
	folder    *runs.Folder
	keeper    *keeper
	progress  *progress
}

// learn describes the sequences and trains a model that ranks their candidates. start is the time
// when reading them started.
func (l *motionLearning) learn(ctx context.Context, start time.Time) (*model.Model, runs.Timing, error) {
	var took runs.Timing
	list, err := motion.DescribeAll(ctx, l.sequences, l.pool, l.keeper.record, stageLog(l.progress))
	if err != nil {
		return nil, took, err
	}
	table, err := motion.Table(ctx, list, l.pool, motion.AllFamilies)
	if err != nil {
		return nil, took, err
	}
	took.SecondsRead = time.Since(start).Seconds()
	o := motion.RankOptions()
	o.Run.Threads, o.Run.Record = 0, (*fsa.Record)(l.keeper.record)
	start = time.Now()
	record := runs.NewRecorder(runs.NewRecord(words(ctx), l.dir, o.Seed), table)
	l.keeper.follow(l.folder, &record.Descent, len(table.Columns))
	o.Run.Observe = func(p fsa.Progress) {
		l.folder.Epoch(p, time.Since(start))
		record.Descent.Add(p)
		l.progress.show(p)
	}
	job, err := fsa.Prepare(ctx, table, o)
	if err != nil {
		return nil, took, err
	}
	record.Plan(job)
	learned, err := job.Run(ctx)
	l.progress.end()
	if err != nil {
		return nil, took, err
	}
	took.SecondsFit = time.Since(start).Seconds()
	if err := recordMotion(ctx, record, learned, table, list, l.progress); err != nil {
		return nil, took, err
	}
	record.Attach(l.folder, took)
	return learned, took, nil
}

// recordMotion evaluates a model that chooses segmentations on its training sequences, in the terms of
// that task.
func recordMotion(ctx context.Context, r *runs.Recorder, m *model.Model, table *data.Dataset, list []*motion.Described, p *progress) error {
	picked, best, err := motion.Picked(m, list)
	if err != nil {
		return err
	}
	candidates := 0
	for _, d := range list {
		candidates += len(d.Candidates)
	}
	r.Run.Title = "What marks a good segmentation of point tracks"
	r.Run.Worth = fmt.Sprintf("%.2f%% of the points misclassified on the training sequences", picked)
	r.Run.Facts = []report.Fact{
		{Name: "training sequences", Value: strconv.Itoa(len(list))},
		{Name: "candidate segmentations", Value: strconv.Itoa(candidates)},
		{Name: "of the points misclassified in training", Value: fmt.Sprintf("%.2f%%", picked)},
		{Name: "by the best candidates", Value: fmt.Sprintf("%.2f%%", best)},
	}
	p.notes = append(p.notes, "fsa motion evaluate tests the model on new videos")
	return r.Look(ctx, m, table, p.notes)
}

// poolFlag adds the flag that chooses the candidates.
func poolFlag(cmd *cobra.Command, pool *string, value motion.Pool) {
	cmd.Flags().StringVar(pool, "pool", string(value), "`POOL` of candidates: paper (velocity clustering) or wide (other methods too)")
}
