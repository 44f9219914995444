// Package sealed is the head of a JSON file: a format, a version and a checksum of its body, so
// that a file that was cut, edited or made by something else is refused. It also has the version of
// the fsa that wrote the file.
package sealed

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"fsa/internal/version"
)

// Head comes first in such a file. Embed it in a struct that has the body.
type Head struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Checksum string `json:"checksum"`
	// Program is the version of the fsa that wrote the file; older files do not have it. It is for
	// information only: nothing depends on it, and the checksum does not cover it.
	Program string `json:"program,omitempty"`
}

// Kind is a kind of file.
type Kind struct {
	Format  string
	Version int    // the newest one
	What    string // for messages, such as "a model of fsa"
}

// Seal returns the head of a file with the given body.
func (k Kind) Seal(body []byte) Head {
	return Head{k.Format, k.Version, checksum(body), version.String()}
}

// HeadBytes is how much of the start of a file [Kind.Sniff] needs.
const HeadBytes = 512

// Sniff returns the reason why a file that begins with head cannot be of this kind, nil if it may
// be. So a foreign or endless file need not be read to be refused.
func (k Kind) Sniff(head []byte) error {
	text := bytes.TrimLeft(head, " \t\r\n")
	switch {
	case len(text) == 0 || text[0] != '{':
		return errors.New("it is cut off or not JSON")
	case !bytes.Contains(text, []byte(`"`+k.Format+`"`)):
		return k.other()
	}
	return nil
}

func (k Kind) other() error { return fmt.Errorf("it is not %s", k.What) }

// Open decodes the body of a file with the given head into to. It refuses another kind of file, one
// that is too new or damaged, and unknown fields. A body of an older version is upgraded first:
// upgrades[0] leads from version 1 to 2, and so on.
func (k Kind) Open(h Head, body []byte, to any, upgrades ...func([]byte) ([]byte, error)) error {
	switch {
	case h.Format != k.Format:
		return k.other()
	case h.Version > k.Version:
		return fmt.Errorf("it was written by a newer fsa, as version %d, and this one reads up to version %d: update fsa", h.Version, k.Version)
	case h.Version < 1:
		return fmt.Errorf("its version is %d: it must be at least 1", h.Version)
	case h.Program != "" && !version.Valid(h.Program):
		return fmt.Errorf("its program is not a version: it must be one line of at most %d bytes", version.MaxLength)
	case h.Checksum != checksum(body):
		return errors.New("its checksum is wrong: the file was edited or damaged")
	}
	for v := h.Version; v < k.Version && v <= len(upgrades); v++ {
		var err error
		if body, err = upgrades[v-1](body); err != nil {
			return err
		}
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	return dec.Decode(to)
}

func checksum(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}
