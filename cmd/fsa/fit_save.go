package main

import (
	"errors"
	"path/filepath"
	"time"

	"fsa/model"
)

// save lets the model appear in its folder, and says what was learned.
func (r *fitRun) save(learned *model.Model) (err error) {
	r.took.SecondsFit, r.took.BytesRead, r.took.PeakBytes = time.Since(r.start).Seconds(), r.table.BytesRead(), peakMemory()
	if learned.Training().Status == model.OutOfTime {
		r.progress.note("the time limit was reached: this model keeps the strongest variables that were left")
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
		r.progress.note("the model was not saved; --out FOLDER saves it")
	} else {
		r.progress.note("the model is in %s", r.folder.model())
	}
	return nil
}
