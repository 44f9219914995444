package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// totals writes the sums of the 16 lanes of each row to its place in z: halves are added until one
// number is left. A few rows share the last steps; each pair of numbers is added as if the row were
// alone.
func (s isa) totals(rows [][]VecVirtual, z []Mem) {
	sums := make([]VecVirtual, len(rows))
	for r, parts := range rows {
		for n := len(parts) / 2; n > 0; n /= 2 {
			for p := range n {
				VADDPD(parts[p+n], parts[p], parts[p])
			}
		}
		sums[r] = parts[0]
	}
	switch {
	case s.width == 8 && len(rows) == 4:
		four(sums, z)
	case s.width == 4 && len(rows) == 2:
		two(sums, z)
	default:
		for r, sum := range sums {
			VMOVSD(s.one(sum), z[r])
		}
	}
}

// four adds up the 8 lanes of four rows.
func four(sums []VecVirtual, z []Mem) {
	fold := func(a, b VecVirtual, low, high uint8) VecVirtual {
		l, h := ZMM(), ZMM()
		VSHUFF64X2(U8(low), b, a, l)
		VSHUFF64X2(U8(high), b, a, h)
		VADDPD(h, l, l)
		return l
	}
	// The lower and the upper halves of two rows, then of four.
	all := fold(fold(sums[0], sums[1], 0x44, 0xee), fold(sums[2], sums[3], 0x44, 0xee), 0x88, 0xdd)
	odd := ZMM()
	VUNPCKHPD(all, all, odd)
	VADDPD(odd, all, all)
	VMOVSD(all.AsX(), z[0])
	for i := 1; i < len(z); i++ {
		sum := XMM()
		VEXTRACTF64X2(U8(i), all, sum)
		VMOVSD(sum, z[i])
	}
}

// two adds up the 4 lanes of two rows.
func two(sums []VecVirtual, z []Mem) {
	low, high := YMM(), YMM()
	VPERM2F128(U8(0x20), sums[1], sums[0], low)
	VPERM2F128(U8(0x31), sums[1], sums[0], high)
	VADDPD(high, low, low)
	VUNPCKHPD(low, low, high)
	VADDPD(high, low, low)
	VEXTRACTF128(U8(1), low, high.AsX())
	VMOVSD(low.AsX(), z[0])
	VMOVSD(high.AsX(), z[1])
}

// one adds up the lanes of one row.
func (s isa) one(sum VecVirtual) Register {
	if s.width == 8 {
		high := YMM()
		VEXTRACTF64X4(U8(1), sum, high)
		VADDPD(high, sum.AsY(), sum.AsY())
	}
	high := XMM()
	if s.width == 8 { // the sum may be in a register that AVX does not have
		VEXTRACTF64X2(U8(1), sum.AsY(), high)
	} else {
		VEXTRACTF128(U8(1), sum.AsY(), high)
	}
	VADDPD(high, sum.AsX(), sum.AsX())
	VUNPCKHPD(sum.AsX(), sum.AsX(), high)
	VADDSD(high, sum.AsX(), sum.AsX())
	return sum.AsX()
}
