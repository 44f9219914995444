//go:build !(linux || darwin || freebsd)

package open

import (
	"errors"
	"os"
)

const temporaries = false

// temporary is not possible on systems where an open file keeps its name: the file would remain if
// the program were killed.
func temporary() (*os.File, error) {
	return nil, errors.New("the table does not fit into the allowed memory: convert it with fsa convert; a .fsa file may be larger than memory")
}

func freeSpace(*os.File) (int64, bool) { return 0, false }
