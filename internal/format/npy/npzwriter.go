package npy

import (
	"archive/zip"
	"fmt"
	"io"
)

// NPZWriter writes an .npz file. Its members are stored uncompressed, like those of numpy.savez.
type NPZWriter struct{ zip *zip.Writer }

// NewNPZWriter begins an .npz file on w.
func NewNPZWriter(w io.Writer) *NPZWriter { return &NPZWriter{zip.NewWriter(w)} }

// Table begins a member. It must be complete before the next one begins.
func (z *NPZWriter) Table(array string, rows, cols int) (*Writer, error) {
	w, err := z.create(array)
	if err != nil {
		return nil, err
	}
	return NewWriter(w, rows, cols)
}

// Vector writes a member of one dimension.
func (z *NPZWriter) Vector(array string, v []float64) error {
	w, err := z.create(array)
	if err != nil {
		return err
	}
	return WriteVector(w, v)
}

func (z *NPZWriter) create(array string) (io.Writer, error) {
	w, err := z.zip.CreateHeader(&zip.FileHeader{Name: array + ".npy", Method: zip.Store})
	if err != nil {
		return nil, fmt.Errorf("npy: %w", err)
	}
	return w, nil
}

// Close completes the file. It does not close the underlying writer.
func (z *NPZWriter) Close() error {
	if err := z.zip.Close(); err != nil {
		return fmt.Errorf("npy: %w", err)
	}
	return nil
}
