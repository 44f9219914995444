package keypoint

import (
	"maps"

	"fsa/app/keypoint/faces"
)

// standIn is printed with every result on these photographs.
const standIn = "HELEN + AFW photographs (iBUG annotations) instead of the paper's AFLW, which was not available"

// standInFaces is the number of faces in each set of these photographs.
var standInFaces = map[string]int{faces.Train: 870, faces.HelenTest: 330, faces.AFW: 337}

// Describe describes the photographs of a folder: its name and, if they replace those of the paper,
// a note.
func Describe(f *faces.Folder) string {
	count := map[string]int{}
	for i := range f.Photos {
		count[f.Photos[i].Set] += len(f.Photos[i].Faces)
	}
	if !maps.Equal(count, standInFaces) {
		return f.Dir
	}
	return f.Dir + ": " + standIn
}
