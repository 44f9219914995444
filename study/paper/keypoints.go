package paper

import (
	"context"
	"fmt"
	"path/filepath"

	"fsa/app/keypoint"
)

// keypoints is the paper's comparison of detectors of face keypoints, on other
// photographs than the paper's. What is learned stays in the folder of results,
// so that a call that was stopped goes on after the last round.
func keypoints(ctx context.Context, s *Setup) (*Result, error) {
	o := keypoint.Options{
		Data: filepath.Join(s.Data, "faces"), State: filepath.Join(s.Out, "keypoints"), Scale: s.Scale,
		Methods: s.Methods, Threads: s.Threads, Memory: s.Memory, Log: s.Log,
	}
	c, err := keypoint.Compare(ctx, o)
	if err != nil {
		return nil, err
	}
	files, err := keypoint.Report(ctx, o, c, s.Out)
	if err != nil {
		return nil, err
	}
	return keypointsResult(c, files), nil
}

// keypointsResult makes rows of a comparison: average precision and what learning
// took, as a ratio to the first method.
func keypointsResult(c *keypoint.Comparison, files []string) *Result {
	r := &Result{byMethod: true, Files: files, Notes: []string{
		fmt.Sprintf("On %d photographs of %s.", c.Tests, c.Data),
		"They are not the paper's: numbers cannot be compared with those of the paper, the order of the methods can.",
		"Times are of learning alone, that of " + c.Methods[0] + " being 1; CPU time is that of all processors together.",
	}}
	for i := range c.Results {
		r.Rows = append(r.Rows, Row{Method: c.Results[i].Method, Metric: "AP " + c.Results[i].Point, Ours: new(c.Results[i].Curve.AP), Runs: 1})
	}
	for _, method := range c.Methods {
		r.Rows = append(r.Rows, Row{Method: method, Metric: "mean AP", Ours: new(c.MeanAP(method)), Runs: 1})
		if ratio, known := c.Ratio(c.Times, method); known {
			r.Rows = append(r.Rows, Row{Method: method, Metric: "time", Ours: &ratio, Runs: 1})
		}
		if ratio, known := c.Ratio(c.CPUTimes, method); known {
			r.Rows = append(r.Rows, Row{Method: method, Metric: "CPU time", Ours: &ratio, Runs: 1})
		}
	}
	return r
}
