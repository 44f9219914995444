package parquet

import (
	"encoding/binary"
	"math"
)

// hybrid decodes small numbers of a given width in bits, as runs of one number and as runs of
// packed ones: Parquet's RLE / bit-packing hybrid. It holds null flags and dictionary indices.
type hybrid struct {
	src   []byte // the bytes after the current run
	width uint
	left  int // numbers left in the current run

	packed []byte // the current run if it is packed; otherwise nil
	bit    int    // the next bit of it
	value  uint32 // the number of an unpacked run
}

// next fills dst with the next numbers.
func (h *hybrid) next(dst []uint32) error {
	for len(dst) > 0 {
		if h.left == 0 {
			if err := h.run(); err != nil {
				return err
			}
		}
		n := min(len(dst), h.left)
		if h.packed == nil {
			for i := range n {
				dst[i] = h.value
			}
		} else {
			h.unpack(dst[:n])
		}
		h.left -= n
		dst = dst[n:]
	}
	return nil
}

// repeats skips the next n numbers if all are known to equal v; otherwise it does nothing.
func (h *hybrid) repeats(v uint32, n int) bool {
	if h.packed != nil || h.left < n || h.value != v {
		return false
	}
	h.left -= n
	return true
}

// unpack fills dst from a packed run.
func (h *hybrid) unpack(dst []uint32) {
	bit, mask := h.bit, uint64(1)<<h.width-1
	h.bit += len(dst) * int(h.width)
	for i := range dst {
		if bit/8+8 > len(h.packed) { // near its end
			dst[i] = uint32(bitsAt(h.packed, bit, h.width))
		} else {
			dst[i] = uint32(binary.LittleEndian.Uint64(h.packed[bit/8:]) >> (bit % 8) & mask)
		}
		bit += int(h.width)
	}
}

// run begins the next run.
func (h *hybrid) run() error {
	head, n := binary.Uvarint(h.src)
	if n <= 0 {
		return errShort
	}
	h.src = h.src[n:]
	count := int(min(head>>1, math.MaxInt32))
	if head&1 == 0 || h.width == 0 {
		bytes := int(h.width+7) / 8
		if bytes > len(h.src) {
			return errShort
		}
		h.packed, h.value, h.left = nil, uint32(bitsAt(h.src, 0, h.width)), count
		if head&1 == 1 {
			h.left = 8 * count
		}
		h.src = h.src[bytes:]
		return nil
	}
	// Groups of eight numbers. Some writers leave out the end of the last.
	bytes := min(count*int(h.width), len(h.src))
	h.packed, h.bit, h.left = h.src[:bytes], 0, min(8*count, 8*bytes/int(h.width))
	h.src = h.src[bytes:]
	return nil
}

// bitsAt returns the number of the given width, at most 64, whose lowest bit
// is bit at of b. All its bits must lie in b.
func bitsAt(b []byte, at int, width uint) uint64 {
	p, shift := at/8, uint(at%8)
	v := wordAt(b, p) >> shift
	if shift+width > 64 {
		v |= wordAt(b, p+8) << (64 - shift)
	}
	return v & (1<<width - 1)
}

// wordAt returns the eight bytes at p, with zeros after the end of b.
func wordAt(b []byte, p int) uint64 {
	if p+8 <= len(b) {
		return binary.LittleEndian.Uint64(b[p:])
	}
	var word [8]byte
	copy(word[:], b[min(p, len(b)):])
	return binary.LittleEndian.Uint64(word[:])
}

// appendRun encodes a number that is repeated n times.
func appendRun(b []byte, n int, number uint32, width uint) []byte {
	b = binary.AppendUvarint(b, uint64(n)<<1)
	for shift := uint(0); shift < width; shift += 8 {
		b = append(b, byte(number>>shift))
	}
	return b
}

// appendPacked encodes numbers of the given width one after the other.
func appendPacked(b []byte, numbers []uint32, width uint) []byte {
	groups := (len(numbers) + 7) / 8
	b = binary.AppendUvarint(b, uint64(groups)<<1|1)
	end := len(b) + groups*int(width)
	var word uint64
	var filled uint
	for _, v := range numbers {
		word |= uint64(v) << filled
		for filled += width; filled >= 8; filled -= 8 {
			b = append(b, byte(word))
			word >>= 8
		}
	}
	if filled > 0 {
		b = append(b, byte(word))
	}
	return append(b, make([]byte, end-len(b))...)
}
