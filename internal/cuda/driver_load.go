//go:build (linux || windows) && (amd64 || arm64) && !static

package cuda

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

// The driver is a library of the system, which is loaded when a device is requested. Nothing
// is linked, so the program also starts without a driver.

// Functions of the driver.
var functions = []string{
	"cuInit", "cuDriverGetVersion", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName", "cuDeviceGetAttribute",
	"cuDeviceTotalMem_v2", "cuDeviceGetUuid_v2", "cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease_v2", "cuCtxSetCurrent",
	"cuModuleLoadData", "cuModuleGetFunction", "cuFuncSetAttribute", "cuLaunchKernelEx", "cuOccupancyMaxActiveClusters",
	"cuMemAlloc_v2", "cuMemFree_v2", "cuMemGetInfo_v2", "cuMemcpyHtoD_v2", "cuMemcpyDtoH_v2", "cuMemcpyDtoDAsync_v2", "cuMemsetD8Async",
	"cuMemHostAlloc", "cuMemFreeHost", "cuMemcpyHtoDAsync_v2", "cuStreamCreate", "cuStreamWaitEvent", "cuStreamDestroy_v2",
	"cuStreamSynchronize", "cuEventCreate", "cuEventRecord", "cuEventSynchronize", "cuEventElapsedTime", "cuEventDestroy_v2",
	"cuMemcpyDtoHAsync_v2", "cuMemcpy2DAsync_v2", "cuIpcOpenMemHandle_v2", "cuIpcCloseMemHandle", "cuGetErrorName",
}

// oldestDriver is the oldest version of CUDA with which a driver can run the embedded kernels.
const oldestDriver = 12000

// library is the loaded driver.
type library map[string]uintptr

// load finds the driver and its functions.
func load() (library, error) {
	handle, err := openLibrary()
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNoDriver, err)
	}
	l := library{}
	for _, name := range functions {
		at, err := findSymbol(handle, name)
		if err != nil || at == 0 {
			return nil, fmt.Errorf("%w: it lacks %s: a driver for CUDA 12 or later is needed", ErrOldDriver, name)
		}
		l[name] = at
	}
	if err := l.call("cuInit", 0); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNoDevice, err)
	}
	var version int32
	if err := l.call("cuDriverGetVersion", uintptr(unsafe.Pointer(&version))); err != nil {
		return nil, err
	}
	if version < oldestDriver {
		return nil, fmt.Errorf("%w: it supports CUDA %d.%d, and 12.0 is needed", ErrOldDriver, version/1000, version%1000/10)
	}
	return l, nil
}

// call calls a function of the driver.
//
//go:uintptrescapes
func (l library) call(name string, args ...uintptr) error {
	code, _, _ := purego.SyscallN(l[name], args...)
	if code = code & math.MaxUint32; code == 0 {
		return nil
	}
	return &driverError{name, int(code), l.nameOf(code)}
}

// nameOf returns the driver's name of an error.
func (l library) nameOf(code uintptr) string {
	var text *byte
	if r, _, _ := purego.SyscallN(l["cuGetErrorName"], code, uintptr(unsafe.Pointer(&text))); r != 0 || text == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(text), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(text, n))
}

// Attributes of a device.
const (
	attributeMultiprocessors = 16
	attributeCache           = 38
	attributeMajor           = 75
	attributeMinor           = 76
)

// infoOf describes a device.
func (l library) infoOf(number int) (Info, int32, error) {
	var dev int32
	if err := l.call("cuDeviceGet", uintptr(unsafe.Pointer(&dev)), uintptr(number)); err != nil {
		return Info{}, 0, err
	}
	i := Info{Number: number}
	name := make([]byte, 256)
	var memory uint64
	var version int32
	err := errors.Join(
		l.call("cuDeviceGetName", uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)), uintptr(dev)),
		l.call("cuDeviceTotalMem_v2", uintptr(unsafe.Pointer(&memory)), uintptr(dev)),
		l.call("cuDeviceGetUuid_v2", uintptr(unsafe.Pointer(&i.uuid)), uintptr(dev)),
		l.call("cuDriverGetVersion", uintptr(unsafe.Pointer(&version))),
	)
	for at, to := range map[int]*int{attributeMultiprocessors: &i.Multiprocessors, attributeMajor: &i.Major, attributeMinor: &i.Minor} {
		var v int32
		err = errors.Join(err, l.call("cuDeviceGetAttribute", uintptr(unsafe.Pointer(&v)), uintptr(at), uintptr(dev)))
		*to = int(v)
	}
	var cache int32
	err = errors.Join(err, l.call("cuDeviceGetAttribute", uintptr(unsafe.Pointer(&cache)), attributeCache, uintptr(dev)))
	for n, c := range name {
		if c == 0 {
			i.Name = string(name[:n])
			break
		}
	}
	i.Memory, i.Cache, i.Driver = int64(memory), int64(cache), int(version)
	return i, dev, err
}

