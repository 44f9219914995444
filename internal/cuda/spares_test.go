package cuda

import (
	"reflect"
	"testing"

	"fsa/anneal"
	"fsa/internal/matrix"
	"fsa/loss"
)

// TestSpares expects small pieces of memory to be reused, with the same result, and to be freed in
// the end.
func TestSpares(t *testing.T) {
	s := newSample(matrix.Float32, 300, 60, loss.Logistic{})
	var results []*anneal.Result
	for _, most := range []int64{0, 1 << 20} {
		f := newFake(9)
		d, err := newDevice(f, 0)
		if err != nil {
			t.Fatal(err)
		}
		d.spares.most = most
		for range 2 {
			o := s.placed(t, d, 100, 5, 0)
			r, err := anneal.Run(t.Context(), o, anneal.Settings{K: 5, Iterations: 30})
			if err != nil {
				t.Fatal(err)
			}
			results = append(results, r)
			o.Close()
		}
		if kept := len(f.memory) > 1; kept != (most > 0) || d.spares.held > most {
			t.Errorf("%d pieces are left, %d bytes of %d", len(f.memory), d.spares.held, most)
		}
		if d.Close(); len(f.memory) > 0 {
			t.Errorf("%d pieces did not come back", len(f.memory))
		}
	}
	for _, r := range results[1:] {
		if !reflect.DeepEqual(r, results[0]) {
			t.Error("other bits")
		}
	}
}
