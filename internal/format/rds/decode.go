package rds

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"fsa/data"
)

// decoder reads R's serialization format, https://cran.r-project.org/doc/manuals/r-release/R-ints.html#Serialization-Formats.
// What a file declares about its size is not believed: memory is taken as the contents arrive.
type decoder struct {
	r       *bufio.Reader
	name    string
	most    int64    // bytes of memory; 0 means any number
	used    int64    // bytes of memory so far
	depth   int      // of the current item
	symbols []string // those that later items may refer to; "" for environments and the like
	stop    func() error
	text    []byte // last text
	buffer  [1 << 13]byte
}

// The types of items, by R's names.
const (
	symbolItem      = 1
	pairsItem       = 2
	closureItem     = 3
	environmentItem = 4
	promiseItem     = 5
	callItem        = 6
	specialItem     = 7
	builtinItem     = 8
	charItem        = 9
	logicalItem     = 10
	integerItem     = 13
	realItem        = 14
	complexItem     = 15
	stringItem      = 16
	dotsItem        = 17
	listItem        = 19
	expressionItem  = 20
	pointerItem     = 22
	weakItem        = 23
	rawItem         = 24
	objectItem      = 25 // S4
	compactItem     = 238
	attributedPairs = 239
	attributedCall  = 240
	baseItem        = 241
	emptyItem       = 242
	namespaceItem   = 247
	packageItem     = 248
	persistentItem  = 249
	baseSpaceItem   = 250
	missingItem     = 251
	unboundItem     = 252
	globalItem      = 253
	nilItem         = 254
	referenceItem   = 255
)

// Bits of the flags of an item.
const (
	hasAttributes = 1 << 9
	hasTag        = 1 << 10
	latin1        = 1 << (12 + 2)
)

// mostDepth is the maximal depth of nested items.
const mostDepth = 200

// TooLarge is the error if the contents take more memory than [Options] allow.
type TooLarge struct{ Need int64 }

func (e *TooLarge) Error() string {
	return fmt.Sprintf("the contents take more than %d bytes", e.Need)
}

// file reads the header and the object, or a list of objects of save.
func (d *decoder) file() (*value, error) {
	start, err := d.r.Peek(len(saved))
	if err == nil && string(start) == saved {
		_, err = d.r.Discard(len(saved) + 2)
	}
	var head [14]byte
	if err == nil {
		_, err = io.ReadFull(d.r, head[:])
	}
	if err != nil {
		return nil, d.failed(err)
	}
	if head[0] != alone[0] {
		return nil, &data.Error{File: d.name, Msg: "this is not a binary file of R, or it is written as text: in R, save the table with saveRDS(TABLE, FILE)"}
	}
	switch version := binary.BigEndian.Uint32(head[2:]); version {
	case 2:
	case 3:
		size, err := d.int()
		if err != nil {
			return nil, err
		}
		if size < 0 || size > 64 {
			return nil, d.damaged("the name of its encoding claims %d bytes", size)
		}
		if _, err := d.r.Discard(size); err != nil {
			return nil, d.failed(err)
		}
	default:
		return nil, d.damaged("version %d of the format is not known", version)
	}
	return d.item()
}

// damaged returns an error about the file.
func (d *decoder) damaged(format string, a ...any) error {
	return &data.Error{File: d.name, Msg: "the file of R is damaged: " + fmt.Sprintf(format, a...)}
}

// failed returns the error of reading.
func (d *decoder) failed(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return d.damaged("it ends too early")
	}
	return fmt.Errorf("%s: %w", d.name, err)
}

// take accounts for memory, and ends reading if it was interrupted.
func (d *decoder) take(bytes int64) error {
	if d.used += bytes; d.most > 0 && d.used > d.most {
		return &TooLarge{d.used}
	}
	if d.stop != nil {
		return d.stop()
	}
	return nil
}

func (d *decoder) int() (int, error) {
	var b [4]byte
	if _, err := io.ReadFull(d.r, b[:]); err != nil {
		return 0, d.failed(err)
	}
	return int(int32(binary.BigEndian.Uint32(b[:]))), nil
}

// length reads the length of a vector.
func (d *decoder) length() (int, error) {
	n, err := d.int()
	if err != nil || n >= 0 {
		return n, err
	}
	if n != -1 {
		return 0, d.damaged("a vector has length %d", n)
	}
	high, err := d.int()
	if err != nil {
		return 0, err
	}
	low, err := d.int()
	if err != nil {
		return 0, err
	}
	if high < 0 || high > 1<<15 {
		return 0, d.damaged("a vector claims more than 2⁴⁷ elements")
	}
	return high<<32 | int(uint32(low)), nil
}

