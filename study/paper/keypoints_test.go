package paper

import (
	"slices"
	"strings"
	"testing"

	"fsa/app/keypoint"
)

func TestKeypointsResult(t *testing.T) {
	curve := func(ap float64) *keypoint.Curve { return &keypoint.Curve{AP: ap} }
	c := &keypoint.Comparison{
		Data: "faces", Tests: 3, Points: []string{"chin", "left-eye"}, Methods: []string{"a", "b", "pruned"},
		Results: []keypoint.Result{
			{Point: "chin", Method: "a", Curve: curve(0.2)}, {Point: "left-eye", Method: "a", Curve: curve(0.4)},
			{Point: "chin", Method: "b", Curve: curve(0.1)}, {Point: "left-eye", Method: "b", Curve: curve(0.3)},
			{Point: "chin", Method: "pruned", Curve: curve(0.5)},
		},
		Times: map[string]float64{"a": 2, "b": 3}, CPUTimes: map[string]float64{"a": 4, "b": 10},
	}
	r := keypointsResult(c, []string{"curves.svg"})
	r.Name, r.About = "keypoints", "figure"
	var text strings.Builder
	if err := r.Markdown(&text); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"| method | AP chin | AP left-eye | mean AP | time | CPU time |",
		"| a | 0.2 | 0.4 | 0.3 | 1 | 1 |",
		"| b | 0.1 | 0.3 | 0.2 | 1.5 | 2.5 |",
		"| pruned | 0.5 | – | 0.5 | – | – |",
		"- On 3 photographs of faces.",
	} {
		if !strings.Contains(text.String(), line+"\n") {
			t.Errorf("no line %q in\n%s", line, text.String())
		}
	}
	if !slices.Equal(r.Files, []string{"curves.svg"}) {
		t.Errorf("files %q", r.Files)
	}
}

// By default, the free memory is the limit of keypoints, not that of big-data.
func TestKeypointsMemory(t *testing.T) {
	if s := (Setup{}).withDefaults(); s.Memory != 0 || memoryOf(s) != DefaultMemory {
		t.Errorf("memory of keypoints %d, of big-data %d", s.Memory, memoryOf(s))
	}
}
