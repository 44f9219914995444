package keypoint

import (
	"cmp"
	"math"
	"slices"

	"fsa/app/keypoint/faces"
	"fsa/app/keypoint/shape"
)

// Top-down pruning ("FSA-Lor Face" in the paper) finds faces that explain detections of several
// keypoints at once. It drops detections that no face explains.

const (
	strongest  = 30   // detections of a keypoint on a photograph from which faces are proposed
	support    = 0.25 // IED from its predicted position within which a detection supports a face
	leastParts = 4    // keypoints that must support a face, together
	leastValue = 4    // the value of four detections of score 0 exactly at their positions
	keepIED    = 0.5  // IED from its predicted position beyond which a detection is dropped
	nearSize   = 1.3  // factor by which the size of a face may differ from that of its detections
	mostRoll   = 0.9  // radians
)

// The yaw and pitch angles that are tried, in radians.
var (
	yaws    = []float64{0, -0.45, 0.45, -0.9, 0.9}
	pitches = []float64{0, -0.3, 0.3}
)

// Prune returns the detections of all keypoints, without those that are more than half an IED from
// the position that a face predicts. They are given in the order of [faces.Point].
func Prune(face *shape.Face, found []*Found) []*Found {
	out := make([]*Found, len(found))
	for p, f := range found {
		out[p] = &Found{Photos: f.Photos, Point: f.Point, Detections: make([][]Detection, len(f.Detections))}
	}
	for i := range found[0].Photos {
		var all [faces.Points][]Detection
		for p, f := range found {
			all[p] = f.Detections[i]
		}
		poses := FindFaces(face, all)
		for p := range all {
			for _, d := range all[p] {
				if slices.ContainsFunc(poses, func(q shape.Pose) bool { return distance(q.Project(face[p]), d.XY) <= keepIED*q.Scale }) {
					out[p].Detections[i] = append(out[p].Detections[i], d)
				}
			}
		}
	}
	return out
}

// Parts returns, for every keypoint, the highest detection near its position in each pose: the face
// as it is drawn.
func Parts(face *shape.Face, poses []shape.Pose, all [faces.Points][]Detection) []Mark {
	marks := make([]Mark, faces.Points)
	for p := range all {
		marks[p].Point = faces.Point(p)
		for _, pose := range poses {
			at := pose.Project(face[p])
			near := func(d Detection) bool { return distance(at, d.XY) < support*pose.Scale }
			if k := slices.IndexFunc(all[p], near); k >= 0 {
				marks[p].Detections = append(marks[p].Detections, all[p][k])
			}
		}
	}
	return marks
}

// hypothesis is a possible face.
type hypothesis struct {
	pose  shape.Pose
	value float64
}

// FindFaces returns the poses of the faces that the detections of a photograph support, the best
// supported first. The detections of each keypoint are in descending order of score.
func FindFaces(face *shape.Face, all [faces.Points][]Detection) []shape.Pose {
	s := search{face: face}
	for p := range all {
		s.parts[p] = all[p][:min(len(all[p]), strongest)]
		s.taken[p] = make([]bool, len(s.parts[p]))
	}
	guesses := s.guesses()
	slices.SortStableFunc(guesses, func(a, b hypothesis) int { return cmp.Compare(b.value, a.value) })
	var out []shape.Pose
	for _, g := range guesses {
		seen, _, _ := s.support(g.pose)
		if len(seen) < leastParts {
			continue
		}
		pose := shape.Fit(face, g.pose, seen)
		seen, value, who := s.support(pose)
		crowded := slices.ContainsFunc(out, func(q shape.Pose) bool {
			return math.Hypot(q.X-pose.X, q.Y-pose.Y) < keepIED*max(q.Scale, pose.Scale)
		})
		if len(seen) < leastParts || value < leastValue || crowded {
			continue
		}
		for p, k := range who {
			if k >= 0 {
				s.taken[p][k] = true
			}
		}
		out = append(out, pose)
	}
	return out
}

// search has the detections of a photograph.
type search struct {
	face  *shape.Face
	parts [faces.Points][]Detection
	taken [faces.Points][]bool // already used by a face
}

// guesses returns the faces that two detections propose and enough others support.
func (s *search) guesses() []hypothesis {
	var out []hypothesis
	for a := range faces.Points {
		for b := a + 1; b < faces.Points; b++ {
			for _, da := range s.parts[a] {
				for _, db := range s.parts[b] {
					out = s.turn(out, a, b, da, db)
				}
			}
		}
	}
	return out
}

// turn appends the supported faces with keypoints a and b at two detections.
func (s *search) turn(out []hypothesis, a, b faces.Point, da, db Detection) []hypothesis {
	for _, yaw := range yaws {
		for _, pitch := range pitches {
			pose := shape.Align(s.face, yaw, pitch, a, b, da.XY, db.XY)
			if !sizes(pose, da.Scale) || !sizes(pose, db.Scale) || math.Abs(pose.Roll) > mostRoll {
				continue
			}
			// The fit below may raise the value.
			if seen, value, _ := s.support(pose); len(seen) >= leastParts && value >= leastValue/2 {
				out = append(out, hypothesis{pose, value})
			}
		}
	}
	return out
}

// sizes reports whether the size of a face is plausible for a detection on a level of the given
// scale: the size of the training examples, or a little more or less.
func sizes(pose shape.Pose, scale float64) bool {
	ied := pose.Scale / scale
	return ied >= leastIED/nearSize && ied <= mostIED*nearSize
}

// support finds the best detection of each keypoint near its position in a pose. who has its index
// among the keypoint's detections, or −1. value is the total value: higher scores and smaller
// deviations have a larger value.
func (s *search) support(pose shape.Pose) (seen []shape.Seen, value float64, who [faces.Points]int) {
	radius := support * pose.Scale
	for p := range faces.Points {
		at := pose.Project(s.face[p])
		who[p] = -1
		best := 0.0
		for k, d := range s.parts[p] {
			away := distance(at, d.XY) / radius
			if away >= 1 || s.taken[p][k] || !sizes(pose, d.Scale) {
				continue
			}
			if v := (d.Score - Margin) * (1 - away*away); v > best {
				best, who[p] = v, k
			}
		}
		if who[p] >= 0 {
			value += best
			seen = append(seen, shape.Seen{Point: p, At: s.parts[p][who[p]].XY, Weight: 1})
		}
	}
	return seen, value, who
}
