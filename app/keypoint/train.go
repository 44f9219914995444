package keypoint

import (
	"context"
	"fmt"
	"math"
	"time"

	"fsa"
	"fsa/app/keypoint/faces"
	"fsa/app/keypoint/pool"
	"fsa/baseline"
	"fsa/data/open"
)

// TrainOptions are the options of a training. Only Folder, Point and Learner are required.
type TrainOptions struct {
	Folder *faces.Folder
	Point  faces.Point
	// Learner selects features and fits their responses.
	Learner Learner

	// Pool is the pool of features; 0 Haar features means the paper's 61,000, a negative number
	// none, and seed 0 means 1.
	Pool PoolSpec
	// Photos is the number of training photographs, the first ones; 0 means all.
	Photos int
	// Rounds is the number of mining rounds; 0 means the paper's 10, a negative number none.
	Rounds int
	// Negatives is the number of negatives per round, and at the beginning; 0 means the paper's
	// 20,000.
	Negatives int
	// Seed is the seed of the first negatives.
	Seed uint64
	// Threads is the number of threads; 0 means one per core. The detector does not depend on it.
	Threads int
	// Memory is the number of bytes that may be used; 0 means the free memory of the machine.
	Memory int64
	// State is a folder in which every round is saved. A stopped training run continues after its
	// last saved round. If it is empty, nothing is saved.
	State string
	// Log is called with progress messages; it may be nil.
	Log func(format string, a ...any)
}

// Learner is a training method.
type Learner struct {
	Name string
	// Settings distinguishes this method from the same method with other settings.
	Settings string
	baseline.Fitter
	// HOGOnly says that the method uses only the HOG features.
	HOGOnly bool
}

func (o TrainOptions) withDefaults() TrainOptions {
	if o.Pool.Haar == 0 {
		o.Pool.Haar = pool.Haar
	}
	if o.Pool.Seed == 0 {
		o.Pool.Seed = 1
	}
	if o.Learner.HOGOnly || o.Pool.Haar < 0 {
		o.Pool.Haar = 0
	}
	if o.Rounds == 0 {
		o.Rounds = 10
	}
	o.Rounds = max(o.Rounds, 0)
	if o.Negatives == 0 {
		o.Negatives = 20000
	}
	o.Threads = threadsOr(o.Threads)
	if o.Memory == 0 {
		o.Memory = freeMemory()
	}
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	return o
}

// Validate returns an error if the options are wrong.
func (o *TrainOptions) Validate() error {
	switch {
	case o.Folder == nil || o.Learner.Fitter == nil:
		return fmt.Errorf("%w: a folder of faces and a learner are needed", fsa.ErrOptions)
	case o.Point < 0 || o.Point >= faces.Points:
		return fmt.Errorf("%w: there is no keypoint %d", fsa.ErrOptions, o.Point)
	case o.Negatives > math.MaxInt32:
		return fmt.Errorf("%w: there cannot be %d negatives per round: use at most %d", fsa.ErrOptions, o.Negatives, math.MaxInt32)
	case o.Photos < 0 || o.Negatives < 0 || o.Threads < 0 || o.Memory < 0:
		return fmt.Errorf("%w: photos, negatives, threads and memory must not be negative", fsa.ErrOptions)
	}
	return nil
}

// Training is a detector and its history.
type Training struct {
	Detector *Detector
	Rounds   []RoundRecord
}

// RoundRecord describes a round.
type RoundRecord struct {
	Round     int     `json:"round"`
	Negatives int     `json:"negatives"` // training examples, in all
	Mine      float64 `json:"seconds_mine"`
	Extract   float64 `json:"seconds_extract"`
	Fit       float64 `json:"seconds_fit"`
	// FitCPU is the time that all processors together spent on fitting, which does not grow when
	// other programs use them; 0 if the system does not report it.
	FitCPU float64 `json:"cpu_seconds_fit"`
}

// FitSeconds returns the time of fitting over all rounds, and the sum over all processors.
func (t *Training) FitSeconds() (wall, processors float64) {
	for _, r := range t.Rounds {
		wall += r.Fit
		processors += r.FitCPU
	}
	return wall, processors
}

// trainer is a training run in progress.
type trainer struct {
	TrainOptions
	album    album
	pool     *pool.Pool
	positive []Example
	first    []Example        // negatives at the beginning
	known    map[Example]bool // negatives so far
	matrix   *matrix
	rounds   []RoundRecord
}

