package live

import "time"

const (
	// pause is the shortest time between two updates: twenty per second look smooth.
	pause = 50 * time.Millisecond
	// points is the number of past epochs that are kept; above it, every second one is dropped.
	points = 400
	// lines is the number of lines of the log that are kept, and recentLines are sent with every
	// update.
	lines       = 200
	recentLines = 5
	// longest is the number of characters of a line that are kept.
	longest = 500
)

// Now is the current state.
type Now struct {
	Stage     string     `json:"stage"` // the current activity
	Step      int        `json:"step"`  // number of the stage,
	Steps     int        `json:"steps"` // of all of them
	Epoch     int        `json:"epoch"`
	Epochs    int        `json:"epochs"`
	Variables int        `json:"variables"` // variables that are left
	Loss      float64    `json:"loss"`
	Done      float64    `json:"done"` // finished share of the work
	Seconds   float64    `json:"seconds"`
	Left      float64    `json:"left"`       // about the least seconds until the end; −1 if unknown
	LeftMost  float64    `json:"left_most"`  // and the most
	Memory    int64      `json:"memory"`     // bytes in use
	ReadRate  float64    `json:"read_rate"`  // bytes per second of a table that stays in its file
	Strongest []Strength `json:"strongest"`  // some of the remaining variables
	Stopping  bool       `json:"stopping"`   // stopping was requested
	Ended     bool       `json:"ended"`      // no more updates will come
	Report    bool       `json:"has_report"` // and there is a report
}

// Strength is a variable and its coefficient.
type Strength struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// Point is a past epoch.
type Point struct {
	Epoch     int     `json:"epoch"`
	Variables int     `json:"variables"`
	Loss      float64 `json:"loss"`
}

// Line is a line of the log.
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
	whole   bool // it was replaced as a whole, and is sent as a whole
}

// Due reports whether an update is wanted now, so that callers need not prepare it otherwise.
func (s *Board) Due() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Since(s.state.last) >= s.pause
}

// Show sets the current state.
func (s *Board) Show(now Now) {
	s.update(func(st *state) {
		now.Stopping, now.Ended, now.Report = st.Now.Stopping, st.Now.Ended, st.Now.Report
		st.Now, st.last = now, time.Now()
		st.remember(Point{now.Epoch, now.Variables, now.Loss})
	})
}

// Remember adds an epoch to the history, without waking readers.
func (s *Board) Remember(p Point) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.remember(p)
}

// remember adds an epoch, and drops others so that there are never too many.
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
