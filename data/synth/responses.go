package synth

import "math"

const (
	// logEffect is the standard deviation of the log mean of a count or an amount, if variables are
	// not correlated.
	logEffect = 0.7
	// logMean is the log mean if all true variables are zero.
	logMean = 0.7
	// largestMean limits the mean of a count, so that one count needs few random numbers.
	largestMean = 1000
)

// mean returns the mean of a count or an amount, from the sum of the true variables of its row.
func (c *Config) mean(sum float64) float64 {
	return round(math.Min(math.Exp(logMean+logEffect*sum/math.Sqrt(float64(c.K))), largestMean))
}

// exponential returns an exponential random number with mean 1.
func (s *stream) exponential() float64 { return round(-math.Log(s.uniform())) }

// poisson returns a Poisson random number: the number of exponential waiting times that fit into
// the mean.
func (s *stream) poisson(mean float64) float64 {
	n, waited := 0.0, s.exponential()
	for waited < mean {
		n, waited = n+1, waited+s.exponential()
	}
	return n
}
