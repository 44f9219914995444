package matrix

// NewDenseChunks returns a matrix of the given rows in chunks of perChunk rows,
// so that a small matrix has what otherwise only a large one has.
func NewDenseChunks(rows [][]float64, perChunk int) *Dense {
	d := GrowDense(len(rows[0]))
	d.perChunk = perChunk
	for _, row := range rows {
		to := d.grow()
		for j, v := range row {
			to[j] = float32(v)
		}
	}
	return d
}

// ChunkCells and ChunkRows are the sizes of chunks of dense and sparse cells.
const (
	ChunkCells = chunkCells
	ChunkRows  = csrRows
)
