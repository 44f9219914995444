// Package keypoint finds keypoints of faces on photographs, as in section 3.3 of the paper: eye
// centres, sides of the nose, corners of the mouth and the chin.
//
// A detector scores the window of 24×24 pixels around every position at every scale of a photograph
// by a few hundred of some 62,000 image features, each with its own response curve. [Train] trains
// a detector on annotated photographs: it starts with random positions as negatives, and then
// repeatedly scans all photographs and adds the positions that look most like the keypoint.
// [Detector.Detect] finds the keypoint on a photograph, and [Evaluate] measures how well. [Compare]
// does all of this for several methods and all keypoints.
//
// Features and bytes are in package pool, the dense scan in package scan, faces and their
// annotations in package faces, and the 3-D face in package shape.
package keypoint
