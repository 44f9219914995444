// Package parquet reads and writes tables in Apache Parquet files.
//
// A column is numbers, booleans, points in time or text. Text becomes the index in the column's
// list of different texts; dates and timestamps are years and times of day are hours, as in other
// formats; decimals are divided by their scale. A null is a missing value. Columns of lists, maps
// or structures are refused by name, as are types that are not numbers; [Options] can leave them
// out.
//
// The structure of the file is read and written with the packages format and thrift of parquet-go.
// Its pages are decoded here, for two reasons. Its own readers stop at 65,534 columns, and tables
// from which variables are selected have more. And its decoders trust the lengths that a file
// claims: a run of two billion equal values takes six bytes in a file and eight gigabytes in
// memory. Here a page is decoded only as far as rows are requested, so a table of any length takes
// the memory of one page of each column, uncompressed but still encoded.
package parquet

import (
	"bytes"

	"fsa/internal/format/columnar"
)

const magic = "PAR1"

// Options says what to read of a file.
type Options = columnar.Options

// Sniff reports whether a file that begins with head is a Parquet file.
func Sniff(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }
