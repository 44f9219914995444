package xlsx

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"path"
	"strings"

	"fsa/data"
)

// Parts of a workbook shrink to a fiftieth at most. What unpacks to more than mostRatio times its
// size, and more than leastUnpacked, is no workbook.
const (
	mostRatio     = 300
	leastUnpacked = 64 << 20
)

// book is a workbook: a zip file whose parts are XML.
type book struct {
	name   string
	parts  map[string]*zip.File
	sheets []sheet
	main   map[string]string // the parts of the workbook that occur once, by their type
	epoch  int64             // of dates: the seconds of day 0
}

// sheet is the name of a sheet and its part.
type sheet struct {
	name, part string
	hidden     bool
}

// Sniff reports whether a file begins as a workbook does.
func Sniff(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) && (bytes.Contains(head, []byte("[Content_Types].xml")) && !bytes.Contains(head, []byte("word/")) || bytes.Contains(head, []byte("xl/")))
}

// openBook reads the list of sheets.
func openBook(r io.ReaderAt, size int64, name string) (*book, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, &data.Error{File: name, Msg: "this is not an .xlsx workbook, or it is cut or damaged", Err: err}
	}
	b := &book{name: name, parts: map[string]*zip.File{}, main: map[string]string{}, epoch: epoch1900}
	for _, f := range z.File {
		b.parts[strings.ToLower(strings.TrimPrefix(f.Name, "/"))] = f
	}
	main := "xl/workbook.xml"
	root, err := b.relations("", "")
	if err != nil {
		return nil, err
	}
	for _, r := range root {
		if r.kind == "officeDocument" {
			main = r.target
		}
	}
	if b.parts[strings.ToLower(main)] == nil {
		return nil, &data.Error{File: name, Msg: "this is a zip file, but not an .xlsx workbook (an .ods or .xlsb file is saved as .xlsx or CSV by the program that made it)"}
	}
	related, err := b.relations(path.Split(main))
	if err != nil {
		return nil, err
	}
	for _, r := range related {
		b.main[r.kind] = r.target
	}
	return b, b.list(main, related)
}

// list reads the names of the sheets.
func (b *book) list(main string, related map[string]relation) error {
	return b.scan(main, func(s *scanner, e event) error {
		switch {
		case e != opened:
		case s.is("workbookPr"):
			v, err := s.attribute("date1904")
			if v == "1" || v == "true" {
				b.epoch = epoch1904
			}
			return err
		case s.is("sheet"):
			name, err := s.attribute("name")
			if err != nil {
				return err
			}
			id, err := s.attribute("id")
			if err != nil {
				return err
			}
			state, err := s.attribute("state")
			if r := related[id]; r.kind == "worksheet" {
				b.sheets = append(b.sheets, sheet{name, r.target, state != "" && state != "visible"})
			}
			return err
		}
		return nil
	})
}

// find returns the sheet with the given name, or the first one that is not hidden.
func (b *book) find(name string) (*sheet, error) {
	var names []string
	for i := range b.sheets {
		s := &b.sheets[i]
		if name == s.name || name == "" && !s.hidden {
			return s, nil
		}
		names = append(names, fmt.Sprintf("%q", s.name))
	}
	if name == "" && len(b.sheets) > 0 {
		return &b.sheets[0], nil
	}
	if len(names) == 0 {
		return nil, &data.Error{File: b.name, Msg: "the workbook has no sheet of cells"}
	}
	return nil, &data.Error{File: b.name, Msg: fmt.Sprintf("there is no sheet %q: the workbook has %s", name, strings.Join(names, ", "))}
}

// relation is a part that another part refers to.
type relation struct{ kind, target string }

// relations reads the relations of a part in a folder, by their identifiers. Links to other files
// are left out.
func (b *book) relations(folder, file string) (map[string]relation, error) {
	all := map[string]relation{}
	part := folder + "_rels/" + file + ".rels"
	if b.parts[strings.ToLower(part)] == nil {
		return all, nil
	}
	return all, b.scan(part, func(s *scanner, e event) error {
		if e != opened || !s.is("Relationship") {
			return nil
		}
		var r relation
		id := ""
		for name, v := range s.each() {
			text, err := s.unescape(v)
			if err != nil {
				return err
			}
			switch name {
			case "Id":
				id = string(text)
			case "Type":
				r.kind = path.Base(string(text))
			case "Target":
				r.target = string(text)
			case "TargetMode":
				if string(text) == "External" {
					return nil
				}
			}
		}
		if strings.HasPrefix(r.target, "/") {
			r.target = path.Clean(r.target)[1:]
		} else {
			r.target = path.Join(folder, r.target)
		}
		if len(all) < 1<<16 {
			all[id] = r
		}
		return nil
	})
}

// scan reads a part of the workbook.
func (b *book) scan(part string, use func(s *scanner, e event) error) error {
	r, err := b.open(part)
	if err != nil {
		return err
	}
	defer r.Close()
	s := newScanner(r)
	for {
		e, err := s.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = use(s, e)
		}
		if err != nil {
			return b.damaged(part, err)
		}
	}
}

// open opens a part of the workbook.
func (b *book) open(part string) (io.ReadCloser, error) {
	f := b.parts[strings.ToLower(part)]
	if f == nil {
		return nil, &data.Error{File: b.name, Msg: fmt.Sprintf("the workbook lacks its part %s: it is damaged", part)}
	}
	r, err := f.Open()
	if err != nil {
		return nil, b.damaged(part, err)
	}
	return &limited{r, leastUnpacked + mostRatio*int64(min(f.CompressedSize64, 1<<50))}, nil
}

// damaged returns an error about a part of the workbook.
func (b *book) damaged(part string, err error) error {
	if _, ok := err.(*data.Error); ok {
		return err
	}
	return &data.Error{File: b.name, Msg: fmt.Sprintf("the part %s of the workbook cannot be read", part), Err: err}
}

// limited returns an error if a part decompresses to far too many bytes.
type limited struct {
	io.ReadCloser
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, fmt.Errorf("it decompresses to more than %d times its size, which no workbook does", mostRatio)
	}
	return n, err
}
