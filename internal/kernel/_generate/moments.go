package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// half returns a register that holds as many float32 numbers as the given one holds float64
// numbers.
func (s isa) half() VecVirtual {
	if s.width == 8 {
		return YMM()
	}
	return XMM()
}

// moments writes the kernel that adds a row to the moments of its columns, for as many of them as
// fill whole registers.
func (s isa) moments() {
	TEXT("moments"+s.name, NOSPLIT, "func(sum, squares []float64, low, high []float32, missing []uint32, row []float32)")
	Doc("moments"+s.name+" is momentsGo for a row of a multiple of", "momentsStep cells.")
	sum, squares := Load(Param("sum").Base(), GP64()), Load(Param("squares").Base(), GP64())
	low, high := Load(Param("low").Base(), GP64()), Load(Param("high").Base(), GP64())
	missing := Load(Param("missing").Base(), GP64())
	row, n := Load(Param("row").Base(), GP64()), Load(Param("row").Len(), GP64())
	at := GP64()
	XORQ(at, at)
	Label("cells")
	CMPQ(at, n)
	JGE(LabelRef("done"))
	v, absent, few := s.half(), s.half(), s.half()
	single := func(base Register) Mem { return Mem{Base: base, Index: at, Scale: 4} }
	double := func(base Register) Mem { return Mem{Base: base, Index: at, Scale: 8} }
	VMOVUPS(single(row), v)
	VCMPPS(U8(3), v, v, absent) // NaN
	VMOVDQU(single(missing), few)
	VPSUBD(absent, few, few)
	VMOVDQU(few, single(missing))
	least, most := s.half(), s.half()
	VMINPS(single(low), v, least) // the second of them where the first is NaN
	VMOVUPS(least, single(low))
	VMAXPS(single(high), v, most)
	VMOVUPS(most, single(high))
	VANDNPS(v, absent, v)
	x, square := s.vector(), s.vector()
	VCVTPS2PD(v, x)
	VMULPD(x, x, square)
	VADDPD(double(sum), x, x)
	VMOVUPD(x, double(sum))
	VADDPD(double(squares), square, square)
	VMOVUPD(square, double(squares))
	ADDQ(U32(s.width), at)
	JMP(LabelRef("cells"))
	Label("done")
	VZEROUPPER()
	RET()
}
