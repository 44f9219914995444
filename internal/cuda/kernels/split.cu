// Rows that are too wide for a cluster, several outputs, and devices without clusters: two kernels, of which the second finds
// the rows in the cache.

// margins finds parts of z: a block for each row, output and strip of the columns.
extern "C" __global__ void __launch_bounds__(256) margins(const __grid_constant__ Pass p)
{
	const int output = blockIdx.y, strip = blockIdx.z, quads = p.stride / 4;
	const int lo = (i64)quads * strip / p.strips, hi = (i64)quads * (strip + 1) / p.strips;
	const Quad *x = (const Quad *)p.x + rowOf(p, blockIdx.x) * quads;
	const float4 *b = (const float4 *)(p.b + output * p.width);
	float a = 0;
#pragma unroll 4
	for (int q = lo + threadIdx.x; q < hi; q += 256) a = dot4(a, x[q], b[q]);
	for (int o = 16; o; o >>= 1) a += __shfl_xor_sync(~0u, a, o);
	__shared__ float sums[8];
	if ((threadIdx.x & 31) == 0) sums[threadIdx.x >> 5] = a;
	__syncthreads();
	if (threadIdx.x == 0) {
		float z = 0;
		for (int i = 0; i < 8; i++) z += sums[i];
		p.z[((i64)strip * p.outputs + output) * p.rows + blockIdx.x] = z;
	}
}

// products adds up Xᵀr: a thread for each quad, a slab of the rows and an output.
extern "C" __global__ void __launch_bounds__(128) products(const __grid_constant__ Pass p)
{
	const int q = blockIdx.x * 128 + threadIdx.x, slab = blockIdx.y, output = blockIdx.z, quads = p.stride / 4;
	if (q >= quads) return;
	const i64 lo = p.rows * slab / p.slabs, hi = p.rows * (slab + 1) / p.slabs;
	float4 *to = (float4 *)(p.g + ((i64)slab * p.outputs + output) * p.width) + q;
	float4 g = p.more ? *to : make_float4(0, 0, 0, 0);
#pragma unroll 4
	for (i64 i = lo; i < hi; i++) add4(g, p.r[output * p.rows + i], ((const Quad *)p.x)[rowOf(p, i) * quads + q]);
	*to = g;
}
