package npy

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"strings"
)

// A vector may name the table to which it belongs. Then a second array follows it in its file: a
// checksum of the table, 32 bytes. NumPy reads the first array and ignores the second.

// Seal is a checksum of the table to which a vector belongs.
type Seal = [sha256.Size]byte

// sealHead begins the array of a seal.
var sealHead = func() []byte {
	text := "{'descr': '|u1', 'fortran_order': False, 'shape': (32,), }"
	text += strings.Repeat(" ", 63-(10+len(text))%64) + "\n"
	b := append([]byte(magic), 1, 0)
	return append(binary.LittleEndian.AppendUint16(b, uint16(len(text))), text...)
}()

// WriteSealedVector writes v as [WriteVector] does, followed by its seal.
func WriteSealedVector(w io.Writer, v []float64, of Seal) error {
	if err := WriteVector(w, v); err != nil {
		return err
	}
	_, err := w.Write(append(bytes.Clone(sealHead), of[:]...))
	return err
}

// ReadSealedVector reads a vector as [ReadVector] does, and its seal; nil if there is none.
func ReadSealedVector(r io.Reader, name string) ([]float64, *Seal, error) {
	reader, err := NewReader(r, name)
	if err != nil {
		return nil, nil, err
	}
	reader.src = &stream{r: io.LimitReader(r, int64(reader.head.Bytes()))}
	v, err := reader.vector()
	if err != nil {
		return nil, nil, err
	}
	rest, err := io.ReadAll(io.LimitReader(r, int64(len(sealHead)+len(Seal{})+1)))
	switch {
	case err != nil:
		return nil, nil, passOn(name, err)
	case len(rest) == 0:
		return v, nil, nil
	case len(rest) == len(sealHead)+len(Seal{}) && bytes.HasPrefix(rest, sealHead):
		of := Seal(rest[len(sealHead):])
		return v, &of, nil
	}
	return nil, nil, reader.long()
}
