package npy

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"fsa/data"
)

// archive is an .npz file: a zip file whose members are .npy files.
type archive struct {
	name    string
	members []*zip.File
}

// NewNPZReader reads an array of an .npz file, stored or compressed, as a stream. The name is for
// messages. An empty array means the one of two dimensions if there is only one, otherwise the one
// called X, x, data or arr_0; in a file of SciPy, the sparse matrix that its arrays make up.
// Closing the reader does not close r.
func NewNPZReader(r io.ReaderAt, size int64, name, array string) (data.Reader, error) {
	a, err := newArchive(r, size, name)
	if err != nil {
		return nil, err
	}
	if array == "" && a.isSparse() {
		return asReader(a.openSparse())
	}
	return asReader(a.open(array, 2, "X", "x", "data", "arr_0"))
}

// asReader returns a nil interface for a nil reader.
func asReader[R data.Reader](r R, err error) (data.Reader, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

// ReadNPZVector reads an array of an .npz file as [ReadVector] does. An empty array means the one
// of one dimension if there is only one, otherwise the one called y.
func ReadNPZVector(r io.ReaderAt, size int64, name, array string) ([]float64, error) {
	a, err := newArchive(r, size, name)
	if err != nil {
		return nil, err
	}
	reader, err := a.open(array, 1, "y")
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	return reader.vector()
}

// ListNPZ returns the headers of the readable arrays of an .npz file, by their names.
func ListNPZ(r io.ReaderAt, size int64, name string) (map[string]Header, error) {
	a, err := newArchive(r, size, name)
	if err != nil {
		return nil, err
	}
	arrays := make(map[string]Header)
	for _, f := range a.members {
		if m, h, err := a.member(f); err == nil {
			m.Close()
			arrays[arrayName(f)] = h
		}
	}
	return arrays, nil
}

func newArchive(r io.ReaderAt, size int64, name string) (*archive, error) {
	z, err := zip.NewReader(disk{r}, size)
	if err != nil {
		return nil, blame(name, "not an .npz file, or one that was cut short", err)
	}
	a := &archive{name: name}
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, ".npy") {
			a.members = append(a.members, f)
		}
	}
	if slices.ContainsFunc(z.File, func(f *zip.File) bool { return strings.HasPrefix(f.Name, "xl/") }) {
		return nil, &data.Error{File: name, Msg: "this is a spreadsheet; save its table as CSV"}
	}
	if len(a.members) == 0 {
		return nil, &data.Error{File: name, Msg: "no array in it: a zip file with .npy members is expected"}
	}
	return a, nil
}

// open opens the array of the given name or, if that is empty, the one that must be meant.
func (a *archive) open(array string, dims int, usual ...string) (*Reader, error) {
	f := a.find(array)
	if array == "" {
		f = a.guess(dims, usual)
	}
	if f == nil {
		return nil, &data.Error{File: a.name, Msg: fmt.Sprintf("%s; it holds %s", a.refusal(array), a.list())}
	}
	m, h, err := a.member(f)
	if err != nil {
		return nil, err
	}
	r, err := newReader(h, m.name)
	if err != nil {
		m.Close()
		return nil, err
	}
	r.src = &stream{r: m, below: []io.Closer{m}}
	return r, nil
}

func (a *archive) refusal(array string) string {
	if array == "" {
		return "say which array to read, as " + filepath.Base(a.name) + ":NAME"
	}
	return fmt.Sprintf("no array %q", array)
}

// find returns the member with an array, or nil.
func (a *archive) find(array string) *zip.File {
	i := slices.IndexFunc(a.members, func(f *zip.File) bool { return arrayName(f) == strings.TrimSuffix(array, ".npy") })
	if i < 0 {
		return nil
	}
	return a.members[i]
}

func (a *archive) has(arrays ...string) bool {
	return !slices.ContainsFunc(arrays, func(array string) bool { return a.find(array) == nil })
}

// guess returns the only member, the only one with the given number of dimensions, or the first
// that has one of the usual names; or nil.
func (a *archive) guess(dims int, usual []string) *zip.File {
	if len(a.members) == 1 {
		return a.members[0]
	}
	var fit []*zip.File
	for _, f := range a.members {
		if m, h, err := a.member(f); err == nil {
			m.Close()
			if len(h.Shape) == dims {
				fit = append(fit, f)
			}
		}
	}
	if len(fit) == 1 {
		return fit[0]
	}
	for _, name := range usual {
		if f := a.find(name); f != nil {
			return f
		}
	}
	return nil
}

// list describes the members for a message: the first few of them.
func (a *archive) list() string {
	const few = 20
	var list []string
	for _, f := range a.members[:min(few, len(a.members))] {
		what := "unreadable"
		if m, h, err := a.member(f); err == nil {
			m.Close()
			what = h.String()
		}
		list = append(list, fmt.Sprintf("%s (%s)", arrayName(f), what))
	}
	if more := len(a.members) - few; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, ", ")
}

// member is the stream of a member's cells.
type member struct {
	io.ReadCloser
	name string
}

// member opens a member and reads its header, which must agree with the size in the archive's
// directory.
func (a *archive) member(f *zip.File) (*member, Header, error) {
	name := a.name + ":" + arrayName(f)
	content, err := f.Open()
	if err != nil {
		return nil, Header{}, blame(name, "cannot be unpacked", err)
	}
	m := &member{content, name}
	h, length, err := ReadHeader(m, name)
	if err == nil && f.UncompressedSize64 != uint64(length)+uint64(h.Bytes()) {
		err = &data.Error{File: name, Msg: fmt.Sprintf(
			"the header promises %s, %d bytes, but the archive says that the array takes %d; one of them was damaged",
			&h, h.Bytes(), int64(f.UncompressedSize64)-int64(length))}
	}
	if err != nil {
		m.Close()
		return nil, Header{}, err
	}
	return m, h, nil
}

// Read blames the archive if it cannot be unpacked.
func (m *member) Read(b []byte) (int, error) {
	n, err := m.ReadCloser.Read(b)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		err = blame(m.name, "the archive is damaged", err)
	}
	return n, err
}

// disk marks errors below an archive, so that blame can distinguish them from errors of the
// archive.
type disk struct{ io.ReaderAt }

type diskError struct{ error }

func (e diskError) Unwrap() error { return e.error }

func (d disk) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 { // which a file would refuse, though it is what the archive says
		return 0, zip.ErrFormat
	}
	n, err := d.ReaderAt.ReadAt(b, off)
	if err != nil && err != io.EOF {
		err = diskError{err}
	}
	return n, err
}

// blame says that an archive is bad, unless err comes from the disk.
func blame(name, msg string, err error) error {
	if errors.As(err, new(diskError)) {
		return fmt.Errorf("npy: %s: %w", name, err)
	}
	return &data.Error{File: name, Msg: msg, Err: err}
}

func arrayName(f *zip.File) string { return strings.TrimSuffix(f.Name, ".npy") }
