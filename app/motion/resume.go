package motion

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"fsa/internal/checkpoint"
)

// Making the candidates of a sequence takes long, and they are small, so a record stores them.
// Their features are computed again.

// candidatesOf returns the candidates of a sequence. It reads them from the record, or makes and
// stores them. part distinguishes the halves of a sequence.
func candidatesOf(ctx context.Context, s *Sequence, pool Pool, record *checkpoint.Record, part string) ([]Candidate, error) {
	if record == nil {
		return Candidates(ctx, s, pool)
	}
	name := "candidates of " + s.Name + part
	if done := record.Task(name); done != nil {
		list, err := parseCandidates(done.Found, s)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %v", checkpoint.ErrFile, name, err)
		}
		return list, nil
	}
	list, err := Candidates(ctx, s, pool)
	if err != nil {
		return nil, err
	}
	found, err := json.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("motion: %w", err)
	}
	record.Put(name, &checkpoint.Task{Done: true, Found: found}, time.Now())
	return list, nil
}

// numbersOf returns n numbers. It reads them from the record, or computes and stores them.
func numbersOf(record *checkpoint.Record, name string, n int, compute func() ([]float64, error)) ([]float64, error) {
	if record == nil {
		return compute()
	}
	if done := record.Task(name); done != nil {
		if len(done.Numbers) != n {
			return nil, fmt.Errorf("%w: %s: there are %d numbers, not %d", checkpoint.ErrFile, name, len(done.Numbers), n)
		}
		return done.Numbers, nil
	}
	v, err := compute()
	if err != nil {
		return nil, err
	}
	record.Put(name, &checkpoint.Task{Done: true, Numbers: v}, time.Now())
	return v, nil
}

// parseCandidates parses the candidates of a sequence in a record. It checks them, because a file
// may contain anything.
func parseCandidates(found []byte, s *Sequence) ([]Candidate, error) {
	var list []Candidate
	if err := json.Unmarshal(found, &list); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("there are no candidates")
	}
	for _, c := range list {
		if len(c.Labels) != s.Points || len(c.Origins) == 0 {
			return nil, fmt.Errorf("a candidate has %d labels for %d points", len(c.Labels), s.Points)
		}
		for _, l := range c.Labels {
			if l < 0 || l >= MaxMotions {
				return nil, fmt.Errorf("a candidate has the label %d", l)
			}
		}
	}
	return list, nil
}

// Fingerprint returns a checksum of sequences: their names, tracks and true motions.
func Fingerprint(list []*Sequence) string {
	h := sha256.New()
	ints := func(v ...int) {
		for _, x := range v {
			binary.Write(h, binary.LittleEndian, int64(x))
		}
	}
	for _, s := range list {
		ints(len(s.Name), s.Points, s.Frames, s.Motions, len(s.Truth))
		io.WriteString(h, s.Name)
		ints(s.Truth...)
		b := make([]byte, 0, 16*s.Frames)
		for _, track := range s.Track {
			b = b[:0]
			for _, v := range track {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
			}
			h.Write(b)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
