package npy

import (
	"context"
	"fmt"
	"io"
	"slices"

	"fsa/data"
)

// ReadVector reads a .npy file with a vector: an array of one dimension, or of two if one of them
// has length 1. The name is for messages.
func ReadVector(r io.Reader, name string) ([]float64, error) {
	v, _, err := ReadSealedVector(r, name)
	return v, err
}

// vector reads all cells of an array that is a vector.
func (r *Reader) vector() ([]float64, error) {
	if len(r.head.Shape) == 2 && !slices.Contains(r.head.Shape, 1) {
		return nil, &data.Error{File: r.name, Msg: fmt.Sprintf("the array is %s, but a vector (one column or one row) is expected", &r.head)}
	}
	var v []float64
	for {
		b, err := r.Next(context.Background())
		if err == io.EOF {
			return v, nil
		}
		if err != nil {
			return nil, err
		}
		v = append(v, b.Dense...)
	}
}

// WriteVector writes v as an array of one dimension with cells of type float64.
func WriteVector(w io.Writer, v []float64) error {
	vector := &Writer{Type: Float64, w: w, shape: []int{len(v)}, cols: 1}
	if len(v) == 0 {
		return fmt.Errorf("npy: cannot write a vector without elements")
	}
	if err := vector.Write(&data.Block{Rows: len(v), Dense: v}); err != nil {
		return err
	}
	return vector.Close()
}
