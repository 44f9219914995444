package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"

	"fsa/internal/fault"
)

// CommitAll lets several files appear together: all of them are on the disk before the first gets
// its name, and if one of them cannot get its name, the others give theirs back to the previous
// files. Only the end of the program between two names is not undone; files that must not be mixed
// up should identify each other by a checksum. No file may be in the list twice.
func CommitAll(files ...*File) error {
	for _, f := range files {
		defer f.Abort()
	}
	for _, f := range files {
		if err := f.settle(); err != nil {
			return err
		}
	}
	var undo []func()
	for _, f := range files {
		restore, forget := func() {}, func() {}
		if len(files) > 1 {
			restore, forget = keepOld(f.path)
		}
		defer forget()
		if err := f.place(); err != nil {
			for _, back := range slices.Backward(undo) {
				back()
			}
			return err
		}
		undo = append(undo, restore)
	}
	if err := syncFolders(files); err != nil {
		return &NotLasting{err}
	}
	return nil
}

// NotLasting is the error of files that are in place, but may not survive a power failure.
type NotLasting struct{ Err error }

func (e *NotLasting) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *NotLasting) Unwrap() error { return e.Err }

// settle writes the content to the disk and gives the file a temporary name, if it has none.
func (f *File) settle() error {
	if f.tmp == nil {
		return f.closed("commit")
	}
	if err := f.Save(); err != nil {
		return err
	}
	if f.named {
		return nil
	}
	if err := check(fault.Link, f.tmp.Name()); err != nil {
		return err
	}
	if err := link(f.tmp); err != nil {
		return err
	}
	f.named = true
	return nil
}

// place gives the file its final name. The file stays open until then, so that its lock keeps it
// from being swept; only Windows cannot rename open files.
func (f *File) place() error {
	name := f.tmp.Name()
	if runtime.GOOS == "windows" {
		f.tmp.Close()
	}
	if err := check(fault.Rename, name); err != nil {
		return err
	}
	if err := os.Rename(name, f.path); err != nil {
		return err
	}
	f.named = false
	f.Abort() // closes it: after a sync, closing cannot lose anything
	return nil
}

// keepOld keeps the file at path under another name, and returns functions that restore it and
// forget it. If the file system has no hard links, it cannot be restored.
func keepOld(path string) (restore, forget func()) {
	old := temporaryName(filepath.Dir(path))
	switch err := os.Link(path, old); {
	case err == nil:
		return func() { os.Rename(old, path) }, func() { os.Remove(old) }
	case errors.Is(err, os.ErrNotExist):
		return func() { os.Remove(path) }, func() {}
	}
	return func() {}, func() {}
}

// syncFolders makes renames durable.
func syncFolders(files []*File) error {
	var folders []string
	for _, f := range files {
		folders = append(folders, filepath.Dir(f.path))
	}
	slices.Sort(folders)
	var all []error
	for _, folder := range slices.Compact(folders) {
		all = append(all, syncFolder(folder))
	}
	return errors.Join(all...)
}

// syncFolder makes the renames in a folder durable. Windows has no such call, and some file systems
// do not support it for folders.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := check(fault.Sync, dir); err != nil {
		return err
	}
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}