// list describes all devices.
func list() ([]Info, error) {
	l, err := load()
	if err != nil {
		return nil, err
	}
	var count int32
	if err := l.call("cuDeviceGetCount", uintptr(unsafe.Pointer(&count))); err != nil {
		return nil, err
	}
	var all []Info
	for n := range int(count) {
		i, _, err := l.infoOf(n)
		if err != nil {
			return nil, err
		}
		all = append(all, i)
	}
	return all, nil
}

// gpu is a device used through its driver. Calls may come from any thread, one at a time.
type gpu struct {
	library
	Info
	dev     int32
	context uintptr
	modules map[string]uintptr
	kernels map[[2]string]*kernel
	events  [2]uintptr
	inside  bool // within do: the context of the device is current
	uploads *uploads
}

type kernel struct {
	function uintptr
	shared   int // bytes of shared memory that it may request
}

// openMachine opens a device by its number.
func openMachine(number int) (machine, error) {
	l, err := load()
	if err != nil {
		return nil, err
	}
	var count int32
	if err := l.call("cuDeviceGetCount", uintptr(unsafe.Pointer(&count))); err != nil {
		return nil, err
	}
	if number >= int(count) {
		return nil, fmt.Errorf("%w: the driver knows %d", ErrNoDevice, count)
	}
	g := &gpu{library: l, modules: map[string]uintptr{}, kernels: map[[2]string]*kernel{}}
	if g.Info, g.dev, err = l.infoOf(number); err != nil {
		return nil, err
	}
	if g.Major < 8 {
		return nil, fmt.Errorf("%w: %s has compute capability %d.%d, and at least 8.0 is needed", ErrOldDevice, g.Name, g.Major, g.Minor)
	}
	if err := l.call("cuDevicePrimaryCtxRetain", uintptr(unsafe.Pointer(&g.context)), uintptr(g.dev)); err != nil {
		return nil, err
	}
	return g, nil
}

