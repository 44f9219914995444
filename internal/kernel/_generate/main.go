// Command generate writes the assembly of package kernel. Run it in its own folder:
//
//	go run . -out ../dense_amd64.s -stubs ../dense_stubs_amd64.go -pkg kernel
//
// Each kernel exists for AVX-512 and for AVX2 with FMA. Both compute the same bits as the Go code
// beside them: a dot product has 16 lanes that are added up in a fixed order, a sum over rows goes
// row by row, and a function is the same polynomial. Kernels of rows exist for every kind of cell;
// all compute in float64.
package main

import (
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lanes is the number of partial sums of a dot product.
const lanes = 16

// isa is an instruction set.
type isa struct {
	name   string
	width  int               // float64 numbers in a register
	rows   int               // rows of a dot product that are processed at once
	vector func() VecVirtual // a register
	cell   cell              // type of the cells of rows

	// tail prepares masks for the first n, fewer than 16, of 16 numbers.
	tail func(s isa, n Register) masks
}

// masks holds the masks of a tail. Part p is the p-th register of float64 numbers.
type masks struct {
	loadX func(p int, from Mem, to VecVirtual) // cells, as float64; nil if they have to be staged
	load  func(p int, from Mem, to VecVirtual)
	store func(p int, from VecVirtual, to Mem)
}

// whole is for full registers, without masks.
func (s isa) whole() masks {
	return masks{
		loadX: func(_ int, from Mem, to VecVirtual) { s.cell.load(s, from, nil, to) },
		load:  func(_ int, from Mem, to VecVirtual) { VMOVUPD(from, to) },
		store: func(_ int, from VecVirtual, to Mem) { VMOVUPD(from, to) },
	}
}

// few prepares masks for the first n, fewer than most, cells of each row.
func (s isa) few(n Register, most int, at []Register) masks {
	k := s.tail(s, n)
	if k.loadX == nil {
		s.cell.stage(at, n, most)
		k.loadX = s.whole().loadX
	}
	return k
}

func main() {
	ConstraintExpr("amd64,!noasm")
	m4, m8 := maskTable("masks4", 4), maskTable("masks8", 8)
	avx2 := isa{name: "AVX2", width: 4, rows: 2, vector: YMM, tail: tableTail(m4, m8)}
	avx512 := isa{name: "AVX512", width: 8, rows: 4, vector: ZMM, tail: registerTail}
	numbers, sign := expNegAbsTable(), signTable()
	for _, s := range []isa{avx512, avx2} {
		for _, s.cell = range cells {
			s.mul()
			s.mulT()
		}
		s.cell = cells[0]
		s.mulTMul()
		s.expNegAbs(numbers)
		s.moments()
		s.moments4()
		s.toFloat32(sign)
		s.column(sign)
	}
	avx512.cell = cells[0]
	for vectors := 2; vectors <= mostSeveral; vectors++ {
		avx512.mulSeveral(vectors)
		avx512.mulTSeveral(vectors)
	}
	mulBins(m8)
	mulTBins(m8)
	knots := binKnots()
	for tables := 1; tables <= 2; tables++ {
		mulBins512(tables)
		mulTBins512(tables, knots)
	}
	compress()
	fetch()
	cpuid()
	Generate()
}

// registerTail uses AVX-512's mask registers.
func registerTail(s isa, n Register) masks {
	Comment("Masks of the numbers that are left.")
	set, one := GP32(), GP32()
	MOVL(U32(1), one)
	SHLXL(n.(GPVirtual).As32(), one, set)
	DECL(set)
	k := [2]OpmaskVirtual{K(), K()}
	KMOVW(set, k[0])
	SHRL(U8(8), set)
	KMOVW(set, k[1])
	return masks{
		loadX: func(p int, from Mem, to VecVirtual) { s.cell.load(s, from, &k[p], to) },
		load:  func(p int, from Mem, to VecVirtual) { VMOVUPD_Z(from, k[p], to) },
		store: func(p int, from VecVirtual, to Mem) { VMOVUPD(from, k[p], to) },
	}
}

// maskTable writes a table of 16 set and 16 clear elements; the mask of a tail of n numbers begins
// at element 16−n.
func maskTable(name string, size int) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 2 * lanes {
		var v uint64
		if i < lanes {
			v = ^v
		}
		if size == 4 {
			DATA(4*i, U32(uint32(v)))
		} else {
			DATA(8*i, U64(v))
		}
	}
	return m
}

