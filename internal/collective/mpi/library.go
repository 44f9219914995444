//go:build linux && (amd64 || arm64)

package mpi

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// functions are those of the library that are called.
var functions = []string{
	"MPI_Init_thread", "MPI_Finalize", "MPI_Abort", "MPI_Comm_size", "MPI_Comm_rank", "MPI_Comm_split", "MPI_Comm_free",
	"MPI_Comm_set_errhandler", "MPI_Error_string", "MPI_Iallreduce", "MPI_Iallgatherv", "MPI_Ibcast", "MPI_Ibarrier", "MPI_Test",
	"MPI_Isend", "MPI_Irecv", "MPI_Cancel", "MPI_Request_free",
}

// abi is what handles and constants are, in which implementations differ.
type abi struct {
	world, byteType, int64Type, sum uintptr
	errorsReturn                    uintptr
	inPlace, noStatus               uintptr
	handle                          int // bytes of a communicator
}

// mpich is the ABI that MPICH shares with Intel MPI, MVAPICH and Cray MPI: handles are
// numbers.
var mpich = abi{
	world: 0x44000000, byteType: 0x4c00010d, int64Type: 0x4c00083a, sum: 0x58000003, errorsReturn: 0x54000001, inPlace: ^uintptr(0), noStatus: 1, handle: 4,
}

// openMPI returns the ABI of Open MPI: handles are addresses of what the library holds.
func openMPI(symbol func(string) uintptr) (abi, bool) {
	a := abi{
		world: symbol("ompi_mpi_comm_world"), byteType: symbol("ompi_mpi_byte"), int64Type: symbol("ompi_mpi_int64_t"), sum: symbol("ompi_mpi_op_sum"),
		errorsReturn: symbol("ompi_mpi_errors_return"), inPlace: 1, handle: int(unsafe.Sizeof(uintptr(0))),
	}
	return a, a.world != 0 && a.byteType != 0 && a.int64Type != 0 && a.sum != 0 && a.errorsReturn != 0
}

// library is the loaded one.
type library struct {
	abi
	at map[string]uintptr
}

// load finds the library of an implementation.
func load(f *flavour) (*library, error) {
	var failed []error
	for _, name := range f.libraries {
		handle, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL) // its plug-ins look for its symbols
		if err != nil {
			failed = append(failed, err)
			continue
		}
		l := &library{abi: mpich, at: map[string]uintptr{}}
		symbol := func(name string) uintptr {
			at, err := purego.Dlsym(handle, name)
			if err != nil {
				return 0
			}
			return at
		}
		if a, ok := openMPI(symbol); ok {
			l.abi = a
		}
		for _, name := range functions {
			if l.at[name] = symbol(name); l.at[name] == 0 {
				return nil, fmt.Errorf("%w: %s lacks %s", ErrNone, f.libraries[0], name)
			}
		}
		return l, nil
	}
	return nil, fmt.Errorf("%w: the library of %s is not installed here: %w", ErrNone, f.name, errors.Join(failed...))
}

// call calls a function.
//
//go:uintptrescapes
func (l *library) call(name string, args ...uintptr) error {
	code, _, _ := purego.SyscallN(l.at[name], args...)
	if code &= math.MaxUint32; code == 0 {
		return nil
	}
	text := make([]byte, 1024) // more than any implementation asks for
	var n int32
	if again, _, _ := purego.SyscallN(l.at["MPI_Error_string"], code, uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(&n))); again&math.MaxUint32 != 0 {
		n = 0
	}
	return fmt.Errorf("mpi: %s: error %d: %s", name, code, strings.TrimSpace(string(text[:min(max(int(n), 0), len(text))])))
}
