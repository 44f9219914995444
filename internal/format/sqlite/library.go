//go:build (linux || darwin || windows) && (amd64 || arm64) && !static

package sqlite

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// The library of SQLite is one of the system, which is loaded when there is a query. Nothing is linked, so the program
// also starts without it.

// functions are the functions of the library that are called.
var functions = []string{
	"sqlite3_open_v2", "sqlite3_close_v2", "sqlite3_prepare_v2", "sqlite3_step", "sqlite3_finalize", "sqlite3_errmsg",
	"sqlite3_interrupt", "sqlite3_limit",
}

// Constants of sqlite3.h.
const (
	codeFull      = 13
	codeRow       = 100
	codeDone      = 101
	openReadWrite = 0x2
	openURI       = 0x40
	openNoMutex   = 0x8000
	limitLength   = 0
)

var library = sync.OnceValues(func() (map[string]uintptr, error) {
	handle, err := openLibrary()
	if err != nil {
		return nil, errNoLibrary
	}
	l := map[string]uintptr{}
	for _, name := range functions {
		at, err := findSymbol(handle, name)
		if err != nil || at == 0 {
			return nil, fmt.Errorf("%w (the one that was found lacks %s)", errNoLibrary, name)
		}
		l[name] = at
	}
	return l, nil
})

// connection is an open database.
type connection struct {
	at map[string]uintptr
	db uintptr
	mu sync.Mutex // held while the connection is interrupted or closed
}

// newConnection opens a database, which is only read and must not change.
func newConnection(uri string) (*connection, error) {
	l, err := library()
	if err != nil {
		return nil, err
	}
	c := &connection{at: l}
	name := terminated(uri + "?mode=ro&immutable=1")
	// Writing is allowed for other files than this one.
	code := c.call("sqlite3_open_v2", uintptr(unsafe.Pointer(&name[0])), uintptr(unsafe.Pointer(&c.db)), openReadWrite|openURI|openNoMutex, 0)
	if err := c.failure(code); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// call calls a function, whose first argument is not added.
//
//go:uintptrescapes
func (c *connection) call(name string, args ...uintptr) int {
	code, _, _ := purego.SyscallN(c.at[name], args...)
	return int(code & math.MaxUint32)
}

func (c *connection) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db != 0 {
		c.call("sqlite3_close_v2", c.db)
	}
	c.db = 0
}

// interrupt ends what the connection does. It may be called by any goroutine.
func (c *connection) interrupt() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db != 0 {
		c.call("sqlite3_interrupt", c.db)
	}
}

func (c *connection) limit(bytes int) { c.call("sqlite3_limit", c.db, limitLength, uintptr(bytes)) }

// run runs the only statement of a text.
func (c *connection) run(sql string, only bool) error {
	statement, rest, err := c.prepare(sql)
	if err != nil {
		return err
	}
	defer func() { c.call("sqlite3_finalize", statement) }()
	if only {
		if more, _, err := c.prepare(rest); more != 0 || err != nil {
			c.call("sqlite3_finalize", more)
			return errors.New("there is more than one statement: give one query")
		}
	}
	for {
		switch code := c.call("sqlite3_step", statement); code {
		case codeRow: // the answer of a setting
		case codeDone:
			return nil
		default:
			return c.failure(code)
		}
	}
}

// prepare compiles the first statement of a text, and returns it and what follows it. The statement is 0 if there is
// none.
func (c *connection) prepare(sql string) (statement uintptr, rest string, err error) {
	whole := terminated(sql)
	var tail uintptr
	start := uintptr(unsafe.Pointer(&whole[0]))
	code := c.call("sqlite3_prepare_v2", c.db, uintptr(unsafe.Pointer(&whole[0])), uintptr(len(whole)), uintptr(unsafe.Pointer(&statement)), uintptr(unsafe.Pointer(&tail)))
	if err := c.failure(code); err != nil {
		return 0, "", err
	}
	return statement, sql[min(int(tail-start), len(sql)):], nil
}

// failure returns the error of a result, with SQLite's message.
func (c *connection) failure(code int) error {
	if code == 0 {
		return nil
	}
	if code&0xff == codeFull {
		return errFull
	}
	at, _, _ := purego.SyscallN(c.at["sqlite3_errmsg"], c.db)
	return fmt.Errorf("SQLite: %s", message(at))
}

// message returns a text of the library.
func message(at uintptr) string {
	var b strings.Builder
	for p := *(*unsafe.Pointer)(unsafe.Pointer(&at)); b.Len() < 1000 && *(*byte)(p) != 0; p = unsafe.Add(p, 1) {
		b.WriteByte(*(*byte)(p))
	}
	return strings.ToValidUTF8(b.String(), "?")
}

// terminated returns a text as C has it.
func terminated(s string) []byte { return append([]byte(s), 0) }
