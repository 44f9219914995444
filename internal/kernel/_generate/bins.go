package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Kernels of piecewise-linear cells, for AVX2. Vector instructions turn four codes at a time into
// the columns of their left knots and the weights of both knots; the two coefficients of a code lie
// side by side and are loaded together, which is faster than gathering them one by one.

// binQuad is the number of codes of a row that become cells at once.
const binQuad = 4

// binRows is the number of rows that mulBins processes at once.
const binRows = 4

// Offsets of the constants of Bins.
const (
	binMask = 8 * iota
	binDigits
	binUnit
	binMissing
	binExcess
	binColumn
)

// bins holds the registers that both kernels use.
type bins struct {
	x, stride, offset, vector, left Register
	constants                       Mem // spread over registers, 32 bytes each
	columns                         Mem // room for the columns of a quad of each row
	codes                           Mem // room for the codes of a tail of each row
	one                             VecVirtual
}

// newBins loads the arguments that both kernels have.
func newBins(vector string, rows int) *bins {
	b := &bins{
		x:      Load(Param("x").Base(), GP64()),
		stride: Load(Param("stride"), GP64()),
		offset: Load(Param("offset").Base(), GP64()),
		vector: Load(Param(vector).Base(), GP64()),
		left:   GP64(),
	}
	room := aligned(5*32 + rows*32 + rows*8)
	b.constants, b.columns, b.codes = room, room.Offset(5*32), room.Offset(5*32+rows*32)
	ADDQ(b.stride, b.stride) // in bytes
	from := Load(Param("c"), GP64())
	for i := range 5 {
		v := YMM()
		VBROADCASTSD(Mem{Base: from, Disp: 8 * i}, v)
		VMOVUPD(v, b.constants.Offset(32*i))
	}
	b.one = YMM()
	ones := GP64()
	MOVQ(U64(0x3ff0000000000000), ones)
	VMOVQ(ones, b.one.AsX())
	VBROADCASTSD(b.one.AsX(), b.one)
	return b
}

// aligned returns room on the stack that begins at a cache line: data stored across two lines
// cannot be loaded again at once.
func aligned(bytes int) Mem {
	const line = 64
	at := GP64()
	LEAQ(AllocLocal(bytes+line), at)
	ADDQ(U8(line-1), at)
	ANDQ(I8(-line), at)
	return Mem{Base: at}
}

func (b *bins) constant(at int) Mem { return b.constants.Offset(4 * at) }

// quad writes the instructions that turn the four codes at from into columns, which go to memory,
// and weights: those of the first and the third code, and those of the second and the fourth.
func (b *bins) quad(from, columns Mem, offsets func(to VecVirtual)) (even, odd VecVirtual) {
	code, missing, column, excess, right, left := YMM(), YMM(), YMM(), YMM(), YMM(), YMM()
	VPMOVZXWQ(from, code)
	VPCMPEQQ(b.constant(binMissing), code, missing)
	VPSRLVQ(b.constant(binDigits), code, column)
	VPAND(b.constant(binExcess), missing, excess)
	VPSUBQ(excess, column, column)
	offsets(column)
	VMOVDQU(column, columns)
	// The digits are the last ones of a number between a power of two and the next: minus that
	// power, they are the weight of the right knot.
	VPAND(b.constant(binMask), code, right)
	VPOR(b.constant(binUnit), right, right)
	VSUBPD(b.constant(binUnit), right, right)
	VANDNPD(right, missing, right)
	VSUBPD(right, b.one, left)
	even, odd = YMM(), YMM()
	VUNPCKLPD(right, left, even)
	VUNPCKHPD(right, left, odd)
	return even, odd
}

// whole adds the offsets of four variables.
func (b *bins) whole(to VecVirtual) { VPADDQ(Mem{Base: b.offset}, to, to) }

// some returns the instructions that add the offsets of the remaining variables, fewer than four.
func (b *bins) some(masks Mem) func(to VecVirtual) {
	mask, at, skip := YMM(), GP64(), GP64()
	MOVQ(U32(lanes), skip)
	SUBQ(b.left, skip)
	LEAQ(masks, at)
	VMOVDQU(Mem{Base: at, Index: skip, Scale: 8}, mask)
	offsets := YMM()
	VPMASKMOVQ(Mem{Base: b.offset}, mask, offsets)
	return func(to VecVirtual) { VPADDQ(offsets, to, to) }
}

