package real

import (
	"bufio"
	"encoding/binary"
	"os"
)

// export writes a table as raw numbers for Python, to files with a common prefix, and returns the
// part of the request that describes them. Texts are written as indices of categories.
func (t *Table) export(prefix string) (map[string]any, error) {
	out := map[string]any{"rows": t.Rows, "cols": t.Cols, "texts": t.textColumns()}
	put := func(name string, write func(*bufio.Writer) error) error {
		path := prefix + "-" + name
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		w := bufio.NewWriterSize(f, 1<<16)
		if err = write(w); err == nil {
			err = w.Flush()
		}
		if closed := f.Close(); err == nil {
			err = closed
		}
		out[name] = path
		return err
	}
	err := put("y", numbers(t.Y))
	if err == nil && t.Query != nil {
		err = put("query", numbers(t.Query))
	}
	switch {
	case err != nil:
	case !t.sparse():
		err = put("x", numbers(t.Dense))
	default:
		start, index := make([]int64, len(t.Start)), make([]int64, len(t.Index))
		for i, v := range t.Start {
			start[i] = int64(v)
		}
		for i, v := range t.Index {
			index[i] = int64(v)
		}
		if err = put("start", numbers(start)); err == nil {
			err = put("index", numbers(index))
		}
		if err == nil {
			err = put("value", numbers(t.Value))
		}
	}
	return out, err
}

// numbers writes numbers in the order of bytes of this machine.
func numbers[T int64 | float64](list []T) func(*bufio.Writer) error {
	return func(w *bufio.Writer) error { return binary.Write(w, binary.NativeEndian, list) }
}
