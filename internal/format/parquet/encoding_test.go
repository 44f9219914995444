package parquet

import (
	"math/rand/v2"
	"slices"
	"testing"

	theirs "github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
)

// TestHybrid decodes what is encoded here and by the library, in pieces.
func TestHybrid(t *testing.T) {
	const seed = 8
	rng := rand.New(rand.NewPCG(seed, 1))
	for width := uint(1); width <= 32; width++ {
		for _, n := range []int{1, 7, 8, 9, 100, 1000} {
			want := make([]uint32, n)
			numbers := make([]int32, n)
			for i := range want {
				if want[i] = rng.Uint32() >> (32 - width); i > 0 && rng.IntN(20) > 0 {
					want[i] = want[i-1]
				}
				numbers[i] = int32(want[i])
			}
			library, err := (&rle.Encoding{BitWidth: int(width)}).EncodeInt32(nil, numbers)
			if err != nil {
				t.Fatal(err)
			}
			for what, src := range map[string][]byte{"ours": appendPacked(nil, want, width), "theirs": library} {
				h := hybrid{src: src, width: width}
				got := make([]uint32, n)
				for rest := got; len(rest) > 0; {
					k := 1 + rng.IntN(len(rest))
					if err := h.next(rest[:k]); err != nil {
						t.Fatal(err)
					}
					rest = rest[k:]
				}
				if !slices.Equal(got, want) {
					t.Fatalf("seed %d: %d numbers of %d bits, %s: others came back", seed, n, width, what)
				}
			}
		}
	}
	run := hybrid{src: appendRun(nil, 3, 70000, 17), width: 17}
	same := make([]uint32, 3)
	if err := run.next(same); err != nil || !slices.Equal(same, []uint32{70000, 70000, 70000}) {
		t.Errorf("%v, %v", same, err)
	}
	h := hybrid{src: []byte{6}, width: 0} // three zeros without a bit
	got := []uint32{9, 9, 9}
	if err := h.next(got); err != nil || !slices.Equal(got, []uint32{0, 0, 0}) {
		t.Errorf("%v, %v", got, err)
	}
	if err := h.next(got); err != errShort {
		t.Errorf("a fourth zero: %v", err)
	}
}

// TestDelta decodes what the library encodes.
func TestDelta(t *testing.T) {
	const seed = 9
	rng := rand.New(rand.NewPCG(seed, 1))
	for _, n := range []int{1, 2, 31, 33, 128, 129, 1000} {
		for width := 0; width < 64; width += 3 {
			want := make([]int64, n)
			for i := range want {
				want[i] = int64(rng.Uint64()) >> (63 - width)
			}
			src, err := new(theirs.BinaryPackedEncoding).EncodeInt64(nil, want)
			if err != nil {
				t.Fatal(err)
			}
			d, err := newDelta(append(src, 1, 2, 3), n)
			if err != nil {
				t.Fatal(err)
			}
			got, rest, err := d.all()
			if err != nil || !slices.Equal(got, want) || !slices.Equal(rest, []byte{1, 2, 3}) {
				t.Fatalf("seed %d: %d numbers of %d bits: %v, rest %v", seed, n, width, err, rest)
			}
			for cut := 0; cut < len(src); cut += 1 + len(src)/20 {
				if d, err := newDelta(src[:cut], n); err == nil {
					if _, _, err := d.all(); err == nil && cut < len(src)-8 {
						t.Fatalf("%d numbers of %d bits cut to %d bytes were decoded", n, width, cut)
					}
				}
			}
		}
	}
}
