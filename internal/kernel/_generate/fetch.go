package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// fetch writes the function that fetches a few lines of rows into the cache.
func fetch() {
	TEXT("fetchRows", NOSPLIT, "func(first *byte, stride, rows, bytes int)")
	Doc("fetchRows fetches the first bytes of rows that lie stride bytes apart.")
	row, stride := Load(Param("first"), GP64()), Load(Param("stride"), GP64())
	n, bytes := Load(Param("rows"), GP64()), Load(Param("bytes"), GP64())
	at := GP64()
	Label("rows")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	XORQ(at, at)
	Label("lines")
	CMPQ(at, bytes)
	JGE(LabelRef("last"))
	PREFETCHT0(Mem{Base: row, Index: at, Scale: 1})
	ADDQ(U32(64), at)
	JMP(LabelRef("lines"))
	Label("last")
	PREFETCHT0(Mem{Base: row, Index: bytes, Scale: 1, Disp: -1})
	ADDQ(stride, row)
	DECQ(n)
	JMP(LabelRef("rows"))
	Label("done")
	RET()
}
