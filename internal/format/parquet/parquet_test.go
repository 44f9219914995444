package parquet

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"fsa/data"
	"fsa/internal/format/columnar"
	"fsa/internal/need"
	"fsa/internal/readertest"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

func TestSuite(t *testing.T) {
	readertest.Run(t, readertest.Format{
		Write: func(w io.Writer, s *data.Schema, rows int) (data.Writer, error) { return NewWriter(w, s, rows) },
		Read:  func(file []byte) (data.Reader, error) { return open(file) },
		Whole: true,
	})
}

// same compares cells, where NaN is equal to NaN.
func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || x != x && y != y })
}

// write makes a file of one block.
func write(t testing.TB, s *data.Schema, b *data.Block) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := NewWriter(&file, s, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(b), w.Close()); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// mixed is a table of a number and two texts, with nulls, longer than a page.
func mixed(rng *rand.Rand, rows int) (*data.Schema, *data.Block) {
	s := &data.Schema{Width: 3, Names: []string{"n", "many", "one"}, Categories: map[int][]string{1: nil, 2: {"same"}}}
	for i := range 1000 {
		s.Categories[1] = append(s.Categories[1], fmt.Sprintf("text %d", i))
	}
	b := &data.Block{Rows: rows}
	for i := range rows {
		row := []float64{rng.NormFloat64(), float64(rng.IntN(min(i/4+1, 1000))), 0}
		for j := range row {
			if rng.IntN(5) == 0 {
				row[j] = nan
			}
		}
		b.Dense = append(b.Dense, row...)
	}
	return s, b
}

// TestText writes and reads texts. The codes may change, their meaning may not.
func TestText(t *testing.T) {
	const seed = 3
	s, b := mixed(rand.New(rand.NewPCG(seed, 1)), pageRows+1000)
	r, err := open(write(t, s, b))
	if err != nil {
		t.Fatal(err)
	}
	all, err := readertest.Collect(t, r)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.Schema().Names, s.Names) || all.Rows != b.Rows {
		t.Fatalf("%d rows of %q", all.Rows, r.Schema().Names)
	}
	for i, want := range b.Dense {
		got, j := all.Dense[i], i%3
		if want != want || got != got || j == 0 {
			if !same([]float64{got}, []float64{want}) {
				t.Fatalf("seed %d, row %d, column %d: %v, want %v", seed, i/3, j, got, want)
			}
		} else if r.Schema().Categories[j][int(got)] != s.Categories[j][int(want)] {
			t.Fatalf("seed %d, row %d, column %d: another text", seed, i/3, j)
		}
	}
}

