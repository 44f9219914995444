package live

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// Board has the state of a fit. Its size does not grow with the time of the fit.
type Board struct {
	pause time.Duration // between two updates

	mu      sync.Mutex
	state   state
	version int
	changed chan struct{} // closed when there is something new
	waking  bool          // readers are about to be woken
}

// NewBoard returns a board that accepts an update at each interval.
func NewBoard(every time.Duration) *Board {
	return &Board{pause: every, changed: make(chan struct{})}
}

// update changes the state and wakes the readers.
func (s *Board) update(change func(st *state)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.state)
	s.version++
	close(s.changed)
	s.changed = make(chan struct{})
}

// Snapshot is a board at one time, as it is sent to pages and stored in files.
type Snapshot struct {
	Now     Now     `json:"now"`
	History []Point `json:"history,omitempty"`
	Log     []Line  `json:"log,omitempty"`
	Curve   *Curve  `json:"curve,omitempty"`
}

// Snapshot returns the contents of the board, as JSON.
func (s *Board) Snapshot() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.message(true, -1)
}

// ReadSnapshot reads a snapshot. What exceeds the limits of a board is dropped.
func ReadSnapshot(text []byte) (*Snapshot, error) {
	m := &Snapshot{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("live: this is not the progress of a fit: %w", err)
	}
	m.History, m.Log = m.History[max(0, len(m.History)-points):], m.Log[max(0, len(m.Log)-lines):]
	if c := m.Curve; c != nil {
		c.Points = c.Points[:min(len(c.Points), points)]
	}
	m.Now.Ended, m.Now.Report, m.Now.Stopping = false, false, false
	return m, nil
}

// Set replaces the contents of the board by a snapshot of another.
func (s *Board) Set(m *Snapshot) {
	s.update(func(st *state) {
		version := st.Curve.version + 1
		st.Now, st.History, st.Log, st.Curve = m.Now, m.History, m.Log, Curve{}
		if m.Curve != nil {
			st.Curve = *m.Curve
		}
		st.Curve.version, st.last, st.whole = version, time.Now(), true
	})
}

// message writes the next message to a reader: at first everything so far, with the curve if its
// version is new to the reader.
func (st *state) message(first bool, drawn int) ([]byte, error) {
	m := Snapshot{Now: st.Now, Log: st.Log[max(0, len(st.Log)-recentLines):]}
	if first || st.whole {
		m.History, m.Log = st.History, st.Log
	}
	if st.Curve.version != drawn {
		m.Curve = &st.Curve
	}
	return json.Marshal(m)
}
