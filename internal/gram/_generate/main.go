// Command generate writes the assembly of package gram. Run it in its own folder:
//
//	go run . -out ../dots_amd64.s -stubs ../dots_stubs_amd64.go -pkg gram
//
// The kernel exists for AVX-512 and for AVX2 with FMA. Both compute the same bits as their Go twin:
// a product has eight lanes that are added by halves.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lanes is the number of partial sums of a product.
const lanes = 8

// isa is an instruction set.
type isa struct {
	name   string
	width  int               // numbers in a register
	side   int               // of the tile of products that its registers hold
	vector func() VecVirtual // a register
}

func main() {
	ConstraintExpr("amd64")
	for _, s := range []isa{{"AVX512", 8, 4, ZMM}, {"AVX2", 4, 2, YMM}} {
		s.dots()
	}
	Generate()
}

// dots multiplies side vectors at a with side vectors at b.
func (s isa) dots() {
	parts := lanes / s.width // registers of a product
	TEXT("dots"+s.name, NOSPLIT, "func(dst, a, b *float64, length, stride int)")
	Doc(
		fmt.Sprintf("dots%s is dotsGo for a tile of %d by %d products, one after the other", s.name, s.side, s.side),
		"in dst. Vectors have a length that eight divides, and begin stride numbers apart.",
	)
	to, length, stride := Load(Param("dst"), GP64()), Load(Param("length"), GP64()), Load(Param("stride"), GP64())
	SHLQ(U8(3), stride)
	at := func(name string) []Register { // where each vector begins
		list := []Register{Load(Param(name), GP64())}
		for range s.side - 1 {
			next := GP64()
			MOVQ(list[len(list)-1], next)
			ADDQ(stride, next)
			list = append(list, next)
		}
		return list
	}
	a, b := at("a"), at("b")
	sum := make([][]VecVirtual, s.side*s.side)
	for i := range sum {
		for range parts {
			v := s.vector()
			VXORPD(v, v, v)
			sum[i] = append(sum[i], v)
		}
	}
	k := GP64()
	XORQ(k, k)
	label := "next" + s.name
	Label(label)
	for p := range parts {
		right := make([]VecVirtual, s.side)
		for j := range right {
			right[j] = s.vector()
			VMOVUPD(Mem{Base: b[j], Index: k, Scale: 8, Disp: 8 * s.width * p}, right[j])
		}
		left := s.vector()
		for i := range s.side {
			VMOVUPD(Mem{Base: a[i], Index: k, Scale: 8, Disp: 8 * s.width * p}, left)
			for j := range right {
				VFMADD231PD(left, right[j], sum[i*s.side+j][p])
			}
		}
	}
	ADDQ(U8(lanes), k)
	CMPQ(k, length)
	JLT(LabelRef(label))
	for i, v := range sum {
		VMOVSD(s.total(v), Mem{Base: to, Disp: 8 * i})
	}
	VZEROUPPER()
	RET()
}

// total adds halves of the lanes until one number is left.
func (s isa) total(v []VecVirtual) VecVirtual {
	half, low, high := YMM(), XMM(), XMM()
	if s.width == lanes {
		VEXTRACTF64X4(U8(1), v[0], half)
		VADDPD(v[0].AsY(), half, half)
		VEXTRACTF64X2(U8(1), half, low)
	} else {
		VADDPD(v[0], v[1], half)
		VEXTRACTF128(U8(1), half, low)
	}
	VADDPD(half.AsX(), low, low)
	VUNPCKHPD(low, low, high)
	VADDSD(low, high, low)
	return low
}
