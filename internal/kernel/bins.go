package kernel

import "math"

// Bins describes the 16-bit codes of the cells of piecewise-linear variables. The upper digits of a
// code are the knot j to the left of a number, and the lower ones are the fraction α of the way to
// the next knot, in units of 1/2^Digits. The cell of knot j is 1−α and that of knot j+1 is α.
// MissingCode stands for a missing number: its cell is 1 in the column behind the last knot. If α
// is 0, the cell to the right may belong to another variable or not exist at all.
type Bins struct {
	Count  int   // bins of a variable, which has Count+1 knots
	Digits int   // lower digits of a code
	Offset []int // column of the first knot of each variable, ascending
}

// MissingCode is the code of a missing number.
const MissingCode = math.MaxUint16

// knots turns codes into cells.
type knots struct {
	count, digits int
	mask          uint16  // of the digits of α
	step          float64 // value of the last of them
}

func (b *Bins) knots() knots {
	return knots{b.Count, b.Digits, 1<<b.Digits - 1, math.Ldexp(1, -b.Digits)}
}

// of returns the left one of the two cells of a code, and α.
func (k *knots) of(code uint16) (j int, alpha float64) {
	if code == MissingCode {
		return k.count + 1, 0
	}
	return int(code >> (k.digits & 15)), float64(code&k.mask) * k.step
}

// MulBins computes z = Xβ, where X has rows of m = len(b.Offset) codes one after another:
//
//	for i := range z {
//		z[i] = 0
//		for v, code := range x[i*m : (i+1)*m] {
//			j, alpha := knot(code)
//			j += b.Offset[v]
//			z[i] += (1-alpha)*beta[j] + alpha*beta[j+1]
//		}
//	}
//
// in this order, each product and each sum with its own rounding.
func MulBins(z []float64, x []uint16, beta []float64, b Bins) {
	if len(x) != len(z)*len(b.Offset) {
		panic("kernel: MulBins: x is not of len(z) rows and len(b.Offset) codes")
	}
	mulBins(z, x, beta, b)
}

// MulTBins computes g += Xᵀr, where X has rows of m = len(b.Offset) codes one after another:
//
//	for i := range r {
//		for v, code := range x[i*m : (i+1)*m] {
//			j, alpha := knot(code)
//			j += b.Offset[v]
//			g[j] += (1 - alpha) * r[i]
//			g[j+1] += alpha * r[i]
//		}
//	}
//
// in this order, each product and each sum with its own rounding.
func MulTBins(g []float64, x []uint16, r []float64, b Bins) {
	if len(x) != len(r)*len(b.Offset) {
		panic("kernel: MulTBins: x is not of len(r) rows and len(b.Offset) codes")
	}
	mulTBins(g, x, r, b)
}

// mulBinsGo adds MulBins to z. Its loops have no branch that a processor would have to predict: if
// there is no cell to the right, any coefficient will do for it. Products are converted to float64,
// because some processors would fuse them with a sum otherwise.
func mulBinsGo(z []float64, x []uint16, beta []float64, b Bins) {
	k, m, last := b.knots(), len(b.Offset), len(beta)-1
	for i := range z {
		row := x[i*m : (i+1)*m]
		offset := b.Offset[:len(row)]
		s := z[i]
		for v, code := range row {
			j, alpha := k.of(code)
			j += offset[v]
			s += float64((1-alpha)*beta[j]) + float64(alpha*beta[min(j+1, last)])
		}
		z[i] = s
	}
}

// mulTBinsGo is MulTBins.
func mulTBinsGo(g []float64, x []uint16, r []float64, b Bins) {
	k, m, last := b.knots(), len(b.Offset), len(g)-1
	for i, ri := range r {
		row := x[i*m : (i+1)*m]
		offset := b.Offset[:len(row)]
		for v, code := range row {
			j, alpha := k.of(code)
			j += offset[v]
			g[j] += float64((1 - alpha) * ri)
			g[min(j+1, last)] += float64(alpha * ri)
		}
	}
}

// mulLastBin is mulBinsGo for the last variable, for kernels that always load the cell to the right
// of a knot, even if it does not exist.
func mulLastBin(z []float64, x []uint16, beta []float64, b Bins) {
	k, m := b.knots(), len(b.Offset)
	beta = beta[b.Offset[m-1]:]
	for i := range z {
		j, alpha := k.of(x[i*m+m-1])
		z[i] += float64((1-alpha)*beta[j]) + float64(alpha*beta[min(j+1, len(beta)-1)])
	}
}

// mulTLastBin is mulTBinsGo for the last variable.
func mulTLastBin(g []float64, x []uint16, r []float64, b Bins) {
	k, m := b.knots(), len(b.Offset)
	g = g[b.Offset[m-1]:]
	for i, ri := range r {
		j, alpha := k.of(x[i*m+m-1])
		g[j] += float64((1 - alpha) * ri)
		g[min(j+1, len(g)-1)] += float64(alpha * ri)
	}
}
