package objective

import "fsa/internal/matrix"

// vectors returns the coefficients of some models one after the other, if the rows of x can be
// multiplied by several vectors in one read; else nil.
func (p *pool) vectors(x matrix.Matrix, models []model) []float64 {
	if _, several := x.(matrix.Several); !several || len(models) < 2 || models[0].ob.outputs > 1 {
		return nil
	}
	p.beta = p.beta[:0]
	for _, m := range models {
		p.beta = append(p.beta, m.ob.beta...)
	}
	return p.beta
}

// several adds the sums of a block for several models of one output, which read it at once. The bits
// are those of each model alone.
func (d *desk) several(x matrix.SeveralRows, beta []float64, work piece, b span, models []model) {
	n, cols := b.hi-b.lo, len(beta)/len(models)
	if len(d.d) < n || len(d.z) < n*len(models) {
		d.z, d.r, d.d = make([]float64, n*len(models)), make([]float64, n*len(models)), make([]float64, n)
	}
	z, r := d.z[:n*len(models)], d.r[:n*len(models)]
	x.MulSeveral(z, beta, len(models))
	for i, m := range models {
		w := worker{sums: d.workers[work.lo+i].sums, z: z[i*n : (i+1)*n], r: r[i*n : (i+1)*n], d: d.d[:n]}
		for j := range w.z {
			w.z[j] += m.constant[0]
		}
		sum, weight := m.turn(&w, b)
		w.sum += sum
		w.weight += weight
		addByOutput(w.slope, w.r)
	}
	x.MulTSeveral(d.g[work.lo*cols:work.hi*cols], r, len(models))
}
