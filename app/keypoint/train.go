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

// TrainOptions say what to learn a detector from, and how. Only Folder, Point and
// Learner have to be given.
type TrainOptions struct {
	Folder *faces.Folder
	Point  faces.Point
	// Learner selects features and learns their responses.
	Learner Learner

	// Pool is the pool of features; 0 Haar features means the paper's 61,000,
	// a negative number none, and seed 0 means 1.
	Pool PoolSpec
	// Photos is how many photographs are learned from, the first ones; 0
	// means all.
	Photos int
	// Rounds is how often hard negatives are mined; 0 means the paper's 10,
	// a negative number none.
	Rounds int
	// Negatives is how many are added in a round, and how many there are to
	// begin with; 0 means the paper's 20,000.
	Negatives int
	// Seed chooses the first negatives.
	Seed uint64
	// Threads is the number of threads; 0 means one a core. The detector does
	// not depend on it.
	Threads int
	// Memory is how many bytes may be used; 0 means what the machine has free.
	Memory int64
	// State is a folder in which every round is kept: a training that was
	// stopped goes on after the last one. Empty means none.
	State string
	// Log is told how it goes; it may be nil.
	Log func(format string, a ...any)
}

// Learner is a method of learning.
type Learner struct {
	Name string
	// Settings tells it from the same method with other settings.
	Settings string
	baseline.Fitter
	// HOGOnly says that it is given the HOG features only.
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

// Validate says what is wrong with the options.
func (o *TrainOptions) Validate() error {
	switch {
	case o.Folder == nil || o.Learner.Fitter == nil:
		return fmt.Errorf("%w: a folder of faces and a learner are needed", fsa.ErrOptions)
	case o.Point < 0 || o.Point >= faces.Points:
		return fmt.Errorf("%w: there is no keypoint %d", fsa.ErrOptions, o.Point)
	case o.Negatives > math.MaxInt32:
		return fmt.Errorf("%w: there cannot be %d negatives a round: take at most %d", fsa.ErrOptions, o.Negatives, math.MaxInt32)
	case o.Photos < 0 || o.Negatives < 0 || o.Threads < 0 || o.Memory < 0:
		return fmt.Errorf("%w: photos, negatives, threads and memory must not be negative", fsa.ErrOptions)
	}
	return nil
}

// Training is a detector and how it came about.
type Training struct {
	Detector *Detector
	Rounds   []RoundRecord
}

// RoundRecord is what happened in a round.
type RoundRecord struct {
	Round     int     `json:"round"`
	Negatives int     `json:"negatives"` // learned from, in all
	Mine      float64 `json:"seconds_mine"`
	Extract   float64 `json:"seconds_extract"`
	Fit       float64 `json:"seconds_fit"`
	// FitCPU is the time that all processors together spent on learning, which
	// does not grow when others use them, too; 0 where the system does not tell.
	FitCPU float64 `json:"cpu_seconds_fit"`
}

// FitSeconds returns the time that learning itself took, over all rounds, and
// that of all processors together.
func (t *Training) FitSeconds() (wall, processors float64) {
	for _, r := range t.Rounds {
		wall += r.Fit
		processors += r.FitCPU
	}
	return wall, processors
}

// trainer is a training on its way.
type trainer struct {
	TrainOptions
	album    album
	pool     *pool.Pool
	positive []Example
	first    []Example        // negatives to begin with
	known    map[Example]bool // negatives so far
	matrix   *matrix
	rounds   []RoundRecord
}

// Train learns a detector.
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
		return nil, fmt.Errorf("keypoint: none of the %d photos of set %s with one face shows the %s at a size that can be learned from", len(photos), faces.Train, t.Point)
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

// restore brings the examples of saved rounds back, if those of the round to come
// will fit, too.
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

// round adds negatives, learns and keeps the result. If there are no negatives
// left that would teach anything, the last detector stays.
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
	t.Log("%s, %s, round %d: %d positives, %d negatives; mined in %.1f s, learned in %.1f s", t.Point, t.Learner.Name, round, len(t.positive), record.Negatives, record.Mine, record.Fit)
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

// aside is about how many bytes a training takes besides its examples: the program,
// the photographs that are being read, the pool, and what the methods compute with.
const aside = 64 << 20

// fits says whether that many examples fit into memory, a byte for each feature,
// and those once more that are on their way into the table. Learning looks at them
// where they are.
func (t *trainer) fits(round, examples int) error {
	need := aside + int64(examples+min(examples, addRows))*int64(t.pool.Len())
	if t.Memory > 0 && need > t.Memory {
		return &open.MemoryError{
			File: fmt.Sprintf("round %d of %s with %d examples of %d features", round, t.Point, examples, t.pool.Len()),
			Need: need, Memory: t.Memory, Cure: "allow more, or take fewer negatives a round, fewer rounds or a smaller pool",
		}
	}
	return nil
}
