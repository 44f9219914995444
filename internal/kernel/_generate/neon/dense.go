package main

import "fmt"

// Registers of the products.
const (
	lanes   = 16
	perRow  = reg(lanes / 2) // registers of the sums of a row
	rawA    = reg(16)        // cells of one row, four registers,
	rawB    = reg(20)        // and of another row
	coef    = reg(24)        // four registers of coefficients
	widened = reg(28)        // two registers
	factors = reg(30)        // two registers of numbers that rows are multiplied by
)

// mul writes the kernel of z = Xβ, two rows at a time.
func (a *assembly) mul(c cell) {
	name := "mul" + c.name + "NEON"
	a.function(name, "(z []float64, x []"+c.kind+", beta []float64)", 0, 72)
	a.do("MOVD z_base+0(FP), R0")
	a.do("MOVD z_len+8(FP), R1")
	a.do("MOVD x_base+24(FP), R2")
	a.do("MOVD beta_base+48(FP), R3")
	a.do("MOVD beta_len+56(FP), R4")
	a.do("LSL $%d, R4, R5", c.shift) // the bytes of a row
	a.label("two")
	a.do("CMP $2, R1")
	a.do("BLT one")
	a.dots(c, 2)
	a.do("ADD R5<<1, R2, R2")
	a.do("SUB $2, R1, R1")
	a.do("B two")
	a.label("one")
	a.do("CBZ R1, done")
	a.dots(c, 1)
	a.label("done")
	a.do("RET")
}

// dots writes the dot products of one or two rows at R2 with beta, and stores them at R0, which
// advances.
func (a *assembly) dots(c cell, rows int) {
	label := func(name string) string { return fmt.Sprintf("%s%d", name, rows) }
	at, raw := []string{"R6", "R7"}[:rows], []reg{rawA, rawB}
	a.do("MOVD R2, R6")
	if rows == 2 {
		a.do("ADD R5, R2, R7")
	}
	a.do("MOVD R3, R8")
	a.do("MOVD R4, R9")
	for i := range perRow * reg(rows) {
		a.zero(i)
	}
	a.label(label("columns"))
	a.do("CMP $%d, R9", lanes)
	a.do("BLT %s", label("tail"))
	for r, from := range at {
		a.load16(c, raw[r], from)
	}
	for half := range reg(2) {
		a.do("VLD1.P 64(R8), %s", list(coef, 4, "D2"))
		for q := range reg(4) {
			p := 4*half + q
			for r := range reg(rows) {
				a.widen(widened+r, raw[r]+p/2, p%2 == 1)
				a.fuse(r*perRow+p, widened+r, coef+q)
			}
		}
	}
	a.do("SUB $%d, R9, R9", lanes)
	a.do("B %s", label("columns"))
	a.label(label("tail"))
	a.tail(label, "R9", func(p reg, pair bool) {
		for r, from := range at {
			if pair {
				a.load2(c, raw[r], from)
			} else {
				a.load1(c, raw[r], from)
			}
			a.widen(raw[r], raw[r], false)
		}
		if pair {
			a.do("FMOVQ.P 16(R8), F%d", int(coef))
		} else {
			a.do("FMOVD.P 8(R8), F%d", int(coef))
		}
		for r := range reg(rows) {
			a.fuse(r*perRow+p, raw[r], coef)
		}
	})
	a.totals(rows)
}

// tail writes the remaining columns, fewer than 16: two at a time and then one. Step gets the
// number of their register among those of a row.
func (a *assembly) tail(label func(name string) string, left string, step func(p reg, pair bool)) {
	single := func(p reg) string { return label(fmt.Sprintf("single%d_", int(p))) }
	for p := range perRow - 1 {
		a.do("CMP $2, %s", left)
		a.do("BLT %s", single(p))
		step(p, true)
		a.do("SUB $2, %s, %s", left, left)
	}
	for p := perRow - 1; p >= 0; p-- { // the last one is next
		a.label(single(p))
		a.do("CBZ %s, %s", left, label("sums"))
		step(p, false)
		if p > 0 {
			a.do("B %s", label("sums"))
		}
	}
	a.label(label("sums"))
}

