package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// mulTMul writes the kernel that does mul of a few rows and mulT of as many at once, column by
// column, with the bits of both, and then of the next few.
//
// The rows of y follow each other, because g is summed row by row. The rows of x are the first of
// each of as many equal parts of x, then the second of each, and so on: memory is then read in a
// few long streams, which the processor recognises, and not in as many short ones as there are
// rows.
func (s isa) mulTMul() {
	TEXT("mulTMul"+s.cell.name+s.name, NOSPLIT, "func(z []float64, x []"+s.cell.kind+", beta, g []float64, y []"+s.cell.kind+", r []float64, ahead, last int, evict bool)")
	Doc("mulTMul"+s.cell.name+s.name+" is mul"+s.cell.twin+"Go of x and mulT"+s.cell.twin+"Go of y, for equally many rows, a multiple of",
		"mulTMulRows"+s.name+". What lies so many bytes ahead in each part of x is fetched, with the",
		"last rows of the parts in those of the next block instead, and what was used of y is",
		"dropped from the caches if it shall be evicted.")
	z, n := Load(Param("z").Base(), GP64()), Load(Param("z").Len(), GP64())
	x, y := Load(Param("x").Base(), GP64()), Load(Param("y").Base(), GP64())
	r := Load(Param("r").Base(), GP64())
	left := Load(Param("beta").Len(), GP64())
	stride := s.stride(left)
	beta, g, lead, part := GP64(), GP64(), GP64(), GP64()
	s.perPart(n)
	MOVQ(stride, part)
	IMULQ(n, part)
	rowX, rowY := s.rowAddresses(part), s.rowAddresses(stride)

	Label("rows")
	TESTQ(n, n)
	JZ(LabelRef("rowsDone"))
	Load(Param("beta").Base(), beta)
	Load(Param("g").Base(), g)
	Load(Param("beta").Len(), left)
	Load(Param("ahead"), lead)
	ADDQ(x, lead)
	CMPQ(n, inMemory("last"))
	JG(LabelRef("samePart"))
	for range s.rows - 1 {
		ADDQ(part, lead)
	}
	Label("samePart")

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
				k.loadX(p, rowX(x, i).Offset(s.cell.size*s.width*p), next)
				VFMADD231PD(next, coef, dots[i][p])
				k.loadX(p, rowY(y, i).Offset(s.cell.size*s.width*p), past)
				VFMADD231PD(past, by[i], sum)
			}
			k.store(p, sum, Mem{Base: g, Disp: 8 * s.width * p})
		}
	}
	Label("columns")
	CMPQ(left, U32(lanes))
	JL(LabelRef("tail"))
	for i := range s.rows {
		PREFETCHT0(rowX(lead, i))
	}
	step(s.whole())
	CMPB(inMemory("evict"), U8(0))
	JE(LabelRef("kept"))
	for i := range s.rows {
		CLFLUSHOPT(rowY(y, i))
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
	far := Load(Param("z").Len(), GP64())
	s.perPart(far)
	SHLQ(U8(3), far)
	place, places := s.rowAddresses(far), make([]Mem, s.rows)
	for i := range places {
		places[i] = place(z, i)
	}
	s.totals(dots, places)
	ADDQ(U32(8), z)
	ADDQ(U32(8*s.rows), r)
	for range s.rows - 1 {
		ADDQ(stride, y)
	}
	DECQ(n)
	JMP(LabelRef("rows"))
	Label("rowsDone")
	VZEROUPPER()
	RET()
}

// perPart writes the division of a number of rows by the number of parts, two or four.
func (s isa) perPart(n Register) { SHRQ(U8(s.rows/2), n) }

// inMemory returns the place of a parameter for which there is no register.
func inMemory(name string) Mem {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}

// rowAddresses returns the addresses of a few rows that are a stride apart.
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
