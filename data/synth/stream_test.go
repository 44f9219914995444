package synth

import "testing"

// The outputs that the authors' C code gives for this state, as many libraries
// quote them (rand_xoshiro of Rust among them).
func TestXoshiro(t *testing.T) {
	s := stream{1, 2, 3, 4}
	for i, want := range []uint64{
		41943041, 58720359, 3588806011781223, 3591011842654386,
		9228616714210784205, 9973669472204895162, 14011001112246962877,
		12406186145184390807, 15849039046786891736, 10450023813501588000,
	} {
		if got := s.next(); got != want {
			t.Fatalf("output %d is %d, want %d", i, got, want)
		}
	}
}

func TestStreamsDiffer(t *testing.T) {
	seen := make(map[stream]bool)
	for seed := range uint64(20) {
		for row := range uint64(200) {
			for _, purpose := range []uint64{forVariables, forResponse} {
				s := newStream(seed, row, purpose)
				if seen[s] {
					t.Fatalf("seed %d, row %d, purpose %d: not a stream of its own", seed, row, purpose)
				}
				seen[s] = true
			}
		}
	}
}
