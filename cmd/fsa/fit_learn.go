package main

import (
	"errors"
	"time"

	"fsa"
)

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

// learn learns a model, or only validates or plans to.
func (r *fitRun) learn() (result fitResult, err error) {
	if r.method != nil {
		if r.options.K == fsa.Auto {
			return result, usagef("-k is missing: other methods do not choose the number of variables")
		}
		if r.record != nil {
			r.record.intact = true
		}
		result.model, err = r.method.Fit(r.ctx, r.learning)
		return result, err
	}
	r.options.Deadline = r.saving.deadline()
	record, err := r.spread.share(r.keeper)
	if err != nil {
		return result, err
	}
	r.options.Record = (*fsa.Record)(record)
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
