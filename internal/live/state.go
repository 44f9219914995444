package live

import "time"

const (
	// pause is the shortest time between two updates: twenty a second are as many as an
	// eye can follow.
	pause = 50 * time.Millisecond
	// points is how many epochs of the past are kept; beyond that every other one goes.
	points = 400
	// lines is how many lines of the log are kept, and recentLines are sent with every update.
	lines       = 200
	recentLines = 5
	// longest is how many letters of a line are kept.
	longest = 500
)

// Now is how things stand.
type Now struct {
	Stage     string     `json:"stage"` // what is being done
	Epoch     int        `json:"epoch"`
	Epochs    int        `json:"epochs"`
	Variables int        `json:"variables"` // that are left
	Loss      float64    `json:"loss"`
	Done      float64    `json:"done"` // share of the work
	Seconds   float64    `json:"seconds"`
	Left      float64    `json:"left"`       // seconds, about; −1 where that is not known
	Memory    int64      `json:"memory"`     // bytes in use
	ReadRate  float64    `json:"read_rate"`  // bytes a second of a table that stays on disk
	Strongest []Strength `json:"strongest"`  // a few of the variables that are left
	Stopping  bool       `json:"stopping"`   // somebody asked for it
	Ended     bool       `json:"ended"`      // there is nothing more to come
	Report    bool       `json:"has_report"` // and it can be looked at
}

// Strength is a variable and its coefficient.
type Strength struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// Point is an epoch of the past.
type Point struct {
	Epoch     int     `json:"epoch"`
	Variables int     `json:"variables"`
	Loss      float64 `json:"loss"`
}

// Line is something that was said.
type Line struct {
	Number int    `json:"number"`
	Text   string `json:"text"`
}

// state is what the page shows.
type state struct {
	Now     Now
	History []Point
	Log     []Line
	Curve   Curve
	stride  int
	said    int
	last    time.Time
	whole   bool // it was set as a whole, and is told as a whole
}

// Due says whether an update is wanted now, so that nobody makes one for nothing.
func (s *Board) Due() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Since(s.state.last) >= s.pause
}

// Show says how things stand.
func (s *Board) Show(now Now) {
	s.update(func(st *state) {
		now.Stopping, now.Ended, now.Report = st.Now.Stopping, st.Now.Ended, st.Now.Report
		st.Now, st.last = now, time.Now()
		st.remember(Point{now.Epoch, now.Variables, now.Loss})
	})
}

// Remember keeps an epoch for the history, and wakes nobody for it.
func (s *Board) Remember(p Point) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.remember(p)
}

// remember keeps an epoch, and forgets others so that there are never too many.
func (st *state) remember(p Point) {
	if st.stride == 0 {
		st.stride = 1
	}
	n := len(st.History)
	if p.Epoch == 0 || n > 0 && p.Epoch-st.History[n-1].Epoch < st.stride {
		return
	}
	if st.History = append(st.History, p); len(st.History) <= points {
		return
	}
	st.stride *= 2
	kept := st.History[:0]
	for i, p := range st.History {
		if i%2 == 0 {
			kept = append(kept, p)
		}
	}
	st.History = kept
}

// Say adds a line to the log.
func (s *Board) Say(text string) {
	if r := []rune(text); len(r) > longest {
		text = string(r[:longest]) + "…"
	}
	s.update(func(st *state) {
		st.said++
		st.Log = append(st.Log, Line{st.said, text})
		if n := len(st.Log) - lines; n > 0 {
			st.Log = append([]Line(nil), st.Log[n:]...)
		}
	})
}
