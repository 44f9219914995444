// Piecewise-linear responses: a cell is a code of a bin and of a place in it, and stands for 1−α at the
// knot before it and α at the one behind. Two kernels, of which the second finds the codes in the cache. A
// thread has two variables at a time, whose knots it holds in shared memory of its own.

// knotOf returns the knot before a cell, the one behind it, and the place between them.
struct Knot {
	int left, right;
	float alpha;
};

__device__ __forceinline__ Knot knotOf(const Pass &p, unsigned code)
{
	Knot k;
	if (code == 0xffffu) { // missing: behind all knots
		k.left = k.right = p.bins + 1;
		k.alpha = 0;
		return k;
	}
	k.left = code >> p.digits;
	k.right = min(k.left + 1, p.knots - 1); // where α is 0 there may be no other
	k.alpha = (float)(code & ((1u << p.digits) - 1)) * __uint_as_float((127u - p.digits) << 23);
	return k;
}

// margins finds parts of z: a block for R rows, an output and a strip of the variables.
extern "C" __global__ void __launch_bounds__(128) margins(const __grid_constant__ Pass p)
{
	extern __shared__ float held[]; // of each knot and thread
	constexpr int R = 16;
	const int T = blockDim.x, tid = threadIdx.x, output = blockIdx.y, strip = blockIdx.z, pairs = p.stride / 2;
	const int lo = (i64)pairs * strip / p.strips, hi = (i64)pairs * (strip + 1) / p.strips;
	const float *b = p.b + output * p.width;
	const i64 base = (i64)blockIdx.x * R;
	const unsigned *row[R];
	float a[R];
#pragma unroll
	for (int r = 0; r < R; r++) {
		row[r] = (const unsigned *)p.x + rowOf(p, min(base + r, p.rows - 1)) * pairs;
		a[r] = 0;
	}
	for (int q = lo + tid; q < hi; q += T) {
		unsigned code[R];
#pragma unroll
		for (int r = 0; r < R; r++) code[r] = row[r][q];
		const float *from = b + (i64)q * 2 * p.knots;
		for (int k = 0; k < 2 * p.knots; k++) held[k * T + tid] = from[k];
#pragma unroll
		for (int r = 0; r < R; r++) {
			const Knot one = knotOf(p, code[r] & 0xffffu), two = knotOf(p, code[r] >> 16);
			const float *second = held + p.knots * T;
			a[r] = fmaf(1 - one.alpha, held[one.left * T + tid], a[r]);
			a[r] = fmaf(one.alpha, held[one.right * T + tid], a[r]);
			a[r] = fmaf(1 - two.alpha, second[two.left * T + tid], a[r]);
			a[r] = fmaf(two.alpha, second[two.right * T + tid], a[r]);
		}
	}
	__shared__ float sums[4][R];
#pragma unroll
	for (int r = 0; r < R; r++) {
		for (int o = 16; o; o >>= 1) a[r] += __shfl_xor_sync(~0u, a[r], o);
		if ((tid & 31) == 0) sums[tid >> 5][r] = a[r];
	}
	__syncthreads();
	if (tid < R && base + tid < p.rows) {
		float z = 0;
		for (int i = 0; i < T / 32; i++) z += sums[i][tid];
		p.z[((i64)strip * p.outputs + output) * p.rows + base + tid] = z;
	}
}

// products adds up Xᵀr: a thread for two variables, a slab of the rows and an output.
extern "C" __global__ void __launch_bounds__(128) products(const __grid_constant__ Pass p)
{
	extern __shared__ float held[];
	const int T = blockDim.x, tid = threadIdx.x, slab = blockIdx.y, output = blockIdx.z, pairs = p.stride / 2;
	const int q = blockIdx.x * T + tid;
	if (q >= pairs) return;
	float *first = held + tid, *second = first + p.knots * T;
	for (int k = 0; k < 2 * p.knots; k++) first[k * T] = 0;
	const i64 lo = p.rows * slab / p.slabs, hi = p.rows * (slab + 1) / p.slabs;
	const unsigned *x = (const unsigned *)p.x + q;
	constexpr int R = 8; // rows that are on their way
	for (i64 i = lo; i < hi; i += R) {
		unsigned code[R];
		float r[R];
#pragma unroll
		for (int k = 0; k < R; k++) {
			const i64 at = min(i + k, hi - 1);
			code[k] = x[rowOf(p, at) * pairs];
			r[k] = i + k < hi ? p.r[output * p.rows + at] : 0;
		}
#pragma unroll
		for (int k = 0; k < R; k++) {
			const Knot one = knotOf(p, code[k] & 0xffffu), two = knotOf(p, code[k] >> 16);
			first[one.left * T] += (1 - one.alpha) * r[k];
			first[one.right * T] += one.alpha * r[k];
			second[two.left * T] += (1 - two.alpha) * r[k];
			second[two.right * T] += two.alpha * r[k];
		}
	}
	float *to = p.g + ((i64)slab * p.outputs + output) * p.width + (i64)q * 2 * p.knots;
	for (int k = 0; k < 2 * p.knots; k++) to[k] = p.more ? to[k] + first[k * T] : first[k * T];
}
