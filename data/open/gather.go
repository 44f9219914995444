package open

import (
	"bytes"
	"io"
	"os"

	"fsa/internal/fault"
)

// inMemory is the number of bytes of a stream that are held in memory for random access. Small
// inputs are not worth a file; a compressed file may have any size.
const inMemory = 32 << 20

// at returns the contents for random access: the file, or the whole stream, in memory or in a
// temporary file.
func (in *input) at() (io.ReaderAt, int64, error) {
	in.random = true
	size, ok := in.regular()
	switch {
	case !ok:
		return in.gather()
	case in.object != nil:
		return in.counted(in.object), size, nil
	}
	file, err := steadily(in.file, in.path, in.seen)
	return in.counted(file), size, err
}

// gather reads the whole stream and returns its contents for random access. They are in memory if
// they are small and spill is not set, and otherwise in a temporary file.
func (in *input) gather() (io.ReaderAt, int64, error) {
	most := int64(inMemory)
	switch {
	case in.spill:
		most = 0
	case !temporaries:
		most = 1 << 62
	}
	var start bytes.Buffer
	if most > 0 {
		switch _, err := io.CopyN(&start, in.stream, most); {
		case err == io.EOF:
			return bytes.NewReader(start.Bytes()), int64(start.Len()), in.unchanged()
		case err != nil:
			return nil, 0, in.named(err)
		}
	}
	f, err := in.copied(&start)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	return bare{f}, info.Size(), nil // the file is closed when it is no longer referenced
}

// copied copies what has been read of the stream, and the rest of it, to a temporary file.
func (in *input) copied(start *bytes.Buffer) (*os.File, error) {
	f, err := temporary()
	if err != nil {
		return nil, err
	}
	from := io.Reader(in.stream)
	if start != nil {
		from = io.MultiReader(start, in.stream)
	}
	if _, err = io.Copy(&fault.File{File: f}, from); err != nil {
		err = in.named(err)
	} else if err = in.unchanged(); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
