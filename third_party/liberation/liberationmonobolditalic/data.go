// Package liberationmonobolditalic stands for a font that no picture uses.
package liberationmonobolditalic

import "codeberg.org/go-fonts/liberation/liberationsansregular"

// TTF is the font LiberationSans Regular.
var TTF = liberationsansregular.TTF
