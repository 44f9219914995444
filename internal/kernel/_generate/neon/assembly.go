package main

import (
	"fmt"
	"strings"
)

// assembly is the text written so far.
type assembly struct{ text []byte }

func (a *assembly) line(format string, args ...any) {
	a.text = fmt.Appendf(a.text, format+"\n", args...)
}

// do writes an instruction.
func (a *assembly) do(format string, args ...any) { a.line("\t"+format, args...) }

func (a *assembly) label(name string) { a.line("%s:", name) }

// function begins a function, given the bytes of its arguments and those on the stack.
func (a *assembly) function(name, signature string, stack, arguments int) {
	a.line("")
	a.line("// func %s%s", name, signature)
	a.line("TEXT ·%s(SB), NOSPLIT, $%d-%d", name, stack, arguments)
}

// reg is a vector register.
type reg int

func (r reg) String() string { return fmt.Sprintf("V%d", int(r)) }

// list writes consecutive registers, as loads and stores take them.
func list(first reg, n int, lanes string) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("%v.%s", first+reg(i), lanes))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// Vector instructions that Go's assembler does not know, as their encodings.

func (a *assembly) two(code uint32, name, to, from string, d, n reg) {
	a.do("WORD $%#08x // %s %v.%s, %v.%s", code|uint32(n)<<5|uint32(d), name, d, to, n, from)
}

func (a *assembly) three(code uint32, name string, d, n, m reg) {
	a.do("WORD $%#08x // %s %v.2D, %v.2D, %v.2D", code|uint32(m)<<16|uint32(n)<<5|uint32(d), name, d, n, m)
}

// widen writes the conversion of the lower or upper two of four float32 numbers.
func (a *assembly) widen(d, n reg, upper bool) {
	if upper {
		a.two(0x4e617800, "FCVTL2", "2D", "4S", d, n)
	} else {
		a.two(0x0e617800, "FCVTL", "2D", "2S", d, n)
	}
}

// signed8 and signed16 write the extension of the lower or upper half of a register of integers.
func (a *assembly) signed8(d, n reg, upper bool) {
	if upper {
		a.two(0x4f08a400, "SXTL2", "8H", "16B", d, n)
	} else {
		a.two(0x0f08a400, "SXTL", "8H", "8B", d, n)
	}
}

func (a *assembly) signed16(d, n reg, upper bool) {
	if upper {
		a.two(0x4f10a400, "SXTL2", "4S", "8H", d, n)
	} else {
		a.two(0x0f10a400, "SXTL", "4S", "4H", d, n)
	}
}

// upperHalves writes the move of the lower or upper four of eight halves to the upper halves of
// words.
func (a *assembly) upperHalves(d, n reg, upper bool) {
	if upper {
		a.two(0x6e613800, "SHLL2", "4S", "8H", d, n)
	} else {
		a.two(0x2e613800, "SHLL", "4S", "4H", d, n)
	}
}

func (a *assembly) toFloat32(d, n reg)   { a.two(0x4e21d800, "SCVTF", "4S", "4S", d, n) }
func (a *assembly) round(d, n reg)       { a.two(0x4e618800, "FRINTN", "2D", "2D", d, n) }
func (a *assembly) abs(d, n reg)         { a.two(0x4ee0f800, "FABS", "2D", "2D", d, n) }
func (a *assembly) negate(d, n reg)      { a.two(0x6ee0f800, "FNEG", "2D", "2D", d, n) }
func (a *assembly) add(d, n, m reg)      { a.three(0x4e60d400, "FADD", d, n, m) }
func (a *assembly) subtract(d, n, m reg) { a.three(0x4ee0d400, "FSUB", d, n, m) }
func (a *assembly) multiply(d, n, m reg) { a.three(0x6e60dc00, "FMUL", d, n, m) }
func (a *assembly) least(d, n, m reg)    { a.three(0x4ee0f400, "FMIN", d, n, m) }

// addPair writes the sum of both numbers of a register.
func (a *assembly) addPair(d, n reg) {
	a.do("WORD $%#08x // FADDP D%d, %v.2D", 0x7e70d800|uint32(n)<<5|uint32(d), int(d), n)
}

// fuse writes d += n·m with one rounding.
func (a *assembly) fuse(d, n, m reg) { a.do("VFMLA %v.D2, %v.D2, %v.D2", m, n, d) }

// fuseLane writes d += n·m[lane] with one rounding.
func (a *assembly) fuseLane(d, n, m reg, lane int) {
	a.do("WORD $%#08x // FMLA %v.2D, %v.2D, %v.D[%d]", 0x4fc01000|uint32(lane)<<11|uint32(m)<<16|uint32(n)<<5|uint32(d), d, n, m, lane)
}

func (a *assembly) zero(d reg) { a.do("VEOR %v.B16, %v.B16, %v.B16", d, d, d) }
