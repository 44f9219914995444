// Tables of which the nonzero cells are stored, twice: by row for the margins, and by batch and column for
// the products, so that each sum has one owner and an order.

struct Sparse {
	Pass p;
	const i64 *start; // of the cells of each row, and the end of the last
	const int *index; // column of each
	const float *value;
	const i64 *from; // of the cells of each segment, which is a column of a batch
	const int *column;
	const int *row; // of each cell, counted from the first of its batch
	const float *cell;
	i64 segment, segments; // the first of the batch, and how many it has
};

// margins has a warp for each row and output.
extern "C" __global__ void __launch_bounds__(256) margins(const __grid_constant__ Sparse s)
{
	const Pass &p = s.p;
	const int lane = threadIdx.x & 31, output = blockIdx.y;
	const i64 i = (i64)blockIdx.x * 8 + (threadIdx.x >> 5);
	if (i >= p.rows) return;
	const float *b = p.b + output * p.width;
	const i64 end = s.start[p.first + i + 1];
	float a = 0;
	for (i64 c = s.start[p.first + i] + lane; c < end; c += 32) a = fmaf(s.value[c], b[s.index[c]], a);
	for (int o = 16; o; o >>= 1) a += __shfl_xor_sync(~0u, a, o);
	if (lane == 0) p.z[output * p.rows + i] = a;
}

// products has 8 lanes for each segment and output.
extern "C" __global__ void __launch_bounds__(256) products(const __grid_constant__ Sparse s)
{
	const Pass &p = s.p;
	const int lane = threadIdx.x & 7, output = blockIdx.y;
	const i64 k = (i64)blockIdx.x * 32 + (threadIdx.x >> 3);
	const bool in = k < s.segments;
	const float *r = p.r + output * p.rows;
	float a = 0;
	if (in) {
		const i64 end = s.from[s.segment + k + 1];
		for (i64 c = s.from[s.segment + k] + lane; c < end; c += 8) a = fmaf(s.cell[c], r[s.row[c]], a);
	}
	for (int o = 4; o; o >>= 1) a += __shfl_xor_sync(~0u, a, o);
	if (in && lane == 0) p.g[output * p.width + s.column[s.segment + k]] = a;
}
