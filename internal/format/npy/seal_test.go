package npy

import (
	"bytes"
	"slices"
	"testing"
)

func TestSealedVector(t *testing.T) {
	want, of := []float64{1, 2, 3.5}, Seal{1, 2, 31: 9}
	var b bytes.Buffer
	if err := WriteSealedVector(&b, want, of); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	got, seal, err := ReadSealedVector(bytes.NewReader(whole), "y.npy")
	if err != nil || !slices.Equal(got, want) || seal == nil || *seal != of {
		t.Errorf("%v, %v, %v", got, seal, err)
	}
	if got, err := ReadVector(bytes.NewReader(whole), "y.npy"); err != nil || !slices.Equal(got, want) {
		t.Errorf("read without its seal: %v, %v", got, err)
	}
	plain := len(whole) - len(sealHead) - len(of)
	if _, seal, err := ReadSealedVector(bytes.NewReader(whole[:plain]), "y.npy"); err != nil || seal != nil {
		t.Errorf("a vector without a seal: %v, %v", seal, err)
	}
	for n := range len(whole) {
		if n == plain {
			continue
		}
		if _, _, err := ReadSealedVector(bytes.NewReader(whole[:n]), "y.npy"); err == nil {
			t.Errorf("cut to %d of %d bytes and read", n, len(whole))
		}
	}
	wantError(t, "more behind the seal", readVectorError(append(whole, 0)), "more follow it")
	wantError(t, "another array", readVectorError(slices.Concat(whole[:plain], whole[:plain])), "more follow it")
}

// readVectorError returns the error of reading a vector.
func readVectorError(file []byte) error {
	_, err := ReadVector(bytes.NewReader(file), "y.npy")
	return err
}
