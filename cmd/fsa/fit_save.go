package main

import (
	"errors"
	"path/filepath"
	"time"

	"fsa/internal/stages"
	"fsa/model"
)

// save moves the model to its folder, and prints a summary.
func (r *fitRun) save(result fitResult) (err error) {
	learned := result.model
	r.took.SecondsFit, r.took.BytesRead, r.took.PeakBytes = time.Since(r.start).Seconds(), r.table.BytesRead()+r.spread.bytes, peakMemory()
	if learned.Training().Status == model.OutOfTime {
		r.progress.note("the time limit was reached: the model has the strongest variables that were left")
	}
	out := r.out
	if now := r.stages.Report(stages.Saving, 0); r.watch != nil {
		r.watch.stage(r.stages, now, "writing the files of the run")
	}
	notes(r.progress, learned, r.learning, &r.options)
	if !r.leak {
		leakNote(r.progress, learned, r.learning)
	}
	if r.folder != nil {
		r.folder.AttachStability(learned)
		if err := r.record.Look(r.ctx, learned, r.table, r.progress.notes); err != nil {
			return err
		}
		r.record.Attach(r.folder, r.took)
		if err = r.folder.Commit(learned, r.took); err != nil {
			if out = rescue(r.progress, r.cmd.OutOrStdout(), learned); out == "" {
				return err
			}
		} else {
			r.keeper.saved(learned)
			if now := r.stages.End(); r.watch != nil {
				r.watch.stage(r.stages, now, "the model is saved")
			}
			if r.report || r.live {
				err = writeReport(r.cmd, []string{r.out}, filepath.Join(r.out, reportName))
			}
		}
		if r.watch != nil {
			defer r.watch.finish(r.ctx, r.out, r.progress) // after everything else was printed
		}
	}
	if r.json {
		return errors.Join(err, printJSON(r.cmd.OutOrStdout(), newSummary(learned, &r.took, out)))
	}
	if err := errors.Join(err, printModel(r.cmd.OutOrStdout(), learned, &r.took, r.verbose, rareText(rarities(learned, result.evidence, r.learning.Target)))); err != nil {
		return err
	}
	if r.folder == nil {
		r.progress.note("the model was not saved; give --out FOLDER to save it")
	} else {
		r.progress.note("the model is in %s", r.folder.Model())
	}
	return nil
}
