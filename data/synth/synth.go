// Package synth makes the synthetic data of the paper's experiments (section
// 3.1): correlated normal variables, k of which determine the target.
//
// Tables are made row by row, each row from a random stream of its own that
// depends on the seed and the number of the row only. A [Reader] can therefore
// make rows on all cores and in any amount, without ever holding the table,
// and a seed means the same table whatever the machine does meanwhile.
package synth

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// The ways in which variables are correlated.
const (
	// AR1 gives variables i and j the correlation ρ^|i−j|.
	AR1 = "ar1"
	// Equicorrelated gives any two variables the correlation α²/(1+α²).
	Equicorrelated = "equicorrelated"
	// Zipf has few cells that are not zero, independent normal ones, and a
	// variable has them about inversely to its number, as words have in text.
	Zipf = "zipf"
)

// The kinds of response.
const (
	// Classification gives a row the label 1 when the sum of its true
	// variables is positive, and 0 otherwise.
	Classification = "classification"
	// Regression gives a row the sum of its true variables plus noise.
	Regression = "regression"
	// Counts gives a row a Poisson number whose mean is the exponential of 0.7 plus 0.7 times the sum of
	// its true variables over the root of their number.
	Counts = "counts"
	// Amounts gives a row a gamma number of shape 2 with this mean.
	Amounts = "amounts"
)

// Tasks lists the kinds of response.
func Tasks() []string { return []string{Classification, Regression, Counts, Amounts} }

// Config describes a table. A zero in any of the fields that are not sizes
// means what the paper did.
type Config struct {
	Model string // AR1, Equicorrelated or Zipf; empty means AR1
	Task  string // one of [Tasks]; empty means Classification

	N int // rows
	M int // variables
	K int // true variables, at most M; see [Truth]

	// Rho is the correlation of neighbours in the AR1 model, between −1 and 1.
	// 0 means 0.9. Independent variables are Equicorrelated with no Alpha.
	Rho float64
	// Alpha is the weight of what all variables share in the Equicorrelated
	// model. 0 means 0.5, a negative number none.
	Alpha float64

	// Nonzeros is how many cells of a row are not zero in the Zipf model. 0 means
	// 115, as in the URL Reputation data, or half of the variables.
	Nonzeros int

	// Noise is the probability that the label of a row is replaced by the toss
	// of a fair coin, for Classification: of the rows about this share have
	// random labels and half of it wrong ones. Rows are chosen independently,
	// so their number varies a little. The paper's noisy data have 0.1.
	Noise float64
	// Sigma is the standard deviation of the noise of Regression. 0 means 1, a
	// negative number none.
	Sigma float64

	// Seed chooses one of the tables. Tables that differ in Noise, Sigma, Task
	// or K only have the same variables.
	Seed uint64
}

// maxWidth is what 32-bit column numbers can count.
const maxWidth = math.MaxInt32

// Validate says what is wrong with c. A field that would have no effect is
// refused rather than ignored.
func (c Config) Validate() error {
	c.Model, c.Task = c.model(), c.task()
	switch {
	case c.Model != AR1 && c.Model != Equicorrelated && c.Model != Zipf:
		return fmt.Errorf("synth: model %q: it must be %s, %s or %s", c.Model, AR1, Equicorrelated, Zipf)
	case !slices.Contains(Tasks(), c.Task):
		return fmt.Errorf("synth: task %q: it must be %s", c.Task, strings.Join(Tasks(), ", "))
	case c.N < 1:
		return fmt.Errorf("synth: %d rows: at least 1 is needed", c.N)
	case c.M < 1 || c.M > maxWidth:
		return fmt.Errorf("synth: %d variables: there must be 1 to %d", c.M, maxWidth)
	case c.K < 1 || c.K > c.M:
		return fmt.Errorf("synth: %d true variables: there must be 1 to %d, the number of variables", c.K, c.M)
	case c.Model != AR1 && c.Rho != 0:
		return fmt.Errorf("synth: rho belongs to the model %s, not to %s", AR1, c.Model)
	case c.Model != Equicorrelated && c.Alpha != 0:
		return fmt.Errorf("synth: alpha belongs to the model %s, not to %s", Equicorrelated, c.Model)
	case c.Model != Zipf && c.Nonzeros != 0:
		return fmt.Errorf("synth: nonzeros belong to the model %s, not to %s", Zipf, c.Model)
	case c.Nonzeros < 0 || c.Nonzeros > (c.M+1)/2:
		return fmt.Errorf("synth: %d nonzeros: there must be 1 to %d, half of the variables", c.Nonzeros, (c.M+1)/2)
	case c.Task != Classification && c.Noise != 0:
		return fmt.Errorf("synth: noise in the labels belongs to %s; the noise of %s is sigma", Classification, c.Task)
	case c.Task != Regression && c.Sigma != 0:
		return fmt.Errorf("synth: sigma belongs to %s; the noise of %s is a share of random labels", Regression, c.Task)
	case !(c.Rho > -1 && c.Rho < 1):
		return fmt.Errorf("synth: rho %v: it must be above −1 and below 1", c.Rho)
	case !finite(c.Alpha):
		return fmt.Errorf("synth: alpha %v: it must be a finite number", c.Alpha)
	case !(c.Noise >= 0 && c.Noise <= 1):
		return fmt.Errorf("synth: noise %v: it must be a probability from 0 to 1", c.Noise)
	case !finite(c.Sigma):
		return fmt.Errorf("synth: sigma %v: it must be a finite number", c.Sigma)
	}
	return nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func (c Config) model() string {
	if c.Model == "" {
		return AR1
	}
	return c.Model
}

func (c Config) task() string {
	if c.Task == "" {
		return Classification
	}
	return c.Task
}

// orDefault returns what the user of a field with a default asked for, where
// negative means none.
func orDefault(x, byDefault float64) float64 {
	if x == 0 {
		return byDefault
	}
	return max(x, 0)
}

// Truth returns the true variables of c, counted from 0: every tenth, the
// paper's x₁₀, x₂₀, …, which are 9, 19, … here. Where K times 10 is more than
// M they are every ⌊M/K⌋-th instead. It panics on a c that is not valid.
func Truth(c Config) []int {
	if err := c.Validate(); err != nil {
		panic(err)
	}
	stride := min(10, c.M/c.K)
	truth := make([]int, c.K)
	for i := range truth {
		truth[i] = stride*(i+1) - 1
	}
	return truth
}
