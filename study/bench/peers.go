package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fsa/data/synth"
	scripts "fsa/scripts/peers"
)

// peer is a method that a user might choose instead of fsa.
type peer struct {
	method  string
	task    string // the only task it supports; empty for any
	r       bool   // a package of R, not of Python
	slow    bool   // compiles for many seconds before it fits
	chooses bool   // chooses how many variables to select
}

// known lists the peers.
var known = []peer{
	{method: "abess"},
	{method: "liblinear", task: synth.Classification},
	{method: "lasso", task: synth.Regression},
	{method: "glmnet", r: true},
	{method: "rfe"},
	{method: "skglm", slow: true},

	{method: "abess-cv", chooses: true},
	{method: "abess-gic", chooses: true},
	{method: "l1-cv", chooses: true},
	{method: "rfe-cv", chooses: true},
}

// peers are the available peers.
type peers struct {
	choose  bool // they choose the number of variables; otherwise they are given it
	runners []*runner
	here    map[string]*runner // by method
	missing []Missing
	limit   time.Duration // for one fit
	budget  time.Duration // for all fits together; 0 means no limit
	spent   map[string]time.Duration
}

// startPeers finds the available peers: those that choose the number of variables, or those that
// are given it. Missing ones are not an error: the report names them.
func (b *bencher) startPeers(ctx context.Context, choose bool) *peers {
	p := &peers{choose: choose, here: map[string]*runner{}, limit: b.peerLimit, budget: b.peerBudget, spent: map[string]time.Duration{}}
	if b.Peers == "" {
		for _, k := range known {
			if k.chooses == choose {
				p.lack(k.method, "--peers was not given")
			}
		}
		return p
	}
	b.Log("looking for peers")
	python := &runner{args: []string{b.Peers, filepath.Join(b.dir, "run.py")}, env: threadEnv(b.Threads)}
	r := &runner{args: []string{"Rscript", filepath.Join(b.dir, "run.R")}, serial: true}
	p.runners = []*runner{python}
	p.greet(ctx, python, scripts.Python, false)
	if !choose {
		p.runners = append(p.runners, r)
		p.greet(ctx, r, scripts.R, true)
	}
	return p
}

// greet starts a runner from its script and reads its list of methods.
func (p *peers) greet(ctx context.Context, r *runner, script []byte, isR bool) {
	hello, err := answer{}, os.WriteFile(r.args[len(r.args)-1], script, 0o600)
	if err == nil {
		hello, err = r.start(ctx)
	}
	for _, k := range known {
		if k.r != isR || k.chooses != p.choose {
			continue
		}
		switch why, lacks := hello.Missing[k.method]; {
		case err != nil:
			p.lack(k.method, err.Error())
		case lacks:
			p.lack(k.method, why)
		case k.slow && p.budget > 0:
			p.lack(k.method, "it compiles for too long to be quick")
		case hello.Methods[k.method] == "":
			p.lack(k.method, "the runner does not support it")
		default:
			p.here[k.method] = r
		}
	}
}

func (p *peers) lack(method, why string) {
	p.missing = append(p.missing, Missing{method, why})
}

// methods lists the available peers for a task.
func (p *peers) methods(task string) []string {
	var methods []string
	for _, k := range known {
		if p.here[k.method] != nil && (k.task == "" || k.task == task) {
			methods = append(methods, k.method)
		}
	}
	return methods
}

// fit fits a table with a peer. A peer that took too long for a table, or failed, is not used again
// for tables of the same kind.
func (p *peers) fit(ctx context.Context, c synth.Config, method string, files *tableFiles, threads int, l *tally) {
	if l.limit > 0 || l.failed || ctx.Err() != nil {
		return
	}
	where := fmt.Sprintf("%s (%s)", method, kind(c))
	if p.late(method) {
		p.lack(where, "there was no time left")
		l.failed = true
		return
	}
	a, err := p.fastest(ctx, c, method, files, threads, l)
	switch {
	case ctx.Err() != nil:
	case errors.Is(err, errTooLong):
		l.limit = p.limit.Seconds()
	case err != nil:
		p.lack(where, err.Error())
		l.failed = true
	default:
		l.add(a.Seconds, a.Selected, c)
	}
}

// fastest requests a fit with the number of threads with which the peer is fastest. The first table
// of a kind decides whether that is one thread: threads make some libraries much slower, and it
// would be unfair to compare with those times.
func (p *peers) fastest(ctx context.Context, c synth.Config, method string, files *tableFiles, threads int, l *tally) (answer, error) {
	if l.threads > 0 {
		return p.ask(ctx, c, method, files, l.threads)
	}
	if p.here[method].serial {
		threads = 1
	}
	a, err := p.ask(ctx, c, method, files, threads)
	l.threads = threads
	if err != nil || threads == 1 {
		return a, err
	}
	if one, err := p.ask(ctx, c, method, files, 1); err == nil && one.Seconds < a.Seconds {
		a, l.threads = one, 1
	}
	return a, nil
}

// ask requests one fit.
func (p *peers) ask(ctx context.Context, c synth.Config, method string, files *tableFiles, threads int) (answer, error) {
	start := time.Now()
	k, most := c.K, c.K
	if p.choose {
		k, most = 0, c.M
	}
	request := []string{method, c.Task, strconv.Itoa(k), strconv.Itoa(threads), files.x, files.y}
	a, err := p.here[method].fit(ctx, strings.Join(request, "\t"), p.limit)
	p.spent[method] += time.Since(start)
	if err == nil {
		err = a.check(c.M, most)
	}
	return a, err
}

// late reports whether a peer, or all of them together, have used up their time.
func (p *peers) late(method string) bool {
	if p.budget == 0 {
		return false
	}
	var all time.Duration
	for _, t := range p.spent {
		all += t
	}
	return all+p.limit > p.budget || p.spent[method] > p.budget/time.Duration(len(p.here))
}

// close ends all runners.
func (p *peers) close() {
	for _, r := range p.runners {
		r.stop()
	}
}

// threadEnv tells the libraries of the peers how many threads they may use.
func threadEnv(threads int) []string {
	names := []string{"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"}
	env := slices.Clone(names)
	for i, name := range names {
		env[i] = name + "=" + strconv.Itoa(threads)
	}
	return env
}