// TestOthersRead checks written files with the library's own reader.
func TestOthersRead(t *testing.T) {
	const seed = 4
	s, b := mixed(rand.New(rand.NewPCG(seed, 1)), pageRows+1000)
	file := write(t, s, b)
	type row struct {
		N    *float64 `parquet:"n"`
		Many *string  `parquet:"many"`
		One  *string  `parquet:"one"`
	}
	rows, err := parquet.Read[row](bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != b.Rows {
		t.Fatalf("%d rows", len(rows))
	}
	for i, got := range rows {
		want := b.Dense[3*i:]
		if got.N == nil && want[0] == want[0] || got.N != nil && *got.N != want[0] {
			t.Fatalf("seed %d, row %d: number %v, want %v", seed, i, got.N, want[0])
		}
		for j, text := range []*string{got.Many, got.One} {
			code := want[j+1]
			if text == nil && code == code || text != nil && *text != s.Categories[j+1][int(code)] {
				t.Fatalf("seed %d, row %d: text %v, want %v", seed, i, text, code)
			}
		}
	}
}

// TestOthersWrite reads files of the library's own writer, in many pages of both formats. It writes
// the zero of an optional field as a null.
func TestOthersWrite(t *testing.T) {
	type row struct {
		Plain  float64 `parquet:"plain"`
		Small  float32 `parquet:"small,optional,dict,snappy"`
		Wide   int64   `parquet:"wide,optional,delta,zstd"`
		Narrow int32   `parquet:"narrow,delta"`
		Unsign uint32  `parquet:"unsign,optional,gzip"`
		Bool   bool    `parquet:"bool,optional"`
		Prefix string  `parquet:"prefix,optional,delta,brotli"`
		Text   string  `parquet:"text,dict,lz4"`
		Split  float64 `parquet:"split,split"`
	}
	const seed, n = 5, 30000
	orNull := func(v float64) float64 {
		if v == 0 {
			return nan
		}
		return v
	}
	for version := 1; version <= 2; version++ {
		rng := rand.New(rand.NewPCG(seed, uint64(version)))
		rows := make([]row, n)
		for i := range rows {
			rows[i] = row{Plain: rng.NormFloat64(), Narrow: int32(rng.Uint32()), Text: fmt.Sprint(rng.IntN(50)), Split: rng.ExpFloat64()}
			if r := &rows[i]; rng.IntN(3) > 0 {
				r.Small, r.Wide, r.Unsign = float32(rng.IntN(100)), int64(rng.Uint64())>>rng.IntN(64), rng.Uint32()
				r.Bool, r.Prefix = rng.IntN(2) == 0, fmt.Sprint(rng.IntN(5000))
			}
		}
		var file bytes.Buffer
		if err := parquet.Write(&file, rows, parquet.DataPageVersion(version), parquet.PageBufferSize(5000), parquet.MaxRowsPerRowGroup(11000)); err != nil {
			t.Fatal(err)
		}
		r, err := open(file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		all, err := readertest.Collect(t, r)
		if err != nil {
			t.Fatal(err)
		}
		if all.Rows != n {
			t.Fatalf("%d rows", all.Rows)
		}
		prefix, text := r.Schema().Categories[6], r.Schema().Categories[7]
		for i, v := range rows {
			got := all.Dense[9*i:][:9]
			want := []float64{v.Plain, orNull(float64(v.Small)), orNull(float64(v.Wide)), float64(v.Narrow),
				orNull(float64(v.Unsign)), orNull(truth(v.Bool)), got[6], got[7], v.Split}
			if !same(got, want) || text[int(got[7])] != v.Text ||
				(got[6] != got[6]) != (v.Prefix == "") || v.Prefix != "" && prefix[int(got[6])] != v.Prefix {
				t.Fatalf("seed %d, version %d, row %d: %v, want %v", seed, version, i, got, v)
			}
		}
	}
}

// TestWide writes and reads more columns than the library can.
func TestWide(t *testing.T) {
	need.Long(t)
	const width = 100_000
	b := &data.Block{Rows: 3, Dense: make([]float64, 3*width)}
	for i := range b.Dense {
		b.Dense[i] = float64(i)
	}
	file := write(t, &data.Schema{Width: width}, b)
	r, err := open(file)
	if err != nil {
		t.Fatal(err)
	}
	all, err := readertest.Collect(t, r)
	if err != nil {
		t.Fatal(err)
	}
	if !same(all.Dense, b.Dense) || r.Schema().Name(width-1) != "x99999" {
		t.Error("other cells")
	}
	r, err = open(file, "x99999", "x7")
	if err != nil {
		t.Fatal(err)
	}
	if all, err = readertest.Collect(t, r); err != nil || !same(all.Dense, []float64{width - 1, 7, 2*width - 1, width + 7, 3*width - 1, 2*width + 7}) {
		t.Errorf("two columns: %v, %v", all, err)
	}
}

// TestGroups writes more rows than a row group takes.
func TestGroups(t *testing.T) {
	b := &data.Block{Rows: groupRows + 77}
	for i := range b.Rows {
		b.Dense = append(b.Dense, float64(i))
	}
	r, err := open(write(t, &data.Schema{Width: 1}, b))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.groups) != 2 {
		t.Errorf("%d row groups", len(r.groups))
	}
	rows := 0
	for {
		next, err := r.Next(context.Background())
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if next.Line != 0 || next.Rows > columnar.Rows(1<<40, 1) || !same(next.Dense, b.Dense[rows:rows+next.Rows]) {
			t.Fatalf("block of %d rows after %d, at line %d", next.Rows, rows, next.Line)
		}
		rows += next.Rows
	}
	if rows != b.Rows {
		t.Errorf("%d rows", rows)
	}
}

func TestSameNames(t *testing.T) {
	file := write(t, &data.Schema{Width: 3, Names: []string{"a", "b", "a"}}, &data.Block{Rows: 1, Dense: []float64{1, 2, 3}})
	_, err := open(file)
	wantError(t, "two columns of a name", err, "f.parquet: column a: columns 1 and 3 have the same name")
}

func TestWriterRefuses(t *testing.T) {
	if _, err := NewWriter(io.Discard, &data.Schema{}, 1); err == nil {
		t.Error("a table without columns was begun")
	}
	s := &data.Schema{Width: 2, Categories: map[int][]string{1: {"a"}}}
	for what, cells := range map[string][]float64{
		"x1: code 1 of 1 texts":   {1, 1},
		"x1: code -1 of 1 texts":  {1, -1},
		"x1: code 0.5 of 1 texts": {1, 0.5},
		"row 1: column x0: an in": {math.Inf(-1), 0},
		"not 2 columns":           {1, 2, 3},
	} {
		w, err := NewWriter(io.Discard, s, 1)
		if err != nil {
			t.Fatal(err)
		}
		err = errors.Join(w.Write(&data.Block{Rows: 1, Dense: cells}), w.Close())
		if err == nil || !bytes.Contains([]byte(err.Error()), []byte(what)) {
			t.Errorf("error %v, want %q", err, what)
		}
	}
}

// collect reads a file that may be bad. It gives up if rows seem endless.
func collect(tb testing.TB, file []byte) (*data.Block, error) {
	r, err := open(file)
	if err != nil {
		return nil, err
	}
	total := r.Left
	for _, g := range r.groups {
		total += g.rows
	}
	if total > 1<<22/int64(r.schema.Width) {
		return nil, errors.New("too long for a test")
	}
	return readertest.Collect(tb, r)
}

// TestDamaged changes and truncates files at many bytes. A changed one may still be readable, but
// must not panic.
func TestDamaged(t *testing.T) {
	need.Long(t)
	const seed = 6
	rng := rand.New(rand.NewPCG(seed, 1))
	for _, name := range []string{"types.parquet", "encodings.parquet"} {
		whole := load(t, name)
		for i := 0; i < len(whole); i += 1 + rng.IntN(7) {
			_, err := collect(t, whole[:i])
			wantError(t, fmt.Sprintf("%s cut to %d bytes", name, i), err, "f.parquet")
			bad := bytes.Clone(whole)
			bad[i] ^= byte(1 + rng.IntN(255))
			collect(t, bad)
		}
	}
}

// edited returns a file whose footer was changed.
func edited(t *testing.T, name string, edit func(*format.FileMetaData)) []byte {
	t.Helper()
	file := load(t, name)
	meta, end, err := readFooter(bytes.NewReader(file), int64(len(file)), name)
	if err != nil {
		t.Fatal(err)
	}
	edit(meta)
	footer, err := thrift.Marshal(&thrift.CompactProtocol{}, meta)
	if err != nil {
		t.Fatal(err)
	}
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(footer)))
	return append(append(file[:end:end], footer...), magic...)
}