// each reads n elements of the given size in bytes, in pieces, and adds them; memory is what an
// element takes.
func (d *decoder) each(n, size, memory int, add func(b []byte)) error {
	for n > 0 {
		m := min(n, len(d.buffer)/size)
		piece := d.buffer[:m*size]
		if _, err := io.ReadFull(d.r, piece); err != nil {
			return d.failed(err)
		}
		if err := d.take(int64(m * memory)); err != nil {
			return err
		}
		for len(piece) > 0 {
			add(piece[:size])
			piece = piece[size:]
		}
		n -= m
	}
	return nil
}

// perItem is the memory of an item besides its elements.
const perItem = 160

// item reads an item.
func (d *decoder) item() (*value, error) {
	if d.depth++; d.depth > mostDepth {
		return nil, d.damaged("its items are nested more than %d times", mostDepth)
	}
	defer func() { d.depth-- }()
	if err := d.take(perItem); err != nil {
		return nil, err
	}
	flags, err := d.int()
	if err != nil {
		return nil, err
	}
	return d.body(flags)
}

// body reads an item after its flags.
func (d *decoder) body(flags int) (*value, error) {
	v := &value{kind: flags & 0xff}
	switch v.kind {
	case nilItem, emptyItem, baseItem, globalItem, unboundItem, missingItem, baseSpaceItem:
		return v, nil
	case symbolItem:
		name, err := d.item()
		if err != nil {
			return nil, err
		}
		v.name = name.name
		d.symbols = append(d.symbols, v.name)
		return v, nil
	case referenceItem:
		return d.reference(v, int(uint32(flags)>>8))
	case namespaceItem, packageItem, persistentItem:
		if _, err := d.int(); err != nil {
			return nil, err
		}
		n, err := d.length()
		if err != nil {
			return nil, err
		}
		d.symbols = append(d.symbols, "")
		return v, d.skip(n)
	case environmentItem:
		d.symbols = append(d.symbols, "")
		if _, err := d.int(); err != nil {
			return nil, err
		}
		return v, d.skip(4)
	case pairsItem, callItem, closureItem, promiseItem, dotsItem, attributedPairs, attributedCall:
		return v, d.pairs(v, flags)
	case compactItem:
		return d.compact()
	case charItem:
		err := d.char(flags)
		v.name = string(d.text)
		return v, err
	}
	if err := d.vector(v); err != nil {
		return nil, err
	}
	if flags&hasAttributes != 0 {
		all, err := d.item()
		if err != nil {
			return nil, err
		}
		v.attributes = all.pairs
	}
	return v, nil
}

// skip reads items that are of no use.
func (d *decoder) skip(n int) error {
	for range n {
		if _, err := d.item(); err != nil {
			return err
		}
	}
	return nil
}

// reference returns the symbol that an item refers to.
func (d *decoder) reference(v *value, index int) (*value, error) {
	if index == 0 {
		var err error
		if index, err = d.int(); err != nil {
			return nil, err
		}
	}
	if index < 1 || index > len(d.symbols) {
		return nil, d.damaged("it refers to symbol %d of %d", index, len(d.symbols))
	}
	v.kind, v.name = symbolItem, d.symbols[index-1]
	return v, nil
}

// pairs reads a linked list of values, which may have names. What ends it is its last value, unless
// it is nil.
func (d *decoder) pairs(v *value, flags int) error {
	for {
		kind := flags & 0xff
		if flags&hasAttributes != 0 || kind == attributedPairs || kind == attributedCall {
			if err := d.skip(1); err != nil {
				return err
			}
		}
		var one attribute
		if flags&hasTag != 0 {
			tag, err := d.item()
			if err != nil {
				return err
			}
			one.name = tag.name
		}
		var err error
		if one.value, err = d.item(); err != nil {
			return err
		}
		v.pairs = append(v.pairs, one)
		if flags, err = d.int(); err != nil {
			return err
		}
		switch flags & 0xff {
		case pairsItem, callItem, closureItem, promiseItem, dotsItem, attributedPairs, attributedCall:
			continue
		case nilItem:
			return nil
		}
		last, err := d.body(flags)
		v.pairs = append(v.pairs, attribute{value: last})
		return err
	}
}

// char reads a text into d.text, which is nil if it is missing.
func (d *decoder) char(flags int) error {
	n, err := d.int()
	if err != nil {
		return err
	}
	if n < -1 {
		return d.damaged("a text has length %d", n)
	}
	if d.text = d.text[:0]; n == -1 {
		d.text = nil
		return nil
	}
	before := d.used
	err = d.each(n, 1, 1, func(b []byte) {
		if flags&latin1 != 0 {
			d.text = utf8.AppendRune(d.text, rune(b[0]))
		} else {
			d.text = append(d.text, b[0])
		}
	})
	if d.text == nil {
		d.text = []byte{}
	}
	d.used = before
	return err
}