// stage writes the copy of the remaining codes, one to three, to a place from which four can be
// loaded.
func (b *bins) stage(from, to Mem, name string) {
	w := GP32()
	MOVQ(U32(0), to)
	for i := range binQuad - 1 {
		if i > 0 {
			CMPQ(b.left, U32(i))
			JLE(LabelRef(name))
		}
		MOVWLZX(from.Offset(2*i), w)
		MOVW(w.As16(), to.Offset(2*i))
	}
	Label(name)
}

// mulBins writes the kernel of z = Xβ.
func mulBins(masks Mem) {
	TEXT("mulBinsAVX2", NOSPLIT, "func(z []float64, x []uint16, stride int, offset []int, beta []float64, c *[6]uint64)")
	Pragma("noescape")
	Doc("mulBinsAVX2 is mulBinsGo of some variables, for a multiple of 4 rows that are a stride",
		"apart, without looking whether a code has a right knot.")
	z, n := Load(Param("z").Base(), GP64()), Load(Param("z").Len(), GP64())
	b := newBins("beta", binRows)
	thrice := GP64()
	LEAQ(Mem{Base: b.stride, Index: b.stride, Scale: 2}, thrice)
	row := func(i int) Mem {
		switch i {
		case 0:
			return Mem{Base: b.x}
		case 3:
			return Mem{Base: b.x, Index: thrice, Scale: 1}
		}
		return Mem{Base: b.x, Index: b.stride, Scale: uint8(i)}
	}
	columns := func(i int) Mem { return b.columns.Offset(32 * i) }
	sum := YMM() // of rows 0, 2, 1, 3
	add := func(codes func(i int) Mem, offsets func(to VecVirtual)) (t [binQuad]VecVirtual) {
		var product [2][binQuad]VecVirtual
		for p := range 2 { // rows 0 and 1, then 2 and 3
			i := 2 * p
			evenA, oddA := b.quad(codes(i), columns(i), offsets)
			evenB, oddB := b.quad(codes(i+1), columns(i+1), offsets)
			for k, from := range [binQuad][2]VecVirtual{{evenA, evenB}, {oddA, oddB}, {evenA, evenB}, {oddA, oddB}} {
				weight, half := YMM(), uint8(0x20)
				if k >= 2 {
					half = 0x31
				}
				VPERM2F128(U8(half), from[1], from[0], weight)
				first, second, knots := GP64(), GP64(), YMM()
				MOVQ(columns(i).Offset(8*k), first)
				MOVQ(columns(i+1).Offset(8*k), second)
				VBROADCASTF128(Mem{Base: b.vector, Index: first, Scale: 8}, knots)
				VINSERTF128(U8(1), Mem{Base: b.vector, Index: second, Scale: 8}, knots, knots)
				VMULPD(knots, weight, weight)
				product[p][k] = weight
			}
		}
		for k := range t {
			t[k] = product[0][k]
			VHADDPD(product[1][k], product[0][k], t[k])
		}
		return t
	}

	Label("rows")
	CMPQ(n, U32(binRows))
	JL(LabelRef("rowsDone"))
	Load(Param("offset").Base(), b.offset)
	Load(Param("offset").Len(), b.left)
	VMOVUPD(Mem{Base: z}, sum)
	VPERMPD(U8(0b11_01_10_00), sum, sum)
	Label("quads")
	CMPQ(b.left, U32(binQuad))
	JL(LabelRef("tail"))
	for _, t := range add(row, b.whole) {
		VADDPD(t, sum, sum)
	}
	ADDQ(U32(2*binQuad), b.x)
	ADDQ(U32(8*binQuad), b.offset)
	SUBQ(U32(binQuad), b.left)
	JMP(LabelRef("quads"))
	Label("tail")
	TESTQ(b.left, b.left)
	JZ(LabelRef("sums"))
	for i := range binRows {
		b.stage(row(i), b.codes.Offset(8*i), "staged"+string(rune('0'+i)))
	}
	tail := add(func(i int) Mem { return b.codes.Offset(8 * i) }, b.some(masks))
	for k := range binQuad - 1 {
		if k > 0 {
			CMPQ(b.left, U32(k))
			JLE(LabelRef("tailDone"))
		}
		VADDPD(tail[k], sum, sum)
	}
	Label("tailDone")
	LEAQ(Mem{Base: b.x, Index: b.left, Scale: 2}, b.x)
	Label("sums")
	VPERMPD(U8(0b11_01_10_00), sum, sum)
	VMOVUPD(sum, Mem{Base: z})
	ADDQ(U32(8*binRows), z)
	// X is at the end of the variables of the first row.
	used := Load(Param("offset").Len(), GP64())
	ADDQ(used, used)
	SUBQ(used, b.x)
	LEAQ(Mem{Base: b.x, Index: b.stride, Scale: binRows}, b.x)
	SUBQ(U32(binRows), n)
	JMP(LabelRef("rows"))
	Label("rowsDone")
	VZEROUPPER()
	RET()
}

// mulTBins writes the kernel of g += Xᵀr. It goes row by row: the sums of a variable in one row
// would have to wait for those in the row before.
func mulTBins(masks Mem) {
	TEXT("mulTBinsAVX2", NOSPLIT, "func(g []float64, x []uint16, stride int, offset []int, r []float64, c *[6]uint64)")
	Pragma("noescape")
	Doc("mulTBinsAVX2 is mulTBinsGo of some variables, for rows that are a stride apart, without",
		"looking whether a code has a right knot.")
	r, n := Load(Param("r").Base(), GP64()), Load(Param("r").Len(), GP64())
	b := newBins("g", 1)
	by := YMM()
	weights := func(codes Mem, offsets func(to VecVirtual)) [binQuad]Register {
		even, odd := b.quad(codes, b.columns, offsets)
		VMULPD(by, even, even)
		VMULPD(by, odd, odd)
		third, fourth := XMM(), XMM()
		VEXTRACTF128(U8(1), even, third)
		VEXTRACTF128(U8(1), odd, fourth)
		return [binQuad]Register{even.AsX(), odd.AsX(), third, fourth}
	}
	add := func(k int, weight Register) {
		column := GP64()
		MOVQ(b.columns.Offset(8*k), column)
		to := Mem{Base: b.vector, Index: column, Scale: 8}
		VADDPD(to, weight, weight)
		VMOVUPD(weight, to)
	}

	Label("rows")
	TESTQ(n, n)
	JZ(LabelRef("rowsDone"))
	Load(Param("offset").Base(), b.offset)
	Load(Param("offset").Len(), b.left)
	VBROADCASTSD(Mem{Base: r}, by)
	Label("quads")
	CMPQ(b.left, U32(binQuad))
	JL(LabelRef("tail"))
	for k, w := range weights(Mem{Base: b.x}, b.whole) {
		add(k, w)
	}
	ADDQ(U32(2*binQuad), b.x)
	ADDQ(U32(8*binQuad), b.offset)
	SUBQ(U32(binQuad), b.left)
	JMP(LabelRef("quads"))
	Label("tail")
	TESTQ(b.left, b.left)
	JZ(LabelRef("next"))
	b.stage(Mem{Base: b.x}, b.codes, "staged")
	tail := weights(b.codes, b.some(masks))
	for k := range binQuad - 1 {
		if k > 0 {
			CMPQ(b.left, U32(k))
			JLE(LabelRef("tailDone"))
		}
		add(k, tail[k])
	}
	Label("tailDone")
	LEAQ(Mem{Base: b.x, Index: b.left, Scale: 2}, b.x)
	Label("next")
	used := Load(Param("offset").Len(), GP64())
	ADDQ(used, used)
	SUBQ(used, b.x)
	ADDQ(b.stride, b.x)
	ADDQ(U32(8), r)
	DECQ(n)
	JMP(LabelRef("rows"))
	Label("rowsDone")
	VZEROUPPER()
	RET()
}
