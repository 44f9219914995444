package columnar

import (
	"fmt"
	"sync/atomic"
	"unicode/utf8"
)

// Texts numbers the different texts of a column.
type Texts struct {
	Known []string // in order of first appearance
	place map[string]float64
	room  *Room
}

// NewTexts returns the texts of a column of a file.
func NewTexts(room *Room) *Texts { return &Texts{place: map[string]float64{}, room: room} }

// Code returns the number of a text, a new one if it is new.
func (t *Texts) Code(b []byte) (float64, error) {
	if code, ok := t.place[string(b)]; ok {
		return code, nil
	}
	if !utf8.Valid(b) {
		return 0, fmt.Errorf("%.20q is not text in UTF-8", b)
	}
	if err := t.room.Take(int64(len(b))); err != nil {
		return 0, err
	}
	code := float64(len(t.Known))
	t.Known = append(t.Known, string(b))
	t.place[t.Known[len(t.Known)-1]] = code
	return code, nil
}

// Room is the number of bytes that a file may take for anything that does not follow from its rows:
// dictionaries, pages of texts, and the different texts. Columns share it, and may use it in
// parallel.
type Room struct {
	all   int64
	taken atomic.Int64
}

// NewRoom returns the room of a file of the given size.
func NewRoom(file int64) *Room {
	const least, perByte = 64 << 20, 64 // texts rarely shrink to less than a tenth
	return &Room{all: least + perByte*file}
}

// Take refuses what would be too much.
func (r *Room) Take(n int64) error {
	return r.Fits(r.taken.Add(n))
}

// Fits refuses a number of bytes that is too large.
func (r *Room) Fits(n int64) error {
	if n > r.all {
		return fmt.Errorf("texts and dictionaries take more than %d bytes, which is too much for a file of this size; smaller pages or batches, or fewer columns of text, can be read", r.all)
	}
	return nil
}

// Plausible reports whether so many bytes can come from compressed ones. Zstandard has the largest
// ratio: 128 KiB from a block of 4 bytes. The generous minimum is for small pieces of any
// compression.
func Plausible(uncompressed, compressed int64) bool {
	return uncompressed <= 16<<20+32768*compressed
}
