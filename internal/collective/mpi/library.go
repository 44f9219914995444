//go:build linux && (amd64 || arm64) && !static

package mpi

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// functions are the functions of the library that are called.
var functions = []string{
	"MPI_Init_thread", "MPI_Finalize", "MPI_Abort", "MPI_Comm_size", "MPI_Comm_rank", "MPI_Comm_split", "MPI_Comm_free",
	"MPI_Comm_set_errhandler", "MPI_Error_string", "MPI_Get_library_version", "MPI_Iallreduce", "MPI_Iallgatherv", "MPI_Ibcast", "MPI_Ibarrier", "MPI_Test",
	"MPI_Isend", "MPI_Irecv", "MPI_Cancel", "MPI_Request_free",
}

// abi describes handles and constants, in which implementations differ.
type abi struct {
	world, byteType, int64Type, sum uintptr
	errorsReturn                    uintptr
	inPlace, noStatus               uintptr
	funneled                        int32 // promises that one thread makes all calls
	handle                          int   // bytes of a communicator
}

// standard is the ABI that MPI 5 defines for all implementations (MPI 5.0, chapter 20; mpi_abi.h):
// handles are small numbers in place of addresses.
var standard = abi{
	world: 0x101, byteType: 0x247, int64Type: 0x258, sum: 0x21, errorsReturn: 0x143, inPlace: 1, funneled: 1024, handle: 8,
}

// mpich is the ABI that MPICH shares with Intel MPI, MVAPICH and Cray MPI: handles are
// numbers.
var mpich = abi{
	world: 0x44000000, byteType: 0x4c00010d, int64Type: 0x4c00083a, sum: 0x58000003, errorsReturn: 0x54000001, inPlace: ^uintptr(0), noStatus: 1, funneled: 1, handle: 4,
}

// openMPI returns the ABI of Open MPI: handles are addresses of objects of the library.
func openMPI(symbol func(string) uintptr) (abi, bool) {
	a := abi{
		world: symbol("ompi_mpi_comm_world"), byteType: symbol("ompi_mpi_byte"), int64Type: symbol("ompi_mpi_int64_t"), sum: symbol("ompi_mpi_op_sum"),
		errorsReturn: symbol("ompi_mpi_errors_return"), inPlace: 1, funneled: 1, handle: int(unsafe.Sizeof(uintptr(0))),
	}
	return a, a.world != 0 && a.byteType != 0 && a.int64Type != 0 && a.sum != 0 && a.errorsReturn != 0
}

// library is the loaded library.
type library struct {
	abi
	at map[string]uintptr
}

// standardLibraries are the possible files of the standard ABI, of any implementation.
var standardLibraries = []string{"libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi_abi.so"}

// load finds the library of an implementation, with the standard ABI if it has that.
func load(f *flavour) (*library, error) {
	for _, name := range standardLibraries {
		if handle, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL); err == nil {
			l, err := newLibrary(handle, standard, name)
			if err == nil && f.made(l.version()) && promote(name) {
				return l, nil
			}
			_ = purego.Dlclose(handle) // of another implementation, whose launcher has not started this process
		}
	}
	var failed []error
	for _, name := range f.libraries {
		handle, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL) // its plug-ins look for its symbols
		if err != nil {
			failed = append(failed, err)
			continue
		}
		a, ok := openMPI(func(name string) uintptr { return symbol(handle, name) })
		if !ok {
			a = mpich
		}
		return newLibrary(handle, a, name)
	}
	return nil, fmt.Errorf("%w: the library of %s is not installed here: %w", ErrNone, f.name, errors.Join(failed...))
}

// promote lets the plug-ins of a loaded library find its symbols.
func promote(name string) bool {
	_, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	return err == nil
}

// newLibrary looks up the functions of a loaded library.
func newLibrary(handle uintptr, a abi, name string) (*library, error) {
	l := &library{abi: a, at: map[string]uintptr{}}
	for _, function := range functions {
		if l.at[function] = symbol(handle, function); l.at[function] == 0 {
			return nil, fmt.Errorf("%w: %s lacks %s", ErrNone, name, function)
		}
	}
	return l, nil
}

// symbol returns the address of a symbol, or 0.
func symbol(handle uintptr, name string) uintptr {
	at, err := purego.Dlsym(handle, name)
	if err != nil {
		return 0
	}
	return at
}

// version is the version text of the library; it may be called before anything else.
func (l *library) version() string {
	text := make([]byte, longestText)
	var n int32
	if l.call("MPI_Get_library_version", uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(&n))) != nil {
		return ""
	}
	return string(text[:min(max(int(n), 0), len(text))])
}

// longestText is longer than any implementation needs; MPICH needs 8192 bytes for its version.
const longestText = 1 << 14

// call calls a function.
//
//go:uintptrescapes
func (l *library) call(name string, args ...uintptr) error {
	code, _, _ := purego.SyscallN(l.at[name], args...)
	if code &= math.MaxUint32; code == 0 {
		return nil
	}
	text := make([]byte, longestText)
	var n int32
	if again, _, _ := purego.SyscallN(l.at["MPI_Error_string"], code, uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(&n))); again&math.MaxUint32 != 0 {
		n = 0
	}
	return fmt.Errorf("mpi: %s: error %d: %s", name, code, strings.TrimSpace(string(text[:min(max(int(n), 0), len(text))])))
}