// tableTail uses such tables.
func tableTail(m4, m8 Mem) func(s isa, n Register) masks {
	return func(s isa, n Register) masks {
		Comment("Masks of the numbers that are left.")
		p8, skip := GP64(), GP64()
		MOVQ(U32(lanes), skip)
		SUBQ(n, skip)
		LEAQ(m8, p8)
		LEAQ(Mem{Base: p8, Index: skip, Scale: 8}, p8)
		mask := func(p int) VecVirtual {
			m := YMM()
			VMOVUPD(Mem{Base: p8, Disp: 32 * p}, m)
			return m
		}
		k := masks{
			load:  func(p int, from Mem, to VecVirtual) { VMASKMOVPD(from, mask(p), to) },
			store: func(p int, from VecVirtual, to Mem) { VMASKMOVPD(from, mask(p), to) },
		}
		switch s.cell.size {
		case 1, 2:
			return k
		case 8:
			k.loadX = k.load
			return k
		}
		p4 := GP64()
		LEAQ(m4, p4)
		LEAQ(Mem{Base: p4, Index: skip, Scale: 4}, p4)
		k.loadX = func(p int, from Mem, to VecVirtual) {
			m := XMM()
			VMOVUPS(Mem{Base: p4, Disp: 16 * p}, m)
			VMASKMOVPS(from, m, m)
			VCVTPS2PD(m, to)
		}
		return k
	}
}

// mul writes the kernel of z = Xβ.
func (s isa) mul() {
	TEXT("mul"+s.cell.name+s.name, NOSPLIT, "func(z []float64, x []"+s.cell.kind+", beta []float64)")
	Pragma("noescape")
	Doc("mul" + s.cell.name + s.name + " is mul" + s.cell.twin + "Go.")
	z, n := Load(Param("z").Base(), GP64()), Load(Param("z").Len(), GP64())
	x := Load(Param("x").Base(), GP64())
	beta, m := Load(Param("beta").Base(), GP64()), Load(Param("beta").Len(), GP64())
	stride, ahead := s.stride(m), s.ahead(m)

	for _, rows := range []int{s.rows, 1} {
		begin, end := s.label("rows", rows), s.label("rowsDone", rows)
		Label(begin)
		CMPQ(n, U32(rows))
		JL(LabelRef(end))
		s.dots(rows, z, x, beta, m, stride, ahead)
		ADDQ(U32(8*rows), z)
		for range rows {
			ADDQ(stride, x)
		}
		SUBQ(U32(rows), n)
		JMP(LabelRef(begin))
		Label(end)
	}
	VZEROUPPER()
	RET()
}

// stride writes the length of a row of m cells in bytes.
func (s isa) stride(m Register) Register {
	n := GP64()
	MOVQ(m, n)
	s.inBytes(n)
	return n
}

// inBytes writes the multiplication of a number of cells by their size.
func (s isa) inBytes(n Register) {
	if s.cell.size > 1 {
		SHLQ(U8(bits.TrailingZeros(uint(s.cell.size))), n)
	}
}

// ahead writes the length of x in bytes: the next block of rows is that far ahead. Memory would
// idle while a block is used for the second time, so both kernels fetch the next one meanwhile: mul
// the even rows of every group, mulT the odd ones. Fetching beyond the last block touches nothing.
// Most rows go through mulTMul instead. The rows left for these kernels are the first or the last
// of a run, or come from a file or from beside other columns: what lies ahead of them is rarely
// next, and of long rows nothing is fetched. Rows of float64 are the same ones again and again.
func (s isa) ahead(m Register) Register {
	if s.cell.size == 8 {
		n := GP64()
		XORQ(n, n)
		return n
	}
	n := Load(Param("x").Len(), GP64())
	s.inBytes(n)
	if s.width == 8 && s.cell.size == 4 {
		nothing := GP64()
		XORQ(nothing, nothing)
		CMPQ(m, U32(shortRow))
		CMOVQGE(nothing, n)
	}
	return n
}

// shortRow is the number of columns from which AVX-512 fetches nothing ahead.
const shortRow = 128

func (s isa) label(what string, rows int) string {
	if rows == 1 {
		return what + "One"
	}
	return what
}

