package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// mulTMul writes the kernel that does mul of a few rows and mulT of as many at
// once, column by column, with the bits of both, and then of the next few.
func (s isa) mulTMul() {
	TEXT("mulTMul"+s.cell.name+s.name, NOSPLIT, "func(z []float64, x []"+s.cell.kind+", beta, g []float64, y []"+s.cell.kind+", r []float64, ahead int, evict bool)")
	Doc("mulTMul"+s.cell.name+s.name+" is mul"+s.cell.twin+"Go of x and mulT"+s.cell.twin+"Go of y, for equally many rows, a multiple of",
		"mulTMulRows"+s.name+". What lies so many bytes ahead of x is fetched, and what was",
		"used of y is dropped from the caches if it shall be evicted.")
	z, n := Load(Param("z").Base(), GP64()), Load(Param("z").Len(), GP64())
	x, y := Load(Param("x").Base(), GP64()), Load(Param("y").Base(), GP64())
	r := Load(Param("r").Base(), GP64())
	left := Load(Param("beta").Len(), GP64())
	stride := s.stride(left)
	beta, g, lead := GP64(), GP64(), GP64()
	evict := Load(Param("evict"), GP8())
	row := s.rowAddresses(stride)

	Label("rows")
	CMPQ(n, U32(s.rows))
	JL(LabelRef("rowsDone"))
	Load(Param("beta").Base(), beta)
	Load(Param("g").Base(), g)
	Load(Param("beta").Len(), left)
	Load(Param("ahead"), lead)
	ADDQ(x, lead)

	parts := lanes / s.width
	dots, by := make([][]VecVirtual, s.rows), make([]VecVirtual, s.rows)
	for i := range s.rows {
		by[i] = s.vector()
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
			for i := range s.rows {
				next, past := s.vector(), s.vector()
				k.loadX(p, row(x, i).Offset(s.cell.size*s.width*p), next)
				VFMADD231PD(next, coef, dots[i][p])
				k.loadX(p, row(y, i).Offset(s.cell.size*s.width*p), past)
				VFMADD231PD(past, by[i], sum)
			}
			k.store(p, sum, Mem{Base: g, Disp: 8 * s.width * p})
		}
	}
	Label("columns")
	CMPQ(left, U32(lanes))
	JL(LabelRef("tail"))
	for i := range s.rows {
		PREFETCHT0(row(lead, i))
	}
	step(s.whole())
	TESTB(evict, evict)
	JZ(LabelRef("kept"))
	for i := range s.rows {
		CLFLUSHOPT(row(y, i))
	}
	Label("kept")
	for _, at := range []Register{x, y, lead} {
		ADDQ(U32(s.cell.size*lanes), at)
	}
	ADDQ(U32(8*lanes), beta)
	ADDQ(U32(8*lanes), g)
	SUBQ(U32(lanes), left)
	JMP(LabelRef("columns"))
	Label("tail")
	TESTQ(left, left)
	JZ(LabelRef("sums"))
	step(s.tail(s, left))
	LEAQ(Mem{Base: x, Index: left, Scale: uint8(s.cell.size)}, x)
	LEAQ(Mem{Base: y, Index: left, Scale: uint8(s.cell.size)}, y)
	Label("sums")
	s.totals(dots, z)
	ADDQ(U32(8*s.rows), z)
	ADDQ(U32(8*s.rows), r)
	for range s.rows - 1 {
		ADDQ(stride, x)
		ADDQ(stride, y)
	}
	SUBQ(U32(s.rows), n)
	JMP(LabelRef("rows"))
	Label("rowsDone")
	VZEROUPPER()
	RET()
}

// rowAddresses returns the places of a few rows that lie a stride apart.
func (s isa) rowAddresses(stride Register) func(first Register, i int) Mem {
	var thrice Register
	if s.rows > 3 {
		thrice = GP64()
		LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, thrice)
	}
	return func(first Register, i int) Mem {
		switch i {
		case 0:
			return Mem{Base: first}
		case 3:
			return Mem{Base: first, Index: thrice, Scale: 1}
		}
		return Mem{Base: first, Index: stride, Scale: uint8(i)}
	}
}
