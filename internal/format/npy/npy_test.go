package npy

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fsa/data"
	"fsa/internal/need"
	"fsa/internal/readertest"
)

// made returns a .npy file with the given header text and cells.
func made(text string, cells ...byte) []byte {
	b := binary.LittleEndian.AppendUint16([]byte(magic+"\x01\x00"), uint16(len(text)))
	return append(append(b, text...), cells...)
}

func dictText(descr, fortran, shape string) string {
	return fmt.Sprintf("{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n", descr, fortran, shape)
}

func TestSuite(t *testing.T) {
	write := func(cell Type) func(w io.Writer, s *data.Schema, rows int) (data.Writer, error) {
		return func(w io.Writer, s *data.Schema, rows int) (data.Writer, error) {
			nw, err := NewWriter(w, rows, s.Width)
			if err == nil {
				nw.Type = cell
			}
			return nw, err
		}
	}
	stream := func(file []byte) (data.Reader, error) { return NewReader(bytes.NewReader(file), "stream") }
	mapped := func(file []byte) (data.Reader, error) {
		path := filepath.Join(t.TempDir(), "mapped.npy")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			return nil, err
		}
		return Open(path)
	}
	const half = 0x1p-24 // of the last place of a float32, relative
	t.Run("float32", func(t *testing.T) {
		readertest.Run(t, readertest.Format{Write: write(Float32), Read: stream, Exact: half, Whole: true})
	})
	t.Run("float64", func(t *testing.T) {
		readertest.Run(t, readertest.Format{Write: write(Float64), Read: mapped, Whole: true})
	})
	t.Run("npz", func(t *testing.T) {
		readertest.Run(t, readertest.Format{
			Write: func(w io.Writer, s *data.Schema, rows int) (data.Writer, error) {
				z := NewNPZWriter(w)
				if err := z.Vector("y", []float64{1, 2}); err != nil {
					return nil, err
				}
				table, err := z.Table("table", rows, s.Width)
				return &closeBoth{table, z}, err
			},
			Read: func(file []byte) (data.Reader, error) {
				return NewNPZReader(bytes.NewReader(file), int64(len(file)), "npz", "")
			},
			Exact: half,
			Whole: true,
		})
	})
}

type closeBoth struct {
	*Writer
	z *NPZWriter
}

func (c *closeBoth) Close() error { return errors.Join(c.Writer.Close(), c.z.Close()) }

// TestLayouts reads the same numbers in every type, byte order and memory
// order, aligned and not, mapped and from a stream, over several blocks.
func TestLayouts(t *testing.T) {
	need.Long(t)
	const seed = 11
	rng := rand.New(rand.NewPCG(seed, 1))
	for _, shape := range [][2]int{{1, 1}, {5, 3}, {300, 1000}, {40000, 7}, {2, blockCells + 9}} {
		rows, cols := shape[0], shape[1]
		want := make([]float64, rows*cols)
		for i := range want {
			want[i] = float64(rng.IntN(2)) // what every type can hold
		}
		for cell := Bool; cell <= Float64; cell++ {
			big, fortran, pad := rng.IntN(2) == 1, rng.IntN(2) == 1, rng.IntN(16)
			file := encode(want, rows, cols, cell, big, fortran, pad)
			what := fmt.Sprintf("seed %d: %d×%d %v, big %v, Fortran %v, header padded by %d", seed, rows, cols, cell, big, fortran, pad)
			path := filepath.Join(t.TempDir(), "a.npy")
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
			mapped, err := Open(path)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			streamed, err := NewReader(bytes.NewReader(file), "stream")
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			for _, r := range []*Reader{mapped, streamed} {
				got, err := readertest.Collect(t, r)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				if !same(got.Dense, want) {
					t.Fatalf("%s: other cells", what)
				}
			}
		}
	}
}

// encode writes an array in a slow and simple way.
func encode(cells []float64, rows, cols int, cell Type, big, fortran bool, pad int) []byte {
	order, bytesOf := "<", binary.AppendByteOrder(binary.LittleEndian)
	if big {
		order, bytesOf = ">", binary.BigEndian
	}
	text := dictText("'"+order+types[cell].code+"'", map[bool]string{true: "True", false: "False"}[fortran], fmt.Sprintf("(%d, %d)", rows, cols))
	b := made(text + strings.Repeat(" ", pad))
	for p := range cells {
		v := cells[p]
		if fortran {
			v = cells[p%rows*cols+p/rows]
		}
		switch cell {
		case Float16:
			b = bytesOf.AppendUint16(b, uint16(v)*0x3c00)
		case Float32:
			b = bytesOf.AppendUint32(b, math.Float32bits(float32(v)))
		case Float64:
			b = bytesOf.AppendUint64(b, math.Float64bits(v))
		default:
			switch cell.Size() {
			case 1:
				b = append(b, byte(v))
			case 2:
				b = bytesOf.AppendUint16(b, uint16(v))
			case 4:
				b = bytesOf.AppendUint32(b, uint32(v))
			case 8:
				b = bytesOf.AppendUint64(b, uint64(v))
			}
		}
	}
	return b
}

