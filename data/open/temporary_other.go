//go:build !(linux || darwin || freebsd)

package open

import (
	"errors"
	"os"
)

const temporaries = false

// temporary is not possible where a file that is open keeps its name: it would
// be left behind when the program is stopped.
func temporary() (*os.File, error) {
	return nil, errors.New("the table does not fit into the allowed memory: convert it with fsa convert; a .fsa file may be larger than memory")
}

func freeSpace(*os.File) (int64, bool) { return 0, false }
