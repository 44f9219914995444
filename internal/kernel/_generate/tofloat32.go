package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// signTable writes the sign of a float64.
func signTable() Mem {
	m := GLOBL("sign", RODATA|NOPTR)
	DATA(0, U64(math.Float64bits(math.Copysign(0, -1))))
	return m
}

// toFloat32 writes the kernel that stores a row in single precision, for as many cells of it as
// fill whole registers.
func (s isa) toFloat32(sign Mem) {
	TEXT("toFloat32"+s.name, NOSPLIT, "func(dst []float32, largest, row, shift []float64)")
	Doc("toFloat32"+s.name+" is toFloat32Go for a row of a multiple of", "toFloat32Step cells.")
	dst, largest := Load(Param("dst").Base(), GP64()), Load(Param("largest").Base(), GP64())
	row, n := Load(Param("row").Base(), GP64()), Load(Param("row").Len(), GP64())
	shift := Load(Param("shift").Base(), GP64())
	signs, at := s.vector(), GP64()
	VBROADCASTSD(sign, signs)
	XORQ(at, at)
	Label("cells")
	CMPQ(at, n)
	JGE(LabelRef("done"))
	double := func(base Register) Mem { return Mem{Base: base, Index: at, Scale: 8} }
	v, size, single := s.vector(), s.vector(), s.half()
	VMOVUPD(double(row), v)
	VSUBPD(double(shift), v, v)
	VANDNPD(v, signs, size)
	VMAXPD(double(largest), size, size) // the second of them where the first is NaN
	VMOVUPD(size, double(largest))
	if s.width == 8 {
		VCVTPD2PS(v, single)
	} else {
		VCVTPD2PSY(v, single)
	}
	VMOVUPS(single, Mem{Base: dst, Index: at, Scale: 4})
	ADDQ(U32(s.width), at)
	JMP(LabelRef("cells"))
	Label("done")
	VZEROUPPER()
	RET()
}