// totals writes the sums of the lanes of each row to R0: halves are added until one number is left.
func (a *assembly) totals(rows int) {
	for r := range reg(rows) {
		first := r * perRow
		for n := perRow / 2; n > 0; n /= 2 {
			for p := range n {
				a.add(first+p, first+p, first+p+n)
			}
		}
		a.addPair(first, first)
		a.do("FMOVD.P F%d, 8(R0)", int(first))
	}
}

// mulT writes the kernel of g += Xᵀr, four rows at a time.
func (a *assembly) mulT(c cell) {
	name := "mulT" + c.name + "NEON"
	a.function(name, "(g []float64, x []"+c.kind+", r []float64)", 0, 72)
	a.do("MOVD g_base+0(FP), R3")
	a.do("MOVD g_len+8(FP), R4")
	a.do("MOVD x_base+24(FP), R2")
	a.do("MOVD r_base+48(FP), R0")
	a.do("MOVD r_len+56(FP), R1")
	a.do("LSL $%d, R4, R5", c.shift) // the bytes of a row
	a.label("four")
	a.do("CMP $4, R1")
	a.do("BLT one")
	a.axpys(c, 4)
	a.do("ADD R5<<2, R2, R2")
	a.do("SUB $4, R1, R1")
	a.do("B four")
	a.label("one")
	a.do("CBZ R1, done")
	a.axpys(c, 1)
	a.do("ADD R5, R2, R2")
	a.do("SUB $1, R1, R1")
	a.do("B one")
	a.label("done")
	a.do("RET")
}

// axpys writes the addition of one or four rows at R2, each times its number at R0, which advances,
// to g.
func (a *assembly) axpys(c cell, rows int) {
	label := func(name string) string { return fmt.Sprintf("%s%d", name, rows) }
	at := []string{"R6", "R7", "R8", "R9"}[:rows]
	a.do("MOVD R2, R6")
	for r := 1; r < rows; r++ {
		a.do("ADD R5, %s, %s", at[r-1], at[r])
	}
	if rows == 4 {
		a.do("VLD1.P 32(R0), %s", list(factors, 2, "D2"))
	} else {
		a.do("FMOVD.P 8(R0), F%d", int(factors))
	}
	a.do("MOVD R3, R10")
	a.do("MOVD R4, R11")
	a.label(label("columns"))
	a.do("CMP $%d, R11", lanes)
	a.do("BLT %s", label("pairs"))
	a.do("MOVD R10, R12")
	for half := range reg(2) {
		a.do("VLD1.P 64(R12), %s", list(4*half, 4, "D2"))
	}
	for r := range rows {
		a.load16(c, rawA, at[r])
		for p := range perRow {
			a.widen(widened+p%2, rawA+p/2, p%2 == 1)
			a.fuseLane(p, widened+p%2, factors+reg(r/2), r%2)
		}
	}
	for half := range reg(2) {
		a.do("VST1.P %s, 64(R10)", list(4*half, 4, "D2"))
	}
	a.do("SUB $%d, R11, R11", lanes)
	a.do("B %s", label("columns"))
	few := func(load func(c cell, d reg, from string), move string) {
		a.do("%s (R10), F0", move)
		for r := range rows {
			load(c, rawA, at[r])
			a.widen(rawA, rawA, false)
			a.fuseLane(0, rawA, factors+reg(r/2), r%2)
		}
	}
	a.label(label("pairs"))
	a.do("CMP $2, R11")
	a.do("BLT %s", label("single"))
	few(a.load2, "FMOVQ")
	a.do("FMOVQ.P F0, 16(R10)")
	a.do("SUB $2, R11, R11")
	a.do("B %s", label("pairs"))
	a.label(label("single"))
	a.do("CBZ R11, %s", label("rowsDone"))
	few(a.load1, "FMOVD")
	a.do("FMOVD F0, (R10)")
	a.label(label("rowsDone"))
}