// dots writes the dot products of a few rows with beta.
func (s isa) dots(rows int, z, x, beta, m, stride, ahead Register) {
	parts := lanes / s.width
	acc := make([][]VecVirtual, rows)
	at := make([]Register, rows)
	for r := range rows {
		at[r] = GP64()
		if r == 0 {
			MOVQ(x, at[0])
		} else {
			MOVQ(at[r-1], at[r])
			ADDQ(stride, at[r])
		}
		for range parts {
			v := s.vector()
			VXORPD(v, v, v)
			acc[r] = append(acc[r], v)
		}
	}
	b, left := GP64(), GP64()
	MOVQ(beta, b)
	MOVQ(m, left)
	fetch := func() {
		for r := 0; r < rows; r += 2 {
			PREFETCHT1(Mem{Base: at[r], Index: ahead, Scale: 1})
		}
	}
	step := func(k masks) {
		for p := range parts {
			coef := s.vector()
			k.load(p, Mem{Base: b, Disp: 8 * s.width * p}, coef)
			for r := range rows {
				cell := s.vector()
				k.loadX(p, Mem{Base: at[r], Disp: s.cell.size * s.width * p}, cell)
				VFMADD231PD(cell, coef, acc[r][p])
			}
		}
	}
	loop, tail, done := s.label("columns", rows), s.label("tail", rows), s.label("sums", rows)
	Label(loop)
	CMPQ(left, U32(lanes))
	JL(LabelRef(tail))
	fetch()
	step(s.whole())
	for r := range rows {
		ADDQ(U32(s.cell.size*lanes), at[r])
	}
	ADDQ(U32(8*lanes), b)
	SUBQ(U32(lanes), left)
	JMP(LabelRef(loop))
	Label(tail)
	TESTQ(left, left)
	JZ(LabelRef(done))
	fetch()
	step(s.few(left, lanes, at))
	Label(done)
	places := make([]Mem, rows)
	for r := range places {
		places[r] = Mem{Base: z, Disp: 8 * r}
	}
	s.totals(acc, places)
}

// mulT writes the kernel of g += Xᵀr.
func (s isa) mulT() {
	TEXT("mulT"+s.cell.name+s.name, NOSPLIT, "func(g []float64, x []"+s.cell.kind+", r []float64)")
	Pragma("noescape")
	Doc("mulT" + s.cell.name + s.name + " is mulT" + s.cell.twin + "Go.")
	g, m := Load(Param("g").Base(), GP64()), Load(Param("g").Len(), GP64())
	x := Load(Param("x").Base(), GP64())
	r, n := Load(Param("r").Base(), GP64()), Load(Param("r").Len(), GP64())
	stride, ahead := s.stride(m), s.ahead(m)

	for _, rows := range []int{4, 1} {
		begin, end := s.label("rows", rows), s.label("rowsDone", rows)
		Label(begin)
		CMPQ(n, U32(rows))
		JL(LabelRef(end))
		s.axpys(rows, g, x, r, m, stride, ahead)
		ADDQ(U32(8*rows), r)
		for range rows {
			ADDQ(stride, x)
		}
		SUBQ(U32(rows), n)
		JMP(LabelRef(begin))
		Label(end)
	}
	VZEROUPPER()
	RET()
}

// axpys writes the addition of a few rows, each times its number in r, to g.
func (s isa) axpys(rows int, g, x, r, m, stride, ahead Register) {
	at, by := make([]Register, rows), make([]VecVirtual, rows)
	for i := range rows {
		at[i], by[i] = GP64(), s.vector()
		if i == 0 {
			MOVQ(x, at[0])
		} else {
			MOVQ(at[i-1], at[i])
			ADDQ(stride, at[i])
		}
		VBROADCASTSD(Mem{Base: r, Disp: 8 * i}, by[i])
	}
	to, left := GP64(), GP64()
	MOVQ(g, to)
	MOVQ(m, left)
	fetch := func(vectors int) {
		for i := 1; i < rows; i += 2 {
			for line := 0; line < s.cell.size*s.width*vectors; line += 64 {
				PREFETCHT1(Mem{Base: at[i], Index: ahead, Scale: 1, Disp: line})
			}
		}
	}
	step := func(vectors int, k masks) {
		sums := make([]VecVirtual, vectors)
		for p := range sums {
			sums[p] = s.vector()
			k.load(p, Mem{Base: to, Disp: 8 * s.width * p}, sums[p])
		}
		for i := range rows {
			for p := range sums {
				cell := s.vector()
				k.loadX(p, Mem{Base: at[i], Disp: s.cell.size * s.width * p}, cell)
				VFMADD231PD(cell, by[i], sums[p])
			}
		}
		for p := range sums {
			k.store(p, sums[p], Mem{Base: to, Disp: 8 * s.width * p})
		}
	}
	for _, vectors := range []int{4, 1} {
		columns := vectors * s.width
		loop, end := s.label("columns", rows), s.label("columnsDone", rows)
		if vectors == 1 {
			loop, end = loop+"Few", end+"Few"
		}
		Label(loop)
		CMPQ(left, U32(columns))
		JL(LabelRef(end))
		fetch(vectors)
		step(vectors, s.whole())
		for i := range rows {
			ADDQ(U32(s.cell.size*columns), at[i])
		}
		ADDQ(U32(8*columns), to)
		SUBQ(U32(columns), left)
		JMP(LabelRef(loop))
		Label(end)
	}
	done := s.label("done", rows)
	TESTQ(left, left)
	JZ(LabelRef(done))
	fetch(1)
	step(1, s.few(left, s.width, at))
	Label(done)
}
