package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// expNegAbsTable writes the numbers of expNegAbsGo as a table in memory, from which each is spread
// over a register when it is needed. They are in the order of their use.
func expNegAbsTable() Mem {
	m := GLOBL("expNegAbs", RODATA|NOPTR)
	numbers := []float64{math.Copysign(0, -1), 709, math.Log2E, 0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45, 0x1.8p52 + 1023}
	factorial := 1.0
	inverse := []float64{1}
	for i := 1; i <= 13; i++ {
		factorial *= float64(i)
		inverse = append(inverse, 1/factorial)
	}
	for i := 13; i >= 0; i-- {
		numbers = append(numbers, inverse[i])
	}
	for i, v := range numbers {
		DATA(8*i, U64(math.Float64bits(v))) // as bits: an integral value would be taken for an integer
	}
	return m
}

// expNegAbs writes the kernel of exp(−|x|), 16 numbers at a time.
func (s isa) expNegAbs(table Mem) {
	TEXT("expNegAbs"+s.name, NOSPLIT, "func(dst, x []float64)")
	Doc("expNegAbs" + s.name + " is expNegAbsGo.")
	dst, n := Load(Param("dst").Base(), GP64()), Load(Param("dst").Len(), GP64())
	x := Load(Param("x").Base(), GP64())
	at := GP64()
	LEAQ(table, at)
	Label("numbers")
	CMPQ(n, U32(lanes))
	JL(LabelRef("tail"))
	s.exponentials(dst, x, at, s.whole())
	ADDQ(U32(8*lanes), dst)
	ADDQ(U32(8*lanes), x)
	SUBQ(U32(lanes), n)
	JMP(LabelRef("numbers"))
	Label("tail")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	s.exponentials(dst, x, at, s.tail(s, n))
	Label("done")
	VZEROUPPER()
	RET()
}

func (s isa) exponentials(dst, x, table Register, k masks) {
	used := 0
	next := func() VecVirtual {
		v := s.vector()
		VBROADCASTSD(Mem{Base: table, Disp: 8 * used}, v)
		used++
		return v
	}
	parts := lanes / s.width
	rest, scale, sum := make([]VecVirtual, parts), make([]VecVirtual, parts), make([]VecVirtual, parts)
	each := func(f func(p int)) {
		for p := range parts {
			f(p)
		}
	}
	c := next()
	each(func(p int) {
		rest[p], scale[p], sum[p] = s.vector(), s.vector(), s.vector()
		k.load(p, Mem{Base: x, Disp: 8 * s.width * p}, rest[p])
		VANDNPD(rest[p], c, rest[p]) // without the sign
	})
	c = next()
	each(func(p int) { VMINPD(rest[p], c, rest[p]) })
	c = next()
	each(func(p int) {
		VMULPD(rest[p], c, scale[p])
		s.round(scale[p], scale[p])
	})
	for range 2 { // rest = n·ln 2 − |x|, in two steps to keep its digits
		c = next()
		each(func(p int) {
			if used == 4 {
				VFMSUB231PD(scale[p], c, rest[p])
			} else {
				VFMADD231PD(scale[p], c, rest[p])
			}
		})
	}
	c = next()
	each(func(p int) {
		VSUBPD(scale[p], c, scale[p])
		VPSLLQ(U8(52), scale[p], scale[p])
	})
	c = next()
	each(func(p int) { VMOVAPD(c, sum[p]) })
	for range 13 {
		c = next()
		each(func(p int) { VFMADD213PD(c, rest[p], sum[p]) })
	}
	each(func(p int) {
		VMULPD(scale[p], sum[p], sum[p])
		k.store(p, sum[p], Mem{Base: dst, Disp: 8 * s.width * p})
	})
}

// round writes the rounding to the nearest integer.
func (s isa) round(from, to VecVirtual) {
	if s.width == 8 {
		VRNDSCALEPD(U8(0), from, to)
	} else {
		VROUNDPD(U8(0), from, to)
	}
}
