package kernel

// Moments holds sums over the columns of rows that are added one by one.
type Moments struct {
	Sum, Squares []float64 // of the numbers
	Low, High    []float32 // the smallest and the largest of them; at first infinite
	Missing      []uint32  // cells that are NaN
}

// Add adds a row:
//
//	for j, v := range row {
//		if v != v {
//			Missing[j]++
//			continue
//		}
//		Sum[j] += v
//		Squares[j] += v * v
//		Low[j], High[j] = min(Low[j], v), max(High[j], v)
//	}
func (m *Moments) Add(row []float32) {
	n := len(row)
	if len(m.Sum) != n || len(m.Squares) != n || len(m.Low) != n || len(m.High) != n || len(m.Missing) != n {
		panic("kernel: Moments.Add: the row has another length than the sums")
	}
	whole := moments(m.Sum, m.Squares, m.Low, m.High, m.Missing, row)
	momentsGo(m.Sum[whole:], m.Squares[whole:], m.Low[whole:], m.High[whole:], m.Missing[whole:], row[whole:])
}

// Add4 adds four rows, one after the other.
func (m *Moments) Add4(a, b, c, d []float32) {
	n := len(a)
	if len(b) != n || len(c) != n || len(d) != n || len(m.Sum) != n || len(m.Squares) != n || len(m.Low) != n || len(m.High) != n || len(m.Missing) != n {
		panic("kernel: Moments.Add4: a row has another length than the sums")
	}
	whole := moments4(m.Sum, m.Squares, m.Low, m.High, m.Missing, a, b, c, d)
	for _, row := range [...][]float32{a, b, c, d} {
		momentsGo(m.Sum[whole:], m.Squares[whole:], m.Low[whole:], m.High[whole:], m.Missing[whole:], row[whole:])
	}
}

// momentsGo adds squares that are exact, so it does not matter whether a compiler fuses them with
// the sum.
func momentsGo(sum, squares []float64, low, high []float32, missing []uint32, row []float32) {
	n := len(row)
	sum, squares, low, high, missing = sum[:n], squares[:n], low[:n], high[:n], missing[:n]
	for j, v := range row {
		if v != v {
			missing[j]++
			continue
		}
		x := float64(v)
		sum[j] += x
		squares[j] += x * x
		if v < low[j] {
			low[j] = v
		}
		if v > high[j] {
			high[j] = v
		}
	}
}
