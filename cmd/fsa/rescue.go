package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"

	"fsa/internal/atomicfile"
)

// notSaved begins the note that a model was not saved where it should be.
const notSaved = "the model could not be "

// rescue saves the model in the folder for temporary files if it could not be saved in the run
// folder, so that the work is not lost because a disk is full. If even that fails, it writes the
// model to standard output. It returns the name of the file, or "".
func rescue(p *progress, stdout io.Writer, learned io.WriterTo) (path string) {
	path = filepath.Join(os.TempDir(), fmt.Sprintf("fsa-model-%016x.json", rand.Uint64()))
	if err := rescueTo(path, learned); err == nil {
		p.note(notSaved+"written there and was saved in %s", path)
		return path
	}
	p.note(notSaved + "saved: it follows on standard output")
	learned.WriteTo(stdout) // whose errors are reported at the end
	return ""
}

// rescueTo saves the model, readable only by the owner, because others may read that folder.
func rescueTo(path string, learned io.WriterTo) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := f.Private(); err != nil {
		return err
	}
	if _, err := learned.WriteTo(f); err != nil {
		return err
	}
	return f.Commit()
}
