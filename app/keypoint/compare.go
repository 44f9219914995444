package keypoint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"fsa"
	"fsa/app/keypoint/faces"
	"fsa/app/keypoint/shape"
)

// Options are the options of a comparison. Only Data and State are required.
type Options struct {
	// Data is the folder of faces.
	Data string
	// State is a folder for detectors and detections. A stopped comparison continues after its last
	// saved round.
	State string
	// Scale is small, medium or full; it sets the fields below that are zero. Full, the default, is
	// the paper's experiment.
	Scale string

	Points    []faces.Point // nil means all; with the medium scale the left eye
	Methods   []string      // nil means all
	Photos    int           // training photographs
	Tests     int           // test photographs, half from each set
	Rounds    int
	Negatives int // number per round
	Pool      PoolSpec
	Learner   LearnerOptions

	Threads int
	Memory  int64
	Log     func(format string, a ...any)
}

// The scales take minutes, an hour or two, and days on two cores.
const (
	Small  = "small"
	Medium = "medium"
	Full   = "full"
)

// presets are the settings of each scale. Full is the paper's experiment. Medium has its pool and
// its detectors for one keypoint, with fewer rounds.
var presets = map[string]Options{
	Small: {
		Photos: 120, Tests: 40, Rounds: 2, Negatives: 2500,
		Pool: PoolSpec{2000, 1}, Learner: LearnerOptions{K: 120, Bins: 10},
	},
	Medium: {
		Points: []faces.Point{faces.LeftEye}, Photos: everyone, Tests: everyone, Rounds: 3, Negatives: 20000,
		Pool: PoolSpec{61000, 1}, Learner: LearnerOptions{K: 1500, Bins: 10},
	},
	Full: {
		Photos: everyone, Tests: everyone, Rounds: 10, Negatives: 20000,
		Pool: PoolSpec{61000, 1}, Learner: LearnerOptions{K: 1500, Bins: 10},
	},
}

// FSAFace is the name of the curves of FSA-Lorenz after top-down pruning.
const FSAFace = "fsa-lorenz-face"

// everyone is larger than any possible number of photographs.
const everyone = 1 << 30

func (o Options) withDefaults() Options {
	preset := presets[cmp.Or(o.Scale, Full)]
	orElse := func(v *int, otherwise int) {
		if *v == 0 {
			*v = otherwise
		}
	}
	orElse(&o.Photos, preset.Photos)
	orElse(&o.Tests, preset.Tests)
	orElse(&o.Rounds, preset.Rounds)
	orElse(&o.Negatives, preset.Negatives)
	orElse(&o.Pool.Haar, preset.Pool.Haar)
	orElse(&o.Learner.K, preset.Learner.K)
	orElse(&o.Learner.Bins, preset.Learner.Bins)
	if o.Pool.Seed == 0 {
		o.Pool.Seed = preset.Pool.Seed
	}
	if o.Points == nil {
		o.Points = slices.Clone(preset.Points)
	}
	if o.Points == nil {
		for p := range faces.Points {
			o.Points = append(o.Points, p)
		}
	}
	if o.Methods == nil {
		for _, l := range Learners(o.Learner) {
			o.Methods = append(o.Methods, l.Name)
		}
	}
	o.Threads = threadsOr(o.Threads)
	o.Learner.Threads = o.Threads
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	return o
}

// Validate returns an error if the options are wrong.
func (o *Options) Validate() error {
	if _, ok := presets[cmp.Or(o.Scale, Full)]; !ok {
		return fmt.Errorf("%w: unknown scale %q: it must be small, medium or full", fsa.ErrOptions, o.Scale)
	}
	switch {
	case o.State == "":
		return fmt.Errorf("%w: a folder for the state is needed", fsa.ErrOptions)
	case o.Photos < 0 || o.Tests < 0 || o.Negatives < 0 || o.Learner.K < 0 || o.Learner.Bins < 0 || o.Threads < 0 || o.Memory < 0:
		return fmt.Errorf("%w: photos, tests, negatives, k, bins, threads and memory must not be negative", fsa.ErrOptions)
	}
	for _, name := range o.Methods {
		if _, err := FindLearner(name, o.Learner); err != nil {
			return err
		}
	}
	return nil
}

