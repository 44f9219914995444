module codeberg.org/go-latex/latex

go 1.25.0

require golang.org/x/image v0.47.0