func TestIntegers(t *testing.T) {
	for _, test := range []struct {
		descr string
		bytes []byte
		want  float64
	}{
		{"|i1", []byte{0x80}, -128},
		{"|u1", []byte{0x80}, 128},
		{"|b1", []byte{7}, 1},
		{"<i2", []byte{0, 0x80}, -32768},
		{">u2", []byte{0x80, 0}, 32768},
		{"<i4", []byte{0xfe, 0xff, 0xff, 0xff}, -2},
		{"<u4", []byte{0xfe, 0xff, 0xff, 0xff}, 1<<32 - 2},
		{"<i8", bytes.Repeat([]byte{0xff}, 8), -1},
		{"<u8", bytes.Repeat([]byte{0xff}, 8), 1 << 64}, // rounded
	} {
		got, err := ReadVector(bytes.NewReader(made(dictText("'"+test.descr+"'", "False", "(1,)"), test.bytes...)), "v")
		if err != nil || !same(got, []float64{test.want}) {
			t.Errorf("%s: %v, %v; want %v", test.descr, got, err, test.want)
		}
	}
}

// TestHalf converts every binary16 by its definition.
func TestHalf(t *testing.T) {
	for v := range 1 << 16 {
		exponent, fraction := v>>10&31, float64(v&1023)/1024
		want := math.Ldexp(1+fraction, exponent-15)
		switch {
		case exponent == 0:
			want = math.Ldexp(fraction, -14)
		case exponent == 31 && fraction == 0:
			want = math.Inf(1)
		case exponent == 31:
			want = nan
		}
		if v>>15 == 1 {
			want = -want
		}
		if got := half(uint16(v)); !same([]float64{got}, []float64{want}) {
			t.Fatalf("%#04x: %v, want %v", v, got, want)
		}
	}
}

func TestHeaderAccepted(t *testing.T) {
	for _, text := range []string{
		"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }          \n",
		`{"shape":(3,4),"fortran_order":False,"descr":"<f4"}`,
		"{'descr': '<f4', 'fortran_order': False, 'shape': (3L, 4L)}\n", // Python 2
		"{ 'shape' : ( 3 , 4 , ) , 'descr' : '<f4' , 'fortran_order' : False , }",
	} {
		file := made(text, 1, 2, 3)
		r := bytes.NewReader(file)
		h, length, err := ReadHeader(r, "h")
		if err != nil || h.Type != Float32 || h.Big || h.Fortran || !slices.Equal(h.Shape, []int{3, 4}) {
			t.Errorf("%s: %+v, %v", text, h, err)
		}
		if length != len(file)-3 || r.Len() != 3 {
			t.Errorf("%s: header of %d bytes, %d left", text, length, r.Len())
		}
	}
}

