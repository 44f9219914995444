package open

import (
	"errors"
	"fmt"
	"os"

	"fsa/data"
	"fsa/internal/format/sqlite"
)

// checkSQL returns an error for a query over a file that is no database.
func (o *Options) checkSQL(in *input, f *format) error {
	switch {
	case o.SQL == "":
		return nil
	case f.name != "sqlite":
		return &data.Error{File: in.path, Msg: "--sql is for SQLite databases, and this is read as " + f.name}
	case in.array != "":
		return usageError(fmt.Sprintf("%s:%s: give either a table or --sql", in.path, in.array))
	case in.file == nil || !in.plain || in.isPipe():
		return &data.Error{File: in.path, Msg: "--sql needs a database in a file of its own on this machine, not compressed"}
	}
	return nil
}

// spaceShare: the result of a query may take one part in spaceShare of the free space of the folder for temporary files.
const spaceShare = 2

// query opens the result of a query as a table.
func (in *input) query(o *Options) (data.Reader, error) {
	var most int64
	if folder, err := os.Open(os.TempDir()); err == nil {
		if free, known := freeSpace(folder); known {
			most = free / spaceShare
		}
		folder.Close()
	}
	name, err := sqlite.Query(in.ctx, in.path, o.SQL, most)
	if err != nil {
		return nil, err
	}
	result, err := os.Open(name)
	os.Remove(name) // it stays readable while it is open, except on Windows
	if err != nil {
		return nil, err
	}
	below := in.closer
	in.closer = func() error {
		err := errors.Join(result.Close(), below())
		os.Remove(name)
		return err
	}
	if err := in.unchanged(); err != nil {
		return nil, err
	}
	info, err := result.Stat()
	if err != nil {
		return nil, err
	}
	in.random = true
	table, err := sqlite.NewReader(bare{result}, info.Size(), in.path, sqlite.Options{Options: o.text(in)})
	if err != nil {
		return nil, o.tooWide(in.path, err)
	}
	return table, nil
}
