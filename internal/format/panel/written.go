package panel

import (
	"hash/crc32"

	"fsa/data"
)

// written describes the rows written so far, in case they must be skipped.
type written struct {
	ended func() error // nil if nobody will continue
	rows  int          // so far
	sum   uint32       // checksum of these rows
	skip  int          // rows that are already in the file and have not been delivered again
	want  uint32       // expected checksum of these rows
	table uint32       // checksum of everything that the file depends on besides rows
}

// note adds n rows of a block to the checksum, from row first on.
func (w *written) note(b *data.Block, first, n, width int) {
	if w.ended == nil && w.skip == 0 {
		return
	}
	w.rows += n
	update := func(part []byte) { w.sum = crc32.Update(w.sum, castagnoli, part) }
	for i := first; i < first+n; i++ {
		if b.Start == nil {
			update(bytesOf(b.Dense[i*width : (i+1)*width]))
		} else {
			update(bytesOf(b.Index[b.Start[i]:b.Start[i+1]]))
			update(bytesOf(b.Value[b.Start[i]:b.Start[i+1]]))
		}
		if b.Label != nil {
			update(bytesOf(b.Label[i : i+1]))
		}
		if b.Query != nil {
			update(bytesOf(b.Query[i : i+1]))
		}
	}
}
