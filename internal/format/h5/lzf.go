package h5

import "errors"

var errLZF = errors.New("its LZF data is wrong")

// mostRatio is more than the ratio by which deflate and LZF can compress.
const mostRatio = 1100

// expand decompresses at most most bytes of LZF: a control byte below 32 is followed by that many bytes and one more;
// others copy 3 to 264 bytes from up to 8192 bytes before.
func expand(b []byte, most int64) ([]byte, error) {
	to := make([]byte, 0, min(most, mostRatio*int64(len(b))))
	for len(b) > 0 {
		control := int(b[0])
		b = b[1:]
		if control < 32 {
			if control >= len(b) {
				return nil, errLZF
			}
			to, b = append(to, b[:control+1]...), b[control+1:]
		} else {
			n := control >> 5
			if n == 7 {
				if len(b) == 0 {
					return nil, errLZF
				}
				n += int(b[0])
				b = b[1:]
			}
			if len(b) == 0 {
				return nil, errLZF
			}
			from := len(to) - 1 - (control&31)<<8 - int(b[0])
			b = b[1:]
			if from < 0 {
				return nil, errLZF
			}
			for i := range n + 2 { // the copy may overlap itself
				to = append(to, to[from+i])
			}
		}
		if int64(len(to)) > most {
			return nil, errLZF
		}
	}
	return to, nil
}
