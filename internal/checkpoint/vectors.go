package checkpoint

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
)

// Vectors in the file.
type (
	floats []float64
	halves []float32
	ints   []int // below 2^32
)

func text(raw []byte) ([]byte, error) {
	b := make([]byte, 0, base64.StdEncoding.EncodedLen(len(raw))+2)
	return append(base64.StdEncoding.AppendEncode(append(b, '"'), raw), '"'), nil
}

var errVector = errors.New("a vector has a part of a number")

// raw returns the bytes of a vector whose elements have the given size.
func raw(b []byte, size int) ([]byte, error) {
	var v []byte
	if err := json.Unmarshal(b, &v); err != nil {
		return nil, err
	}
	if len(v)%size != 0 {
		return nil, errVector
	}
	return v, nil
}

func (v floats) MarshalJSON() ([]byte, error) {
	b := make([]byte, 0, 8*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return text(b)
}

func (v *floats) UnmarshalJSON(b []byte) error {
	b, err := raw(b, 8)
	*v = make(floats, len(b)/8)
	for i := range *v {
		(*v)[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return err
}

func (v halves) MarshalJSON() ([]byte, error) {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return text(b)
}

func (v *halves) UnmarshalJSON(b []byte) error {
	b, err := raw(b, 4)
	*v = make(halves, len(b)/4)
	for i := range *v {
		(*v)[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return err
}

func (v ints) MarshalJSON() ([]byte, error) {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		if x < 0 || uint64(x) > math.MaxUint32 {
			return nil, errors.New("a number is too large to be written")
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	return text(b)
}

func (v *ints) UnmarshalJSON(b []byte) error {
	b, err := raw(b, 4)
	*v = make(ints, len(b)/4)
	for i := range *v {
		(*v)[i] = int(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return err
}