func TestHeaderRefused(t *testing.T) {
	good := dictText("'<f4'", "False", "(1,)")
	edited := func(i int, b byte) []byte {
		file := made(good, 0, 0, 0, 0)
		file[i] = b
		return file
	}
	for _, test := range []struct {
		file []byte
		want string
	}{
		{nil, "ends within the header"},
		{made(good)[:9], "ends within the header"},
		{made(good)[:30], "ends within the header"},
		{edited(0, 'x'), "it begins with"},
		{edited(6, 4), "format version 4.0"},
		{edited(7, 1), "format version 1.1"},
		{append([]byte(magic), 2, 0, 0xff, 0xff, 0xff), "ends within the header"},
		{append([]byte(magic), 2, 0, 0xff, 0xff, 0xff, 0xff, 0, 0), "header of 4294967295 bytes"},
		{made("[1]"), "not a dict"},
		{made("{"), "text in quotes"},
		{made("{'descr': '<f4'"), "does not end"},
		{made("{'descr' '<f4'}"), "no colon"},
		{made("{'descr': '<f4', 'descr': '<f4'}"), "twice"},
		{made("{'descr': '<f4', 'shape': (1,)}"), `"fortran_order" is missing`},
		{made("{'descr': '<f4', 'color': 1}"), `unknown key "color"`},
		{made(good + "import os"), "something follows"},
		{made(dictText("'<f4", "False", "(1,)")), "does not end"},
		{made(dictText(`'<\x664'`, "False", "(1,)")), "escapes"},
		{made(dictText("'<f4'", "Maybe", "(1,)")), "True or False"},
		{made(dictText("'<f4'", "False", "[1]")), "tuple is expected"},
		{made(dictText("'<f4'", "False", "(1)")), "needs a comma"},
		{made(dictText("'<f4'", "False", "(1, 2 3)")), "commas between"},
		{made(dictText("'<f4'", "False", "("+strings.Repeat("1, ", 65)+")")), "at most 64"},
		{made(dictText("'<f4'", "False", "(1, -2)")), "whole numbers"},
		{made(dictText("'<f4'", "False", "(99999999999999999999,)")), "whole numbers"},
		{made(dictText("'<f4'", "False", "(4611686018427387904, 4)")), "no file can hold"},
		{made(dictText("'<f4'", "False", "(0, 3)")), "at least one row"},
		{made(dictText("'<f4'", "False", "(3, 0)")), "at least one row"},
		{made(dictText("'<f4'", "False", "()")), "two dimensions"},
		{made(dictText("[('a', '<f4')]", "False", "(1,)")), "structured"},
		{made(dictText("''", "False", "(1,)")), `dtype ""`},
		{made(dictText("'f4'", "False", "(1,)")), `dtype "f4"`},
		{made(dictText("'|f4'", "False", "(1,)")), `dtype "|f4"`},
		{made(dictText("'<f16'", "False", "(1,)")), "(extended precision)"},
		{made(dictText("'<c8'", "False", "(1,)")), "(complex numbers)"},
		{made(dictText("'<M8[ns]'", "False", "(1,)")), "(dates)"},
		{made(dictText("'|S3'", "False", "(1,)")), "(byte strings)"},
		{made(dictText("'|V8'", "False", "(1,)")), "save it with dtype=float32"},
	} {
		_, err := NewReader(bytes.NewReader(test.file), "bad.npy")
		wantError(t, fmt.Sprintf("%.80q", test.file), err, test.want)
	}
}

// TestLength checks files with fewer or more cells than their header says.
func TestLength(t *testing.T) {
	for _, order := range []string{"False", "True"} {
		text := dictText("'<f4'", order, "(3, 2)")
		for _, n := range []int{0, 1, 23, 25, 48} {
			file := made(text, make([]byte, n)...)
			want := fmt.Sprintf("the header promises 3×2 float32, 24 bytes, but only %d follow", n)
			if n > 24 {
				want = "the header promises 3×2 float32, 24 bytes, but more follow"
			}
			path := filepath.Join(t.TempDir(), "a.npy")
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Open(path)
			wantError(t, "open", err, want)
			r, err := NewReader(bytes.NewReader(file), "stream")
			if err != nil {
				t.Fatal(err)
			}
			_, err = readertest.Collect(t, r)
			wantError(t, "stream", err, want)
			_, again := r.Next(context.Background())
			if again != err {
				t.Errorf("after %v came %v", err, again)
			}
		}
	}
}

// TestHugeClaims checks that a short file with a large header takes no memory.
func TestHugeClaims(t *testing.T) {
	for _, order := range []string{"False", "True"} {
		for _, shape := range []string{"(1099511627776, 1024)", "(1, 1125899906842624)", "(1125899906842624,)"} {
			file := made(dictText("'<f4'", order, shape), 1, 2, 3)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r, err := NewReader(bytes.NewReader(file), "huge")
			if err == nil {
				_, err = readertest.Collect(t, r)
			}
			runtime.ReadMemStats(&after)
			wantError(t, shape, err, "only 3 follow")
			if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
				t.Errorf("%s: %d bytes for a file of %d", shape, used, len(file))
			}
		}
	}
}

func TestInfinity(t *testing.T) {
	for _, cell := range []Type{Float16, Float32, Float64} {
		for _, fortran := range []bool{false, true} {
			const rows, cols = 20000, 9
			file := encode(make([]float64, rows*cols), rows, cols, cell, false, fortran, 0)
			p := 17776*cols + 5
			if fortran {
				p = 5*rows + 17776
			}
			at := len(file) - (rows*cols-p)*cell.Size()
			switch cell {
			case Float16:
				binary.LittleEndian.PutUint16(file[at:], 0xfc00)
			case Float32:
				binary.LittleEndian.PutUint32(file[at:], math.Float32bits(float32(math.Inf(-1))))
			case Float64:
				binary.LittleEndian.PutUint64(file[at:], math.Float64bits(math.Inf(1)))
			}
			r, err := NewReader(bytes.NewReader(file), "inf.npy")
			if err == nil {
				_, err = readertest.Collect(t, r)
			}
			wantError(t, cell.String(), err, "inf.npy: row 17777: column x5: the cell is infinite")
		}
	}
}

