package synth

import "math"

const (
	// logEffect is the standard deviation of the log mean of a count or an amount, if variables are
	// not correlated.
	logEffect = 0.7
	// logMean is the log mean if all true variables are zero.
	logMean = 0.7
	// classEffect is the standard deviation of the log odds of ordered classes, and of the logarithm of a hazard it
	// is logEffect.
	classEffect = 2
	// censored is the rate at which rows are censored, relative to the hazard of a row whose true variables are zero.
	censored = 0.5
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

// ordinal returns a class 0, 1 or 2: how many of the thresholds −1 and 1 lie below a logistic number around the log
// odds.
func (s *stream) ordinal(odds float64) (class float64) {
	u := s.uniform() * (1 - 0x1p-53)
	at := round(odds + math.Log(u/(1-u)))
	for _, cut := range []float64{-1, 1} {
		if at > cut {
			class++
		}
	}
	return class
}

// EventColumn is the name of the column of events.
const EventColumn = "event"

// survival returns the time until which a row is observed, and whether it had the event then.
func (c *Config) survival(sum float64, row uint64) (time, event float64) {
	s := newStream(c.Seed, row, forResponse)
	death := s.exponential() / round(math.Exp(logEffect*sum/math.Sqrt(float64(c.K))))
	end := s.exponential() / censored
	if death <= end {
		return max(death, math.SmallestNonzeroFloat64), 1
	}
	return max(end, math.SmallestNonzeroFloat64), 0
}

// multi returns three numbers. The effect of a true variable is 1 in the first, changes its sign from each variable to the
// next in the second, and from each second one in the third.
func (c *Config) multi(x []float64, truth []int, row uint64) (y [3]float64) {
	s := newStream(c.Seed, row, forResponse)
	for i, j := range truth {
		y[0] += x[j]
		y[1] += float64(1-2*(i%2)) * x[j]
		y[2] += float64(1-2*(i/2%2)) * x[j]
	}
	for t := range y {
		y[t] += float64(orDefault(c.Sigma, 1) * s.normal())
	}
	return y
}
