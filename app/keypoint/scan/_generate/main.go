// Command generate writes the assembly of package scan. Run it in its own folder:
//
//	go run . -out ../add_amd64.s -stubs ../add_stubs_amd64.go -pkg scan
//
// Each kernel exists for AVX-512 and for AVX2, and computes the same bits as its Go twin.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lanes is the number of windows of a block.
const lanes = 16

// isa is an instruction set.
type isa struct {
	name   string
	width  int               // numbers in a register
	vector func() VecVirtual // a register
	load   func(from, to Op)
	spread func(from, to Op)     // broadcasts a number in memory
	gather func(from Mem, to Op) // with a new full mask
}

func main() {
	ConstraintExpr("amd64,!noasm")
	avx512 := isa{
		name: "AVX512", width: 16, vector: ZMM,
		load:   func(from, to Op) { VMOVDQU32(from, to) },
		spread: func(from, to Op) { VBROADCASTSS(from, to) },
		gather: func(from Mem, to Op) {
			k := K()
			KXNORW(k, k, k)
			VPGATHERDD(from, k, to)
		},
	}
	avx2 := isa{
		name: "AVX2", width: 8, vector: YMM,
		load:   func(from, to Op) { VMOVDQU(from, to) },
		spread: func(from, to Op) { VBROADCASTSS(from, to) },
		gather: func(from Mem, to Op) {
			mask := YMM()
			VPCMPEQD(mask, mask, mask)
			VPGATHERDD(mask, from, to)
		},
	}
	for _, s := range []isa{avx512, avx2} {
		s.kernel("Box", 4, true, func(at func(int) VecVirtual) VecVirtual { return s.box(at, 0) })
		s.kernel("Edge", 6, false, func(at func(int) VecVirtual) VecVirtual {
			v := s.bend(at, 0)
			VPSUBD(s.bend(at, 3), v, v)
			return v
		})
		s.kernel("Line", 8, false, func(at func(int) VecVirtual) VecVirtual {
			v, three := s.box(at, 0), s.vector()
			VPADDD(v, v, three)
			VPADDD(v, three, three)
			VPADDD(s.box(at, 4), three, three)
			return three
		})
		s.kernel("Check", 9, false, func(at func(int) VecVirtual) VecVirtual {
			v := s.bend(at, 0)
			VPADDD(v, v, v)
			VPSUBD(s.bend(at, 3), v, v)
			VPSUBD(s.bend(at, 6), v, v)
			return v
		})
	}
	Generate()
}

// box returns a−b−c+d of the corners from first on.
func (s isa) box(at func(int) VecVirtual, first int) VecVirtual {
	v := at(first)
	VPSUBD(at(first+1), v, v)
	VPSUBD(at(first+2), v, v)
	VPADDD(at(first+3), v, v)
	return v
}

// bend returns 2a−b−c of the corners from first on.
func (s isa) bend(at func(int) VecVirtual, first int) VecVirtual {
	v := at(first)
	VPADDD(v, v, v)
	VPSUBD(at(first+1), v, v)
	VPSUBD(at(first+2), v, v)
	return v
}

// kernel writes a function that adds the responses to a feature to the scores
// of blocks of windows.
func (s isa) kernel(name string, corners int, norm bool, formula func(at func(int) VecVirtual) VecVirtual) {
	TEXT("add"+name+s.name, NOSPLIT, "func(score []int32, sums []uint32, norm []float32, blocks []int32, at *[9]int, low, scale float32, table *[256]int32)")
	Doc("add" + name + s.name + " is add" + name + "Go.")
	score := Load(Param("score").Base(), GP64())
	blocks := Load(Param("blocks").Base(), GP64())
	count := Load(Param("blocks").Len(), GP64())
	table := Load(Param("table"), GP64())
	low, scale := s.vector(), s.vector()
	address, err := Param("low").Resolve()
	if err != nil {
		panic(err)
	}
	s.spread(address.Addr, low)
	if address, err = Param("scale").Resolve(); err != nil {
		panic(err)
	}
	s.spread(address.Addr, scale)
	zero, most := s.vector(), s.vector()
	s.clear(zero)
	last := GP32()
	MOVL(U32(255), last)
	x := XMM()
	VMOVD(last, x)
	VPBROADCASTD(x, most)

	sums := Load(Param("sums").Base(), GP64())
	at := Load(Param("at"), GP64())
	pointers := make([]GPVirtual, corners)
	for i := range pointers {
		pointers[i] = GP64()
		MOVQ(Mem{Base: at, Disp: 8 * i}, pointers[i])
		LEAQ(Mem{Base: sums, Index: pointers[i], Scale: 4}, pointers[i])
	}
	var norms Register
	if norm {
		norms = Load(Param("norm").Base(), GP64())
	}

	next, done := name+s.name+"Next", name+s.name+"Done"
	TESTQ(count, count)
	JZ(LabelRef(done))
	Label(next)
	block := GP64()
	MOVLQSX(Mem{Base: blocks}, block)
	for part := 0; part < lanes/s.width; part++ {
		place := func(base Register) Mem {
			return Mem{Base: base, Index: block, Scale: 4, Disp: 4 * part * s.width}
		}
		v := formula(func(i int) VecVirtual {
			r := s.vector()
			s.load(place(pointers[i]), r)
			return r
		})
		VCVTDQ2PS(v, v)
		if norm {
			VMULPS(place(norms), v, v)
		}
		VSUBPS(low, v, v)
		VMULPS(scale, v, v)
		VCVTTPS2DQ(v, v)
		VPMAXSD(zero, v, v)
		VPMINSD(most, v, v)
		r := s.vector()
		s.clear(r)
		s.gather(Mem{Base: table, Index: v, Scale: 4}, r)
		VPADDD(place(score), r, r)
		s.load(r, place(score))
	}
	ADDQ(U8(4), blocks)
	DECQ(count)
	JNZ(LabelRef(next))
	Label(done)
	VZEROUPPER()
	RET()
}

// clear sets a register to zero, to break a dependency on its old value.
func (s isa) clear(v VecVirtual) {
	if s.width == 16 {
		VPXORD(v, v, v)
		return
	}
	VPXOR(v, v, v)
}
