package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// entry is a file of an archive, or a folder if its name ends in a slash.
type entry struct {
	name string
	mode int64
	data []byte
}

// pack writes an archive into the folder of the release, with its entries sorted by name.
func (r *release) pack(name string, list []entry, write func(io.Writer, []entry, time.Time) error) error {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	f, err := os.Create(filepath.Join(r.out, name))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := write(f, list, r.commit.date); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return f.Close()
}

// writeTar writes a gzipped tar file, with the given date everywhere and no owner.
func writeTar(w io.Writer, list []entry, date time.Time) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, e := range list {
		h := &tar.Header{Name: e.name, Mode: e.mode, Size: int64(len(e.data)), ModTime: date, Typeflag: tar.TypeReg, Format: tar.FormatUSTAR}
		if strings.HasSuffix(e.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(e.data); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

// writeZip writes a zip file with the given date everywhere.
func writeZip(w io.Writer, list []entry, date time.Time) error {
	z := zip.NewWriter(w)
	for _, e := range list {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: date}
		h.SetMode(os.FileMode(e.mode))
		f, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := f.Write(e.data); err != nil {
			return err
		}
	}
	return z.Close()
}

// sums writes the SHA-256 of every file, as sha256sum --check reads it.
func (r *release) sums() error {
	list, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, f := range list {
		sum, err := r.sum(f.Name())
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%s  %s\n", sum, f.Name())
	}
	return r.write("SHA256SUMS", text.String())
}

// sum returns the SHA-256 of a file of the release.
func (r *release) sum(name string) (string, error) {
	f, err := os.Open(filepath.Join(r.out, name))
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
