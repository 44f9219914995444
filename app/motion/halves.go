package motion

// leastFrames is the smallest number of frames of a half: a single frame has no velocity.
const leastFrames = 2

// halves returns the first and the second half of the sequence in time, or nothing if it is too
// short.
func (s *Sequence) halves() []*Sequence {
	frames := s.Frames / 2
	if frames < leastFrames {
		return nil
	}
	var out []*Sequence
	for _, first := range []int{0, s.Frames - frames} {
		half := *s
		half.Frames = frames
		half.Track = make([][]float64, s.Points)
		for p, t := range s.Track {
			half.Track[p] = t[2*first : 2*(first+frames)]
		}
		out = append(out, &half)
	}
	return out
}
