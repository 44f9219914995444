package motion

import "testing"

// TestTrackClustering: rigid bodies are separated, and points that are all at one position have
// labels too.
func TestTrackClustering(t *testing.T) {
	for motions := 1; motions <= 3; motions++ {
		s := rigid("r", motions, 20, 12, 0.1, 6)
		if wrong := Misclassified(trackClustering(s), s.Truth); wrong > 1 {
			t.Errorf("%d motions: %d of %d points are in the wrong one", motions, wrong, s.Points)
		}
	}
	if labels := trackClustering(still(2)); len(labels) != 8 {
		t.Errorf("points that are all in one place: %v", labels)
	}
}

// Sequences of the benchmark on which spectral clustering of tracks is right, as its authors report
// for most.
func TestTrackClusteringHopkins(t *testing.T) {
	needHopkins(t)
	for _, name := range []string{"kanatani1", "two_cranes_g12"} {
		s := hopkinsSequence(t, name)
		if e := Error(trackClustering(s), s.Truth); e > 0.05 {
			t.Errorf("%s: %.1f%% of the points are in the wrong motion", name, 100*e)
		}
	}
}
