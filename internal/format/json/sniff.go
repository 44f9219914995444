package json

import "bytes"

// Sniff reports whether a text begins like an object or a list of objects.
func Sniff(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	text, inside := bytes.CutPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("["))
	if inside {
		text = bytes.TrimLeft(text, " \t\r\n")
	}
	text, object := bytes.CutPrefix(text, []byte("{"))
	text = bytes.TrimLeft(text, " \t\r\n")
	if !object || len(text) == 0 || text[0] != '"' {
		return false
	}
	end := bytes.IndexByte(text[1:], '"')
	return end >= 0 && bytes.HasPrefix(bytes.TrimLeft(text[end+2:], " \t\r\n"), []byte(":"))
}
