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

// moments4 writes the kernel that adds four rows to the moments of their columns, which stay in
// registers from one row to the next.
func (s isa) moments4() {
	TEXT("moments4"+s.name, NOSPLIT, "func(sum, squares []float64, low, high []float32, missing []uint32, a, b, c, d *float32, n int)")
	Pragma("noescape")
	Doc("moments4"+s.name+" is momentsGo for four rows of n cells, a multiple of", "momentsStep.")
	sum, squares := Load(Param("sum").Base(), GP64()), Load(Param("squares").Base(), GP64())
	low, high := Load(Param("low").Base(), GP64()), Load(Param("high").Base(), GP64())
	missing := Load(Param("missing").Base(), GP64())
	n, at := Load(Param("n"), GP64()), GP64()
	var rows []Register
	for _, name := range []string{"a", "b", "c", "d"} {
		rows = append(rows, Load(Param(name), GP64()))
	}
	XORQ(at, at)
	Label("cells")
	CMPQ(at, n)
	JGE(LabelRef("done"))
	single := func(base Register) Mem { return Mem{Base: base, Index: at, Scale: 4} }
	double := func(base Register) Mem { return Mem{Base: base, Index: at, Scale: 8} }
	least, most, few, total, squared := s.half(), s.half(), s.half(), s.vector(), s.vector()
	VMOVUPS(single(low), least)
	VMOVUPS(single(high), most)
	VMOVDQU(single(missing), few)
	VMOVUPD(double(sum), total)
	VMOVUPD(double(squares), squared)
	for _, row := range rows {
		v, absent, x := s.half(), s.half(), s.vector()
		VMOVUPS(single(row), v)
		VCMPPS(U8(3), v, v, absent) // NaN
		VPSUBD(absent, few, few)
		VMINPS(least, v, least) // the second of them where the first is NaN
		VMAXPS(most, v, most)
		VANDNPS(v, absent, v)
		VCVTPS2PD(v, x)
		VADDPD(total, x, total)
		VMULPD(x, x, x)
		VADDPD(squared, x, squared)
	}
	VMOVUPS(least, single(low))
	VMOVUPS(most, single(high))
	VMOVDQU(few, single(missing))
	VMOVUPD(total, double(sum))
	VMOVUPD(squared, double(squares))
	ADDQ(U32(s.width), at)
	JMP(LabelRef("cells"))
	Label("done")
	VZEROUPPER()
	RET()
}
