package synth

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestTruth(t *testing.T) {
	for _, c := range []struct {
		m, k int
		want []int
	}{
		{1000, 3, []int{9, 19, 29}},
		{30, 3, []int{9, 19, 29}},
		{29, 3, []int{8, 17, 26}},
		{7, 3, []int{1, 3, 5}},
		{3, 3, []int{0, 1, 2}},
		{1, 1, []int{0}},
	} {
		if got := Truth(Config{N: 1, M: c.m, K: c.k}); !slices.Equal(got, c.want) {
			t.Errorf("%d of %d: %v, want %v", c.k, c.m, got, c.want)
		}
	}
}

func TestValidate(t *testing.T) {
	good := Config{N: 1, M: 20, K: 2}
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		change func(*Config)
		want   string // part of the message; empty for a valid configuration
	}{
		{func(c *Config) {}, ""},
		{func(c *Config) { c.Model, c.Task = AR1, Classification }, ""},
		{func(c *Config) { c.Rho = -0.99 }, ""},
		{func(c *Config) { c.Noise = 1 }, ""},
		{func(c *Config) { c.Model, c.Alpha = Equicorrelated, -1 }, ""},
		{func(c *Config) { c.Task, c.Sigma = Regression, -1 }, ""},
		{func(c *Config) { c.Model = "AR1" }, `model "AR1"`},
		{func(c *Config) { c.Task = "ranking" }, `task "ranking"`},
		{func(c *Config) { c.N = 0 }, "0 rows"},
		{func(c *Config) { c.M = 0 }, "0 variables"},
		{func(c *Config) { c.M = math.MaxInt }, "variables"},
		{func(c *Config) { c.K = 0 }, "0 true variables"},
		{func(c *Config) { c.K = 21 }, "21 true variables"},
		{func(c *Config) { c.Rho = 1 }, "rho 1"},
		{func(c *Config) { c.Rho = nan }, "rho NaN"},
		{func(c *Config) { c.Alpha = 0.5 }, "alpha is for"},
		{func(c *Config) { c.Model, c.Rho = Equicorrelated, 0.5 }, "rho is for"},
		{func(c *Config) { c.Model, c.Alpha = Equicorrelated, inf }, "alpha +Inf"},
		{func(c *Config) { c.Model, c.Nonzeros = Zipf, 10 }, ""},
		{func(c *Config) { c.Model, c.Nonzeros = Zipf, 11 }, "11 nonzeros"},
		{func(c *Config) { c.Nonzeros = 3 }, "nonzeros are for"},
		{func(c *Config) { c.Noise = -0.1 }, "noise -0.1"},
		{func(c *Config) { c.Noise = nan }, "noise NaN"},
		{func(c *Config) { c.Sigma = 1 }, "sigma is for"},
		{func(c *Config) { c.Task, c.Noise = Regression, 0.1 }, "noise in the labels"},
		{func(c *Config) { c.Task, c.Sigma = Regression, nan }, "sigma NaN"},
	} {
		config := good
		c.change(&config)
		err := config.Validate()
		if c.want == "" && err != nil {
			t.Errorf("%+v: %v", config, err)
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: error %v, want %q in it", config, err, c.want)
		}
		if _, opened := NewReader(config); (opened == nil) != (err == nil) {
			t.Errorf("%+v: NewReader says %v, Validate %v", config, opened, err)
		}
	}
}
