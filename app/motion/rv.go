package motion

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Settings of randomized voting.
const (
	votingSeed   = 2
	votingRuns   = 30   // started from random labels; every second run uses an affine camera
	votingRounds = 600  // per run
	votingPoints = 10   // points to which the geometry of a motion is fitted in a round
	votingMemory = 0.98 // share of the votes that is kept from round to round
	votingKept   = 10   // runs with the clearest votes; one of them is chosen
	votingGap    = 0.1  // smallest distance between the two frames of a round, as a share of all frames
)

// randomizedVoting segments by epipolar geometry (Jung, Ju and Kim, 2014). Each round of a run
// draws a few points of each motion, by the current labels, and two frames. The points determine
// the epipolar geometry of the motion between the frames. Every other point votes for the motion
// whose geometry is nearest, by Sampson's distance. Its label is the motion with the most votes so
// far, where older votes count less. Random differences between the first labels grow until the
// votes are clear. Points to which a geometry is fitted do not vote: it would fit them even if they
// did not move together.
//
// Runs from other random labels may give other results. Among the runs with the clearest votes, the
// one that agrees most with the others is taken. Some wrong labels have clear votes, too, but they
// differ from run to run.
//
// A perspective camera needs eight points. These are many for a small object, or for one that
// hardly turns, so half of the runs use an affine camera, and so do motions of few points in the
// other runs.
func randomizedVoting(ctx context.Context, s *Sequence) (Labels, error) {
	if s.Motions == 1 || s.Frames == 1 { // nothing to separate
		return make(Labels, s.Points), nil
	}
	tracks := unitCoordinates(s)
	runs := make([]*votes, votingRuns)
	for r := range runs {
		v := newVotes(s, []camera{perspective, affine}[r%2], rand.New(rand.NewPCG(votingSeed, uint64(r))))
		for range votingRounds {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			v.round(tracks)
		}
		runs[r] = v
	}
	slices.SortStableFunc(runs, func(a, b *votes) int { return cmp.Compare(b.clarity(), a.clarity()) })
	return central(runs[:votingKept]), nil
}

// central returns the labels that differ least from those of the other runs.
func central(runs []*votes) Labels {
	best, least := 0, math.MaxInt
	for i, v := range runs {
		sum := 0
		for _, w := range runs {
			sum += Misclassified(v.labels, w.labels)
		}
		if sum < least {
			best, least = i, sum
		}
	}
	return runs[best].labels
}

// votes are the votes of a run.
type votes struct {
	camera
	rng             *rand.Rand
	motions, frames int
	labels          Labels
	count           []float64 // for each point and each motion, point after point
}

func newVotes(s *Sequence, c camera, rng *rand.Rand) *votes {
	v := &votes{camera: c, rng: rng, motions: s.Motions, frames: s.Frames, labels: make(Labels, s.Points), count: make([]float64, s.Points*s.Motions)}
	for i := range v.labels {
		v.labels[i] = rng.IntN(s.Motions)
	}
	return v
}

// round lets every point vote once, except the drawn ones.
func (v *votes) round(tracks [][]float64) {
	at := v.draw()
	geometry := make([]epipolar, v.motions)
	drawn := make([]bool, len(tracks))
	for k, members := range v.members() {
		if len(members) <= affine.least { // a motion without points starts again
			members = v.rng.Perm(len(tracks))
		}
		c := v.camera
		if len(members) < 2*c.least { // half of them must vote
			c = affine
		}
		few := min(votingPoints, max(c.least, len(members)/2))
		for i := range few {
			j := i + v.rng.IntN(len(members)-i)
			members[i], members[j] = members[j], members[i]
		}
		geometry[k] = c.fit(tracks, members[:few], at)
		for _, i := range members[:few] {
			drawn[i] = true
		}
	}
	for i, t := range tracks {
		if drawn[i] {
			continue
		}
		count := v.count[i*v.motions : (i+1)*v.motions]
		nearest, least := 0, math.Inf(1)
		for k := range geometry {
			count[k] *= votingMemory
			if d := geometry[k].sampson(t, at); d < least {
				nearest, least = k, d
			}
		}
		count[nearest]++
		v.labels[i] = pick(count)
	}
}

// draw returns two frames that are not too close.
func (v *votes) draw() frames {
	gap := max(1, int(votingGap*float64(v.frames)))
	for {
		p := frames{v.rng.IntN(v.frames), v.rng.IntN(v.frames)}
		if p.f-p.g >= gap || p.g-p.f >= gap {
			return p
		}
	}
}

// members returns the points of each motion.
func (v *votes) members() [][]int {
	out := make([][]int, v.motions)
	for i, l := range v.labels {
		out[l] = append(out[l], i)
	}
	return out
}

// clarity is the mean share of the votes for the winning motion.
func (v *votes) clarity() float64 {
	sum := 0.0
	for i, l := range v.labels {
		count := v.count[i*v.motions : (i+1)*v.motions]
		if all := floats.Sum(count); all > 0 {
			sum += count[l] / all
		}
	}
	return sum / float64(len(v.labels))
}

// unitCoordinates returns tracks relative to their mean position, in units of their standard
// deviation.
func unitCoordinates(s *Sequence) [][]float64 {
	mean := meanPositions(s)
	var x, y, square float64
	for _, p := range mean {
		x += p[0] / float64(s.Points)
		y += p[1] / float64(s.Points)
	}
	out := make([][]float64, s.Points)
	for i, t := range s.Track {
		out[i] = make([]float64, len(t))
		for j, v := range t {
			out[i][j] = v - []float64{x, y}[j%2]
			square += out[i][j] * out[i][j]
		}
	}
	if square == 0 {
		return out
	}
	unit := math.Sqrt(square / float64(s.Points*2*s.Frames))
	for _, t := range out {
		for j := range t {
			t[j] /= unit
		}
	}
	return out
}