// Train trains a detector.
func Train(ctx context.Context, o TrainOptions) (*Training, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	t := &trainer{TrainOptions: o.withDefaults(), known: map[Example]bool{}}
	var err error
	if t.pool, err = pool.New(t.Pool.Haar, t.Pool.Seed); err != nil {
		return nil, fmt.Errorf("%w: %w", fsa.ErrOptions, err)
	}
	photos := t.Folder.Training()
	if t.Photos > 0 && t.Photos < len(photos) {
		photos = photos[:t.Photos]
	}
	t.album = album{t.Folder, photos}
	if err := t.album.check(); err != nil {
		return nil, err
	}
	t.positive = positives(photos, t.Point)
	if len(t.positive) == 0 {
		return nil, fmt.Errorf("keypoint: none of the %d photos of set %s with one face shows the %s large enough to train on", len(photos), faces.Train, t.Point)
	}
	saved, err := t.load()
	if err != nil {
		return nil, err
	}
	var d *Detector
	for _, s := range saved {
		d, t.rounds = s.detector, append(t.rounds, s.Record)
	}
	if n := len(saved); n == t.Rounds+1 || n > 0 && len(saved[n-1].Negatives) == 0 {
		return &Training{d, t.rounds}, nil
	}
	if err := t.restore(ctx, saved); err != nil {
		return nil, err
	}
	for round := len(saved); round <= t.Rounds; round++ {
		added := 0
		if d, added, err = t.round(ctx, round, d); err != nil {
			return nil, err
		}
		if added == 0 {
			break
		}
	}
	return &Training{d, t.rounds}, nil
}

// restore restores the examples of saved rounds, if they fit into memory together with those of the
// next round.
func (t *trainer) restore(ctx context.Context, saved []savedRound) error {
	examples := len(t.positive) + t.Negatives
	for _, s := range saved {
		examples += len(s.Negatives)
	}
	if err := t.fits(len(saved), examples); err != nil {
		return err
	}
	var err error
	if t.first, err = randomNegatives(ctx, t.album.photos, t.Point, t.Negatives, t.Seed); err != nil {
		return err
	}
	if t.matrix, err = newMatrix(ctx, &t.album, t.pool, t.positive, t.first, t.Seed, t.Threads); err != nil {
		return err
	}
	if err := t.matrix.add(ctx, &t.album, t.positive, 1, t.Threads); err != nil {
		return err
	}
	for _, s := range saved {
		if err := t.add(ctx, s.Negatives); err != nil {
			return err
		}
	}
	return nil
}

// add adds negatives.
func (t *trainer) add(ctx context.Context, negatives []Example) error {
	for _, e := range negatives {
		t.known[e] = true
	}
	return t.matrix.add(ctx, &t.album, negatives, -1, t.Threads)
}

// round adds negatives, fits a detector and saves it. If no useful negatives are left, it returns
// the last detector.
func (t *trainer) round(ctx context.Context, round int, last *Detector) (d *Detector, added int, err error) {
	record := RoundRecord{Round: round, Negatives: len(t.known)}
	watch := stopwatch()
	negatives := t.first
	if last != nil {
		if err := t.fits(round, len(t.matrix.class)+t.Negatives); err != nil {
			return nil, 0, err
		}
		if negatives, err = mine(ctx, &t.album, last, t.Negatives, t.known, t.Threads); err != nil {
			return nil, 0, err
		}
	}
	record.Mine = watch()
	if last != nil && len(negatives) == 0 {
		t.Log("%s, %s, round %d: no new negative reaches the margin", t.Point, t.Learner.Name, round)
		t.rounds = append(t.rounds, record)
		return last, 0, t.save(round, nil, last, record)
	}
	if err := t.add(ctx, negatives); err != nil {
		return nil, 0, err
	}
	record.Extract = watch()
	table, err := t.matrix.dataset(ctx)
	if err != nil {
		return nil, 0, err
	}
	watch()
	before := processorSeconds()
	m, err := t.Learner.Fit(ctx, table)
	if err != nil {
		return nil, 0, err
	}
	record.Fit, record.FitCPU, record.Negatives = watch(), processorSeconds()-before, len(t.known)
	spec := detectorSpec{
		Point: t.Point.String(), Learner: t.Learner.Name, Pool: t.Pool,
		Photos: len(t.album.photos), Positives: len(t.positive), Negatives: record.Negatives, Rounds: round,
	}
	if d, err = newDetector(spec, t.pool, m, t.matrix.ranges); err != nil {
		return nil, 0, err
	}
	t.rounds = append(t.rounds, record)
	t.Log("%s, %s, round %d: %d positives, %d negatives; mined in %.1f s, trained in %.1f s", t.Point, t.Learner.Name, round, len(t.positive), record.Negatives, record.Mine, record.Fit)
	return d, len(negatives), t.save(round, negatives, d, record)
}

// stopwatch returns a function that returns the seconds since its last call.
func stopwatch() func() float64 {
	last := time.Now()
	return func() float64 {
		now := time.Now()
		defer func() { last = now }()
		return now.Sub(last).Seconds()
	}
}

// aside is approximately how many bytes training needs besides its examples: for the program, the
// photographs that are being read, the pool, and the working memory of the methods.
const aside = 64 << 20

// fits checks whether the given number of examples fits into memory, at one byte per feature,
// together with the rows that are about to be added. Fitting does not copy them.
func (t *trainer) fits(round, examples int) error {
	need := aside + int64(examples+min(examples, addRows))*int64(t.pool.Len())
	if t.Memory > 0 && need > t.Memory {
		return &open.MemoryError{
			File: fmt.Sprintf("round %d of %s with %d examples of %d features", round, t.Point, examples, t.pool.Len()),
			Need: need, Memory: t.Memory, Cure: "allow more memory, or use fewer negatives per round, fewer rounds or a smaller pool",
		}
	}
	return nil
}
