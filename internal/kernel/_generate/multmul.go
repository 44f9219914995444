package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// mulTMul writes the kernel that does four rows of mul and four of mulT at once,
// column by column, with the bits of both. AVX2 has too few registers for it.
func (s isa) mulTMul() {
	const rows = 4
	TEXT("mulTMul"+s.cell.name+s.name, NOSPLIT, "func(z *float64, x *"+s.cell.kind+", beta []float64, to *float64, y *"+s.cell.kind+", r *float64, ahead int)")
	Doc("mulTMul"+s.cell.name+s.name+" is mul"+s.cell.name+" of four rows at x and mulT"+s.cell.name+" of four at y.",
		"What lies so many bytes ahead of x is fetched.")
	z, x := Load(Param("z"), GP64()), Load(Param("x"), GP64())
	beta, m := Load(Param("beta").Base(), GP64()), Load(Param("beta").Len(), GP64())
	g, y := Load(Param("to"), GP64()), Load(Param("y"), GP64())
	r := Load(Param("r"), GP64())
	stride, ahead := s.stride(m), Load(Param("ahead"), GP64())

	parts := lanes / s.width
	var atX, atY [rows]Register
	var dots [rows][]VecVirtual
	var by [rows]VecVirtual
	for i := range rows {
		atX[i], atY[i], by[i] = GP64(), GP64(), s.vector()
		if i == 0 {
			MOVQ(x, atX[0])
			MOVQ(y, atY[0])
		} else {
			LEAQ(Mem{Base: atX[i-1], Index: stride, Scale: 1}, atX[i])
			LEAQ(Mem{Base: atY[i-1], Index: stride, Scale: 1}, atY[i])
		}
		VBROADCASTSD(Mem{Base: r, Disp: 8 * i}, by[i])
		for range parts {
			v := s.vector()
			VXORPD(v, v, v)
			dots[i] = append(dots[i], v)
		}
	}
	step := func(k masks) {
		for p := range parts {
			coef, sum := s.vector(), s.vector()
			k.load(p, Mem{Base: beta, Disp: 8 * s.width * p}, coef)
			k.load(p, Mem{Base: g, Disp: 8 * s.width * p}, sum)
			for i := range rows {
				next, past := s.vector(), s.vector()
				k.loadX(p, Mem{Base: atX[i], Disp: s.cell.size * s.width * p}, next)
				VFMADD231PD(next, coef, dots[i][p])
				k.loadX(p, Mem{Base: atY[i], Disp: s.cell.size * s.width * p}, past)
				VFMADD231PD(past, by[i], sum)
			}
			k.store(p, sum, Mem{Base: g, Disp: 8 * s.width * p})
		}
	}
	Label("columns")
	CMPQ(m, U32(lanes))
	JL(LabelRef("tail"))
	for i := range rows {
		PREFETCHT0(Mem{Base: atX[i], Index: ahead, Scale: 1})
	}
	step(s.whole())
	for i := range rows {
		ADDQ(U32(s.cell.size*lanes), atX[i])
		ADDQ(U32(s.cell.size*lanes), atY[i])
	}
	ADDQ(U32(8*lanes), beta)
	ADDQ(U32(8*lanes), g)
	SUBQ(U32(lanes), m)
	JMP(LabelRef("columns"))
	Label("tail")
	TESTQ(m, m)
	JZ(LabelRef("done"))
	step(s.tail(s, m))
	Label("done")
	for i := range rows {
		VMOVSD(s.total(dots[i]), Mem{Base: z, Disp: 8 * i})
	}
	VZEROUPPER()
	RET()
}
