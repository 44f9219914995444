package describe

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Copies of rows, and rows that a column assigns to persons or things, are found in a fit and in a description. Few copies,
// copies of rows of few different numbers, and columns of other names are not.
func TestRowsThatBelongTogether(t *testing.T) {
	for _, c := range []struct {
		name, head string
		line       func(rng *rand.Rand, i int) string
		want       map[string]string
	}{
		{"independent rows", "a,b,c,y", nil, nil},
		{"copies", "a,b,c,y", func(_ *rand.Rand, i int) string {
			r := rand.New(rand.NewPCG(uint64(i%100), 1))
			return fmt.Sprintf("%.4f,%.4f,%.4f,%.4f", r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		}, map[string]string{"": "300 of 400 rows are copies of others"}},
		{"copies with numbers of their own", "a,b,c,id,y", func(_ *rand.Rand, i int) string {
			r := rand.New(rand.NewPCG(uint64(i*7919%150), 1))
			return fmt.Sprintf("%.4f,,%.4f,%d,%.4f", r.NormFloat64(), r.NormFloat64(), i, r.NormFloat64())
		}, map[string]string{"": "250 of 400 rows are copies of others"}},
		{"few copies", "a,b,c,y", func(_ *rand.Rand, i int) string {
			r := rand.New(rand.NewPCG(uint64(i*7919%390), 1))
			return fmt.Sprintf("%.4f,%.4f,%.4f,%.4f", r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		}, nil},
		{"few different rows", "a,b,c,y", func(rng *rand.Rand, _ int) string {
			return fmt.Sprintf("%d,%d,%d,%d", rng.IntN(3), rng.IntN(4), rng.IntN(2), rng.IntN(2))
		}, nil},
		{"numbers of patients", "patient_id,b,c,y", func(rng *rand.Rand, _ int) string {
			return fmt.Sprintf("%d,%.4f,%.4f,%.4f", rng.IntN(40), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		}, map[string]string{"patient_id": "40 different values in 400 rows"}},
		{"names of users", "a,User,c,y", func(rng *rand.Rand, _ int) string {
			return fmt.Sprintf("%.4f,u%d,%.4f,%.4f", rng.NormFloat64(), rng.IntN(40), rng.NormFloat64(), rng.NormFloat64())
		}, map[string]string{"User": "40 different values in 400 rows"}},
		{"other names", "paid,users_share,side,y", func(rng *rand.Rand, _ int) string {
			return fmt.Sprintf("%d,%.3f,s%d,%.4f", rng.IntN(40), rng.Float64(), rng.IntN(40), rng.NormFloat64())
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, 4))
			var b strings.Builder
			b.WriteString(c.head + "\n")
			for i := range 400 {
				line := fmt.Sprintf("%.4f,%.4f,%.4f,%.4f", rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
				if c.line != nil {
					line = c.line(rng, i)
				}
				b.WriteString(line + "\n")
			}
			fromFit, fromTable := found(t, b.String())
			for _, got := range []map[string]string{fromFit, fromTable} {
				for column, want := range c.want {
					if !strings.Contains(got[column], want) {
						t.Errorf("of %q it says %q, want %q", column, got[column], want)
					}
				}
				if len(got) != len(c.want) {
					t.Errorf("it says %q, want %q", got, c.want)
				}
			}
		})
	}
}
