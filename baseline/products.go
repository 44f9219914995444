package baseline

import (
	"context"

	"fsa/data"
)

// together is how many vectors are multiplied with all others at once: they
// stay in the cache while the others pass by.
const together = 8

// products extends a symmetric matrix of products of the listed vectors to all
// of them. Fill makes the left side of the products of a listed vector, which
// may be weighted or centred; the right side is the vector as it is. A product
// is summed by one thread, so the numbers do not depend on how many there are.
func products(ctx context.Context, threads int, gram [][]float64, v *data.Vectors, listed []int, fill func(dst []float64, at int)) ([][]float64, error) {
	old := len(gram)
	for at := range gram {
		gram[at] = append(gram[at], make([]float64, len(listed)-old)...)
	}
	buffer := make([][]float64, min(together, len(listed)-old))
	for b := range buffer {
		buffer[b] = make([]float64, v.Length)
	}
	for first := old; first < len(listed); first += together {
		batch := buffer[:min(together, len(listed)-first)]
		for b := range batch {
			fill(batch[b], first+b)
			gram = append(gram, make([]float64, len(listed)))
		}
		err := each(ctx, threads, len(gram), func(at int) {
			for b := max(at-first, 0); b < len(batch); b++ {
				gram[first+b][at] = v.Dot(listed[at], batch[b])
			}
		})
		if err != nil {
			return nil, err
		}
		for b := range batch {
			for at, g := range gram[first+b][:first+b] {
				gram[at][first+b] = g
			}
		}
	}
	return gram, nil
}
