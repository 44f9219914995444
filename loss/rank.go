package loss

// Rank is the loss of pairs of rows of eq. rankloss of the paper,
//
//	ln(1+exp(z_i−z_j)) − r(z_i−z_j),
//
// where r is 1 if row i is better and 0 if row j is better. The loss is small if the better row has
// the larger margin.
//
// The pairs are Target.Pairs if they are given. Otherwise they are all pairs of rows of one query
// with different grades Y; the row with the larger grade is better. Rows without queries are
// treated as one query. The weight of a pair is the mean of the weights of its two rows, or 0 if
// one of these is 0; the weight of a block is the sum over its pairs. The time grows with the
// number of pairs, that is with the square of the query length.
type Rank struct{}

var _ Loss = Rank{}

// Outputs implements [Loss].
func (Rank) Outputs() int { return 1 }

// Eval implements [Loss].
func (Rank) Eval(r, z []float64, t Target) (sum, weight float64) {
	clear(r)
	if t.Pairs != nil {
		return evalJudged(r, z, t)
	}
	return evalGraded(r, z, t)
}

// evalJudged sums the loss over the given pairs.
func evalJudged(r, z []float64, t Target) (sum, weight float64) {
	var logs logSum
	for _, pair := range t.Pairs {
		i, j, better := pair.I, pair.J, pair.R
		worse := 1 - better
		w := t.pairWeight(i, j)
		x := z[i] - z[j]
		p, q, e := sigmoid(x)
		g := w * (worse*q - better*p)
		r[i] += g
		r[j] -= g
		logs = logs.add(w, e)
		sum += w * (worse*max(x, 0) + better*max(-x, 0))
		weight += w
	}
	return sum + logs.total(), weight
}

// evalGraded sums the loss over the pairs that follow from the grades: each row with the rows of a
// lower grade.
func evalGraded(r, z []float64, t Target) (sum, weight float64) {
	var logs logSum
	cuts := t.cuts()
	for k := range len(cuts) - 1 {
		lo, hi := cuts[k], cuts[k+1]
		z, y, r := z[lo:hi], t.Y[lo:hi], r[lo:hi]
		for i, grade := range y {
			for j := range y {
				if y[j] >= grade {
					continue
				}
				w := t.pairWeight(lo+i, lo+j)
				x := z[i] - z[j]
				p, _, e := sigmoid(x)
				r[i] -= w * p
				r[j] += w * p
				logs = logs.add(w, e)
				sum += w * max(-x, 0)
				weight += w
			}
		}
	}
	return sum + logs.total(), weight
}

// Curvature implements [Loss]. The Hessian is at most a quarter of the Laplacian of the graph whose
// edges are the pairs. By Gershgorin, the Laplacian is at most twice its diagonal.
func (Rank) Curvature(d []float64, t Target) (weight float64) {
	clear(d)
	edge := func(i, j int) {
		w := t.pairWeight(i, j)
		d[i] += w / 2
		d[j] += w / 2
		weight += w
	}
	if t.Pairs != nil {
		for _, p := range t.Pairs {
			edge(p.I, p.J)
		}
		return weight
	}
	cuts := t.cuts()
	for k := range len(cuts) - 1 {
		lo, hi := cuts[k], cuts[k+1]
		for i := lo; i < hi; i++ {
			for j := lo; j < hi; j++ {
				if t.Y[j] < t.Y[i] {
					edge(i, j)
				}
			}
		}
	}
	return weight
}

// pairWeight returns the weight of the pair of rows i and j.
func (t *Target) pairWeight(i, j int) float64 {
	switch {
	case t.Weight == nil:
		return 1
	case t.Weight[i] == 0 || t.Weight[j] == 0:
		return 0
	}
	return (t.Weight[i] + t.Weight[j]) / 2
}

// cuts returns Query or, without queries, the cuts of a single query that holds all rows.
func (t *Target) cuts() []int {
	if t.Query == nil {
		return []int{0, len(t.Y)}
	}
	return t.Query
}
