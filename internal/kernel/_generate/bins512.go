package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Kernels of piecewise-linear cells for AVX-512. For z = Xβ a register holds a code of each of
// eight rows, another one the coefficients of all knots of a variable, and an instruction picks
// eight of them. For g += Xᵀr a register holds the codes of eight variables, and there is a
// register of their sums for each knot.

const (
	octet    = 8         // numbers of a register
	binGroup = 2 * octet // rows that mulBins512 processes at once
)

// bins512 holds the constants that both kernels use, in registers.
type bins512 struct {
	mask, digits, unit, missing, column, one VecVirtual
}

func newBins512() *bins512 {
	b := new(bins512)
	from := Load(Param("c"), GP64())
	for i, to := range []*VecVirtual{&b.mask, &b.digits, &b.unit, &b.missing, nil, &b.column} {
		if to != nil {
			*to = ZMM()
			VBROADCASTSD(Mem{Base: from, Disp: 8 * i}, *to)
		}
	}
	b.one = ZMM()
	ones := GP64()
	MOVQ(U64(0x3ff0000000000000), ones)
	VPBROADCASTQ(ones, b.one)
	return b
}

// split writes the instructions that turn eight codes into knots and the weights of the left and of
// the right one.
func (b *bins512) split(codes Mem) (knot, left, right VecVirtual) {
	knot, left, right = ZMM(), ZMM(), ZMM()
	present := K()
	VPMOVZXWQ(codes, right)
	const unequal = 4
	VPCMPQ(U8(unequal), b.missing, right, present)
	VMOVDQA64(b.column, knot)
	VPSRLVQ(b.digits, right, present, knot)
	// The digits are the last ones of a number between a power of two and the next: minus that
	// power, they are the weight of the right knot.
	const andOr = 0xea // of the first and the second, or the third
	VPTERNLOGQ(U8(andOr), b.unit, b.mask, right)
	VSUBPD_Z(b.unit, right, present, right)
	VSUBPD(right, b.one, left)
	return knot, left, right
}

// mulBins512 writes the kernel of z = Xβ for variables whose columns fit into the given number of
// registers.
func mulBins512(tables int) {
	name := fmt.Sprintf("mulBins%dAVX512", octet*tables)
	TEXT(name, NOSPLIT, "func(z []float64, x []uint16, stride int, offset []int, skip int, beta []float64, c *[6]uint64)")
	Pragma("noescape")
	Doc(name+fmt.Sprintf(" is mulBinsGo of a multiple of 8 variables with at most %d columns, of which the", octet*tables),
		"first of each 8 are skipped, for a multiple of 16 rows that are a stride apart. Beta has so",
		"many columns from the first one of the last variable on.")
	z, n := Load(Param("z").Base(), GP64()), Load(Param("z").Len(), GP64())
	x, stride := Load(Param("x").Base(), GP64()), Load(Param("stride"), GP64())
	beta := Load(Param("beta").Base(), GP64())
	ADDQ(stride, stride) // in bytes
	thrice, offset, left := GP64(), GP64(), GP64()
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, thrice)
	row := func(at Register, i int) Mem {
		switch i {
		case 0:
			return Mem{Base: at}
		case 3:
			return Mem{Base: at, Index: thrice, Scale: 1}
		}
		return Mem{Base: at, Index: stride, Scale: uint8(i)}
	}
	codes := aligned(2 * octet * binGroup)
	b := newBins512()
	sums := [2]VecVirtual{ZMM(), ZMM()}
	next, ones := ZMM(), GP64() // the number 1
	MOVQ(U32(1), ones)
	VPBROADCASTQ(ones, next)

	Label("rows")
	CMPQ(n, U32(binGroup))
	JL(LabelRef("rowsDone"))
	Load(Param("offset").Base(), offset)
	Load(Param("offset").Len(), left)
	for h, sum := range sums {
		VMOVUPD(Mem{Base: z, Disp: 64 * h}, sum)
	}
	Label("octets")
	CMPQ(left, U32(octet))
	JL(LabelRef("octetsDone"))
	first, second := GP64(), GP64()
	MOVQ(x, first)
	for h := range sums {
		LEAQ(Mem{Base: first, Index: stride, Scale: 4}, second)
		transpose8(func(i int) (a, b Mem) { return row(first, i), row(second, i) }, codes.Offset(2*octet*octet*h))
		if h == 0 {
			LEAQ(Mem{Base: second, Index: stride, Scale: 4}, first)
		}
	}
	v, from, at := Load(Param("skip"), GP64()), GP64(), GP64()
	Label("variables")
	MOVQ(v, from)
	SHLQ(U8(4), from) // the codes of 8 rows are 16 bytes
	ADDQ(codes.Base, from)
	MOVQ(Mem{Base: offset, Index: v, Scale: 8}, at)
	var table []VecVirtual
	for t := range tables {
		table = append(table, ZMM())
		VMOVUPD(Mem{Base: beta, Index: at, Scale: 8, Disp: 64 * t}, table[t])
	}
	for h, sum := range sums {
		low, weight, right := b.split(Mem{Base: from, Disp: 2 * octet * octet * h})
		high := ZMM()
		VPADDQ(next, low, high) // if there is no right knot, its weight is 0
		for _, knot := range []VecVirtual{low, high} {
			if tables == 1 {
				VPERMPD(table[0], knot, knot)
			} else {
				VPERMI2PD(table[1], table[0], knot)
			}
		}
		VMULPD(low, weight, weight)
		VMULPD(high, right, right)
		VADDPD(right, weight, weight)
		VADDPD(weight, sum, sum)
	}
	INCQ(v)
	CMPQ(v, U32(octet))
	JL(LabelRef("variables"))
	ADDQ(U32(2*octet), x)
	ADDQ(U32(8*octet), offset)
	SUBQ(U32(octet), left)
	JMP(LabelRef("octets"))
	Label("octetsDone")
	for h, sum := range sums {
		VMOVUPD(sum, Mem{Base: z, Disp: 64 * h})
	}
	ADDQ(U32(8*binGroup), z)
	// X is at the end of the variables of the first row.
	used := Load(Param("offset").Len(), GP64())
	ADDQ(used, used)
	SUBQ(used, x)
	for range binGroup / octet {
		LEAQ(Mem{Base: x, Index: stride, Scale: octet}, x)
	}
	SUBQ(U32(binGroup), n)
	JMP(LabelRef("rows"))
	Label("rowsDone")
	VZEROUPPER()
	RET()
}

