package open

import (
	"context"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fsa/data"
	"fsa/data/kind"
	"fsa/internal/format/s3"
)

// folder is a table in the files of a folder, whose folders may give further columns: all rows below year=2024 have 2024
// in the column year.
type folder struct {
	root   string
	names  []string      // of the further columns
	kinds  []kind.Column // of these
	values map[string][]string
}

// inside returns the files of a folder in the order of their names, or nil if there is no such folder. Like other
// programs it leaves out files and folders whose names begin with _ or a dot.
func inside(ctx context.Context, root string) ([]string, error) {
	var found []string
	if s3.Is(root) {
		if !strings.HasSuffix(root, "/") {
			return nil, nil
		}
		all, err := s3.List(ctx, root)
		if err != nil {
			return nil, err
		}
		found = slices.DeleteFunc(all, func(name string) bool {
			return slices.ContainsFunc(strings.Split(strings.TrimPrefix(name, root), "/"), hidden)
		})
	} else {
		if info, err := os.Stat(root); err != nil || !info.IsDir() {
			return nil, nil
		}
		base := filepath.Clean(root) + string(filepath.Separator) // follows a link
		err := filepath.WalkDir(base, func(name string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case name != base && hidden(e.Name()) && e.IsDir():
				return fs.SkipDir
			case !e.IsDir() && !hidden(e.Name()):
				if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() { // a pipe would be waited for
					return &data.Error{File: name, Msg: "this is not a file, and the folder is read as a table of files: remove it, or name the files of the table"}
				}
				found = append(found, name)
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
	}
	if len(found) == 0 {
		return nil, &data.Error{File: root, Msg: "there is no file in this folder"}
	}
	slices.Sort(found)
	for _, name := range found {
		if path.Ext(name) != path.Ext(found[0]) {
			return nil, &data.Error{File: root, Msg: fmt.Sprintf("this folder has files of several kinds, such as %s and %s: name those of the table, such as '%s'", filepath.Base(found[0]), filepath.Base(name), path.Join(root, "*"+path.Ext(found[0])))}
		}
	}
	return found, nil
}

func hidden(name string) bool { return strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") }

// nowhere is the value of rows without a value in the names of folders.
const nowhere = "__HIVE_DEFAULT_PARTITION__"

// addFolder adds the columns that the names of folders give.
func (o *Options) addFolder(root string, files []string) error {
	f := &folder{root: root, values: map[string][]string{}}
	if !s3.Is(root) {
		root = filepath.Clean(root)
	}
	for i, file := range files {
		var names, values []string
		parts := strings.Split(filepath.ToSlash(strings.TrimPrefix(file, root)), "/")
		for _, part := range parts[:len(parts)-1] {
			name, value, is := strings.Cut(part, "=")
			if !is || name == "" {
				continue
			}
			if plain, err := url.PathUnescape(value); err == nil {
				value = plain
			}
			if value == nowhere {
				value = ""
			}
			names, values = append(names, name), append(values, value)
		}
		if i > 0 && !slices.Equal(names, f.names) {
			return &data.Error{File: file, Msg: fmt.Sprintf("its folders give the columns %q, and those of %s give %q: all files of a table must have the same", names, files[0], f.names)}
		}
		f.names, f.values[file] = names, values
	}
	if len(f.names) == 0 {
		return nil
	}
	for c, name := range f.names {
		var cells []string
		for _, file := range files {
			if cell := f.values[file][c]; cell != "" && !slices.Contains(cells, cell) {
				cells = append(cells, cell)
			}
		}
		k := kind.Column{Kind: kind.Category, Why: "names of folders"}
		if !slices.Contains(o.Categorical, name) && len(cells) > 0 {
			var err error
			if k, err = kind.Sniff(cells, o.Hints); err != nil {
				return &data.Error{File: root, Column: name, Msg: err.Error()}
			}
		}
		f.kinds = append(f.kinds, k)
	}
	o.folder = f
	return nil
}
