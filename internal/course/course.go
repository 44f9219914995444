// Package course follows a long piece of work through stages whose costs were estimated before it
// began. The share that is done never falls.
package course

import "sync"

// Stage is a part of the work.
type Stage struct {
	Name string  `json:"name"`
	Cost float64 `json:"cost"` // relative to those of the other stages
	// Rounds is how often its own count starts again; 0 means once.
	Rounds int `json:"-"`
}

// Course is where the work is.
type Course struct {
	mu     sync.Mutex
	stages []Stage
	at     int     // present stage,
	round  int     // its round,
	inner  float64 // the share of the round that is done,
	within float64 // and the largest share of the stage that was done
	held   bool    // everything that is told belongs to the present stage
	done   float64
}

// Now is the state of the work.
type Now struct {
	Stage       string
	Step, Steps int
	Done        float64 // share of all work, from 0 to 1
}

// New returns the course of work in the given stages. Stages without costs are left out.
func New(stages ...Stage) *Course {
	c := &Course{}
	for _, s := range stages {
		if s.Cost > 0 {
			c.stages = append(c.stages, s)
		}
	}
	return c
}

// Stages returns the plan.
func (c *Course) Stages() []Stage { return c.stages }

// Hold enters a stage to which everything belongs that is told until Release, such as the stages
// of fits inside it.
func (c *Course) Hold(stage string) Now {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.enter(stage)
	c.held = true
	return c.now()
}

// Release ends what Hold began.
func (c *Course) Release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = false
}

// Tell records the share of a stage that is done. Stages before it have ended. A stage that is over
// stays so, and a share that falls begins the next round of its stage.
func (c *Course) Tell(stage string, share float64) Now {
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

// Now returns where the work is.
func (c *Course) Now() Now {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

// Creep records that a stage goes on without a count: it comes closer to its end by a small part of
// the rest.
func (c *Course) Creep(stage string) Now {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held || !c.enter(stage) {
		return c.now()
	}
	c.within += (1 - c.within) / 40
	return c.now()
}

// enter goes on to a stage, and reports whether it is the present one.
func (c *Course) enter(stage string) bool {
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
func (c *Course) now() Now {
	if len(c.stages) == 0 {
		return Now{}
	}
	var before, all float64
	for i, s := range c.stages {
		if i < c.at {
			before += s.Cost
		}
		all += s.Cost
	}
	c.done = max(c.done, min((before+c.within*c.stages[c.at].Cost)/all, 1))
	return Now{Stage: c.stages[c.at].Name, Step: c.at + 1, Steps: len(c.stages), Done: c.done}
}