func TestFooterRefused(t *testing.T) {
	whole := load(t, "infinite.parquet")
	end := len(whole)
	patched := func(at int, with string) []byte {
		return append(append(bytes.Clone(whole[:at]), with...), whole[at+len(with):]...)
	}
	for _, test := range []struct {
		file []byte
		want string
	}{
		{nil, "not a Parquet file: it has 0 bytes"},
		{[]byte("PAR1PAR1"), "not a Parquet file: it has 8 bytes"},
		{patched(0, "PK\x03\x04"), "it begins with"},
		{patched(end-4, "PAR2"), "it was cut short"},
		{patched(end-4, "PARE"), "encrypted"},
		{patched(end-8, "\xff\xff\xff\xff"), "claims a footer of 4294967295 bytes"},
		{patched(end-8, "\x00\x00\x00\x00"), "the footer is damaged"},
		{patched(end-9, "\x19"), "the footer is damaged"},
		{edited(t, "infinite.parquet", func(m *format.FileMetaData) { m.Schema = m.Schema[:1] }), "no columns"},
		{edited(t, "infinite.parquet", func(m *format.FileMetaData) { m.Schema = m.Schema[:2] }), "2 columns with 3 rows, where the schema has 1"},
		{edited(t, "infinite.parquet", func(m *format.FileMetaData) { m.Schema[1].RepetitionType.V = format.Repeated }), "column a: it is repeated"},
		{edited(t, "infinite.parquet", func(m *format.FileMetaData) { m.Schema[1].Type.V = 99 }), "column a: it is of the unknown type 99"},
		{edited(t, "infinite.parquet", func(m *format.FileMetaData) { m.RowGroups[0].NumRows = -3 }), "-3 rows"},
		{edited(t, "infinite.parquet", func(m *format.FileMetaData) { m.RowGroups[0].NumRows = 1 << 40 }), "3 values for 1099511627776 rows"},
		{edited(t, "infinite.parquet", func(m *format.FileMetaData) { m.RowGroups[0].Columns[1].MetaData.TotalCompressedSize = 1 << 40 }), "column b: row group 1: 1099511627776 bytes at"},
		{edited(t, "infinite.parquet", func(m *format.FileMetaData) { m.RowGroups[0].Columns[1].MetaData.DataPageOffset = -5 }), "do not lie in the file"},
		{edited(t, "infinite.parquet", func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].FilePath = "other" }), "another file, other"},
		{edited(t, "infinite.parquet", func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].MetaData.Codec = format.LZO }), "compression LZO is not supported"},
	} {
		_, err := collect(t, test.file)
		wantError(t, "footer", err, test.want)
	}
}

// TestForeignErrors checks that errors of the underlying reader are not blamed on the data.
func TestForeignErrors(t *testing.T) {
	file := load(t, "types.parquet")
	for fail := range 12 {
		broken := &failing{ReaderAt: bytes.NewReader(file)}
		broken.left.Store(int64(fail))
		r, err := NewReader(broken, int64(len(file)), "f")
		if err == nil {
			_, err = r.Next(context.Background())
		}
		if !errors.Is(err, errBroken) || errors.Is(err, data.ErrBadData) {
			t.Errorf("read %d: error %v", fail, err)
		}
	}
}

var errBroken = errors.New("disk broken")

// failing is a file of which so many reads succeed, from any thread.
type failing struct {
	io.ReaderAt
	left atomic.Int64
}

func (f *failing) ReadAt(b []byte, off int64) (int, error) {
	if f.left.Add(-1) < 0 {
		return 0, errBroken
	}
	return f.ReaderAt.ReadAt(b, off)
}

func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := open(load(t, "types.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestSniff(t *testing.T) {
	if !Sniff([]byte("PAR1...")) || Sniff([]byte("PAR")) || Sniff([]byte("PAR2")) {
		t.Error("sniffed wrongly")
	}
}
