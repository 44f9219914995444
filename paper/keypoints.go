package paper

import (
	"context"
	"path/filepath"

	"fsa/keypoint"
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
	if err := keypoint.Report(ctx, o, c, s.Out); err != nil {
		return nil, err
	}
	r := &Result{byMethod: true, Notes: []string{"HELEN and AFW stand in for AFLW: numbers cannot be compared with those of the paper, the order of the methods can."}}
	for i := range c.Results {
		r.Rows = append(r.Rows, Row{Method: c.Results[i].Method, Metric: "AP " + c.Results[i].Point, Ours: new(c.Results[i].Curve.AP), Runs: 1})
	}
	return r, nil
}