// TestShrunk truncates a file while it is mapped.
func TestShrunk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := os.WriteFile(path, made(dictText("'<f8'", "False", "(100000, 8)"), make([]byte, 6400000)...), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 1<<20); err != nil {
		t.Fatal(err)
	}
	_, err = readertest.Collect(t, r)
	if e := (*data.Error)(nil); !errors.As(err, &e) {
		t.Errorf("error %v", err)
	}
}

func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, order := range []string{"False", "True"} {
		r, err := NewReader(bytes.NewReader(made(dictText("'|u1'", order, "(2, 2)"), 1, 2, 3, 4)), "c")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Next(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	}
}

// TestForeignErrors checks that errors of the underlying stream are not blamed on the data.
func TestForeignErrors(t *testing.T) {
	broken := errors.New("line cut")
	file := made(dictText("'|u1'", "False", "(2, 2)"), 1, 2)
	for _, n := range []int{3, 11, len(file)} {
		r, err := NewReader(io.MultiReader(bytes.NewReader(file[:n]), failing{broken}), "s")
		if err == nil {
			_, err = readertest.Collect(t, r)
		}
		if !errors.Is(err, broken) || errors.Is(err, data.ErrBadData) {
			t.Errorf("cut at %d: error %v", n, err)
		}
	}
	if _, err := NewReader(failing{&fs.PathError{Op: "read", Path: "s.npy", Err: broken}}, "s.npy"); strings.Count(err.Error(), "s.npy") != 1 {
		t.Errorf("error %v", err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "absent")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestForeignErrorsNPZ lets each read of an archive fail in turn.
func TestForeignErrorsNPZ(t *testing.T) {
	file, err := os.ReadFile(filepath.Join("testdata", "deflated.npz"))
	if err != nil {
		t.Fatal(err)
	}
	for fail := 0; ; fail++ {
		broken := &breaking{bytes.NewReader(file), fail}
		r, err := NewNPZReader(broken, int64(len(file)), "z", "x")
		if err == nil {
			_, err = readertest.Collect(t, r)
		}
		if err == nil {
			if fail < 3 {
				t.Errorf("only %d reads", fail)
			}
			break
		}
		if !errors.Is(err, errBroken) || errors.Is(err, data.ErrBadData) {
			t.Errorf("read %d: error %v", fail, err)
		}
	}
}

var errBroken = errors.New("disk broken")

type breaking struct {
	io.ReaderAt
	left int
}

func (b *breaking) ReadAt(p []byte, off int64) (int, error) {
	if b.left--; b.left < 0 {
		return 0, errBroken
	}
	return b.ReaderAt.ReadAt(p, off)
}

func TestBlocks(t *testing.T) {
	r, err := NewReader(bytes.NewReader(made(dictText("'|u1'", "False", "(600, 1000)"), make([]byte, 600000)...)), "b")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for {
		b, err := r.Next(context.Background())
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if b.Line != 0 || b.Rows > blockCells/1000 {
			t.Errorf("block of %d rows at line %d; arrays have no lines", b.Rows, b.Line)
		}
		rows += b.Rows
	}
	if rows != 600 {
		t.Errorf("%d rows", rows)
	}
}

func TestSniff(t *testing.T) {
	if !Sniff(made("")) || Sniff([]byte("\x93NUMP")) || Sniff([]byte(zipMagic)) {
		t.Error(".npy")
	}
	if !SniffNPZ([]byte("PK\x03\x04rest")) || !SniffNPZ([]byte("PK\x05\x06")) || SniffNPZ(made("")) || SniffNPZ(nil) {
		t.Error(".npz")
	}
}

// An archive whose directory is damaged anywhere is bad data, also where it says that members
// lie before its beginning.
func TestDamagedDirectory(t *testing.T) {
	var file bytes.Buffer
	z := NewNPZWriter(&file)
	if err := z.Vector("y", []float64{1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "z.npz")
	for at := file.Len() - 80; at < file.Len(); at++ {
		for _, b := range []byte{0, 1, 127, 128, 255} {
			damaged := bytes.Clone(file.Bytes())
			damaged[at] = b
			if err := os.WriteFile(path, damaged, 0o644); err != nil {
				t.Fatal(err)
			}
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ReadNPZVector(f, int64(len(damaged)), path, ""); err != nil && !errors.Is(err, data.ErrBadData) {
				t.Errorf("byte %d is %d: %v", at, b, err)
			}
			f.Close()
		}
	}
}
