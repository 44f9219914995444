package kernel

// Marks marks some of a run of neighbouring numbers.
type Marks struct {
	numbers, marked int
	bits            []uint8 // one bit for each number
}

// NewMarks returns the marks of n numbers.
func NewMarks(n int) *Marks { return &Marks{numbers: n, bits: make([]uint8, (n+7)/8)} }

// Mark marks a number that is not marked yet.
func (m *Marks) Mark(i int) {
	m.bits[i/8] |= 1 << (i % 8)
	m.marked++
}

// Compress copies the marked numbers of a run to dst, in their order.
func (m *Marks) Compress(dst, run []float64) {
	if len(run) != m.numbers || len(dst) != m.marked {
		panic("kernel: Compress: dst or the run have another length than the marks")
	}
	compressFloat64(dst, run, m.bits)
}
