// Package synth generates the synthetic data of the paper's experiments (section 3.1): correlated
// normal variables, k of which determine the target.
//
// Tables are generated row by row. Each row uses its own random stream, which depends only on the
// seed and the number of the row. A [Reader] can therefore generate any number of rows on all
// cores, without ever holding the whole table, and a seed gives the same table on any number of
// cores.
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
	// Zipf has few nonzero cells, which are independent normal numbers. Their frequency in a
	// variable is about inversely proportional to the number of the variable, like words in a text.
	Zipf = "zipf"
)

// The kinds of response.
const (
	// Classification gives a row the label 1 if the sum of its true variables is positive, and 0
	// otherwise.
	Classification = "classification"
	// Regression gives a row the sum of its true variables plus noise.
	Regression = "regression"
	// Counts gives a row a Poisson number. Its mean is the exponential of 0.7 plus 0.7 times the
	// sum of the true variables divided by the root of their number.
	Counts = "counts"
	// Amounts gives a row a gamma number of shape 2 with this mean.
	Amounts = "amounts"
	// Ordinal gives a row the class 0, 1 or 2: proportional odds with the thresholds −1 and 1, where the log odds are
	// twice the sum of its true variables over the root of their number.
	Ordinal = "ordinal"
	// Survival gives a row a time whose hazard is the exponential of 0.7 times that sum, and a column event behind
	// the variables that is 1 if the event was observed; about a third of the rows are censored.
	Survival = "survival"
	// Multi gives a row three numbers, the label y and the columns y2 and y3 behind the variables. Each is a sum of the
	// true variables plus noise; their effects are 1, in y2 and y3 with changing signs.
	Multi = "multi"
)

// Tasks lists the kinds of response.
func Tasks() []string {
	return []string{Classification, Regression, Counts, Amounts, Ordinal, Survival, Multi}
}

// Config describes a table. A zero in a field that is not a size means the value used in the paper.
type Config struct {
	Model string // AR1, Equicorrelated or Zipf; empty means AR1
	Task  string // one of [Tasks]; empty means Classification

	N int // number of rows
	M int // number of variables
	K int // number of true variables, at most M; see [Truth]

	// Rho is the correlation of neighbours in the AR1 model, between −1 and 1. 0 means 0.9. For
	// independent variables use Equicorrelated with a negative Alpha.
	Rho float64
	// Alpha is the weight of the shared part of all variables in the Equicorrelated model. 0 means
	// 0.5, and a negative number means no shared part.
	Alpha float64

	// Nonzeros is the number of nonzero cells per row in the Zipf model. 0 means 115, as in the URL
	// Reputation data, or half of the variables.
	Nonzeros int

	// Noise is the probability that the label of a row is replaced by the toss of a fair coin, for
	// Classification. About this share of the rows has random labels, and half of these are wrong.
	// Rows are chosen independently, so their number varies a little. The paper's noisy data have
	// 0.1.
	Noise float64
	// Sigma is the standard deviation of the noise of Regression and Multi. 0 means 1, and a negative number
	// means no noise.
	Sigma float64

	// Seed selects the random numbers. Tables that differ only in Noise, Sigma, Task or K have the
	// same variables.
	Seed uint64
}

// maxWidth is the largest number of columns with 32-bit indices.
const maxWidth = math.MaxInt32

// Validate returns an error if c is invalid. A field that would have no effect is an error and is
// not ignored.
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
		return fmt.Errorf("synth: rho is for the model %s, not for %s", AR1, c.Model)
	case c.Model != Equicorrelated && c.Alpha != 0:
		return fmt.Errorf("synth: alpha is for the model %s, not for %s", Equicorrelated, c.Model)
	case c.Model != Zipf && c.Nonzeros != 0:
		return fmt.Errorf("synth: nonzeros are for the model %s, not for %s", Zipf, c.Model)
	case c.Model == Zipf && (c.Task == Survival || c.Task == Multi):
		return fmt.Errorf("synth: the task %s needs columns behind the variables, and tables of the model %s have none: use %s", c.Task, Zipf, AR1)
	case c.Nonzeros < 0 || c.Nonzeros > (c.M+1)/2:
		return fmt.Errorf("synth: %d nonzeros: there must be 1 to %d, half of the variables", c.Nonzeros, (c.M+1)/2)
	case c.Task != Classification && c.Noise != 0:
		return fmt.Errorf("synth: noise in the labels is for %s; the noise of %s is sigma", Classification, c.Task)
	case c.Task != Regression && c.Task != Multi && c.Sigma != 0:
		return fmt.Errorf("synth: sigma is for %s and multi; the noise of %s is a share of random labels", Regression, c.Task)
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

// orDefault returns the value of a field with a default: the default for zero, and zero for a
// negative number.
func orDefault(x, byDefault float64) float64 {
	if x == 0 {
		return byDefault
	}
	return max(x, 0)
}

// Truth returns the indices of the true variables of c, counted from 0: every tenth, the paper's
// x₁₀, x₂₀, …, which are 9, 19, … here. If K times 10 exceeds M, they are every ⌊M/K⌋-th variable
// instead. It panics if c is invalid.
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
