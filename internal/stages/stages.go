// Package stages tracks the progress of a long piece of work through stages whose costs were estimated
// before it began. The share that is done never decreases.
package stages

import "sync"

// Stage is a part of the work.
type Stage struct {
	Name string  `json:"name"`
	Cost float64 `json:"cost"` // relative to the other stages
	// Rounds is the number of times that the stage counts from 0 to 1; 0 means once.
	Rounds int `json:"-"`
}

// Tracker tracks the progress of the work.
type Tracker struct {
	mu     sync.Mutex
	stages []Stage
	at     int     // current stage,
	round  int     // its round,
	inner  float64 // share of the round that is done,
	within float64 // and the largest share of the stage so far
	held   bool    // all reports belong to the current stage
	ended  bool    // everything is done
	done   float64
}

// State is the state of the work.
type State struct {
	Stage       string
	Step, Steps int
	Done        float64 // share of all work, from 0 to 1
}

// New returns a tracker of work in the given stages. Stages without costs are omitted.
func New(stages ...Stage) *Tracker {
	c := &Tracker{}
	for _, s := range stages {
		if s.Cost > 0 {
			c.stages = append(c.stages, s)
		}
	}
	return c
}

// Hold enters a stage and assigns all reports to it until Release, such as those of fits inside it.
func (c *Tracker) Hold(stage string) State {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.enter(stage)
	c.held = true
	return c.now()
}

// Release ends what Hold began.
func (c *Tracker) Release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = false
}

// Report records the share of a stage that is done. Earlier stages are then complete, and reports about
// them are ignored. A smaller share than before starts the next round of the stage.
func (c *Tracker) Report(stage string, share float64) State {
	c.mu.Lock()
	defer c.mu.Unlock()
	share = min(max(share, 0), 1)
	if !c.held && !c.enter(stage) {
		return c.now()
	}
	if len(c.stages) == 0 {
		return c.now()
	}
	if share < c.inner {
		c.round++
	}
	c.inner = share
	rounds := max(c.stages[c.at].Rounds, 1)
	c.within = max(c.within, min((float64(min(c.round, rounds-1))+share)/float64(rounds), 1))
	return c.now()
}

// State returns the progress.
func (c *Tracker) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

// End records that everything is done. Before that, the share is less than 1.
func (c *Tracker) End() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.stages) == 0 {
		return State{}
	}
	c.at, c.within, c.ended = len(c.stages)-1, 1, true
	return c.now()
}

// enter moves to a stage if it is not an earlier one, and reports whether it is now the current one.
func (c *Tracker) enter(stage string) bool {
	for i := c.at; i < len(c.stages); i++ {
		if c.stages[i].Name == stage {
			if i > c.at {
				c.at, c.round, c.inner, c.within = i, 0, 0, 0
			}
			return true
		}
	}
	return false
}

// now returns the state.
func (c *Tracker) now() State {
	if len(c.stages) == 0 {
		return State{}
	}
	var before, all float64
	for i, s := range c.stages {
		if i < c.at {
			before += s.Cost
		}
		all += s.Cost
	}
	const almost = 0.99
	c.done = max(c.done, min((before+c.within*c.stages[c.at].Cost)/all, almost))
	if c.ended {
		c.done = 1
	}
	return State{Stage: c.stages[c.at].Name, Step: c.at + 1, Steps: len(c.stages), Done: c.done}
}
