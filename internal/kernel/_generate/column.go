package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// column writes the kernels that look for the largest number of a column, for as much of it as
// fills whole registers, and the ones that also store it in single precision.
func (s isa) column(sign Mem) {
	for _, store := range []bool{false, true} {
		name, parameters := "largest", "column []float64"
		if store {
			name, parameters = "columnToFloat32", "dst []float32, column []float64, shift float64"
		}
		TEXT(name+s.name, NOSPLIT, "func(largest *[8]float64, "+parameters+")")
		Doc(name+s.name+" is "+name+"Go for a multiple of columnStep cells, but for the largest of", "each lane.")
		largest := Load(Param("largest"), GP64())
		from, n := Load(Param("column").Base(), GP64()), Load(Param("column").Len(), GP64())
		var to Register
		shift := s.vector()
		if store {
			to = Load(Param("dst").Base(), GP64())
			VBROADCASTSD(inMemory("shift"), shift)
		}
		const lanes = 8
		signs, most := s.vector(), make([]VecVirtual, lanes/s.width)
		VBROADCASTSD(sign, signs)
		for p := range most {
			most[p] = s.vector()
			VXORPD(most[p], most[p], most[p])
		}
		at := GP64()
		XORQ(at, at)
		Label("cells")
		CMPQ(at, n)
		JGE(LabelRef("done"))
		for p := range most {
			v, size := s.vector(), s.vector()
			VMOVUPD(Mem{Base: from, Index: at, Scale: 8, Disp: 8 * s.width * p}, v)
			if store {
				single := s.half()
				VSUBPD(shift, v, v)
				if s.width == 8 {
					VCVTPD2PS(v, single)
				} else {
					VCVTPD2PSY(v, single)
				}
				VMOVUPS(single, Mem{Base: to, Index: at, Scale: 4, Disp: 4 * s.width * p})
			}
			VANDNPD(v, signs, size)
			VMAXPD(most[p], size, most[p]) // the old value where the cell is NaN
		}
		ADDQ(U32(lanes), at)
		JMP(LabelRef("cells"))
		Label("done")
		for p := range most {
			VMOVUPD(most[p], Mem{Base: largest, Disp: 8 * s.width * p})
		}
		VZEROUPPER()
		RET()
	}
}
