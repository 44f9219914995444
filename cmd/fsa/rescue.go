package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"

	"fsa/internal/atomicfile"
)

// rescue saves what was learned in the folder for temporary files after it could not
// be saved where it should be: the work is done, and must not be lost because a disk
// is full. Where even that fails it goes to standard output. It returns the file,
// empty if there is none.
func rescue(p *progress, stdout io.Writer, learned io.WriterTo) (path string) {
	path = filepath.Join(os.TempDir(), fmt.Sprintf("fsa-model-%016x.json", rand.Uint64()))
	err := atomicfile.WriteFile(path, func(w io.Writer) error {
		_, err := learned.WriteTo(w)
		return err
	})
	if err == nil {
		p.note("what was learned is in %s instead of where it should be", path)
		return path
	}
	p.note("what was learned could not be saved: it follows on standard output, as the file would be")
	learned.WriteTo(stdout) // whose errors are noticed in the end
	return ""
}