// transpose8 writes the copy of eight codes of each of eight rows to memory, those of a variable
// together. Rows returns the i-th of the first four rows and of the others.
func transpose8(rows func(i int) (first, second Mem), to Mem) {
	var in, pairs, quads [4]VecVirtual
	for i := range in {
		in[i] = YMM()
		first, second := rows(i)
		VBROADCASTI128(first, in[i])
		VINSERTI128(U8(1), second, in[i], in[i])
	}
	for i := range 2 { // two codes of one variable side by side,
		low, high := YMM(), YMM()
		VPUNPCKLWD(in[2*i+1], in[2*i], low)
		VPUNPCKHWD(in[2*i+1], in[2*i], high)
		pairs[i], pairs[2+i] = low, high
	}
	for i := range 2 { // four of them,
		low, high := YMM(), YMM()
		VPUNPCKLDQ(pairs[2*i+1], pairs[2*i], low)
		VPUNPCKHDQ(pairs[2*i+1], pairs[2*i], high)
		quads[2*i], quads[2*i+1] = low, high
	}
	for i, v := range quads { // and those of the other four rows
		VPERMQ(U8(0b11_01_10_00), v, v)
		VMOVDQU(v, to.Offset(32*i))
	}
}

// binKnots writes the numbers of knots.
func binKnots() Mem {
	m := GLOBL("knots", RODATA|NOPTR)
	for k := range 2 * octet {
		DATA(8*k, U64(k))
	}
	return m
}

