package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// compress writes the kernel that leaves out cells of a row, for AVX-512, which has an instruction
// for it. Cells are loaded under the mask of those that stay, so nothing behind the row is touched.
// As long as there is room for 16, they are stored together with what follows them, which is
// overwritten later: that is faster than storing only some.
func compress() {
	TEXT("compressAVX512", NOSPLIT, "func(dst, row []float32, mask []uint16)")
	Doc("compressAVX512 is compressGo.")
	dst, room := Load(Param("dst").Base(), GP64()), Load(Param("dst").Len(), GP64())
	row := Load(Param("row").Base(), GP64())
	bits, n := Load(Param("mask").Base(), GP64()), Load(Param("mask").Len(), GP64())
	mask, count, k, v := GP32(), GP64(), K(), ZMM()

	next := func() {
		MOVWLZX(Mem{Base: bits}, mask)
		KMOVW(mask, k)
		VMOVUPS_Z(Mem{Base: row}, k, v)
		POPCNTL(mask, count.As32())
	}
	advance := func() {
		LEAQ(Mem{Base: dst, Index: count, Scale: 4}, dst)
		SUBQ(count, room)
		ADDQ(U32(64), row)
		ADDQ(U32(2), bits)
		DECQ(n)
	}
	Label("wide")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	CMPQ(room, U32(16))
	JL(LabelRef("narrow"))
	next()
	VCOMPRESSPS_Z(v, k, v)
	VMOVUPS(v, Mem{Base: dst})
	advance()
	JMP(LabelRef("wide"))
	Label("narrow")
	next()
	VCOMPRESSPS(v, k, Mem{Base: dst})
	advance()
	TESTQ(n, n)
	JNZ(LabelRef("narrow"))
	Label("done")
	VZEROUPPER()
	RET()
}
