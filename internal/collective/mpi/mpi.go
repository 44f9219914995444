// Package mpi lets processes that mpirun, srun or another launcher has started communicate. The
// library is loaded at run time: nothing has to be linked, one program works with Open MPI, MPICH
// and libraries with the standard ABI of MPI 5, and starts without any of them.
package mpi

import (
	"errors"
	"os"
	"strings"
)

// ErrNone says that the program was not started by a launcher of MPI, or that its
// library cannot be loaded.
var ErrNone = errors.New("mpi: MPI is not available")

// flavour is an implementation of MPI.
type flavour struct {
	name      string
	launched  []string // variables, one of which its launcher sets
	libraries []string // files where it may be
}

// flavours are the known implementations, which differ in their handles; see abi.
var flavours = []flavour{
	{openMPIName, []string{"OMPI_COMM_WORLD_SIZE", "PMIX_RANK"}, []string{"libmpi.so.40", "libmpi.so"}},
	{"MPICH", []string{"PMI_RANK", "PMI_FD", "PMI_SIZE"}, []string{"libmpich.so.12", "libmpi.so.12", "libmpi.so"}},
}

// openMPIName is the name that Open MPI reports; all others are relatives of MPICH.
const openMPIName = "Open MPI"

// made reports whether a library with this version text is one of the implementation.
func (f *flavour) made(version string) bool {
	return version != "" && strings.Contains(version, openMPIName) == (f.name == openMPIName)
}

// Launched reports whether a launcher of MPI has started this process.
func Launched() bool { return launcher() != nil }

// launcher returns the implementation whose launcher has started this process, or nil.
func launcher() *flavour {
	for i := range flavours {
		for _, name := range flavours[i].launched {
			if _, set := os.LookupEnv(name); set {
				return &flavours[i]
			}
		}
	}
	return nil
}