// do calls functions of the driver on a thread for which the context of the device is current.
func (g *gpu) do(f func() error) error {
	if g.inside {
		return f()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := g.call("cuCtxSetCurrent", g.context); err != nil {
		return err
	}
	g.inside = true
	defer func() { g.inside = false }()
	return f()
}

func (g *gpu) together(f func() error) error { return g.do(f) }

func (g *gpu) info() Info { return g.Info }

func (g *gpu) free() (int64, error) {
	var free, total uint64
	err := g.do(func() error {
		return g.call("cuMemGetInfo_v2", uintptr(unsafe.Pointer(&free)), uintptr(unsafe.Pointer(&total)))
	})
	return int64(free), err
}

func (g *gpu) alloc(bytes int64) (pointer, error) {
	var p pointer
	err := g.do(func() error { return g.call("cuMemAlloc_v2", uintptr(unsafe.Pointer(&p)), uintptr(max(bytes, 1))) })
	return p, err
}

func (g *gpu) release(p pointer) {
	if p != 0 {
		_ = g.do(func() error { return g.call("cuMemFree_v2", uintptr(p)) })
	}
}

func (g *gpu) upload(dst pointer, src []byte) error {
	if len(src) == 0 {
		return nil
	}
	return g.do(func() error {
		return g.call("cuMemcpyHtoD_v2", uintptr(dst), uintptr(unsafe.Pointer(&src[0])), uintptr(len(src)))
	})
}

func (g *gpu) download(dst []byte, src pointer) error {
	if len(dst) == 0 {
		return nil
	}
	return g.do(func() error {
		return g.call("cuMemcpyDtoH_v2", uintptr(unsafe.Pointer(&dst[0])), uintptr(src), uintptr(len(dst)))
	})
}

func (g *gpu) zero(dst pointer, bytes int64) error {
	return g.do(func() error { return g.call("cuMemsetD8Async", uintptr(dst), 0, uintptr(bytes), 0) })
}

func (g *gpu) move(dst, src pointer, bytes int64) error {
	return g.do(func() error { return g.call("cuMemcpyDtoDAsync_v2", uintptr(dst), uintptr(src), uintptr(bytes), 0) })
}

func (g *gpu) wait() error { return g.do(func() error { return g.call("cuStreamSynchronize", 0) }) }

// kernel returns a kernel that may use the given amount of shared memory.
func (g *gpu) kernel(module, name string, s shape) (*kernel, error) {
	id := [2]string{module, name}
	k := g.kernels[id]
	if k == nil {
		m, ok := g.modules[module]
		if !ok {
			code, err := codeFor(module, &g.Info)
			if err != nil {
				return nil, err
			}
			if err := g.call("cuModuleLoadData", uintptr(unsafe.Pointer(&m)), uintptr(unsafe.Pointer(&code[0]))); err != nil {
				return nil, fmt.Errorf("the kernels of %s cannot be loaded: %w", module, err)
			}
			g.modules[module] = m
		}
		k = new(kernel)
		text := append([]byte(name), 0)
		if err := g.call("cuModuleGetFunction", uintptr(unsafe.Pointer(&k.function)), m, uintptr(unsafe.Pointer(&text[0]))); err != nil {
			return nil, err
		}
		g.kernels[id] = k
	}
	const (
		attributeShared     = 8
		attributeAnyCluster = 14
		usual               = 32 << 10 // may always be requested, besides the static shared memory of the kernel
	)
	if s.shared > max(k.shared, usual) {
		if err := g.call("cuFuncSetAttribute", k.function, attributeShared, uintptr(s.shared)); err != nil {
			return nil, err
		}
		k.shared = s.shared
	}
	if s.cluster > 8 {
		if err := g.call("cuFuncSetAttribute", k.function, attributeAnyCluster, 1); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// launchConfig is CUlaunchConfig.
type launchConfig struct {
	grid, block [3]uint32
	shared      uint32
	stream      uintptr
	attributes  *launchAttribute
	count       uint32
}

// launchAttribute is CUlaunchAttribute with the size of a cluster.
type launchAttribute struct {
	id    uint32
	_     uint32
	value [16]uint32
}

func (s *shape) config() *launchConfig {
	c := &launchConfig{shared: uint32(s.shared), block: [3]uint32{uint32(s.block), 1, 1}}
	for i, n := range s.grid {
		c.grid[i] = uint32(max(n, 1))
	}
	if s.cluster > 0 {
		const clusterDimension = 4
		c.attributes, c.count = &launchAttribute{id: clusterDimension, value: [16]uint32{uint32(s.cluster), 1, 1}}, 1
	}
	return c
}

func (g *gpu) launch(module, name string, s shape, args any) error {
	return g.do(func() error {
		k, err := g.kernel(module, name, s)
		if err != nil {
			return err
		}
		params := []unsafe.Pointer{reflect.ValueOf(args).UnsafePointer()}
		c := s.config()
		err = g.call("cuLaunchKernelEx", uintptr(unsafe.Pointer(c)), k.function, uintptr(unsafe.Pointer(&params[0])), 0)
		runtime.KeepAlive(args)
		if err != nil {
			return fmt.Errorf("kernel %s: %w", name, err)
		}
		return nil
	})
}

func (g *gpu) clusters(module, name string, s shape) (int, error) {
	var n int32
	err := g.do(func() error {
		k, err := g.kernel(module, name, s)
		if err != nil {
			return err
		}
		return g.call("cuOccupancyMaxActiveClusters", uintptr(unsafe.Pointer(&n)), k.function, uintptr(unsafe.Pointer(s.config())))
	})
	return int(n), err
}

func (g *gpu) elapsed(f func() error) (float64, error) {
	var ms float32
	err := g.do(func() error {
		for i := range g.events {
			if g.events[i] == 0 {
				if err := g.call("cuEventCreate", uintptr(unsafe.Pointer(&g.events[i])), 0); err != nil {
					return err
				}
			}
		}
		if err := g.call("cuEventRecord", g.events[0], 0); err != nil {
			return err
		}
		if err := f(); err != nil {
			return err
		}
		if err := g.call("cuEventRecord", g.events[1], 0); err != nil {
			return err
		}
		if err := g.call("cuEventSynchronize", g.events[1]); err != nil {
			return err
		}
		return g.call("cuEventElapsedTime", uintptr(unsafe.Pointer(&ms)), g.events[0], g.events[1])
	})
	return float64(ms), err
}

func (g *gpu) close() {
	if g.context != 0 {
		g.closeUploads()
		_ = g.call("cuDevicePrimaryCtxRelease_v2", uintptr(g.dev))
		g.context = 0
	}
}
