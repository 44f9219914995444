package sqlite

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fsa/data"
)

// Query runs a query over the tables of a database by the library of SQLite, and returns a database whose only table
// is the result. The file is to be removed by the caller. The database is only read: the text becomes the end of
// CREATE TABLE … AS, which only a query can follow, and the file is opened read-only. Nothing may write to it meanwhile.
// The result may have most bytes; 0 means no limit. Cancelling the context ends the query.
func Query(ctx context.Context, path, query string, most int64) (result string, err error) {
	wrong := func(format string, a ...any) error {
		return &data.Error{File: path, Msg: "--sql: " + fmt.Sprintf(format, a...)}
	}
	if !reads(query) || strings.ContainsRune(query, 0) {
		return "", wrong("the query must begin with select, with or values: it can only read")
	}
	db, err := newConnection(fileURI(path))
	if errors.Is(err, errNoLibrary) {
		return "", fmt.Errorf("%s: --sql: %w", path, err)
	}
	if err != nil {
		return "", wrong("%v", err)
	}
	defer db.close()
	file, err := os.CreateTemp("", "fsa-query-*.db")
	if err != nil {
		return "", err
	}
	file.Close()
	defer func() {
		if err != nil {
			os.Remove(file.Name())
		}
	}()
	defer db.interruptAfter(ctx)()
	if err = db.begin(file.Name(), most); err == nil {
		err = db.run(resultIs+query, true)
	}
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, errFull):
		return "", wrong("the result does not fit into %s: ask for fewer rows, or set TMPDIR to a folder with more space", filepath.Dir(file.Name()))
	case err != nil:
		return "", wrong("%v", err)
	}
	return file.Name(), nil
}

// resultIs begins the statement that stores the result of a query.
const resultIs = "create table fsa_result.result as "

// mostRow is the largest text or row in bytes.
const mostRow = 1 << 26

// again is the time after which a query is interrupted again: an interrupt is lost if the query has not begun.
const again = 50 * time.Millisecond

// interruptAfter ends what a connection does when a context ends, until the returned function is called.
func (c *connection) interruptAfter(ctx context.Context) (stop func()) {
	ended := make(chan struct{})
	go func() {
		select {
		case <-ended:
			return
		case <-ctx.Done():
		}
		for {
			c.interrupt()
			select {
			case <-ended:
				return
			case <-time.After(again):
			}
		}
	}()
	return func() { close(ended) }
}

// page is the size of a page of the result in bytes.
const page = 4096

// begin attaches the file of the result and sets limits. Functions of extensions cannot be called, and texts of the
// schema, such as views, call harmless functions only.
func (c *connection) begin(result string, most int64) error {
	c.limit(mostRow)
	settings := []string{
		"attach " + quote(fileURI(result)+"?mode=rw") + " as fsa_result",
		fmt.Sprintf("pragma fsa_result.page_size = %d", page),
		"pragma fsa_result.journal_mode = off",
		"pragma fsa_result.synchronous = off",
		"pragma trusted_schema = off",
	}
	if most > 0 {
		settings = append(settings, fmt.Sprintf("pragma fsa_result.max_page_count = %d", max(1, most/page)))
	}
	for _, s := range settings {
		if err := c.run(s, false); err != nil {
			return err
		}
	}
	return nil
}

// reads reports whether a text begins like a query.
func reads(query string) bool {
	rest := query
	for {
		rest = strings.TrimLeft(rest, " \t\r\n\f")
		switch {
		case strings.HasPrefix(rest, "--"):
			_, rest, _ = strings.Cut(rest, "\n")
			continue
		case strings.HasPrefix(rest, "/*"):
			_, rest, _ = strings.Cut(rest, "*/")
			continue
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return !(r|0x20 >= 'a' && r|0x20 <= 'z') })
		if end < 0 {
			end = len(rest)
		}
		switch strings.ToLower(rest[:end]) {
		case "select", "with", "values":
			return true
		}
		return false
	}
}

// fileURI returns the name of a file as SQLite takes it with parameters.
func fileURI(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") { // a drive of Windows
		path = "/" + path
	}
	return "file://" + (&url.URL{Path: path}).EscapedPath()
}

// quote returns a text as a literal of SQL.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

var (
	errNoLibrary = errors.New("a query needs the library of SQLite, which is not installed here: install it (libsqlite3-0 of Debian, sqlite-libs of Fedora), or save the result with sqlite3 -header -csv")
	errFull      = errors.New("the result is too large")
)