// vector reads the elements of a vector.
func (d *decoder) vector(v *value) error {
	switch v.kind {
	case objectItem:
		return nil
	case pointerItem:
		d.symbols = append(d.symbols, "")
		return d.skip(2)
	case weakItem:
		d.symbols = append(d.symbols, "")
		return nil
	case logicalItem, integerItem, realItem, complexItem, stringItem, listItem, expressionItem, rawItem, specialItem, builtinItem:
	default:
		return d.damaged("it has an item of type %d, such as a compiled function: in R, save the table alone with saveRDS(as.data.frame(x), FILE)", v.kind)
	}
	n, err := d.length()
	if err != nil {
		return err
	}
	switch v.kind {
	case logicalItem, integerItem:
		return d.each(n, 4, 4, func(b []byte) { v.ints = append(v.ints, int32(binary.BigEndian.Uint32(b))) })
	case realItem:
		return d.each(n, 8, 8, func(b []byte) {
			v.reals = append(v.reals, math.Float64frombits(binary.BigEndian.Uint64(b)))
		})
	case complexItem:
		return d.each(n, 16, 0, func([]byte) {})
	case rawItem, specialItem, builtinItem:
		return d.each(n, 1, 0, func([]byte) {})
	case stringItem:
		return d.strings(v, n)
	}
	for range n {
		one, err := d.item()
		if err != nil {
			return err
		}
		v.list = append(v.list, one)
	}
	return nil
}

// strings reads texts: the different ones, and for each element its number among them.
func (d *decoder) strings(v *value, n int) error {
	const perCode, perWord = 4, 64
	numbers := map[string]int32{}
	for range n {
		flags, err := d.int()
		if err != nil {
			return err
		}
		if flags&0xff != charItem {
			return d.damaged("a text has type %d", flags&0xff)
		}
		if err := d.char(flags); err != nil {
			return err
		}
		code, known := numbers[string(d.text)]
		memory := int64(perCode)
		switch {
		case d.text == nil:
			code = na
		case !known:
			code = int32(len(v.words))
			numbers[string(d.text)] = code
			v.words = append(v.words, string(d.text))
			memory += perWord + 2*int64(len(d.text))
		}
		v.ints = append(v.ints, code)
		if err := d.take(memory); err != nil {
			return err
		}
	}
	return nil
}

// compact reads an item that R stores in a form of its own: a sequence by its first element and its
// step, numbers that are to be written as texts, or another item with marks.
func (d *decoder) compact() (*value, error) {
	var parts [3]*value // class, state and attributes
	for i := range parts {
		var err error
		if parts[i], err = d.item(); err != nil {
			return nil, err
		}
	}
	class := ""
	if len(parts[0].pairs) > 0 {
		class = parts[0].pairs[0].value.name
	}
	state := parts[1]
	var v *value
	switch {
	case class == "compact_intseq" && len(state.reals) == 3 || class == "compact_realseq" && len(state.reals) == 3:
		n, first, step := state.reals[0], state.reals[1], state.reals[2]
		if !(n >= 0 && n < 1<<31) {
			return nil, d.damaged("a sequence has length %v", n)
		}
		if err := d.take(8 * int64(n)); err != nil {
			return nil, err
		}
		v = &value{kind: realItem, reals: make([]float64, int(n))}
		for i := range v.reals {
			v.reals[i] = first + step*float64(i)
		}
	case class == "deferred_string" && len(state.pairs) > 0:
		var err error
		if v, err = d.written(state.pairs[0].value); err != nil {
			return nil, err
		}
	case strings.HasPrefix(class, "wrap_") && len(state.list) > 0:
		v = state.list[0]
	default:
		return nil, d.damaged("it has a vector of the class %q: in R, save the table with saveRDS(as.data.frame(x), FILE)", class)
	}
	v.attributes = append(v.attributes, parts[2].pairs...)
	return v, nil
}

// written returns numbers as texts.
func (d *decoder) written(v *value) (*value, error) {
	texts := &value{kind: stringItem}
	n := max(len(v.ints), len(v.reals))
	for i := range n {
		texts.ints = append(texts.ints, int32(i))
		var word []byte
		switch {
		case v.ints != nil && v.ints[i] == na || v.ints == nil && math.IsNaN(v.reals[i]):
			texts.ints[i] = na
		case v.ints != nil:
			word = strconv.AppendInt(nil, int64(v.ints[i]), 10)
		default:
			word = strconv.AppendFloat(nil, v.reals[i], 'g', 15, 64)
		}
		texts.words = append(texts.words, string(word))
	}
	return texts, d.take(64 * int64(n))
}
