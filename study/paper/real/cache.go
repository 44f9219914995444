package real

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"fsa/data"
	"fsa/internal/atomicfile"
)

// cache stores the predictions of peers, in a file for each pair of tables and method. Files are
// named by the contents of the tables, so an entry is never stale; another version of the method
// replaces it.
type cache struct{ folder string }

// cached is such a file.
type cached struct {
	Version string   `json:"version"`
	Answers []Answer `json:"answers"`
}

func (c *cache) path(name, method string) string {
	return filepath.Join(c.folder, method, name+".json")
}

// load returns the stored answers; of any version, if none is given.
func (c *cache) load(name, method, version string) ([]Answer, error) {
	if c.folder == "" {
		return nil, nil
	}
	path := c.path(name, method)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var f cached
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, &data.Error{File: path, Msg: "this is no file of the cache: remove it", Err: err}
	}
	if version != "" && f.Version != version {
		return nil, nil
	}
	return f.Answers, nil
}

// store stores answers.
func (c *cache) store(name, method, version string, answers []Answer) error {
	if c.folder == "" {
		return nil
	}
	path := c.path(name, method)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.WriteFile(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(cached{version, answers}) })
}
