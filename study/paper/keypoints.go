package paper

import (
	"context"
	"fmt"
	"path/filepath"

	"fsa/app/keypoint"
)

// keypoints is the paper's comparison of detectors of face keypoints, on photographs other than the
// paper's. Detectors stay in the results folder, so a run that was stopped continues after the last
// round.
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

// keypointsResult makes rows of a comparison: average precision and training time relative to the
// first method.
func keypointsResult(c *keypoint.Comparison, files []string) *Result {
	r := &Result{byMethod: true, Files: files, Notes: []string{
		fmt.Sprintf("On %d photographs of %s.", c.Tests, c.Data),
		"These are not the photographs of the paper, so only the order of the methods can be compared with the paper, not the numbers.",
		"Times are of training only, relative to that of " + c.Methods[0] + "; CPU time is the sum over all processors.",
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
