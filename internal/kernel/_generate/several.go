package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// mostSeveral is the largest number of vectors that one read of rows is multiplied by: as many as have
// their sums in registers, and as can be addressed by multiples of a stride.
const mostSeveral = 5

// mulSeveral writes the kernel of z = Xβ for several vectors β, which lie one after the other. Each
// number of a row is converted once for all of them.
func (s isa) mulSeveral(vectors int) {
	TEXT(fmt.Sprintf("mulSeveral%d%s", vectors, s.name), NOSPLIT, "func(z *float64, x *float32, beta *float64, m, rows, stride int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("mulSeveral%d%s is mulGo of some rows of m cells and %d vectors, one after the other in beta.", vectors, s.name, vectors),
		"Their products lie stride apart in z.")
	z, x, n := Load(Param("z"), GP64()), Load(Param("x"), GP64()), Load(Param("rows"), GP64())
	far := Load(Param("stride"), GP64())
	SHLQ(U8(3), far)
	place := s.several(far, vectors)
	length := Load(Param("m"), GP64())
	SHLQ(U8(3), length)
	of := s.several(length, vectors)
	row := GP64()
	MOVQ(length, row)
	SHRQ(U8(1), row)

	for _, rows := range []int{2, 1} {
		begin, end := s.label("rows", rows), s.label("rowsDone", rows)
		Label(begin)
		CMPQ(n, U32(rows))
		JL(LabelRef(end))
		s.severalDots(rows, vectors, z, x, row, place, of)
		ADDQ(U32(8*rows), z)
		for range rows {
			ADDQ(row, x)
		}
		SUBQ(U32(rows), n)
		JMP(LabelRef(begin))
		Label(end)
	}
	VZEROUPPER()
	RET()
}

// severalDots writes the dot products of one or two rows with several vectors.
func (s isa) severalDots(rows, vectors int, z, x, row Register, place, of func(Register, int) Mem) {
	parts := lanes / s.width
	dots := make([][][]VecVirtual, rows)
	for i := range dots {
		dots[i] = make([][]VecVirtual, vectors)
		for v := range dots[i] {
			for range parts {
				sum := s.vector()
				VXORPD(sum, sum, sum)
				dots[i][v] = append(dots[i][v], sum)
			}
		}
	}
	at, b, left := GP64(), Load(Param("beta"), GP64()), Load(Param("m"), GP64())
	MOVQ(x, at)
	step := func(k masks) {
		for p := range parts {
			cells := make([]VecVirtual, rows)
			for i := range cells {
				cells[i] = s.vector()
				from := Mem{Base: at, Disp: s.cell.size * s.width * p}
				if i == 1 {
					from.Index, from.Scale = row, 1
				}
				k.loadX(p, from, cells[i])
			}
			for v := range vectors {
				coef := s.vector()
				k.load(p, of(b, v).Offset(8*s.width*p), coef)
				for i := range cells {
					VFMADD231PD(cells[i], coef, dots[i][v][p])
				}
			}
		}
	}
	loop, tail, done := s.label("columns", rows), s.label("tail", rows), s.label("done", rows)
	Label(loop)
	CMPQ(left, U32(lanes))
	JL(LabelRef(tail))
	step(s.whole())
	ADDQ(U32(s.cell.size*lanes), at)
	ADDQ(U32(8*lanes), b)
	SUBQ(U32(lanes), left)
	JMP(LabelRef(loop))
	Label(tail)
	TESTQ(left, left)
	JZ(LabelRef(done))
	step(s.tail(s, left))
	Label(done)
	var sums [][]VecVirtual
	var places []Mem
	for i := range dots {
		for v := range vectors {
			sums, places = append(sums, dots[i][v]), append(places, place(z, v).Offset(8*i))
		}
	}
	for len(sums) > 0 {
		n := min(len(sums), 4)
		s.totals(sums[:n], places[:n])
		sums, places = sums[n:], places[n:]
	}
}

// mulTSeveral writes the kernel of g += Xᵀr for several vectors r. The sums of a few columns stay in
// registers while all rows are added.
func (s isa) mulTSeveral(vectors int) {
	TEXT(fmt.Sprintf("mulTSeveral%d%s", vectors, s.name), NOSPLIT, "func(sum *float64, x *float32, r *float64, m, rows, stride int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("mulTSeveral%d%s is mulTGo of some rows of m cells and %d vectors, stride apart in r.", vectors, s.name, vectors),
		"Their sums lie one after the other.")
	g, x, left := Load(Param("sum"), GP64()), Load(Param("x"), GP64()), Load(Param("m"), GP64())
	far := Load(Param("stride"), GP64())
	SHLQ(U8(3), far)
	number := s.several(far, vectors)
	length := GP64()
	MOVQ(left, length)
	SHLQ(U8(3), length)
	sum := s.several(length, vectors)
	row := GP64()
	MOVQ(length, row)
	SHRQ(U8(1), row)

	parts := lanes / s.width
	step := func(name string, k masks) {
		sums := make([][]VecVirtual, vectors)
		for v := range sums {
			for p := range parts {
				to := s.vector()
				k.load(p, sum(g, v).Offset(8*s.width*p), to)
				sums[v] = append(sums[v], to)
			}
		}
		at, by, n := GP64(), Load(Param("r"), GP64()), Load(Param("rows"), GP64())
		MOVQ(x, at)
		Label(name)
		for p := range parts {
			cells := s.vector()
			k.loadX(p, Mem{Base: at, Disp: s.cell.size * s.width * p}, cells)
			for v := range vectors {
				VFMADD231PD_BCST(number(by, v), cells, sums[v][p])
			}
		}
		ADDQ(row, at)
		ADDQ(U32(8), by)
		DECQ(n)
		JNZ(LabelRef(name))
		for v := range sums {
			for p := range parts {
				k.store(p, sums[v][p], sum(g, v).Offset(8*s.width*p))
			}
		}
	}
	Label("columns")
	CMPQ(left, U32(lanes))
	JL(LabelRef("tail"))
	step("rows", s.whole())
	ADDQ(U32(s.cell.size*lanes), x)
	ADDQ(U32(8*lanes), g)
	SUBQ(U32(lanes), left)
	JMP(LabelRef("columns"))
	Label("tail")
	TESTQ(left, left)
	JZ(LabelRef("done"))
	step("tailRows", s.tail(s, left))
	Label("done")
	VZEROUPPER()
	RET()
}

// several returns the addresses of what lies up to four times a stride behind the first.
func (s isa) several(stride Register, vectors int) func(first Register, v int) Mem {
	var thrice Register
	if vectors > 3 {
		thrice = GP64()
		LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, thrice)
	}
	return func(first Register, v int) Mem {
		switch v {
		case 0:
			return Mem{Base: first}
		case 3:
			return Mem{Base: first, Index: thrice, Scale: 1}
		}
		return Mem{Base: first, Index: stride, Scale: uint8(v)}
	}
}
