// Package parquet reads and writes tables in Apache Parquet files.
//
// A column is numbers, truth values, points in time or text. Text becomes the
// position in the column's list of different texts; dates count days,
// timestamps and times of day count seconds, both from 1970 or midnight;
// decimals are divided by their scale. A null is a missing value. Columns that
// hold lists, maps or structures are refused by name, as are types that are no
// numbers; [Options] can leave them out.
//
// The structure of the file is read and written with the packages format and
// thrift of parquet-go. Its pages are decoded here, for two reasons. Its own
// readers stop at 65,534 columns, and tables from which variables are to be
// selected have more. And its decoders trust the lengths that a file claims:
// a run of two thousand million equal values takes six bytes in a file and
// eight gigabytes in memory. Here a page is decoded as far as rows are asked
// for, so that a table of any length takes the memory of one page of each
// column, uncompressed but still encoded.
package parquet

import "bytes"

const (
	magic      = "PAR1"
	blockCells = 1 << 17 // of a block handed out: 1 MiB of float64
)

// Options says what to read of a file.
type Options struct {
	// Columns holds the names of the columns to read, in the order in which
	// they are wanted. Nil means all. Others are not touched.
	Columns []string
	// Skip holds the names of columns, or their numbers counted from 0, that
	// keep their place but are not read: all their cells are missing. They
	// may be of any kind. Those that the file lacks are no error.
	Skip []string
	// Only holds those that are read, where Skip holds the others; nil means all.
	Only []string
	// Memory is how many bytes the pages that are open may take, one of each column; 0
	// means any number.
	Memory int64
}

// Sniff reports whether a file that begins with head is a Parquet file.
func Sniff(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }
