package parquet

import (
	"errors"
	"fmt"
	"hash/crc32"

	"fsa/internal/format/columnar"

	"github.com/parquet-go/parquet-go/format"
)

const (
	// maxPageHeader limits the header of a page, which may have the smallest and the largest text of
	// it.
	maxPageHeader = 1 << 24
	firstRead     = 1 << 14 // bytes of a page that are read at once
)

// read fills dst with the next rows of the row group.
func (c *cursor) read(dst []float64, s *scratch) error {
	for len(dst) > 0 {
		if c.rows == 0 {
			if err := c.nextPage(s); err != nil {
				return err
			}
			continue
		}
		n := min(len(dst), c.rows, len(s.nulls))
		if err := c.fill(dst[:n], s.nulls[:n]); err != nil {
			return err
		}
		c.rows -= n
		dst = dst[n:]
	}
	if c.rows == 0 && c.chunk.rows == 0 {
		c.giveBack(s)
	}
	return nil
}

// nextPage reads a page: a dictionary, or values. It returns after any that took bytes.
func (c *cursor) nextPage(s *scratch) error {
	if c.chunk.rows == 0 || c.chunk.off >= c.chunk.end {
		return errors.New("its pages end before its rows do")
	}
	h, body, err := c.readPage(s)
	if err != nil {
		return err
	}
	size := int(h.UncompressedPageSize)
	if size < 0 || !columnar.Plausible(int64(size), int64(len(body))) {
		return fmt.Errorf("a page of %d bytes that claims to have been packed from %d", len(body), size)
	}
	switch h.Type {
	case format.DictionaryPage:
		return c.dictionaryPage(&h.DictionaryPageHeader.V, s, body, size)
	case format.DataPage:
		return c.dataPage(&h.DataPageHeader.V, s, body, size)
	case format.DataPageV2:
		return c.dataPageV2(&h.DataPageHeaderV2.V, s, body, size)
	}
	return nil // for example an index
}

// readPage reads the next page's header and its packed bytes.
func (c *cursor) readPage(s *scratch) (*format.PageHeader, []byte, error) {
	left := c.chunk.end - c.chunk.off
	h := new(format.PageHeader)
	head := 0
	for want := int64(firstRead); ; want *= 8 {
		b := resize(&s.first, int(min(want, left)))
		if err := columnar.ReadAt(c.src, b, c.chunk.off); err != nil {
			return nil, nil, err
		}
		var err error
		if head, err = unmarshal(b, h); err == nil {
			break
		}
		if err != errShort || want >= min(left, maxPageHeader) {
			return nil, nil, fmt.Errorf("the header of a page: %w", err)
		}
	}
	size := int64(h.CompressedPageSize)
	if size < 0 || size > left-int64(head) {
		return nil, nil, fmt.Errorf("a page that claims %d bytes where %d are left", size, left-int64(head))
	}
	body := resize(&s.packed, int(size))
	have := copy(body, s.first[head:])
	if err := columnar.ReadAt(c.src, body[have:], c.chunk.off+int64(head+have)); err != nil {
		return nil, nil, err
	}
	if h.CRC != 0 && crc32.ChecksumIEEE(body) != uint32(h.CRC) {
		return nil, nil, errors.New("the checksum of a page is wrong")
	}
	c.chunk.off += int64(head) + size
	return h, body, nil
}

func (c *cursor) dictionaryPage(h *format.DictionaryPageHeader, s *scratch, body []byte, size int) error {
	if h.Encoding != format.Plain && h.Encoding != oldDictionary || h.NumValues < 0 {
		return fmt.Errorf("a dictionary with encoding %v and %d values", h.Encoding, h.NumValues)
	}
	if err := c.hold(&c.dictRoom, c.dictionaryBytes(size, h.NumValues)); err != nil {
		return err
	}
	// A dictionary outlives its page, so it has its own copy.
	b := make([]byte, size)
	if err := s.unpack(c.chunk.codec, b, body); err != nil {
		return fmt.Errorf("unpacking a dictionary: %w", err)
	}
	var err error
	if c.dict, err = newDictionary(c, b, int(h.NumValues)); err != nil {
		return fmt.Errorf("a dictionary: %w", err)
	}
	return nil
}

// dataPage opens a page in the first format, where the nulls are compressed together with the
// values.
func (c *cursor) dataPage(h *format.DataPageHeader, s *scratch, body []byte, size int) error {
	if err := c.admit(h.NumValues, size); err != nil {
		return err
	}
	b := c.pageOf(s, size)
	if err := s.unpack(c.chunk.codec, b, body); err != nil {
		return fmt.Errorf("unpacking a page: %w", err)
	}
	if c.optional {
		if h.DefinitionLevelEncoding != format.RLE {
			return fmt.Errorf("nulls in the encoding %v, which is obsolete", h.DefinitionLevelEncoding)
		}
		levels, err := (&plainArrays{b}).next() // preceded by their length
		if err != nil {
			return err
		}
		c.levels = hybrid{src: levels, width: 1}
		b = b[4+len(levels):]
	}
	return c.openPage(h.Encoding, b, h.NumValues)
}

// dataPageV2 opens a page in the second format, where the nulls come first and are not compressed.
func (c *cursor) dataPageV2(h *format.DataPageHeaderV2, s *scratch, body []byte, size int) error {
	repetitions, levels := int(h.RepetitionLevelsByteLength), int(h.DefinitionLevelsByteLength)
	if repetitions < 0 || levels < 0 || repetitions > len(body) || levels > len(body)-repetitions || repetitions+levels > size {
		return errShort
	}
	if err := c.admit(h.NumValues, size); err != nil {
		return err
	}
	codec := c.chunk.codec
	if h.IsCompressed.Valid && !h.IsCompressed.V {
		codec = format.Uncompressed
	}
	b := c.pageOf(s, size-repetitions)
	copy(b, body[repetitions:][:levels])
	if err := s.unpack(codec, b[levels:], body[repetitions+levels:]); err != nil {
		return fmt.Errorf("unpacking a page: %w", err)
	}
	c.levels = hybrid{src: b[:levels], width: 1}
	return c.openPage(h.Encoding, b[levels:], h.NumValues)
}

func (c *cursor) openPage(encoding format.Encoding, b []byte, n int32) (err error) {
	c.rows = int(n)
	c.chunk.rows -= int64(n)
	if c.values, err = c.open(encoding, b, int(n)); err != nil {
		err = fmt.Errorf("a page: %w", err)
	}
	return err
}
