// Package liberationserifitalic stands for a font that no picture uses.
package liberationserifitalic

import "codeberg.org/go-fonts/liberation/liberationsansregular"

// TTF is the font LiberationSans Regular.
var TTF = liberationsansregular.TTF
