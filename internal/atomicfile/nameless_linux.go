package atomicfile

import (
	"fmt"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// listed reports whether open files can be found by their numbers, which is how a nameless file
// gets its name.
var listed = sync.OnceValue(func() bool {
	_, err := os.Stat("/proc/self/fd")
	return err == nil
})

// nameless opens a file without a name in a folder, nil if that is not supported. In messages it is
// called name.
func nameless(folder, name string) *os.File {
	if !listed() {
		return nil
	}
	fd, err := unix.Open(folder, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o644)
	if err != nil {
		return nil
	}
	f := os.NewFile(uintptr(fd), name)
	lock(f) // for when it has one
	return f
}

// link gives a nameless file its name.
func link(f *os.File) error {
	from := fmt.Sprintf("/proc/self/fd/%d", f.Fd())
	if err := unix.Linkat(unix.AT_FDCWD, from, unix.AT_FDCWD, f.Name(), unix.AT_SYMLINK_FOLLOW); err != nil {
		return &os.LinkError{Op: "link", Old: from, New: f.Name(), Err: err}
	}
	return nil
}
