package lines

// Numbers records the lines of rows, in order. It makes a list only once a row is not on the line
// after the previous one, so it costs almost nothing if each line is a row.
type Numbers struct {
	First int   // line of the first row
	List  []int // lines of all rows; nil if they are consecutive
	count int
}

// Add notes the line of the next row.
func (n *Numbers) Add(line int) {
	if n.List != nil || line != n.First+n.count {
		n.add(line)
	}
	n.count++
}

func (n *Numbers) add(line int) {
	if n.count == 0 {
		n.First = line
		return
	}
	if n.List == nil {
		for i := range n.count {
			n.List = append(n.List, n.First+i)
		}
	}
	n.List = append(n.List, line)
}
