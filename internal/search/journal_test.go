package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"fsa/anneal"
	"fsa/internal/checkpoint"
	"fsa/internal/objective"
	"fsa/internal/solve"
	"fsa/loss"
)

// A search that was stopped continues from its record with the same result as an uninterrupted one.
func TestResume(t *testing.T) {
	c := normal(1, 120, 20, 0.5, 1, 2, -1, 1)
	sample := func(record *checkpoint.Record) *Sample {
		s := c.sample(t, "squared")
		s.Journal = NewJournal(record, "")
		return s
	}
	for i := range recipes(nil) {
		d := descent(sample(nil))
		recipe := recipes(d)[i]
		undisturbed, whole := sample(nil), 0
		undisturbed.Observe = func(Progress) { whole++ }
		want := ran(t, undisturbed, []int{2, 5}, recipe, 4)
		z, err := want.Margins(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, after := range []int{1, 10, 25, 1000} {
			record := checkpoint.New()
			record.Always = true
			ctx, cancel := context.WithCancel(t.Context())
			s := sample(record)
			epochs := 0
			s.Observe = func(Progress) {
				if epochs++; epochs == after {
					cancel()
				}
			}
			_, err := NewRunner(s, []int{2, 5}).Run(ctx, recipe, 4)
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if recipe.Select.Method == Annealing && after < 10 && (err == nil || record.Changes() == 0) {
				t.Errorf("%v was not stopped after %d epochs: %v", recipe, after, err)
			}
			cancel()
			again := sample(record)
			told := 0
			again.Observe = func(Progress) { told++ }
			f := ran(t, again, []int{2, 5}, recipe, 4)
			got, err := f.Margins(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(f.Groups, want.Groups) || !slices.Equal(got, z) {
				t.Errorf("%v stopped after %d epochs: %v, not %v", recipe, after, f.Groups, want.Groups)
			}
			if f.Eta() != want.Eta() || f.Status() != want.Status() || again.Meter.Epochs != undisturbed.Meter.Epochs {
				t.Errorf("%v stopped after %d epochs: step %v, %s, %d epochs, not %v, %s, %d", recipe, after, f.Eta(), f.Status(), again.Meter.Epochs, want.Eta(), want.Status(), undisturbed.Meter.Epochs)
			}
			if after < 1000 && after < whole && told != whole-after {
				t.Errorf("%v: %d epochs after %d, of %d", recipe, told, after, whole)
			}
			if after == 1000 && (told != 0 || again.Meter.Cells != undisturbed.Meter.Cells) && !recipe.Direct {
				t.Errorf("%v: %d epochs of a search that was done, %v cells and not %v", recipe, told, again.Meter.Cells, undisturbed.Meter.Cells)
			}
		}
	}
}

// A record of another search is refused.
func TestForeign(t *testing.T) {
	c := normal(1, 80, 12, 0.5, 1, 2, -1, 1)
	record := checkpoint.New()
	record.Always = true
	s := c.sample(t, "squared")
	s.Journal = NewJournal(record, "")
	d := descent(s)
	recipe := recipes(d)[4]
	direct := recipe
	direct.Direct = true
	for _, r := range []Recipe{recipe, direct} {
		ran(t, s, []int{4}, r, 4)
	}
	other := normal(1, 80, 7, 0.5, 1, 2, -1, 1).sample(t, "squared") // fewer variables
	other.Journal = NewJournal(record, "")
	for _, r := range []Recipe{recipe, direct} {
		if _, err := NewRunner(other, []int{4}).Run(t.Context(), r, 4); !errors.Is(err, checkpoint.ErrFile) {
			t.Errorf("%v: the error is %v", r, err)
		}
	}
}

// The name of a task contains its number and the part of the job.
func TestJournalNames(t *testing.T) {
	record := checkpoint.New()
	put := &checkpoint.Task{Done: true, Chosen: []int{1, 3}, Cells: 7}
	l := NewJournal(record, "")
	name, task := l.next("descent")
	if name != "fit, descent, 1" || task != nil {
		t.Errorf("%s %v", name, task)
	}
	record.Put(name, put, time.Now())
	if name, _ = l.next("descent"); name != "fit, descent, 2" {
		t.Error(name)
	}
	if name, _ = l.next("swap"); name != "fit, swap, 1" {
		t.Error(name)
	}
	if _, task = NewJournal(record, "").next("descent"); task == nil || task.Cells != 7 {
		t.Errorf("%+v", task)
	}
	if name, _ = l.Part("fold", 3).next("swap"); name != "fold 3, swap, 1" {
		t.Error(name)
	}
	if name, _ = NewJournal(record, "nested 1").Part("fold", 3).next("swap"); name != "nested 1, fold 3, swap, 1" {
		t.Error(name)
	}
	if name, task = NewJournal(nil, "").next("swap"); name != "" || task != nil {
		t.Error(name)
	}
}

// Recorded groups of a task are used again, unless they do not fit the sample.
func TestFound(t *testing.T) {
	calls := 0
	search := func() ([]int, error) {
		calls++
		return []int{2, 5}, nil
	}
	m := NewMeter(10)
	m.Cells, m.Epochs = 40, 11
	record := checkpoint.New()
	for range 2 { // without a record
		if got, err := NewJournal(nil, "").found("x", 2, 9, m, search); err != nil || !slices.Equal(got, []int{2, 5}) {
			t.Errorf("%v %v", got, err)
		}
	}
	if got, err := NewJournal(record, "").found("x", 2, 9, m, search); err != nil || !slices.Equal(got, []int{2, 5}) || calls != 3 {
		t.Errorf("%v %v", got, err)
	}
	m.Cells, m.Epochs = 0, 0
	if got, err := NewJournal(record, "").found("x", 2, 6, m, search); err != nil || !slices.Equal(got, []int{2, 5}) || calls != 3 || m.Cells != 40 || m.Epochs != 11 {
		t.Errorf("%v %v, %d calls, %v cells", got, err, calls, m.Cells)
	}
	for what, c := range map[string]struct{ some, groups int }{"fewer": {3, 9}, "more": {1, 9}, "another table": {2, 5}} {
		if _, err := NewJournal(record, "").found("x", c.some, c.groups, m, search); !errors.Is(err, checkpoint.ErrFile) {
			t.Errorf("%s: %v", what, err)
		}
	}
	record.Put("fit, y, 1", &checkpoint.Task{Chosen: []int{2, 5}, Numbers: []float64{0}}, time.Now())
	if _, err := NewJournal(record, "").found("y", 2, 9, m, search); !errors.Is(err, checkpoint.ErrFile) {
		t.Errorf("not done: %v", err)
	}
	record.Put("fit, old, 1", &checkpoint.Task{Done: true, Chosen: []int{2, 5}}, time.Now())
	if _, err := NewJournal(record, "").found("old", 2, 9, m, search); !errors.Is(err, checkpoint.ErrFile) {
		t.Errorf("without its epochs: %v", err)
	}
	record.Put("fit, one, 1", &checkpoint.Task{Done: true, Chosen: []int{9}, Numbers: []float64{0}}, time.Now())
	if _, err := NewJournal(record, "").found("one", 1, 9, m, search); !errors.Is(err, checkpoint.ErrFile) {
		t.Errorf("one beyond the table: %v", err)
	}
	record.Put("fit, none, 1", &checkpoint.Task{Done: true, Numbers: []float64{0}}, time.Now())
	if got, err := NewJournal(record, "").found("none", 0, 9, m, search); err != nil || len(got) != 0 {
		t.Errorf("none: %v %v", got, err)
	}
	boom := errors.New("boom")
	if _, err := NewJournal(record, "").found("z", 2, 9, m, func() ([]int, error) { return nil, boom }); err != boom || record.Task("fit, z, 1") != nil {
		t.Errorf("%v, %v", err, record.Task("fit, z, 1"))
	}
}

// A file may contain anything: a descent continues only from a state that fits the objective.
func TestResumable(t *testing.T) {
	s := normal(1, 30, 5, 0, 1).sample(t, "squared")
	beta := func(n int) anneal.Coefficients { return anneal.Coefficients{Beta: make([]float64, n)} }
	state := func(n int, groups ...int) *anneal.State {
		c := beta(n)
		c.Groups = groups
		return &anneal.State{Coefficients: c}
	}
	change := func(s *anneal.State, f func(s *anneal.State)) *anneal.State { f(s); return s }
	for name, c := range map[string]struct {
		task checkpoint.Task
		want bool
	}{
		"nothing":                 {checkpoint.Task{}, false},
		"all":                     {checkpoint.Task{State: state(6)}, true},
		"fewer coefficients":      {checkpoint.Task{State: state(5)}, false},
		"some":                    {checkpoint.Task{State: state(3, 1, 4)}, true},
		"beyond":                  {checkpoint.Task{State: state(3, 1, 5)}, false},
		"stored":                  {checkpoint.Task{State: state(3, 1, 4), Stored: []int{0, 1, 4}}, true},
		"not stored":              {checkpoint.Task{State: state(3, 1, 4), Stored: []int{0, 1}}, false},
		"stored beyond":           {checkpoint.Task{State: state(3, 1, 4), Stored: []int{1, 4, 9}}, false},
		"sets":                    {checkpoint.Task{State: state(3, 1, 4), Sets: map[int][]int{3: {1, 2, 4}, 2: {1, 4}}}, true},
		"sets that are no subset": {checkpoint.Task{State: state(3, 1, 4), Sets: map[int][]int{3: {1, 2, 4}, 2: {0, 4}}}, false},
		"sets beyond":             {checkpoint.Task{State: state(3, 1, 4), Sets: map[int][]int{2: {1, 7}}}, false},
		"momentum":                {checkpoint.Task{State: change(state(3, 1, 4), func(s *anneal.State) { s.Momentum, s.Velocity = true, make([]float64, 3) })}, true},
		"momentum of others":      {checkpoint.Task{State: change(state(3, 1, 4), func(s *anneal.State) { s.Momentum, s.Velocity = true, make([]float64, 2) })}, false},
		"measured":                {checkpoint.Task{State: change(state(3, 1, 4), func(s *anneal.State) { s.Measured, s.Direction = 2, make([]float32, 3) })}, true},
		"measured along nothing":  {checkpoint.Task{State: change(state(3, 1, 4), func(s *anneal.State) { s.Measured = 2 })}, false},
		"measured along others":   {checkpoint.Task{State: change(state(3, 1, 4), func(s *anneal.State) { s.Direction = make([]float32, 2) })}, false},
	} {
		if got := resumable(s.objective(nil, 5, 0, 30), &c.task); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestSubsetOf(t *testing.T) {
	for _, c := range []struct {
		list, in []int
		want     bool
	}{
		{nil, nil, true}, {nil, []int{1}, true}, {[]int{1}, nil, false}, {[]int{1, 3}, []int{1, 2, 3}, true}, {[]int{1, 4}, []int{1, 2, 3}, false},
	} {
		if got := subsetOf(c.list, c.in); got != c.want {
			t.Errorf("%v in %v: %v", c.list, c.in, got)
		}
	}
}

// After the time limit, the strongest active groups are fitted: those of the search on all rows or, if that had not
// begun, those of the first fold.
func TestEarly(t *testing.T) {
	c := normal(1, 150, 20, 0, 0.5, 2, -2, 2)
	for name, of := range map[string]struct {
		job    string
		direct bool
		after  int
	}{"all rows": {"", false, 5}, "late": {"", false, 1000}, "direct": {"", true, 5}, "a fold": {"fold 0", false, 5}, "another fold": {"fold 1", false, 5}} {
		record := checkpoint.New()
		record.Always = true
		s := c.sample(t, "squared")
		s.Journal = NewJournal(record, of.job)
		d := descent(s)
		recipe := annealed(d, 0.001)
		recipe.Direct, recipe.Adaptive = of.direct, true
		ctx, cancel := context.WithCancel(t.Context())
		epochs := 0
		s.Observe = func(Progress) {
			if epochs++; epochs == of.after {
				cancel()
			}
		}
		_, err := NewRunner(s, []int{2, 4}).Run(ctx, recipe, 3)
		if of.after < 1000 && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		cancel()
		whole := c.sample(t, "squared")
		whole.Journal = NewJournal(record, "")
		f, err := NewRunner(whole, []int{3}).Early(t.Context(), recipe, 3)
		if err != nil {
			t.Fatal(err)
		}
		if name == "another fold" {
			if f != nil {
				t.Errorf("%s: %v", name, f.Groups)
			}
			continue
		}
		if f == nil || !slices.Equal(f.Groups, []int{0, 1, 2}) || f.Ridge != 0.001 || !f.Adaptive || whole.Meter.Epochs == 0 || len(f.result().Trace) != whole.Meter.Epochs {
			t.Errorf("%s: %+v after %d epochs", name, f, whole.Meter.Epochs)
		}
	}
	s := c.sample(t, "squared")
	s.Journal = NewJournal(checkpoint.New(), "")
	if f, err := NewRunner(s, []int{3}).Early(t.Context(), annealed(descent(s), 0), 3); f != nil || err != nil {
		t.Errorf("nothing had begun: %v %v", f, err)
	}
}

// broken is a device on which nothing can be placed.
type broken struct {
	err    error
	closed int
	yes    bool
}

func (b *broken) Place(context.Context, *objective.Objective) (objective.Placed, error) {
	return nil, b.err
}
func (b *broken) Close() { b.closed++ }

// together is such a device, shared by several processes.
type together struct{ broken }

func (b *together) Decide(_ context.Context, yes bool) (bool, error) { return b.yes, b.err }

// With auto, the processor computes objectives that the device does not support.
func TestDevice(t *testing.T) {
	c := normal(1, 60, 6, 0, 1, 1)
	failed := errors.New("no memory")
	for _, auto := range []bool{false, true} {
		on := &broken{err: failed}
		s := c.sample(t, "squared")
		s.Device = NewDevice(on, auto)
		for range 2 { // the device is not held
			_, err := NewRunner(s, []int{2}).Run(t.Context(), annealed(descent(s), 0), 2)
			if auto && err != nil || !auto && !errors.Is(err, failed) {
				t.Errorf("auto %v: %v", auto, err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := s.Device.objective(ctx, s.objective(nil, 2, 0, 60)); !errors.Is(err, context.Canceled) {
			t.Errorf("auto %v, cancelled: %v", auto, err)
		}
		if s.Device.Close(); on.closed != 1 {
			t.Errorf("closed %d times", on.closed)
		}
		if s.Device.columns(nil, nil, s.lossTarget()) != nil {
			t.Error("it fits columns")
		}
	}
	NewDevice(nil, false).Close()
}

// local is a device that computes in this process, and counts the objectives it holds.
type local struct{ held int }

func (l *local) Place(_ context.Context, ob *objective.Objective) (objective.Placed, error) {
	l.held++
	return &heldBy{anneal.Local(ob), l}, nil
}
func (l *local) Close() {}

type heldBy struct {
	anneal.Resident
	device *local
}

func (h *heldBy) Close() { h.device.held-- }

// A device selects the same groups as the processor, and holds no objective afterwards.
func TestDeviceIsReleased(t *testing.T) {
	c := normal(1, 60, 6, 0, 1, 1, -2)
	d := descent(c.sample(t, "squared"))
	direct := annealed(d, 0.01)
	direct.Direct, direct.Polish = true, true
	for _, recipe := range []Recipe{annealed(d, 0.01), direct} {
		want := ran(t, c.sample(t, "squared"), []int{2}, recipe, 2)
		s, on := c.sample(t, "squared"), &local{}
		s.Device = NewDevice(on, false)
		f := ran(t, s, []int{2}, recipe, 2)
		if !slices.Equal(f.Groups, want.Groups) {
			t.Errorf("%v: %v on the device, %v on the processor", recipe, f.Groups, want.Groups)
		}
		if on.held != 0 || !s.Device.busy.TryLock() {
			t.Fatalf("%v: the device holds %d objectives", recipe, on.held)
		}
	}
}

// A descent that starts afresh ignores its record.
func TestAfresh(t *testing.T) {
	c, record := normal(1, 80, 12, 0.5, 1, 2, -1, 1), checkpoint.New()
	record.Always = true
	for run, afresh := range []bool{false, false, true} {
		s := c.sample(t, "squared")
		s.Journal, s.afresh = NewJournal(record, ""), afresh
		epochs := 0
		s.Observe = func(Progress) { epochs++ }
		ran(t, s, []int{4}, annealed(descent(s), 0.01), 4)
		if found := run > 0 && !afresh; found != (epochs == 0) {
			t.Errorf("run %d: %d epochs", run, epochs)
		}
	}
}

// The first of several processes decides for all of them.
func TestDecide(t *testing.T) {
	ctx := t.Context()
	alone := NewDevice(nil, false)
	for _, yes := range []bool{false, true} {
		if got, err := alone.decide(ctx, yes); got != yes || err != nil {
			t.Errorf("alone: %v %v", got, err)
		}
		first := NewDevice(&together{broken{yes: yes}}, false)
		if got, err := first.decide(ctx, !yes); got != yes || err != nil {
			t.Errorf("the first says %v: %v %v", yes, got, err)
		}
		if got := first.stopper(ctx, func() bool { return !yes })(); got != yes {
			t.Errorf("the first says %v, and it stops: %v", yes, got)
		}
		if got := alone.stopper(ctx, func() bool { return yes })(); got != yes {
			t.Errorf("alone it stops: %v", got)
		}
	}
	lost := NewDevice(&together{broken{yes: true, err: errors.New("lost")}}, false)
	if lost.stopper(ctx, func() bool { return true })() {
		t.Error("an error stops")
	}
	if lost.stopper(ctx, nil) != nil || alone.stopper(ctx, nil) != nil {
		t.Error("it does not stop")
	}
}

// A single process uses its own clock; several processes ask the first one.
func TestUntil(t *testing.T) {
	past := time.Now().Add(-time.Hour)
	until, cancel := NewDevice(nil, false).Until(t.Context(), past)
	if <-until.Done(); !errors.Is(context.Cause(until), ErrTime) {
		t.Errorf("%v", context.Cause(until))
	}
	cancel()
	for _, up := range []bool{false, true} {
		d := NewDevice(&together{broken{yes: up}}, false)
		if err := d.late(t.Context()); err != nil {
			t.Errorf("without a deadline: %v", err)
		}
		until, cancel := d.Until(t.Context(), past)
		if until.Err() != nil {
			t.Error("it ends before the first process was asked")
		}
		if err := d.late(t.Context()); err != nil {
			t.Error(err)
		}
		if (until.Err() != nil) != up || up && !errors.Is(context.Cause(until), ErrTime) {
			t.Errorf("the first says %v: %v", up, context.Cause(until))
		}
		if cancel(); d.expire != nil || until.Err() == nil {
			t.Error("it has not ended")
		}
	}
}

// The share of work done rises to 1, epochs are numbered through, and columns are those of the table.
func TestProgress(t *testing.T) {
	c := normal(3, 60, 40, 0, 1) // noise, so that the guard acts
	for name, change := range map[string]func(r *Recipe){
		"path":    func(r *Recipe) { r.Direct = false },
		"direct":  func(*Recipe) {},
		"polish":  func(r *Recipe) { r.Polish = true },
		"guarded": func(r *Recipe) { r.Guard = true },
		"both":    func(r *Recipe) { r.Polish, r.Guard = true, true },
	} {
		s := c.sample(t, "squared")
		recipe := annealed(descent(s), 0)
		recipe.Direct = true
		change(&recipe)
		var told []Progress
		s.Observe = func(p Progress) { told = append(told, p) }
		f := ran(t, s, []int{3}, recipe, 3)
		for i, p := range told {
			if i > 0 && (p.Done < told[i-1].Done-1e-12 || p.Passes <= told[i-1].Passes) || p.Done < 0 || p.Done > 1+1e-12 || p.Epoch.Epoch != i+1 || p.Epochs < i+1 {
				t.Errorf("%s: %d: done %v, epoch %d of %d, %v passes", name, i, p.Done, p.Epoch.Epoch, p.Epochs, p.Passes)
				break
			}
			if name == "direct" && i > 0 && p.Done <= told[i-1].Done {
				t.Errorf("%v is done after epoch %d, as before", p.Done, i+1)
			}
			for _, g := range []int{0, len(p.Alive) - 1} {
				if len(p.Alive) == 40 && p.Column(p.Alive[g]) != p.Alive[g] {
					t.Errorf("%s: group %d is column %d", name, p.Alive[g], p.Column(p.Alive[g]))
				}
			}
		}
		last := told[len(told)-1]
		if n := len(told); n != s.Meter.Epochs && name != "polish" && name != "both" || last.Done < 0.5 {
			t.Errorf("%s: %d epochs told of %d, done %v", name, n, s.Meter.Epochs, last.Done)
		}
		if name == "direct" || name == "path" {
			var columns []int
			for _, g := range last.Alive {
				columns = append(columns, last.Column(g))
			}
			if slices.Sort(columns); !slices.Equal(columns, f.Groups) {
				t.Errorf("%s: columns %v, not %v", name, columns, f.Groups)
			}
		}
	}
}

// Each descent takes its share of the work.
func TestMeter(t *testing.T) {
	for _, c := range []struct {
		recipe Recipe
		want   string
	}{
		{Recipe{}, "0 1"}, {Recipe{Guard: true}, "0 0.5"}, {Recipe{Polish: true}, "0 0.5"}, {Recipe{Guard: true, Polish: true}, "0 0.25"},
	} {
		m := NewMeter(10)
		if m.expect(&c.recipe); fmt.Sprint(m.from, m.to) != c.want {
			t.Errorf("%v: %v to %v", c.recipe, m.from, m.to)
		}
	}
	m := NewMeter(10)
	m.expect(&Recipe{Polish: true})
	if m.next(0.5); m.from != 0.5 || m.to != 0.75 {
		t.Errorf("%v to %v", m.from, m.to)
	}
	if m.expect(&Recipe{}); m.from != 0 || m.to != 1 {
		t.Errorf("another recipe begins at %v of %v", m.from, m.to)
	}
	if m.Cells = 25; m.Passes() != 2.5 {
		t.Errorf("%v passes", m.Passes())
	}
	if m = NewMeter(0); m.Passes() != 0 || m.to != 1 {
		t.Errorf("%+v", m)
	}
}

// A descent that the caller stops keeps the strongest groups.
func TestStop(t *testing.T) {
	for _, direct := range []bool{false, true} {
		s := normal(1, 150, 20, 0, 0.5, 2, -2, 2).sample(t, "squared")
		asked := 0
		s.Stop = func() bool { asked++; return asked == 8 }
		recipe := annealed(descent(s), 0)
		recipe.Direct = direct
		f := ran(t, s, []int{3}, recipe, 3)
		if asked != 8 || len(f.Groups) != 3 && direct {
			t.Errorf("direct %v: %v after %d epochs", direct, f.Groups, asked)
		}
	}
}

// An error of the observer of a descent that is recorded is the error of the descent: the first one.
func TestRecordFails(t *testing.T) {
	c := normal(4, 80, 10, 0.3, 1, 2, -1)
	for _, fails := range []bool{false, true} {
		s := c.sample(t, "squared")
		s.Journal = NewJournal(checkpoint.New(), "")
		broke := errors.New("no answer")
		s.Device.expire = func(context.Context) error {
			if fails {
				return broke
			}
			return nil
		}
		_, err := NewRunner(s, []int{2}).Run(t.Context(), annealed(descent(s), 0.01), 2)
		if fails != errors.Is(err, broke) || !fails && err != nil {
			t.Errorf("fails %v: %v", fails, err)
		}
	}
}

// remote is a device with an objective of its own, which may fit columns.
type remote struct {
	local
	sample *Sample
	err    error
}

func (r *remote) Place(context.Context, *objective.Objective) (objective.Placed, error) {
	r.held++
	return &heldBy{anneal.Local(r.sample.objective(nil, 2, 0.01, 60)), &r.local}, nil
}

func (r *remote) Columns([][]float64, loss.Loss, loss.Target) (solve.Device, error) {
	return &closable{}, r.err
}

// The objective here keeps the groups that a device has selected, and a device fits columns unless it fails.
func TestRemoteDevice(t *testing.T) {
	s := normal(1, 60, 6, 0, 1, 1, -2).sample(t, "squared")
	on := &remote{sample: s}
	s.Device = NewDevice(on, false)
	ob := s.objective(nil, 2, 0.01, 60)
	there, done, err := s.Device.objective(t.Context(), ob)
	if err != nil {
		t.Fatal(err)
	}
	r := descent(s).round(0.01, 2)
	res, err := s.Device.run(t.Context(), ob, there, s.settings(t.Context(), ob, &r))
	if done(); err != nil || len(res.Groups) != 2 || ob.Layout().Groups() != 2 {
		t.Errorf("%v selected, and %d groups here: %v", res.Groups, ob.Layout().Groups(), err)
	}
	if s.Device.columns(nil, s.Loss, s.lossTarget()) == nil {
		t.Error("it fits no columns")
	}
	if on.err = errors.New("no memory"); s.Device.columns(nil, s.Loss, s.lossTarget()) != nil {
		t.Error("it fits columns without memory")
	}
}
