package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// compress writes the kernel that leaves out cells of a row, for AVX-512, which has an instruction
// for it. Cells are loaded under the mask of those that stay, so nothing behind the row is touched.
// As long as there is room for a whole register, they are stored together with what follows them, which is
// overwritten later: that is faster than storing only some.
func compress() {
	compressOf("", "float32", 4, 16)
	compressOf("Float64", "float64", 8, 8)
}

// compressOf writes the kernel for cells of a size, as many of which fill a register as the mask has
// bits.
func compressOf(name, kind string, size, cells int) {
	TEXT("compress"+name+"AVX512", NOSPLIT, fmt.Sprintf("func(dst, row []%s, mask []uint%d)", kind, cells))
	Doc("compress" + name + "AVX512 is compress" + name + "Go.")
	dst, room := Load(Param("dst").Base(), GP64()), Load(Param("dst").Len(), GP64())
	row := Load(Param("row").Base(), GP64())
	bits, n := Load(Param("mask").Base(), GP64()), Load(Param("mask").Len(), GP64())
	mask, count, k, v := GP32(), GP64(), K(), ZMM()

	next := func() {
		if size == 4 {
			MOVWLZX(Mem{Base: bits}, mask)
			KMOVW(mask, k)
			VMOVUPS_Z(Mem{Base: row}, k, v)
		} else {
			MOVBLZX(Mem{Base: bits}, mask)
			KMOVW(mask, k)
			VMOVUPD_Z(Mem{Base: row}, k, v)
		}
		POPCNTL(mask, count.As32())
	}
	advance := func() {
		LEAQ(Mem{Base: dst, Index: count, Scale: uint8(size)}, dst)
		SUBQ(count, room)
		ADDQ(U32(64), row)
		ADDQ(U32(cells/8), bits)
		DECQ(n)
	}
	Label("wide")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	CMPQ(room, U32(cells))
	JL(LabelRef("narrow"))
	next()
	if size == 4 {
		VCOMPRESSPS_Z(v, k, v)
	} else {
		VCOMPRESSPD_Z(v, k, v)
	}
	VMOVUPS(v, Mem{Base: dst})
	advance()
	JMP(LabelRef("wide"))
	Label("narrow")
	next()
	if size == 4 {
		VCOMPRESSPS(v, k, Mem{Base: dst})
	} else {
		VCOMPRESSPD(v, k, Mem{Base: dst})
	}
	advance()
	TESTQ(n, n)
	JNZ(LabelRef("narrow"))
	Label("done")
	VZEROUPPER()
	RET()
}
