package main

// cell is the type of a number in a row.
type cell struct {
	name  string // in the names of kernels
	twin  string // in those of the Go code
	kind  string // type in Go
	shift int    // log2 of the bytes
}

var cells = []cell{
	{"", "", "float32", 2},
	{"BFloat16", "BFloat16", "uint16", 1},
	{"Int8", "", "int8", 0},
}

// Loads of cells as float32 numbers, which can represent all of them without rounding. The address
// advances behind them, and R15 may be used.

// load16 writes the load of 16 cells into four registers.
func (a *assembly) load16(c cell, d reg, from string) {
	switch c.kind {
	case "float32":
		a.do("VLD1.P 64(%s), %s", from, list(d, 4, "S4"))
	case "uint16":
		for i := reg(0); i < 4; i += 2 {
			a.do("VLD1.P 16(%s), %s", from, list(d+i, 1, "H8"))
			a.upperHalves(d+i+1, d+i, true)
			a.upperHalves(d+i, d+i, false)
		}
	case "int8":
		a.do("VLD1.P 16(%s), %s", from, list(d, 1, "B16"))
		a.signed8(d+2, d, true)
		a.signed8(d, d, false)
		for i := reg(0); i < 4; i += 2 {
			a.signed16(d+i+1, d+i, true)
			a.signed16(d+i, d+i, false)
		}
		for i := range reg(4) {
			a.toFloat32(d+i, d+i)
		}
	}
}

// load2 writes the load of two cells into the lower half of a register.
func (a *assembly) load2(c cell, d reg, from string) {
	switch c.kind {
	case "float32":
		a.do("FMOVD.P 8(%s), F%d", from, int(d))
	case "uint16":
		a.do("FMOVS.P 4(%s), F%d", from, int(d))
		a.upperHalves(d, d, false)
	case "int8":
		a.do("MOVHU.P 2(%s), R15", from)
		a.do("FMOVS R15, F%d", int(d))
		a.signed8(d, d, false)
		a.signed16(d, d, false)
		a.toFloat32(d, d)
	}
}

// load1 writes the load of one cell, and of zeros behind it.
func (a *assembly) load1(c cell, d reg, from string) {
	switch c.kind {
	case "float32":
		a.do("FMOVS.P 4(%s), F%d", from, int(d))
	case "uint16":
		a.do("MOVHU.P 2(%s), R15", from)
		a.do("LSL $16, R15, R15")
		a.do("FMOVS R15, F%d", int(d))
	case "int8":
		a.do("MOVB.P 1(%s), R15", from)
		a.do("SCVTFWS R15, F%d", int(d))
	}
}
