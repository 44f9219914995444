package challenge

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"fsa/data"
)

// maxWidth is the largest number of columns.
const maxWidth = min(1<<31, math.MaxInt)

// ParseParam parses the file that describes a table of the challenge, of which two lines count:
// "Data type: non-sparse", "sparse-integer" or "sparse-binary", and "Number of features: N".
func ParseParam(r io.Reader, name string) (Options, error) {
	var o Options
	scanner := bufio.NewScanner(r)
	for line := 1; scanner.Scan() && scanner.Err() == nil; line++ { // after an error it may be truncated
		key, value, _ := strings.Cut(scanner.Text(), ":")
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "data type":
			switch strings.ToLower(value) {
			case "non-sparse":
				o.Kind = Dense
			case "sparse-integer":
				o.Kind = Sparse
			case "sparse-binary":
				o.Kind = Binary
			default:
				return Options{}, &data.Error{File: name, Line: line,
					Msg: fmt.Sprintf("the data type is %q: it must be non-sparse, sparse-integer or sparse-binary", value)}
			}
		case "number of features":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 || n > maxWidth {
				return Options{}, &data.Error{File: name, Line: line,
					Msg: fmt.Sprintf("the number of features is %q: it must be a whole number from 1 to %d", value, maxWidth)}
			}
			o.Width = n
		}
	}
	if err := scanner.Err(); err != nil && !errors.Is(err, bufio.ErrTooLong) {
		return Options{}, fmt.Errorf("%s: %w", name, err)
	}
	if o.Kind == Auto || o.Width == 0 {
		return Options{}, &data.Error{File: name, Msg: `the lines "Data type: ..." and "Number of features: ..." should both be there`}
	}
	return o, nil
}