// mulTBins512 writes the kernel of g += Xᵀr for variables whose columns fit into the given number
// of registers, eight variables at a time over all rows.
func mulTBins512(tables int, knots Mem) {
	name := fmt.Sprintf("mulTBins%dAVX512", octet*tables)
	TEXT(name, NOSPLIT, "func(g []float64, x []uint16, stride int, offset []int, skip int, r []float64, c *[6]uint64)")
	Pragma("noescape")
	Doc(name+fmt.Sprintf(" is mulTBinsGo of a multiple of 8 variables with more than %d columns and at", octet*(tables-1)),
		fmt.Sprintf("most %d, of which the first of each 8 are skipped, for rows that are a stride apart. G has", octet*tables),
		"the column behind the last knot of the last variable.")
	g := Load(Param("g").Base(), GP64())
	stride := Load(Param("stride"), GP64())
	offset, left := Load(Param("offset").Base(), GP64()), Load(Param("offset").Len(), GP64())
	ADDQ(stride, stride) // in bytes
	first := Load(Param("x").Base(), GP64())
	x, r, n, column, at := GP64(), GP64(), GP64(), GP64(), GP64()
	b := newBins512()
	MOVQ(Mem{Base: Load(Param("c"), GP64()), Disp: binColumn}, column)
	bits, two := GP32(), GP32()
	MOVL(U32(2), two)
	SHLXL(column.(GPVirtual).As32(), two, bits)
	DECL(bits)
	masks := make([]OpmaskVirtual, tables) // of the columns of a variable
	for t := range masks {
		masks[t] = K()
		KMOVW(bits, masks[t])
		SHRL(U8(octet), bits)
	}

	live, skip := K(), GP32()
	Load(Param("skip"), at)
	MOVL(U32(0xff), two)
	SHLXL(at.(GPVirtual).As32(), two, skip)
	KMOVW(skip, live) // of eight, as many as the registers have
	Label("octets")
	CMPQ(left, U32(octet))
	JL(LabelRef("octetsDone"))
	sums := make([]VecVirtual, octet*tables)
	for i := range sums {
		sums[i] = ZMM()
	}
	for v := range octet {
		MOVQ(Mem{Base: offset, Disp: 8 * v}, at)
		for t, mask := range masks {
			VMOVUPD_Z(Mem{Base: g, Index: at, Scale: 8, Disp: 64 * t}, mask, sums[octet*t+v])
		}
	}
	for t := range masks {
		transpose8x8(sums[octet*t:])
	}
	MOVQ(first, x)
	Load(Param("r").Base(), r)
	Load(Param("r").Len(), n)
	Label("rows")
	TESTQ(n, n)
	JZ(LabelRef("rowsDone"))
	knot, weight, right := b.split(Mem{Base: x})
	by := ZMM()
	VBROADCASTSD(Mem{Base: r}, by)
	VMULPD_Z(by, weight, live, weight)
	VMULPD_Z(by, right, live, right)
	for k := range sums {
		here := K()
		VPCMPEQQ_BCST(knots.Offset(8*k), knot, here)
		VADDPD(weight, sums[k], here, sums[k])
		if k+1 == len(sums) {
			break
		}
		VADDPD(right, sums[k+1], here, sums[k+1])
		if k >= max(2, octet*(tables-1)) { // there are at least three columns
			CMPQ(column, U32(k))
			JE(LabelRef("added"))
		}
	}
	Label("added")
	ADDQ(stride, x)
	ADDQ(U32(8), r)
	DECQ(n)
	JMP(LabelRef("rows"))
	Label("rowsDone")
	for t := range masks {
		transpose8x8(sums[octet*t:])
	}
	// A variable without missing numbers has one column less: the column written behind it is the
	// first of the next variable, with its old value.
	for v := range octet {
		MOVQ(Mem{Base: offset, Disp: 8 * v}, at)
		for t, mask := range masks {
			VMOVUPD(sums[octet*t+v], mask, Mem{Base: g, Index: at, Scale: 8, Disp: 64 * t})
		}
	}
	ADDQ(U32(2*octet), first)
	ADDQ(U32(8*octet), offset)
	SUBQ(U32(octet), left)
	JMP(LabelRef("octets"))
	Label("octetsDone")
	VZEROUPPER()
	RET()
}

// transpose8x8 writes the transposition of eight registers.
func transpose8x8(v []VecVirtual) {
	swap := func(a, b int, low, high func(x, y, to VecVirtual)) {
		l := ZMM()
		low(v[a], v[b], l)
		high(v[a], v[b], v[b])
		VMOVAPD(l, v[a])
	}
	unpack := func(a, b int) {
		swap(a, b, func(x, y, to VecVirtual) { VUNPCKLPD(y, x, to) }, func(x, y, to VecVirtual) { VUNPCKHPD(y, x, to) })
	}
	shuffle := func(a, b int, low, high uint8) {
		swap(a, b, func(x, y, to VecVirtual) { VSHUFF64X2(U8(low), y, x, to) }, func(x, y, to VecVirtual) { VSHUFF64X2(U8(high), y, x, to) })
	}
	for a := 0; a < octet; a += 2 {
		unpack(a, a+1)
	}
	// Within blocks of two by two, everything is in its place; now the blocks change places.
	for _, a := range []int{0, 1, 4, 5} {
		shuffle(a, a+2, 0x88, 0xdd)
	}
	for a := range octet / 2 {
		shuffle(a, a+4, 0x88, 0xdd)
	}
}
