package keypoint

import (
	"fmt"

	"fsa/app/keypoint/faces"
	"fsa/app/keypoint/photo"
	"fsa/app/keypoint/pool"
	"fsa/data"
)

// album is a set of annotated photographs. They are read when they are needed.
type album struct {
	folder *faces.Folder
	photos []*faces.Photo
}

// pyramid reads photograph i.
func (a *album) pyramid(i int) ([]*photo.Level, error) {
	p := a.photos[i]
	path := a.folder.Path(p)
	m, err := photo.Read(path)
	if err != nil {
		return nil, err
	}
	if m.W != p.W || m.H != p.H {
		return nil, &data.Error{File: path, Msg: fmt.Sprintf("the photo is %d×%d, but its landmarks are for %d×%d", m.W, m.H, p.W, p.H)}
	}
	return pyramid(m, path)
}

// pyramid returns the levels of a photograph that are at least as large as a window.
func pyramid(m *photo.Image, name string) ([]*photo.Level, error) {
	if err := checkSize(name, m.W, m.H); err != nil {
		return nil, err
	}
	return photo.Pyramid(m, pool.Window), nil
}

// check refuses photographs that are smaller than a window, before any of them is read.
func (a *album) check() error {
	for _, p := range a.photos {
		if err := checkSize(a.folder.Path(p), p.W, p.H); err != nil {
			return err
		}
	}
	return nil
}

// checkSize refuses a photograph that is smaller than a window.
func checkSize(name string, w, h int) error {
	if photo.Levels(w, h, pool.Window) > 0 {
		return nil
	}
	return &data.Error{File: name, Msg: fmt.Sprintf("the photo is %d×%d, but detectors look at windows of %d×%[3]d pixels: both sides must be at least that long", w, h, pool.Window)}
}
