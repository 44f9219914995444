package motion

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fsa/data"
	"fsa/internal/fault"
	"fsa/internal/parallel"
)

// indexName is the file of a folder that describes its sequences.
const indexName = "index.tsv"

// excluded marks sequences of the index that are not part of the benchmark.
const excluded = "excluded"

// ReadFolder reads the sequences of a folder in the order of their names. If there is an index.tsv,
// these are the sequences that it lists and does not exclude, with their category and video.
// Without an index, they are all files NAME_truth.mat; each is a video of its own unless its name
// ends in _gNN.
func ReadFolder(ctx context.Context, dir string) ([]*Sequence, error) {
	list, err := readIndex(filepath.Join(dir, indexName))
	if errors.Is(err, fs.ErrNotExist) {
		list, err = listFolder(dir)
	}
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, &data.Error{File: dir, Msg: fmt.Sprintf("there are no sequences here: give a folder with files NAME%s", suffix)}
	}
	slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.Name, b.Name) })
	sequences := make([]*Sequence, len(list))
	err = parallel.Do(ctx, 0, len(list), func(_, i int) error {
		s, err := ReadSequence(filepath.Join(dir, list[i].Name+suffix), 0)
		if err != nil {
			return err
		}
		s.Category, s.Video = list[i].Category, list[i].Video
		sequences[i] = s
		return nil
	})
	return sequences, err
}

// entry describes a sequence before it is read.
type entry struct{ Name, Category, Video string }

// readIndex reads the table of sequences.
func readIndex(path string) ([]entry, error) {
	f, err := fault.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil && !errors.As(err, new(*csv.ParseError)) {
		return nil, err
	}
	if err != nil {
		return nil, &data.Error{File: path, Msg: "this is not a tab-separated table", Err: err}
	}
	var column [3]int
	for i, name := range []string{"sequence", "category", "video"} {
		if len(rows) == 0 {
			column[i] = -1
		} else {
			column[i] = slices.Index(rows[0], name)
		}
		if column[i] < 0 {
			return nil, &data.Error{File: path, Line: 1, Msg: fmt.Sprintf("there is no column %s: the table must have the columns sequence, category and video", name)}
		}
	}
	var list []entry
	for i, row := range rows[1:] {
		e := entry{row[column[0]], row[column[1]], row[column[2]]}
		if e.Name == "" || e.Name != filepath.Base(e.Name) || e.Video == "" {
			return nil, &data.Error{File: path, Line: i + 2, Msg: fmt.Sprintf("%q of video %q: each line must have a plain file name and a video", e.Name, e.Video)}
		}
		if e.Category != excluded {
			list = append(list, e)
		}
	}
	return list, nil
}

// listFolder finds the sequences of a folder without an index.
func listFolder(dir string) ([]entry, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var list []entry
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), suffix)
		if !ok {
			continue
		}
		video := name
		if at := strings.LastIndex(name, "_g"); at > 0 && strings.Trim(name[at+2:], "0123456789") == "" {
			video = name[:at]
		}
		list = append(list, entry{Name: name, Video: video})
	}
	return list, nil
}
