package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// cell is the type of a number in a row.
type cell struct {
	name string // in the names of kernels
	twin string // in those of the Go code
	kind string // type in Go
	size int    // bytes

	// load writes the load of as many cells as fit into a register as float64: the ones that k
	// marks, with zeros for the others; nil marks all.
	load func(s isa, from Mem, k *OpmaskVirtual, to VecVirtual)
}

var cells = []cell{
	{"", "", "float32", 4, loadFloat32},
	{"BFloat16", "BFloat16", "uint16", 2, loadBFloat16},
	{"Int8", "", "int8", 1, loadInt8},
	{"Float64", "Float64", "float64", 8, loadFloat64},
}

func loadFloat64(_ isa, from Mem, k *OpmaskVirtual, to VecVirtual) {
	if k == nil {
		VMOVUPD(from, to)
	} else {
		VMOVUPD_Z(from, *k, to)
	}
}

func loadFloat32(_ isa, from Mem, k *OpmaskVirtual, to VecVirtual) {
	if k == nil {
		VCVTPS2PD(from, to)
	} else {
		VCVTPS2PD_Z(from, *k, to)
	}
}

// loadBFloat16 moves the cells to the upper halves of float32 numbers.
func loadBFloat16(s isa, from Mem, k *OpmaskVirtual, to VecVirtual) {
	var half Op = to.AsY()
	if s.width == 4 {
		half = to.AsX()
	}
	if k == nil {
		VPMOVZXWD(from, half)
	} else {
		VPMOVZXWD_Z(from, *k, half)
	}
	VPSLLD(U8(16), half, half)
	VCVTPS2PD(half, to)
}

func loadInt8(s isa, from Mem, k *OpmaskVirtual, to VecVirtual) {
	switch {
	case s.width == 4:
		VPMOVSXBD(from, to.AsX())
		VCVTDQ2PD(to.AsX(), to)
		return
	case k == nil:
		VPMOVSXBQ(from, to)
	default:
		VPMOVSXBQ_Z(from, *k, to)
	}
	VCVTQQ2PD(to, to)
}

// stage copies the first n cells of each row, fewer than most, into the room of a whole tail, with
// zeros behind them, and makes the rows begin there. AVX2 cannot mask cells as short as these.
func (c cell) stage(at []Register, n Register, most int) {
	Comment("Copies of the cells that are left.")
	size := c.size * most
	room := AllocLocal(max(size, 16) * len(at))
	zero := XMM()
	VPXOR(zero, zero, zero)
	for r := range at {
		slot := room.Offset(max(size, 16) * r)
		for i := 0; i < max(size, 16); i += 16 {
			VMOVDQU(zero, slot.Offset(i))
		}
		to := GP64()
		LEAQ(slot, to)
		for few := most / 2; few > 0; few /= 2 {
			skip := fmt.Sprintf("skip%dof%d_%d", few, len(at), r)
			TESTQ(U32(few), n)
			JZ(LabelRef(skip))
			move(few*c.size, Mem{Base: at[r]}, Mem{Base: to})
			ADDQ(U32(few*c.size), at[r])
			ADDQ(U32(few*c.size), to)
			Label(skip)
		}
		LEAQ(slot, at[r])
	}
}

// move writes the copy of a few bytes, through a vector register because the other registers are in
// use.
func move(bytes int, from, to Mem) {
	v := XMM()
	switch bytes {
	case 16:
		VMOVDQU(from, v)
		VMOVDQU(v, to)
	case 8:
		VMOVQ(from, v)
		VMOVQ(v, to)
	case 4:
		VMOVD(from, v)
		VMOVD(v, to)
	case 2:
		VPXOR(v, v, v)
		VPINSRW(U8(0), from, v, v)
		VPEXTRW(U8(0), v, to)
	case 1:
		VPXOR(v, v, v)
		VPINSRB(U8(0), from, v, v)
		VPEXTRB(U8(0), v, to)
	}
}
