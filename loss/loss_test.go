package loss_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"fsa/internal/losstest"
	"fsa/loss"
)

func grade(rng *rand.Rand) float64 { return float64(rng.IntN(3)) }

func TestSquared(t *testing.T) {
	losstest.Run(t, loss.Squared{}, losstest.Config{Response: (*rand.Rand).NormFloat64})
}

func TestLogistic(t *testing.T) { losstest.Run(t, loss.Logistic{}, losstest.Config{}) }

func TestHuber(t *testing.T) { losstest.Run(t, loss.Huber{Delta: 0.7}, losstest.Config{}) }

func counts(rng *rand.Rand) float64 { return float64(rng.IntN(4) * rng.IntN(4)) }

func amounts(rng *rand.Rand) float64 { return math.Exp(rng.NormFloat64()) }

func claims(rng *rand.Rand) float64 { return float64(rng.IntN(2)) * amounts(rng) }

func TestPoisson(t *testing.T) {
	losstest.Run(t, loss.Poisson{Rate: 2.5}, losstest.Config{Response: counts, Working: true})
}

func TestGamma(t *testing.T) {
	losstest.Run(t, loss.Gamma{Rate: 1.5}, losstest.Config{Response: amounts, Working: true})
}

func TestTweedie(t *testing.T) {
	losstest.Run(t, loss.Tweedie{Rate: 0.7, Power: 1.3}, losstest.Config{Response: claims, Working: true})
}

func TestNegBinomial(t *testing.T) {
	losstest.Run(t, loss.NegBinomial{Rate: 2.5, Size: 0.8}, losstest.Config{Response: counts, Working: true})
	losstest.Run(t, loss.NegBinomial{Rate: 2.5, Size: 1e4}, losstest.Config{Response: counts, Working: true})
}

func TestQuantile(t *testing.T) {
	losstest.Run(t, loss.Quantile{Tau: 0.9, S: 0.5, Unit: 2}, losstest.Config{Response: (*rand.Rand).NormFloat64})
}

func TestSeveral(t *testing.T) {
	several := loss.NewSeveral(loss.Quantile{Tau: 0.1, S: 0.5, Unit: 2}, loss.Quantile{S: 2}, loss.Squared{})
	losstest.Run(t, several, losstest.Config{Response: (*rand.Rand).NormFloat64})
}

// TestTargets checks sums over targets, some of which are missing. A response is the number of a row.
func TestTargets(t *testing.T) {
	const rows = 40
	rng := rand.New(rand.NewPCG(7, 0))
	numbers, labels := make([][]float64, 3), make([][]float64, 3)
	for c := range numbers {
		for range rows {
			numbers[c] = append(numbers[c], rng.NormFloat64())
			labels[c] = append(labels[c], math.Copysign(1, rng.NormFloat64()))
		}
	}
	numbers[1][3], numbers[1][8], labels[0][5] = math.NaN(), math.NaN(), math.NaN()
	row := func(rng *rand.Rand) float64 { return float64(rng.IntN(rows)) }
	losstest.Run(t, loss.NewTargets(loss.Squared{}, numbers), losstest.Config{Response: row})
	losstest.Run(t, loss.NewTargets(loss.Logistic{}, labels), losstest.Config{Response: row})
}

// TestOffset gives losses of both kinds of curvature an offset.
func TestOffset(t *testing.T) {
	losstest.Run(t, loss.WithOffset(loss.Logistic{}), losstest.Config{Offset: true})
	losstest.Run(t, loss.WithOffset(loss.Poisson{Rate: 2.5}), losstest.Config{Response: counts, Working: true, Offset: true})
	losstest.Run(t, loss.WithOffset(loss.Gamma{Rate: 2.5}), losstest.Config{Response: amounts, Working: true, Offset: true})
	losstest.Run(t, loss.WithOffset(loss.Tweedie{}), losstest.Config{Response: claims, Working: true, Offset: true})
	losstest.Run(t, loss.WithOffset(loss.NegBinomial{Size: 3}), losstest.Config{Response: counts, Working: true, Offset: true})
}

func TestSVM(t *testing.T) { losstest.Run(t, loss.SVM{}, losstest.Config{}) }

func TestSVMNarrow(t *testing.T) { losstest.Run(t, loss.SVM{H: 0.05}, losstest.Config{}) }

func TestLorenz(t *testing.T) { losstest.Run(t, loss.Lorenz{}, losstest.Config{}) }

func TestMultinomial(t *testing.T) {
	losstest.Run(t, loss.Multinomial{Classes: 3}, losstest.Config{Response: grade})
}

func TestRankGrades(t *testing.T) {
	losstest.Run(t, loss.Rank{}, losstest.Config{Response: grade, Rows: losstest.Queries})
}

func TestRankPairs(t *testing.T) {
	losstest.Run(t, loss.Rank{}, losstest.Config{Response: grade, Rows: losstest.Pairs})
}

// TestExpectile checks the loss of the example, as its author would.
func TestExpectile(t *testing.T) {
	losstest.Run(t, Expectile{Tau: 0.9}, losstest.Config{Response: (*rand.Rand).NormFloat64})
}

