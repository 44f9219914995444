package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	delimited "fsa/internal/format/csv"

	"fsa/data"
	"fsa/data/open"
)

// maxGroups is the largest size of a file of groups: a million names of variables.
const maxGroups = 8 << 20

// readGroups reads a file that lists the variables of a group on each line.
func readGroups(ctx context.Context, path string) ([][]string, error) {
	f, err := open.Small(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return parseGroups(f, path)
}

// parseGroups parses such a file; name is for messages.
func parseGroups(f io.Reader, name string) ([][]string, error) {
	limited := &io.LimitedReader{R: f, N: maxGroups}
	text := bufio.NewReader(limited)
	head, err := text.Peek(512)
	switch {
	case err != nil && err != io.EOF:
		return nil, fmt.Errorf("%s: %w", name, err)
	case len(head) > 0 && !delimited.Sniff(head):
		return nil, &data.Error{File: name, Msg: "this is not text: each line must list variables, separated by commas"}
	}
	skipMark(text)
	r := csv.NewReader(text)
	r.FieldsPerRecord = -1
	r.TrimLeadingSpace = true
	var groups [][]string
	for {
		names, err := r.Read()
		switch {
		case limited.N == 0:
			return nil, &data.Error{File: name, Msg: fmt.Sprintf("the file is larger than %s: each line must list variables, separated by commas", open.Size(maxGroups))}
		case errors.Is(err, io.EOF) && groups == nil:
			return nil, &data.Error{File: name, Msg: "it has no group: each line must list variables, separated by commas"}
		case errors.Is(err, io.EOF):
			return groups, nil
		case errors.As(err, new(*csv.ParseError)):
			return nil, &data.Error{File: name, Msg: "each line must list variables, separated by commas", Err: err}
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for i := range names {
			names[i] = strings.TrimSpace(names[i])
		}
		groups = append(groups, names)
	}
}

// skipMark skips a byte-order mark.
func skipMark(text *bufio.Reader) {
	if mark, _, err := text.ReadRune(); err == nil && mark != '\ufeff' {
		text.UnreadRune() // which cannot fail right after a read
	}
}
