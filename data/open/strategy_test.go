package open

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"fsa/data"
	"fsa/internal/need"
)

// What is known of a table decides how it is read.
func TestStrategy(t *testing.T) {
	const gib = 1 << 30
	text := facts{rows: -1, cells: -1, bytes: 10 << 20, width: 100, vectors: true, memory: gib}
	known := facts{rows: 1000, cells: 100_000, bytes: 1 << 20, width: 100, vectors: true, memory: gib}
	with := func(f facts, change func(f *facts)) *facts {
		change(&f)
		return &f
	}
	large := func(f *facts) { f.rows, f.cells, f.bytes = f.rows*10_000, f.cells*10_000, f.bytes*10_000 }
	for name, c := range map[string]struct {
		f    *facts
		want *strategy
	}{
		"by columns":                     {with(known, func(f *facts) { f.stored = true }), stored},
		"by columns, larger":             {with(known, func(f *facts) { f.stored = true; large(f) }), stored},
		"as in memory":                   {with(known, func(f *facts) { f.inPlace = true; large(f) }), inPlace},
		"as in memory, any of it":        {with(known, func(f *facts) { f.inPlace = true; f.memory = 0 }), inPlace},
		"as in memory, a column is y":    {with(known, func(f *facts) { f.inPlace = true; f.vectors = false }), load},
		"the same, larger":               {with(known, func(f *facts) { f.inPlace = true; f.vectors = false; large(f) }), spool},
		"header tells that it fits":      {&known, load},
		"header tells that it does not":  {with(known, large), spool},
		"but any memory may be used":     {with(known, func(f *facts) { large(f); f.memory = 0 }), load},
		"has to be whole and is not":     {with(known, func(f *facts) { large(f); f.whole = true }), refuse},
		"may be whole without columns":   {with(known, func(f *facts) { large(f); f.whole, f.drops = true, true }), spool},
		"a small text":                   {&text, load},
		"a text that may be too large":   {with(text, func(f *facts) { f.bytes = 300 << 20 }), loadAndCopy},
		"a text that has to be whole":    {with(text, func(f *facts) { f.bytes = 300 << 20; f.whole = true }), loadOrRefuse},
		"the same without columns":       {with(text, func(f *facts) { f.bytes = 300 << 20; f.whole, f.drops = true, true }), loadAndCopy},
		"a compressed text":              {with(text, func(f *facts) { f.bytes = -1 }), loadAndCopy},
		"a compressed text, any memory":  {with(text, func(f *facts) { f.bytes = -1; f.memory = 0 }), load},
		"a sparse text takes more":       {with(text, func(f *facts) { f.sparse = true }), loadAndCopy},
		"a small sparse text":            {with(text, func(f *facts) { f.sparse = true; f.bytes = 1 << 20 }), load},
		"a pipe":                         {with(text, func(f *facts) { f.bytes, f.pipe = -1, true }), spool},
		"a pipe that tells its size":     {with(known, func(f *facts) { f.bytes, f.pipe = -1, true }), spool},
		"a pipe, any memory":             {with(text, func(f *facts) { f.bytes, f.pipe, f.memory = -1, true, 0 }), load},
		"an assumed limit":               {with(text, func(f *facts) { f.assumed = true }), load},
		"a text beyond what is assumed":  {with(text, func(f *facts) { f.bytes, f.assumed = 300<<20, true }), loadOrSpool},
		"a pipe, and what is assumed":    {with(text, func(f *facts) { f.bytes, f.pipe, f.assumed = -1, true, true }), loadOrRefuse},
		"a header beyond it":             {with(known, func(f *facts) { large(f); f.assumed = true }), spool},
		"a header that makes no sense":   {with(known, func(f *facts) { f.rows, f.cells = 1<<62, 1<<62 }), spool},
		"a text larger than any machine": {with(text, func(f *facts) { f.bytes = 1 << 60 }), loadAndCopy},
	} {
		if got := c.f.strategy(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got.name, c.want.name)
		}
	}
}

