package main

import "math"

// expNegAbs writes the kernel of exp(−|x|), four numbers at a time.
func (a *assembly) expNegAbs() {
	numbers := []float64{709, math.Log2E, 0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45, 0x1.8p52 + 1023}
	factorial := 1.0
	inverse := []float64{1}
	for i := 1; i <= 13; i++ {
		factorial *= float64(i)
		inverse = append(inverse, 1/factorial)
	}
	for i := 13; i >= 0; i-- {
		numbers = append(numbers, inverse[i])
	}
	a.line("")
	for i, v := range numbers {
		a.line("DATA expNegAbs<>+%d(SB)/8, $%#016x", 8*i, math.Float64bits(v))
	}
	a.line("GLOBL expNegAbs<>(SB), RODATA|NOPTR, $%d", 8*len(numbers))

	const (
		most, perBit, high, low, magic, series = reg(12), reg(13), reg(14), reg(15), reg(16), reg(17)

		rest, scale, sum = reg(0), reg(2), reg(4) // two registers each,
		other            = reg(6)                 // and two more
	)
	a.function("expNegAbsNEON", "(dst, x []float64)", 32, 48)
	a.do("MOVD dst_base+0(FP), R0")
	a.do("MOVD dst_len+8(FP), R1")
	a.do("MOVD x_base+24(FP), R2")
	a.do("MOVD $expNegAbs<>(SB), R3")
	for i := range reg(len(numbers)) {
		a.do("VLD1R.P 8(R3), %s", list(most+i, 1, "D2"))
	}
	four := func() {
		each := func(f func(p reg)) { f(0); f(1) }
		each(func(p reg) {
			a.abs(rest+p, rest+p)
			a.least(rest+p, rest+p, most)
		})
		each(func(p reg) {
			a.multiply(scale+p, rest+p, perBit)
			a.round(scale+p, scale+p)
		})
		each(func(p reg) { // rest = n·ln 2 − |x|, in two steps to keep its digits
			a.negate(rest+p, rest+p)
			a.fuse(rest+p, scale+p, high)
			a.fuse(rest+p, scale+p, low)
		})
		each(func(p reg) {
			a.subtract(scale+p, magic, scale+p)
			a.do("VSHL $52, %v.D2, %v.D2", scale+p, scale+p)
		})
		from, to := sum, other
		each(func(p reg) { a.do("VMOV %v.B16, %v.B16", series, from+p) })
		for i := reg(1); i < 14; i++ {
			each(func(p reg) {
				a.do("VMOV %v.B16, %v.B16", series+i, to+p)
				a.fuse(to+p, from+p, rest+p)
			})
			from, to = to, from
		}
		each(func(p reg) { a.multiply(rest+p, from+p, scale+p) })
	}
	a.label("numbers")
	a.do("CMP $4, R1")
	a.do("BLT tail")
	a.do("VLD1.P 32(R2), %s", list(rest, 2, "D2"))
	four()
	a.do("VST1.P %s, 32(R0)", list(rest, 2, "D2"))
	a.do("SUB $4, R1, R1")
	a.do("B numbers")
	a.label("tail") // by way of the stack
	a.do("CBZ R1, done")
	a.do("MOVD $room-32(SP), R4")
	a.do("MOVD R1, R5")
	a.do("MOVD R4, R6")
	a.label("fill")
	a.do("FMOVD.P 8(R2), F0")
	a.do("FMOVD.P F0, 8(R6)")
	a.do("SUBS $1, R5, R5")
	a.do("BNE fill")
	a.do("VLD1 (R4), %s", list(rest, 2, "D2"))
	four()
	a.do("VST1 %s, (R4)", list(rest, 2, "D2"))
	a.label("drain")
	a.do("FMOVD.P 8(R4), F0")
	a.do("FMOVD.P F0, 8(R0)")
	a.do("SUBS $1, R1, R1")
	a.do("BNE drain")
	a.label("done")
	a.do("RET")
}
