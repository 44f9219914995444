package main

import (
	"errors"
	"fmt"
	"time"

	"fsa"
	"fsa/internal/runs"
	"fsa/internal/stages"
)

// watchEpochs reports the progress of the fit to the terminal, the folder and the page.
func (r *fitRun) watchEpochs() {
	if r.folder != nil {
		r.record = runs.NewRecorder(runs.NewRecord(words(r.ctx), r.path, r.options.Seed), r.table)
		r.record.Rows, r.record.Run.Data.SQL = !r.noRows, r.in.SQL
		r.keeper.follow(r.folder, &r.record.Descent, len(r.table.Columns))
	}
	if r.watch != nil {
		r.watch.begin(r.table)
	}
	r.stages = follow(&fsa.Plan{}, false, 1) // until the stages are planned
	r.start = time.Now()
	r.progress.start = r.start
	r.options.Run.Observe = func(p fsa.Progress) {
		if r.folder != nil {
			r.folder.Epoch(p, time.Since(r.start))
			r.record.Descent.Add(p)
		}
		now := r.stages.Epoch(p.Done)
		if r.watch != nil {
			r.watch.epoch(p, r.stages, now)
		}
		r.progress.stage(r.stages, now, epochDetail(p))
	}
	r.options.Run.Step = func(s fsa.Step) {
		now := r.stages.Compare(s.Part, s.Share)
		if r.watch != nil && r.watch.Due() {
			r.watch.stage(r.stages, now, s.Doing)
		}
		r.progress.stage(r.stages, now, s.Doing)
	}
	r.options.Run.Count = func(stage string, done, total int) {
		now := r.stages.Count(stage, done, total)
		detail := fmt.Sprintf("%d of %d %s", done, total, stage)
		if r.watch != nil && (r.watch.Due() || done == total) {
			r.watch.stage(r.stages, now, detail)
		}
		r.progress.stage(r.stages, now, detail)
	}
	r.options.Run.Curve = func(p fsa.CurvePoint) {
		if r.watch != nil {
			r.watch.curve(p)
		}
	}
}

// learnAndMeasure trains a model, and measures it in all requested ways.
func (r *fitRun) learnAndMeasure() (result fitResult, err error) {
	o := &r.options
	o.Validation.Always = o.Validation.Always || r.cv
	o.Run.Discard = !r.tests.nested && r.kept == nil && (r.spread.joined() || r.record == nil || !runs.Small(r.table)) // a table that is spread over processes cannot be examined by a single one
	result, err = r.learn()
	r.progress.end()
	if exitCode(r.ctx, err, true) == exitUsage { // settings are the same in all processes
		err = r.spread.agree(r.cmd, err)
	}
	if err != nil || r.planOnly {
		return result, err
	}
	if r.folder != nil {
		r.folder.AttachValidation(result.validation, result.evidence, r.learning.Target, r.rows, runs.Told{Rows: !r.noRows, Folds: result.model != nil})
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

// learn trains a model, or only validates or plans, as requested.
func (r *fitRun) learn() (result fitResult, err error) {
	if r.method != nil {
		if r.options.K == fsa.Auto {
			return result, usagef("-k is missing: other methods do not choose the number of variables")
		}
		if r.record != nil {
			r.record.Intact = true
		}
		result.model, err = r.method.Fit(r.ctx, r.learning)
		return result, err
	}
	r.options.Run.Deadline = r.saving.deadline()
	record, err := r.spread.share(r.keeper)
	if err != nil {
		return result, err
	}
	r.options.Run.Record = (*fsa.Record)(record)
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
		r.record.Plan(job)
	}
	variants := 1
	if r.variants.several() {
		variants = len(r.variants.of(r.options))
	}
	r.stages = follow(job.Plan(), r.tests.nested, variants)
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
	if r.tests.nested {
		r.stages.Hold(stages.Nested)
	}
	result.nested, err = r.nest(r.ctx, r.learning)
	if r.stages.Release(); err != nil {
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
	if errors.Is(err, fsa.ErrTime) { // the message must be the same in all processes
		err = r.spread.agree(r.cmd, err)
	}
	result.evidence = job.Evidence()
	if err == nil && r.explain {
		r.progress.end()
		err = printContest(r.cmd.ErrOrStderr(), job.Contenders())
	}
	return result, err
}

// contest returns the job of the variant that cross-validation chooses.
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
		r.record.Plan(c.Job)
	}
	return c.Job, nil
}
