package keypoint

import (
	"fmt"
	"math"

	"fsa/app/keypoint/faces"
	"fsa/app/keypoint/pool"
	"fsa/app/keypoint/scan"
	"fsa/data"
	"fsa/model"
)

// PoolSpec specifies a pool of features.
type PoolSpec struct {
	Haar int    `json:"haar"` // Haar features, in addition to the HOG features
	Seed uint64 `json:"seed"`
}

// Detector finds one keypoint. It is immutable and safe for concurrent use.
type Detector struct {
	spec    detectorSpec
	point   faces.Point
	model   *model.Model
	scanner *scan.Scanner
}

// detectorSpec is a detector in a file, without its model.
type detectorSpec struct {
	Point   string   `json:"point"`
	Learner string   `json:"learner"`
	Pool    PoolSpec `json:"pool"`
	PoolID  string   `json:"pool_id"`
	// Ranges of the variables of the model, in their order.
	Ranges []pool.Range `json:"ranges"`
	// Photos, Positives and Negatives are the numbers of training examples; Rounds is the number of
	// mining rounds.
	Photos    int `json:"photos"`
	Positives int `json:"positives"`
	Negatives int `json:"negatives"`
	Rounds    int `json:"rounds"`
}

// newDetector joins a model with its features. Ranges are those of the whole pool.
func newDetector(s detectorSpec, p *pool.Pool, m *model.Model, ranges []pool.Range) (*Detector, error) {
	s.PoolID, s.Ranges = p.ID(), nil
	for _, v := range m.Selected() {
		if v.Index >= p.Len() {
			return nil, fmt.Errorf("keypoint: variable %d of a pool of %d features", v.Index, p.Len())
		}
		s.Ranges = append(s.Ranges, ranges[v.Index])
	}
	d := &Detector{spec: s, model: m}
	if err := d.prepare(p); err != nil {
		return nil, fmt.Errorf("keypoint: %w", err)
	}
	return d, nil
}

// mostReach is the largest possible score. Normal scores are a thousandth of it; larger ones would
// make the integers of a scan too coarse.
const mostReach = 1e6

// checkReach returns an error if the sum of responses can exceed mostReach.
func checkReach(reach float64) error {
	if reach <= mostReach { // also false for NaN
		return nil
	}
	return fmt.Errorf("its scores can be as large as %.3g: they must not exceed %.0f", reach, mostReach)
}

// prepare computes what a scan needs.
func (d *Detector) prepare(p *pool.Pool) error {
	point, err := faces.ParsePoint(d.spec.Point)
	if err != nil {
		return err
	}
	d.point = point
	selected := d.model.Selected()
	if len(selected) != len(d.spec.Ranges) || d.model.Outputs() != 1 {
		return fmt.Errorf("a detector cannot have %d variables, %d ranges and %d outputs", len(selected), len(d.spec.Ranges), d.model.Outputs())
	}
	codes := make([]float64, 256)
	for c := range codes {
		codes[c] = float64(c)
	}
	names := make([]string, len(selected))
	terms := make([]scan.Term, len(selected))
	atZero, reach := 0.0, 0.0
	for i, v := range selected {
		if v.Index >= p.Len() || p.Feature(v.Index).String() != v.Name {
			return fmt.Errorf("feature %d of the pool is not %q", v.Index, v.Name)
		}
		if !d.spec.Ranges[i].Check() {
			return fmt.Errorf("feature %q cannot have the range %v", v.Name, d.spec.Ranges[i])
		}
		names[i] = v.Name
		terms[i] = scan.Term{Feature: p.Feature(v.Index), Range: d.spec.Ranges[i]}
		copy(terms[i].Response[:], d.model.Response(i, 0, codes))
		atZero += terms[i].Response[0]
		largest := 0.0
		for _, r := range terms[i].Response {
			largest = max(largest, math.Abs(r)) // NaN stays NaN
		}
		reach += largest
	}
	if err := checkReach(reach); err != nil {
		return err
	}
	// The decision value of a row of zeros is known, whatever the responses are; the intercept is
	// the rest of it.
	sc, err := d.model.Scorer(&data.Schema{Width: len(names), Names: names})
	if err != nil {
		return err
	}
	z, err := sc.Score(&data.Block{Rows: 1, Dense: make([]float64, len(names))})
	if err != nil {
		return err
	}
	intercept := z[0] - atZero
	if err := checkReach(reach + math.Abs(intercept)); err != nil {
		return err
	}
	d.scanner = scan.New(intercept, terms)
	return nil
}

// Point returns the keypoint that the detector finds.
func (d *Detector) Point() faces.Point { return d.point }

// Learner returns the name of the method that trained the detector.
func (d *Detector) Learner() string { return d.spec.Learner }

// PoolID returns the name of its pool of features.
func (d *Detector) PoolID() string { return d.spec.PoolID }

// Sources counts the training examples of a detector.
type Sources struct {
	Photos, Positives, Negatives int
	Rounds                       int // mining rounds
}

// LearnedFrom returns the training examples of the detector.
func (d *Detector) LearnedFrom() Sources {
	return Sources{d.spec.Photos, d.spec.Positives, d.spec.Negatives, d.spec.Rounds}
}

// Features returns the number of selected features.
func (d *Detector) Features() int { return len(d.spec.Ranges) }

// Model returns the model on the bytes of the features.
func (d *Detector) Model() *model.Model { return d.model }
