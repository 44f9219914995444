package serve

import (
	"encoding/json"
	"fmt"
	"os"
)

// debugFolder is the variable that names a folder for reports of panics.
const debugFolder = "FSA_DEBUG"

// bug returns the error of a request that panicked. If FSA_DEBUG names a folder, the request and the
// stack are written into a file there, for a report; the cells of the table are not.
func bug(p any, r *request, stack []byte) error {
	folder := os.Getenv(debugFolder)
	if folder == "" {
		return fmt.Errorf("this is a bug of fsa: %v; set the environment variable %s to a folder and try again: a file for a report is written there", p, debugFolder)
	}
	file, err := keep(folder, p, r, stack)
	if err != nil {
		return fmt.Errorf("this is a bug of fsa: %v; no report could be written: %w", p, err)
	}
	return fmt.Errorf("this is a bug of fsa: %v; please report it, with the file %s", p, file)
}

// keep writes a report and returns its file, which only the user can read.
func keep(folder string, p any, r *request, stack []byte) (string, error) {
	asked, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp(folder, "fsa-bug-*.txt")
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(f, "%v\n\n%s\n\n%s", p, asked, stack)
	if ended := f.Close(); err == nil {
		err = ended
	}
	return f.Name(), err
}
