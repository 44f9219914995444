package main

import (
	"runtime/debug"
	"slices"
	"time"

	"fsa/data/open"
)

// prepare makes the folder and the page that were asked for, before any work is done.
func (r *fitRun) prepare() (err error) {
	if r.planOnly {
		return nil
	}
	if r.out != "" {
		if r.folder, err = newRunFolder(r.out); err != nil {
			return err
		}
		if r.keeper, err = r.saving.newKeeper(r.ctx, r.folder, r.progress.note); err != nil {
			return err
		}
	}
	if r.folder != nil {
		if r.watch, err = newWatch(r.ctx, r.fitTask, r.progress); err != nil {
			return err
		}
	}
	if r.live {
		r.options.Stop = r.watch.stopped.Load
	}
	if r.folder != nil && !r.folder.older.IsZero() {
		r.progress.say("%s holds a model of %s, which this fit will replace", r.folder.path, r.folder.older.Format("2006-01-02 15:04"))
	}
	return nil
}

// read reads the table and holds rows out that are not to be learned from.
func (r *fitRun) read() (err error) {
	o, start := &r.options, time.Now()
	r.in.Note, r.in.Reading, r.in.Least = r.progress.note, r.progress.read, o.K
	r.in.Use = slices.Concat(r.use, o.Force)
	if r.spread.joined() {
		r.table, err = r.spread.read(r)
	} else {
		r.table, err = open.Table(r.ctx, r.path, r.in.Options, r.in.Roles)
	}
	r.progress.end()
	if err != nil {
		return err
	}
	if err = r.checkNamed(); err == nil {
		err = r.checkTest(r.ctx, r.table)
	}
	if err := r.spread.agree(r.cmd, err); err != nil {
		return err
	}
	r.learning, r.rows, r.kept, err = r.hold(r.ctx, r.table)
	if err := r.spread.agree(r.cmd, err); err != nil {
		return err
	}
	debug.FreeOSMemory() // what reading needed and learning does not
	r.took.SecondsRead = time.Since(start).Seconds()
	return nil
}

// checkNamed refuses names of variables that the table does not have.
func (r *fitRun) checkNamed() error {
	for _, name := range r.options.Force {
		if role := r.in.role(name, r.table.Target); role != "" && r.table.Lookup(name) < 0 {
			return usagef("--force %s: this column is no variable, %s", name, role)
		}
	}
	for _, name := range r.use {
		if r.table.Lookup(name) < 0 {
			return usagef("--use %s: there is no such variable in %s", name, r.path)
		}
	}
	return nil
}