// Comparison is the result of [Compare].
type Comparison struct {
	// Data describes the photographs.
	Data      string `json:"data"`
	Photos    int    `json:"photos"` // for training
	Tests     int    `json:"tests"`  // for testing
	Faces     int    `json:"faces"`  // on the test photographs
	Rounds    int    `json:"rounds"`
	Negatives int    `json:"negatives_per_round"`
	Pool      string `json:"pool"`
	K         int    `json:"k"`
	Bins      int    `json:"bins"`

	Points  []string `json:"points"`
	Methods []string `json:"methods"`
	// Results has a result for each keypoint and method.
	Results []Result `json:"results"`
	// Times has the seconds of training with each method, over all keypoints and rounds, without
	// mining. CPUTimes has the same summed over all processors.
	Times    map[string]float64 `json:"fit_seconds"`
	CPUTimes map[string]float64 `json:"fit_cpu_seconds"`
}

// Result is the performance of a method on a keypoint.
type Result struct {
	Point    string        `json:"point"`
	Method   string        `json:"method"`
	Features int           `json:"features,omitempty"`
	Rounds   []RoundRecord `json:"rounds,omitempty"`
	Curve    *Curve        `json:"curve"`
}

// Compare trains detectors of all keypoints with all methods and tests them on photographs that
// were not used for training. If all keypoints are compared, the curves of FSA-Lorenz after
// top-down pruning are added.
func Compare(ctx context.Context, o Options) (*Comparison, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	folder, err := faces.Open(o.Data)
	if err != nil {
		return nil, err
	}
	tests := testPhotos(folder, o.Tests)
	if len(tests) == 0 {
		return nil, NoTests(folder, faces.AFW, faces.HelenTest)
	}
	if err := (&album{folder, tests}).check(); err != nil {
		return nil, err
	}
	learn := folder.Training()
	c := &Comparison{
		Data: Describe(folder), Photos: min(o.Photos, len(learn)), Tests: len(tests), Rounds: o.Rounds, Negatives: o.Negatives,
		K: o.Learner.K, Bins: o.Learner.Bins, Methods: slices.Clone(o.Methods), Times: map[string]float64{}, CPUTimes: map[string]float64{},
	}
	for _, p := range tests {
		c.Faces += len(p.Faces)
	}
	var lorenz []*Found
	for _, point := range o.Points {
		c.Points = append(c.Points, point.String())
		for _, name := range o.Methods {
			r, found, err := o.one(ctx, folder, tests, point, name)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", point, name, err)
			}
			if c.Pool == "" || name != SVMHOG {
				c.Pool = r.pool
			}
			c.Results = append(c.Results, r.Result)
			c.Times[name] += r.wall
			c.CPUTimes[name] += r.processors
			if name == FSALorenz {
				lorenz = append(lorenz, found)
			}
		}
	}
	if len(lorenz) == int(faces.Points) {
		if err := c.prune(learn[:c.Photos], lorenz); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// testPhotos returns about n test photographs, half of each set.
func testPhotos(folder *faces.Folder, n int) []*faces.Photo {
	taken := map[string]int{}
	var out []*faces.Photo
	for _, p := range folder.Test() {
		if taken[p.Set]++; taken[p.Set] <= (n+1)/2 {
			out = append(out, p)
		}
	}
	return out
}

// resultWith is a result with its training times.
type resultWith struct {
	Result
	pool             string
	wall, processors float64 // seconds of training
}

// one trains a detector and runs it on the test photographs.
func (o *Options) one(ctx context.Context, folder *faces.Folder, tests []*faces.Photo, point faces.Point, name string) (*resultWith, *Found, error) {
	learner, err := FindLearner(name, o.Learner)
	if err != nil {
		return nil, nil, err
	}
	state := filepath.Join(o.State, point.String(), name)
	t, err := o.train(ctx, folder, point, learner, state)
	if err != nil {
		return nil, nil, err
	}
	found, err := o.found(ctx, folder, tests, t.Detector, filepath.Join(state, "found.json"))
	if err != nil {
		return nil, nil, err
	}
	r := Result{Point: point.String(), Method: name, Features: t.Detector.Features(), Rounds: t.Rounds, Curve: found.Evaluate()}
	o.Log("%s, %s: average precision %.3f on %d photos", point, name, r.Curve.AP, len(tests))
	wall, processors := t.FitSeconds()
	return &resultWith{r, t.Detector.PoolID(), wall, processors}, found, nil
}

// train trains a detector and saves its rounds in a folder.
func (o *Options) train(ctx context.Context, folder *faces.Folder, point faces.Point, l Learner, state string) (*Training, error) {
	return Train(ctx, TrainOptions{
		Folder: folder, Point: point, Learner: l, Pool: o.Pool, Photos: o.Photos, Rounds: o.Rounds, Negatives: o.Negatives,
		Threads: o.Threads, Memory: o.Memory, State: state, Log: o.Log,
	})
}

// Detectors returns the detectors that a comparison with this many rounds has saved in its folder,
// by keypoint; missing ones are nil. Training may have ended before the last round, and a longer
// comparison may have saved more.
func Detectors(state, method string, rounds int) (out [faces.Points]*Detector, err error) {
	for p := range faces.Points {
		for round := max(rounds, 0); round >= 0 && out[p] == nil; round-- {
			out[p], err = savedDetector(roundPath(filepath.Join(state, p.String(), method), round))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return out, err
			}
		}
	}
	return out, nil
}

