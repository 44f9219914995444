package panel

import "encoding/binary"

// mend corrects the checksums of a file as far as they can be found, so that a fuzzer gets past
// them.
func mend(file []byte) {
	le := binary.LittleEndian
	if len(file) < headerBytes+trailerBytes {
		return
	}
	le.PutUint32(file[16:], checksum(file[:16]))
	last := file[len(file)-trailerBytes:]
	at, n := le.Uint64(last), le.Uint64(last[8:])
	if at > uint64(len(file)) || n > uint64(len(file))-at {
		return
	}
	b := file[at : at+n]
	foot, err := parseFooter(b, le.Uint32(file[12:]) == kindSparse, int64(at))
	if err == nil {
		tab := &Table{foot: foot}
		tab.chooseUnits()
		for g := range foot.groups {
			mendGroup(tab, file, b, g)
		}
	}
	le.PutUint32(last[16:], checksum(b))
	le.PutUint32(last[24:], checksum(last[:24]))
}

// mendGroup corrects the checksums of a group, also the one in the footer.
func mendGroup(t *Table, file, footer []byte, g int) {
	le := binary.LittleEndian
	info := &t.foot.groups[g]
	end := info.offset + t.foot.groupSize(g)
	checks := file[end-4*int64(t.foot.checks()) : end]
	var sizes []int
	if t.foot.sparse {
		sizes = []int{4 * info.rows, 4 * info.cells, info.valueSize() * info.cells}
	} else {
		for _, p := range t.places(g, all(t.foot.width)) {
			sizes = append(sizes, p.size*info.rows)
		}
	}
	for _, more := range []bool{t.foot.labels, t.foot.queries} {
		if more {
			sizes = append(sizes, 8*info.rows)
		}
	}
	at := int(info.offset)
	for i, n := range sizes {
		le.PutUint32(checks[4*i:], checksum(file[at:at+n]))
		at += n
	}
	le.PutUint32(footer[32+g*groupBytes+24:], checksum(checks))
}
