package loss

import "sync"

// WithOffset returns a loss with one output that adds Target.Offset to the margins before it calls
// l.
func WithOffset(l Loss) Loss { return &shifted{Loss: l} }

// shifted is a loss whose margins are shifted by an offset.
type shifted struct {
	Loss
	room sync.Pool // of *[]float64
}

// Eval implements [Loss].
func (s *shifted) Eval(r, z []float64, t Target) (sum, weight float64) {
	if t.Offset == nil {
		return s.Loss.Eval(r, z, t)
	}
	room, _ := s.room.Get().(*[]float64)
	if room == nil {
		room = new([]float64)
	}
	defer s.room.Put(room)
	*room = append((*room)[:0], z...)
	for i, o := range t.Offset {
		(*room)[i] += o
	}
	return s.Loss.Eval(r, *room, t)
}

// Nats implements [Scaled].
func (s *shifted) Nats() float64 { return NatsOf(s.Loss) }

// NatsOf returns the factor that turns a loss into the negative log likelihood.
func NatsOf(l Loss) float64 {
	if s, ok := l.(Scaled); ok {
		return s.Nats()
	}
	return 1
}