// prune adds the curves after top-down pruning.
func (c *Comparison) prune(learn []*faces.Photo, lorenz []*Found) error {
	face, err := meanFace(learn)
	if err != nil {
		return err
	}
	c.Methods = append(c.Methods, FSAFace)
	for _, f := range Prune(face, lorenz) {
		c.Results = append(c.Results, Result{Point: f.Point.String(), Method: FSAFace, Curve: f.Evaluate()})
	}
	return nil
}

// meanFace returns the mean face of photographs with one face each.
func meanFace(photos []*faces.Photo) (*shape.Face, error) {
	all := make([]*faces.Face, len(photos))
	for i, p := range photos {
		all[i] = &p.Faces[0]
	}
	return shape.Learn(all)
}

// MeanAP returns the average precision of a method, averaged over the keypoints.
func (c *Comparison) MeanAP(method string) float64 {
	sum, n := 0.0, 0
	for _, r := range c.Results {
		if r.Method == method {
			sum += r.Curve.AP
			n++
		}
	}
	return sum / float64(max(n, 1))
}

// Ratio returns how many times as long as the first method another one took, by Times or CPUTimes.
// known is false unless both times are known.
func (c *Comparison) Ratio(times map[string]float64, method string) (ratio float64, known bool) {
	one, it := times[c.Methods[0]], times[method]
	return it / one, one > 0 && it > 0
}

// Result returns the result of a method for a keypoint, or nil.
func (c *Comparison) Result(point, method string) *Result {
	for i := range c.Results {
		if r := &c.Results[i]; r.Point == point && r.Method == method {
			return r
		}
	}
	return nil
}

// found returns the detections of a detector on the test photographs, and saves them in a file.
func (o *Options) found(ctx context.Context, folder *faces.Folder, tests []*faces.Photo, d *Detector, path string) (*Found, error) {
	key, err := foundKey(d, tests)
	if err != nil {
		return nil, err
	}
	if f := loadFound(path, key, tests, d.Point()); f != nil {
		return f, nil
	}
	f, err := DetectAll(ctx, folder, tests, d, Margin, o.Threads)
	if err != nil {
		return nil, err
	}
	return f, saveFound(path, key, f)
}
