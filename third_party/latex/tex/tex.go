// Package tex stands for the boxes of LaTeX, of which there are none.
package tex

// Node is a box.
type Node interface {
	Width() float64
	Height() float64
	Depth() float64
}

// Tree is a box of boxes.
type Tree interface{ Node }

// Ship puts boxes on a canvas.
type Ship struct{}

// Call does nothing.
func (*Ship) Call(x, y float64, t Tree) {}
