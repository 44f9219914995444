package faces

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fsa/data"
	"fsa/internal/fault"
)

// Read reads a table of landmarks. Photographs come in the order of the table.
func Read(path string) ([]Photo, error) {
	f, err := fault.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Decode(f, path)
}

// maxSide bounds the sides of photographs.
const maxSide = 1 << 16

// Decode reads a table of landmarks; name is for messages. Faces of one photograph must be
// consecutive. Some landmarks of a face may lie outside the photograph, but not all.
func Decode(r io.Reader, name string) ([]Photo, error) {
	t := table{name: name, lines: bufio.NewScanner(r)}
	t.lines.Buffer(nil, 1<<20)
	if err := t.header(); err != nil {
		return nil, err
	}
	var photos []Photo
	var claimed int // number of faces of the last photograph, according to the table
	seen := map[string]bool{}
	complete := func() error {
		if n := len(photos); n > 0 && len(photos[n-1].Faces) != claimed {
			return t.fail("faces_in_image", "%s has %d faces according to its lines, but %d consecutive lines", photos[n-1].Image, claimed, len(photos[n-1].Faces))
		}
		return nil
	}
	for t.next() {
		p, f, count, err := t.face()
		if err != nil {
			return nil, err
		}
		last := len(photos) - 1
		if last < 0 || photos[last].Image != p.Image || photos[last].Set != p.Set {
			if err := complete(); err != nil {
				return nil, err
			}
			if seen[p.Image] {
				return nil, t.fail("image", "%s occurred before: the lines of a photo must be consecutive, and in one set", p.Image)
			}
			seen[p.Image] = true
			photos = append(photos, p)
			last++
			claimed = count
		}
		if q := &photos[last]; q.W != p.W || q.H != p.H || claimed != count {
			return nil, t.fail("", "the size or the number of faces of %s differs from that in the line before", p.Image)
		}
		photos[last].Faces = append(photos[last].Faces, f)
	}
	if err := t.failed(); err != nil {
		return nil, err
	}
	if err := complete(); err != nil {
		return nil, err
	}
	if len(photos) == 0 {
		return nil, &data.Error{File: name, Msg: "there are no faces"}
	}
	return photos, nil
}

// table is a table of tab-separated columns with a header.
type table struct {
	name   string
	lines  *bufio.Scanner
	line   int
	column map[string]int
	width  int
	fields []string
}

func (t *table) fail(column, format string, a ...any) error {
	return &data.Error{File: t.name, Line: t.line, Column: column, Msg: fmt.Sprintf(format, a...)}
}

// failed returns the error that ended reading, if any.
func (t *table) failed() error {
	err := t.lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		return t.fail("", "the line is longer than 1 MiB: it must describe one face")
	}
	return err
}

// next moves to the next line that is not empty. After a read error the last line may be cut, so it
// is ignored.
func (t *table) next() bool {
	for t.lines.Scan() && t.lines.Err() == nil {
		t.line++
		if text := strings.TrimSuffix(t.lines.Text(), "\r"); text != "" {
			t.fields = strings.Split(text, "\t")
			return true
		}
	}
	return false
}

func (t *table) header() error {
	if !t.next() {
		if err := t.failed(); err != nil {
			return err
		}
		return &data.Error{File: t.name, Msg: "the file is empty: it must be a table of landmarks"}
	}
	t.width = len(t.fields)
	t.column = map[string]int{}
	for i, name := range t.fields {
		t.column[name] = i
	}
	needed := []string{"set", "image", "face", "width", "height", "faces_in_image", "ied"}
	for i := range Landmarks {
		needed = append(needed, fmt.Sprintf("x%d", i+1), fmt.Sprintf("y%d", i+1))
	}
	for _, name := range needed {
		if _, ok := t.column[name]; !ok {
			return t.fail("", "there is no column %q: a table of landmarks has tab-separated columns set, image, face, width, height, faces_in_image, ied, x1, y1 to x%d, y%[2]d", name, Landmarks)
		}
	}
	return nil
}

// face reads a line.
func (t *table) face() (p Photo, f Face, count int, err error) {
	if len(t.fields) != t.width {
		return p, f, 0, t.fail("", "the line has %d columns, the header %d", len(t.fields), t.width)
	}
	text := func(name string) string { return t.fields[t.column[name]] }
	whole := func(name string, most int) int {
		n, e := strconv.Atoi(text(name))
		if (e != nil || n < 1 || n > most) && err == nil {
			err = t.fail(name, "%q must be a whole number from 1 to %d", text(name), most)
		}
		return n
	}
	number := func(name string, least float64) float64 {
		v, e := strconv.ParseFloat(text(name), 64)
		if (e != nil || !(v > least) || v > maxSide) && err == nil {
			err = t.fail(name, "%q must be a number of pixels above %v, at most %d", text(name), least, maxSide)
		}
		return v
	}
	p = Photo{Set: text("set"), Image: text("image"), W: whole("width", maxSide), H: whole("height", maxSide)}
	f = Face{Name: text("face"), IED: number("ied", 0)}
	count = whole("faces_in_image", math.MaxInt32)
	for i := range f.Landmarks {
		f.Landmarks[i] = XY{number(fmt.Sprintf("x%d", i+1), -maxSide), number(fmt.Sprintf("y%d", i+1), -maxSide)}
	}
	if err != nil {
		return p, f, 0, err
	}
	if p.Image == "" || filepath.Base(p.Image) != p.Image || p.Image == ".." || p.Image == "." {
		return p, f, 0, t.fail("image", "%q must be the name of a file in the folder img", p.Image)
	}
	if !slices.ContainsFunc(f.Landmarks[:], p.Inside) {
		return p, f, 0, t.fail("", "all landmarks of face %s lie outside of the photo, which is %d×%d", f.Name, p.W, p.H)
	}
	return p, f, count, nil
}