// No text takes more memory than is foreseen for one of its size.
func TestTextsFit(t *testing.T) {
	for name, text := range map[string]string{
		"x.csv":  "a,b,c\n" + strings.Repeat(",,\n", 20_000),
		"y.csv":  "a\n" + strings.Repeat("1\n", 20_000),
		"x.svm":  strings.Repeat("1\n", 10_000) + "1 1:1\n",
		"y.svm":  "1 " + seq(1, 9000, "%d:1 ") + "\n",
		"x.data": seq(1, 9000, "%d ") + "\n" + strings.Repeat("1\n", 9000),
	} {
		path := file(t, name, text)
		r, err := openReader(t.Context(), path, &Options{})
		if err != nil {
			t.Fatal(err)
		}
		o := &opened{reader: r, path: path, o: &Options{Memory: 1}}
		f := o.facts()
		m := meter{memory: 1 << 40}
		for b, err := range data.Blocks(t.Context(), r) {
			if err != nil {
				t.Fatal(err)
			}
			m.exceeds(b, 0, 0)
		}
		used := needs(m.rows, m.cells, r.Schema().Width, f.sparse)
		if f.memory = used - 1; f.fits() {
			t.Errorf("%s: a table that takes %d bytes is sure to fit into one less", name, used)
		}
		r.Close()
	}
}

// seq writes numbers from lo to hi.
func seq(lo, hi int, format string) string {
	var b strings.Builder
	for i := lo; i <= hi; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// counting returns a table of so many rows, some of it text, compressed or not.
func counting(t *testing.T, rows int, packed bool) string {
	t.Helper()
	var text strings.Builder
	fmt.Fprintln(&text, "a,year,word,d,y")
	for i := range rows {
		fmt.Fprintf(&text, "%d.25,%d,%s,,%d\n", i%7, 2000+i%25, []string{"red", "blue"}[i%2], i%5)
	}
	if packed {
		return file(t, "x.csv.gz", pack(t, ".gz", text.String()))
	}
	return file(t, "x.csv", text.String())
}

// A text whose size nobody knows is read once, whether it fits into memory or not, and
// without a place for a copy where none is needed.
func TestUnknownSize(t *testing.T) {
	need.Long(t)
	const rows = 300_000 // 26 MB as they are counted
	for _, packed := range []bool{false, true} {
		path := counting(t, rows, packed)
		for _, c := range []struct {
			memory int64
			copied bool
		}{{150 << 20, true}, {170 << 20, false}} {
			var read int64
			notes := 0
			o := Options{Memory: c.memory, Note: func(string, ...any) { notes++ }, Reading: func(now, _ int64) {
				if now < read {
					t.Errorf("packed %v: reading began again at %d after %d", packed, now, read)
				}
				read = now
			}}
			d, err := Table(t.Context(), path, o, Roles{})
			if err != nil {
				t.Fatal(err)
			}
			if d.Rows() != rows || (notes > 0) != c.copied || len(d.Columns) != 4 || d.Columns[1].Min != 2000 || d.Columns[1].Max != 2024 ||
				!slices.Equal(d.Categories(2), []string{"red", "blue"}) || d.Columns[3].Missing != rows || d.Target.Y[rows-1] != (rows-1)%5 {
				t.Errorf("packed %v in %s: %d rows, %d notes, %+v", packed, Size(c.memory), d.Rows(), notes, d.Columns)
			}
		}
		temporary := os.TempDir()
		t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "absent"))
		if _, err := Table(t.Context(), path, Options{Memory: 170 << 20}, Roles{}); err != nil {
			t.Errorf("packed %v, without a place for a copy that is not needed: %v", packed, err)
		}
		if _, err := Table(t.Context(), path, Options{Memory: 150 << 20}, Roles{}); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("packed %v, without a place for a copy: %v", packed, err)
		}
		t.Setenv("TMPDIR", temporary)
	}
}

// A copy that will not fit where it is made is refused.
func TestNoRoomForCopy(t *testing.T) {
	path := file(t, "x.csv", "a,y\n1,2\n2,3\n")
	r, err := openReader(t.Context(), path, &Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	o := &opened{reader: r, path: path, o: &Options{Memory: 1 << 30, Note: func(string, ...any) { t.Error("it was announced nevertheless") }}}
	p, err := o.newPaging()
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	_, known := freeSpace(p.file)
	need.System(t, known, "a file system that tells how much is free")
	if err := p.announce(1 << 60); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("an exabyte: %v", err)
	}
}
