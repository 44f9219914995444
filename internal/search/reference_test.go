package search

import "testing"

// A model with more columns than rows is fitted in the space of the rows. Its predictions of all rows are those of the
// problem of all columns, for any loss and for columns with further penalties.
func TestReferenceOfWideTables(t *testing.T) {
	for _, name := range []string{"squared", "logistic", "multinomial"} {
		for _, texts := range []int{0, 2} {
			c := normal(3, 40, 60, 0.3, 1, 2, -1, 1)
			if texts > 0 {
				c.texts = texts
				for i := range c.y {
					for j := range texts {
						c.x[i*c.cols+j] = float64((i + j) % 4)
					}
				}
			}
			c = c.of(name)
			c.w = make([]float64, len(c.y))
			for i := range c.w {
				c.w[i] = float64(min(i%5, 2)) // every fifth row is held out
			}
			s := c.sample(t, name)
			r, err := s.Reference(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !r.wide() {
				t.Fatalf("%d columns", len(r.columns))
			}
			for _, ridge := range []float64{0.03, 1} {
				f, err := r.Fit(t.Context(), ridge)
				if err != nil {
					t.Fatal(err)
				}
				got, err := f.Margins(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				whole, err := s.Learn(t.Context(), all(s.Groups.Count()), ridge, false, nil)
				if err != nil {
					t.Fatal(err)
				}
				want, err := whole.Margins(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for i := range want {
					if !near(got[i], want[i], 1e-6) {
						t.Fatalf("%s, %d texts, ridge %g: margin %d is %v instead of %v", name, texts, ridge, i, got[i], want[i])
					}
				}
			}
		}
	}
}
