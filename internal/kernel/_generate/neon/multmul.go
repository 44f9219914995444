package main

// mulTMul writes the kernel that does mul of two rows and mulT of two others at
// once, column by column, with the bits of both, and then of the next two.
func (a *assembly) mulTMul() {
	c := cells[0]
	a.function("mulTMulNEON", "(z []float64, x []float32, beta, g []float64, y []float32, r []float64, ahead int)", 0, 152)
	a.do("MOVD z_base+0(FP), R0")
	a.do("MOVD z_len+8(FP), R1")
	a.do("MOVD x_base+24(FP), R6")
	a.do("MOVD y_base+96(FP), R12")
	a.do("MOVD r_base+120(FP), R2")
	a.do("MOVD beta_len+56(FP), R4")
	a.do("LSL $%d, R4, R5", c.shift) // the bytes of a row
	a.label("rows")
	a.do("CMP $2, R1")
	a.do("BLT done")
	a.do("ADD R5, R6, R7")
	a.do("ADD R5, R12, R13")
	a.do("MOVD beta_base+48(FP), R8")
	a.do("MOVD g_base+72(FP), R10")
	a.do("MOVD ahead+144(FP), R14")
	a.do("ADD R6, R14, R14")
	a.do("MOVD R4, R9")
	a.do("VLD1.P 16(R2), %s", list(factors, 1, "D2"))
	for i := range 2 * perRow {
		a.zero(i)
	}
	const (
		past = reg(18) // cells of y, two registers
		sums = reg(20) // of g, two registers
		wide = reg(28) // two registers
	)
	a.label("columns")
	a.do("CMP $%d, R9", lanes)
	a.do("BLT tail")
	a.do("PRFM (R14), PLDL1KEEP")
	a.do("ADD R5, R14, R11")
	a.do("PRFM (R11), PLDL1KEEP")
	a.do("ADD $%d, R14, R14", lanes<<c.shift)
	for quarter := range reg(4) {
		for r, from := range []string{"R6", "R7", "R12", "R13"} {
			a.do("VLD1.P 16(%s), %s", from, list(rawA+reg(r), 1, "S4"))
		}
		a.do("VLD1.P 32(R8), %s", list(coef, 2, "D2"))
		a.do("VLD1 (R10), %s", list(sums, 2, "D2"))
		for half := range reg(2) {
			for r := range reg(2) {
				a.widen(wide+r, rawA+r, half == 1)
				a.fuse(r*perRow+2*quarter+half, wide+r, coef+half)
			}
			for r := range reg(2) {
				a.widen(wide+r, past+r, half == 1)
				a.fuseLane(sums+half, wide+r, factors, int(r))
			}
		}
		a.do("VST1.P %s, 32(R10)", list(sums, 2, "D2"))
	}
	a.do("SUB $%d, R9, R9", lanes)
	a.do("B columns")
	a.label("tail")
	a.tail(func(name string) string { return name }, "R9", func(p reg, pair bool) {
		load, move, size := a.load1, "FMOVD", 8
		if pair {
			load, move, size = a.load2, "FMOVQ", 16
		}
		for r, from := range []string{"R6", "R7", "R12", "R13"} {
			load(c, rawA+reg(r), from)
			a.widen(rawA+reg(r), rawA+reg(r), false)
		}
		a.do("%s.P %d(R8), F%d", move, size, int(coef))
		a.do("%s (R10), F%d", move, int(sums))
		for r := range reg(2) {
			a.fuse(r*perRow+p, rawA+r, coef)
			a.fuseLane(sums, past+r, factors, int(r))
		}
		a.do("%s.P F%d, %d(R10)", move, int(sums), size)
	})
	a.totals(2)
	a.do("MOVD R7, R6") // both are at the end of their rows
	a.do("MOVD R13, R12")
	a.do("SUB $2, R1, R1")
	a.do("B rows")
	a.label("done")
	a.do("RET")
}