// TestRankSameEitherWay gives Rank the same pairs in four ways.
func TestRankSameEitherWay(t *testing.T) {
	z := []float64{0.3, -2, 50, 1, 0.7}
	y := []float64{1, 0, 2, 1, 0}
	weight := []float64{1, 2, 0.5, 3, 1}
	var forth, back []loss.Pair
	for i := range y {
		for j := range y {
			if y[i] > y[j] {
				forth = append(forth, loss.Pair{I: i, J: j, R: 1})
				back = append(back, loss.Pair{I: j, J: i, R: 0})
			}
		}
	}
	want := make([]float64, len(z))
	wantSum, wantWeight := loss.Rank{}.Eval(want, z, loss.Target{Y: y, Weight: weight})
	if wantWeight == 0 {
		t.Fatal("no pairs were derived from the grades")
	}
	for name, target := range map[string]loss.Target{
		"one query":     {Y: y, Weight: weight, Query: []int{0, len(y)}},
		"judged":        {Y: y, Weight: weight, Pairs: forth},
		"judged, J > I": {Y: y, Weight: weight, Pairs: back},
	} {
		r := make([]float64, len(z))
		sum, weight := loss.Rank{}.Eval(r, z, target)
		if math.Abs(sum-wantSum) > 1e-12 || weight != wantWeight {
			t.Errorf("%s: sum %v, weight %v, want %v, %v", name, sum, weight, wantSum, wantWeight)
		}
		for i := range r {
			if math.Abs(r[i]-want[i]) > 1e-12 {
				t.Errorf("%s: derivative %d is %v, want %v", name, i, r[i], want[i])
			}
		}
	}
}

// TestManyRows adds up more rows than the logistic loss multiplies before it
// takes a logarithm, with and without weights.
func TestManyRows(t *testing.T) {
	const n = 20000
	y, z, r, weight := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	var want, wantWeighted float64
	one := make([]float64, 1)
	for i := range n {
		y[i], z[i], weight[i] = 1, float64(i%7)-3, float64(1+i/9000)
		sum, _ := loss.Logistic{}.Eval(one, z[i:i+1], loss.Target{Y: y[i : i+1]})
		want += sum
		wantWeighted += weight[i] * sum
	}
	for _, c := range []struct {
		weight []float64
		want   float64
	}{{nil, want}, {weight, wantWeighted}} {
		sum, _ := loss.Logistic{}.Eval(r, z, loss.Target{Y: y, Weight: c.weight})
		if math.Abs(sum-c.want) > 1e-12*c.want {
			t.Errorf("sum %v, want %v", sum, c.want)
		}
	}
}

// TestAllocations matters because a loss is evaluated once per block of rows.
func TestAllocations(t *testing.T) {
	const n = 30
	rng := rand.New(rand.NewPCG(1, 1))
	y, z, r, weight := make([]float64, n), make([]float64, 3*n), make([]float64, 3*n), make([]float64, n)
	for i := range n {
		y[i], weight[i] = grade(rng), rng.Float64()
	}
	for _, l := range []loss.Loss{loss.Squared{}, loss.Huber{}, loss.Logistic{}, loss.SVM{}, loss.Lorenz{},
		loss.Multinomial{Classes: 3}, loss.Rank{}, loss.Poisson{}, loss.NegBinomial{}, loss.Tweedie{}, loss.Quantile{}} {
		size := l.Outputs() * n
		for _, target := range []loss.Target{{Y: y}, {Y: y, Weight: weight},
			{Y: y, Query: []int{0, 10, n}}, {Y: y, Pairs: []loss.Pair{{I: 0, J: 1, R: 1}}}} {
			allocs := testing.AllocsPerRun(10, func() {
				l.Eval(r[:size], z[:size], target)
				l.Curvature(r[:n], target)
			})
			if allocs != 0 {
				t.Errorf("%T allocates %v times", l, allocs)
			}
		}
	}
}

// BenchmarkEval reports the time per row; a row of the ranking has 32 pairs.
func BenchmarkEval(b *testing.B) {
	const n = 4096
	rng := rand.New(rand.NewPCG(1, 1))
	var y, z, class []float64
	cuts := []int{0}
	for i := range n {
		y = append(y, float64(2*rng.IntN(2)-1))
		class = append(class, grade(rng))
		z = append(z, rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		if i%128 == 127 {
			cuts = append(cuts, i+1)
		}
	}
	r := make([]float64, len(z))
	for _, c := range []struct {
		name string
		loss loss.Loss
		t    loss.Target
	}{
		{"squared", loss.Squared{}, loss.Target{Y: y}},
		{"logistic", loss.Logistic{}, loss.Target{Y: y}},
		{"huber", loss.Huber{}, loss.Target{Y: y}},
		{"svm", loss.SVM{}, loss.Target{Y: y}},
		{"lorenz", loss.Lorenz{}, loss.Target{Y: y}},
		{"multinomial3", loss.Multinomial{Classes: 3}, loss.Target{Y: class}},
		{"rank", loss.Rank{}, loss.Target{Y: y, Query: cuts}},
		{"poisson", loss.Poisson{}, loss.Target{Y: class}},
		{"tweedie", loss.Tweedie{}, loss.Target{Y: class}},
		{"negbinomial", loss.NegBinomial{}, loss.Target{Y: class}},
		{"quantile", loss.Quantile{}, loss.Target{Y: y}},
	} {
		b.Run(c.name, func(b *testing.B) {
			size := n * c.loss.Outputs()
			for b.Loop() {
				c.loss.Eval(r[:size], z[:size], c.t)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
	}
}
