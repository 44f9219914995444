package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"fsa/app/keypoint"
	"fsa/app/keypoint/faces"
	"fsa/app/keypoint/shape"
)

func keypointEvaluateCommand() *cobra.Command {
	var (
		set     string
		limit   int
		threads int
		asJSON  bool
	)
	cmd := &cobra.Command{
		Use:   "evaluate DIR MODEL…",
		Short: "Evaluate detectors on annotated photographs",
		Long: `evaluate runs detectors on the test photographs in DIR, the sets afw and
helen_test, and prints the average precision and the recall at a precision of
90%. A keypoint counts as found if a detection is within 5% of the distance
between the eyes. A detection counts as wrong if its distance is 10% or more to
that keypoint of every annotated face. With detectors of all seven keypoints,
the result of top-down pruning by a 3-D face model is measured, too.`,
		Example: `  fsa keypoint evaluate faces left-eye.json chin.json
  fsa keypoint evaluate faces *.json --set afw --limit 20 --json`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if set != "" && set != faces.AFW && set != faces.HelenTest {
				return usagef("--set %s: it must be %s or %s", set, faces.AFW, faces.HelenTest)
			}
			if limit < 0 || threads < 0 {
				return usagef("--limit and --threads must not be negative")
			}
			r, err := evaluateDetectors(cmd, args[0], args[1:], set, limit, threads)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), r)
			}
			return printEvaluation(cmd.OutOrStdout(), r)
		},
	}
	f := cmd.Flags()
	f.StringVar(&set, "set", "", "evaluate only the photographs of the set `NAME`: afw or helen_test")
	f.IntVar(&limit, "limit", 0, "evaluate only the first `N` photographs")
	f.IntVar(&threads, "threads", 0, "use `N` threads (default: one per core)")
	jsonFlag(f, &asJSON)
	return cmd
}

// evaluation is what evaluate prints as JSON.
type evaluation struct {
	Data    string             `json:"data"` // kind of the photographs
	Photos  int                `json:"photos"`
	Results []evaluationResult `json:"results"`
}

type evaluationResult struct {
	Model  string          `json:"model"`
	Point  string          `json:"point"`
	Method string          `json:"method"`
	Curve  *keypoint.Curve `json:"curve"`
}

func evaluateDetectors(cmd *cobra.Command, dir string, paths []string, set string, limit, threads int) (*evaluation, error) {
	folder, err := faces.Open(dir)
	if err != nil {
		return nil, err
	}
	sets := []string{faces.AFW, faces.HelenTest}
	if set != "" {
		sets = []string{set}
	}
	var photos []*faces.Photo
	for _, p := range folder.Test() {
		if slices.Contains(sets, p.Set) && (limit == 0 || len(photos) < limit) {
			photos = append(photos, p)
		}
	}
	if len(photos) == 0 {
		return nil, keypoint.NoTests(folder, sets...)
	}
	r := &evaluation{Data: keypoint.Describe(folder), Photos: len(photos)}
	byPoint := make([]*keypoint.Found, faces.Points)
	complete := 0
	for _, path := range paths {
		d, err := loadDetector(cmd.Context(), path)
		if err != nil {
			return nil, err
		}
		f, err := keypoint.DetectAll(cmd.Context(), folder, photos, d, keypoint.Margin, threads)
		if err != nil {
			return nil, err
		}
		r.Results = append(r.Results, evaluationResult{path, d.Point().String(), d.Learner(), f.Evaluate()})
		if byPoint[d.Point()] == nil {
			complete++
		}
		byPoint[d.Point()] = f
	}
	if complete < int(faces.Points) || len(paths) > complete {
		return r, nil
	}
	var learned []*faces.Face
	for _, p := range folder.Training() {
		learned = append(learned, &p.Faces[0])
	}
	face, err := shape.Learn(learned)
	if err != nil {
		return nil, err
	}
	for _, f := range keypoint.Prune(face, byPoint) {
		r.Results = append(r.Results, evaluationResult{"", f.Point.String(), "top-down", f.Evaluate()})
	}
	return r, nil
}

func printEvaluation(w io.Writer, r *evaluation) error {
	photos := "photos"
	if r.Photos == 1 {
		photos = "photo"
	}
	fmt.Fprintf(w, "On %d %s of %s:\n", r.Photos, photos, r.Data)
	t := newTable(w)
	fmt.Fprintln(t, "keypoint\tmethod\taverage precision\trecall at 90% precision\tkeypoints")
	for _, e := range r.Results {
		fmt.Fprintf(t, "%s\t%s\t%.3f\t%.3f\t%d\n", e.Point, e.Method, e.Curve.AP, e.Curve.RecallAt(0.9), e.Curve.Keypoints)
	}
	return t.Flush()
}
