package serve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
	"unsafe"

	"fsa/data"
	"fsa/internal/cuda"
)

// files holds the mapped files of a request.
type files struct {
	list    []file
	open    []*os.File // nil for memory of a GPU
	bytes   [][]byte
	release []func() error
	seen    []fingerprint // of each file that the client did not write for us
	lent    []*cuda.Borrowed
}

// openFiles maps the files of a request.
func openFiles(ctx context.Context, list []file) (_ *files, err error) {
	f := &files{list: list}
	defer func() {
		f.faulted(recover(), &err)
		if err != nil {
			f.close()
		}
	}()
	for _, one := range list {
		if one.CUDA != nil {
			if err := f.borrow(ctx, one.CUDA); err != nil {
				return nil, err
			}
			continue
		}
		mode := os.O_RDONLY
		if one.Own {
			mode = os.O_RDWR
		}
		opened, err := os.OpenFile(one.Path, mode, 0)
		if err != nil {
			return nil, err
		}
		f.open = append(f.open, opened)
		if err := f.mapNext(opened, one); err != nil {
			return nil, fmt.Errorf("serve: %s cannot be mapped: %w", one.Path, err)
		}
	}
	return f, nil
}

// mapNext maps a file that was opened.
func (f *files) mapNext(opened *os.File, one file) error {
	info, err := opened.Stat()
	if err != nil {
		return err
	}
	var all []byte
	if size := int(info.Size()); size > 0 {
		var release func() error
		if all, release, err = mapped(opened, size, one.Own); err != nil {
			return err
		}
		f.release = append(f.release, release)
	}
	f.bytes = append(f.bytes, all)
	var seen fingerprint
	if !one.Own {
		seen, err = fingerprintOf(opened, all)
	}
	f.seen = append(f.seen, seen)
	return err
}

// changed returns the first file that another program has written to since it was opened, judging
// by its time, its size and some of its contents; empty if there is none.
func (f *files) changed() (string, error) {
	for i, one := range f.list {
		if one.Own || f.open[i] == nil {
			continue
		}
		now, err := fingerprintOf(f.open[i], nil)
		if err != nil {
			return "", err
		}
		if now.size == f.seen[i].size { // otherwise, part of what was mapped may no longer exist
			now.words = hash(f.bytes[i])
		}
		if now != f.seen[i] {
			return one.Path, nil
		}
	}
	return "", nil
}

// faulted turns a panic for missing memory into an error: a page of a mapped file that another
// program has shortened. Any other panic continues.
func (f *files) faulted(recovered any, err *error) {
	if recovered == nil {
		return
	}
	fault, ok := recovered.(interface{ Addr() uintptr })
	if !ok {
		panic(recovered)
	}
	for i, all := range f.bytes {
		first := uintptr(unsafe.Pointer(unsafe.SliceData(all)))
		if at := fault.Addr(); at >= first && at < first+uintptr(len(all)) {
			*err = &data.Error{File: f.list[i].Path, Msg: "the file became shorter, or its disk failed, while it was fitted"}
			return
		}
	}
	panic(recovered)
}

func (f *files) close() error {
	var all error
	for _, release := range f.release {
		all = errors.Join(all, release())
	}
	for _, opened := range f.open {
		if opened != nil {
			all = errors.Join(all, opened.Close())
		}
	}
	for _, b := range f.lent {
		b.Close()
	}
	return all
}

// fingerprint distinguishes the contents of a file from others, in most cases.
type fingerprint struct {
	size  int64
	time  time.Time
	words uint64
}

func fingerprintOf(f *os.File, all []byte) (fingerprint, error) {
	info, err := f.Stat()
	if err != nil {
		return fingerprint{}, err
	}
	return fingerprint{info.Size(), info.ModTime(), hash(all)}, nil
}

// hashedWords is the number of words of a file that are hashed, spread evenly: all of a small file,
// and of a large one only as many as take little time.
const hashedWords = 1 << 18

// hash mixes words of a file (FNV-1a, by words).
func hash(all []byte) uint64 {
	mix := uint64(0xcbf29ce484222325)
	words := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(all))), len(all)/8)
	step := max(len(words)/hashedWords, 1)
	for i := 0; i < len(words); i += step {
		mix = (mix ^ words[i]) * 0x100000001b3
	}
	return mix
}

// numbers returns an array as the numbers that it holds.
func numbers[T float32 | float64 | int32 | int64](f *files, a *array) ([]T, error) {
	var zero T
	size := int(unsafe.Sizeof(zero))
	if a.File < 0 || a.File >= len(f.bytes) {
		return nil, &protocolError{fmt.Errorf("there is no file %d", a.File)}
	}
	all := f.bytes[a.File]
	if a.Length < 0 || a.Offset < 0 || a.Offset > int64(len(all)) || a.Length > (len(all)-int(a.Offset))/size {
		return nil, &protocolError{fmt.Errorf("%s has %d bytes, too few for %d numbers of %d bytes at %d: it was cut short", f.list[a.File].Path, len(all), a.Length, size, a.Offset)}
	}
	if a.Length == 0 {
		return nil, nil
	}
	from := all[a.Offset:]
	if a.Offset%int64(size) != 0 { // numbers are not aligned as the machine requires
		to := make([]T, a.Length)
		copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(to))), a.Length*size), from)
		return to, nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(from))), a.Length), nil
}

// floats returns a copy of an array of any type as float64 numbers.
func floats(f *files, a *array) ([]float64, error) {
	switch a.Type {
	case "f4":
		return converted[float32](f, a)
	case "f8":
		return converted[float64](f, a)
	case "i4":
		return converted[int32](f, a)
	case "i8":
		return converted[int64](f, a)
	}
	return nil, unknownType(a)
}

func converted[T float32 | float64 | int32 | int64](f *files, a *array) ([]float64, error) {
	from, err := numbers[T](f, a)
	if err != nil {
		return nil, err
	}
	to := make([]float64, len(from))
	for i, v := range from {
		to[i] = float64(v)
	}
	return to, nil
}

func unknownType(a *array) error {
	return &protocolError{fmt.Errorf("unknown type %q: it must be f4, f8, i4 or i8", a.Type)}
}
