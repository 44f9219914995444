// Package mpi lets the processes that mpirun, srun or another launcher has started talk
// to each other. The library is loaded at run time: there is nothing to link with, one
// program serves Open MPI, MPICH and what has the standard ABI of MPI 5, and starts where there is none.
package mpi

import (
	"errors"
	"os"
	"strings"
)

// ErrNone says that the program was not started by a launcher of MPI, or that its
// library cannot be loaded.
var ErrNone = errors.New("mpi: MPI is not there")

// flavour is an implementation of MPI.
type flavour struct {
	name      string
	launched  []string // variables, one of which its launcher sets
	libraries []string // where it may be
}

// flavours are those that are known, which differ in what their handles are; see abi.
var flavours = []flavour{
	{openMPIName, []string{"OMPI_COMM_WORLD_SIZE", "PMIX_RANK"}, []string{"libmpi.so.40", "libmpi.so"}},
	{"MPICH", []string{"PMI_RANK", "PMI_FD", "PMI_SIZE"}, []string{"libmpich.so.12", "libmpi.so.12", "libmpi.so"}},
}

// openMPIName is what Open MPI calls itself; all others are relatives of MPICH.
const openMPIName = "Open MPI"

// made reports whether a library that says this of itself is one of the implementation.
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
