package main

import (
	"time"

	"github.com/spf13/cobra"
)

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
