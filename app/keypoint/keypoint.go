// Package keypoint finds keypoints of faces on photographs, as in section 3.3 of
// the paper: eye centres, sides of the nose, corners of the mouth and the chin.
//
// A detector scores the window of 24×24 pixels around every place of every scale
// of a photograph by a few hundred of some 62,000 image features, each with a
// response curve of its own. [Train] learns one for a keypoint from annotated
// photographs: it starts with random places that are not the keypoint, and then
// repeatedly scans all photographs and adds the places that look most like it to
// what is learned from. [Detector.Detect] finds the keypoint on a photograph, and
// [Evaluate] says how well. [Compare] does all of this for several methods of
// learning and all keypoints.
//
// Features and bytes are in package pool, the dense scan in package scan, faces
// and their annotations in package faces, and the 3-D face in package shape.
package keypoint
