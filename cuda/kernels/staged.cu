// Narrow rows of small cells: a warp has rows on their way to shared memory of its own while it multiplies others, and holds
// its coefficients and sums in registers. Warps do not wait for each other.

#if __CUDA_ARCH__ >= 900 && CELL > 0
// staged lets each of W warps take R rows of at most NV·32 quads at a time.
template <int NV, int R, int W>
__device__ __forceinline__ void staged(const Pass &p)
{
	extern __shared__ __align__(128) unsigned char stage[];
	__shared__ __align__(8) u64 full[W][2];
	__shared__ __align__(16) float slopes[W][R];
	__shared__ double sums[2][W];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
	const int quads = p.stride / 4;
	constexpr int room = R * NV * 32 * sizeof(Quad); // of a stage; what is behind a row is multiplied by zeros
	unsigned char *own = stage + warp * 2 * room;
#if CELL == 2
	Digits b[NV];
	const float unit = digitsOf(b, (const float4 *)p.b, 0, 32, quads, (int4 *)own);
	constexpr int share = 32 / R; // lanes of each four that have the same row
	const int mine = lane / (4 * share) * 4 + (lane & 3);
	const bool leader = lane / 4 % share == 0;
#else
	float4 b[NV];
#pragma unroll
	for (int v = 0; v < NV; v++) {
		const int q = lane + v * 32;
		b[v] = q < quads ? ((const float4 *)p.b)[q] : make_float4(0, 0, 0, 0);
	}
	constexpr int share = 32 / R; // lanes that have the same row
	const int mine = lane / share;
	const bool leader = lane % share == 0;
#endif
	for (int i = lane; i < 2 * room / 16; i += 32) ((uint4 *)own)[i] = make_uint4(0, 0, 0, 0);
	if (lane < 2) prepare(&full[warp][lane]);
	asm volatile("fence.mbarrier_init.release.cluster;");
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); // copies come after these zeros
	const double constant = constantOf(p, 0);
	const i64 groups = (p.rows + R - 1) / R, all = (i64)gridDim.x * W, first = (i64)blockIdx.x * W + warp;
	const int steps = first < groups ? (int)((groups - first + all - 1) / all) : 0;
	const bool whole = !p.order && p.every == 1; // rows of a step are one piece
	double nextY = 0, nextW = 0;
	auto label = [&](int s) {
		const i64 i = (first + s * all) * R + mine;
		nextY = nextW = 0;
		if (s < steps && i < p.rows) {
			const i64 row = rowOf(p, i);
			nextY = p.y[row];
			nextW = p.w ? p.w[row] : 1;
		}
	};
	auto load = [&](int s) {
		const i64 base = (first + s * all) * R;
		const int count = (int)min((i64)R, p.rows - base);
		const unsigned bytes = quads * sizeof(Quad);
		u64 *barrier = &full[warp][s & 1];
		unsigned char *to = own + (s & 1) * room;
		if (lane == 0) expect(barrier, count * bytes);
		__syncwarp();
		if (whole) {
			if (lane == 0) fetch(to, (const Quad *)p.x + (p.first + base) * quads, count * bytes, barrier);
		} else if (lane < count) {
			fetch(to + lane * bytes, (const Quad *)p.x + rowOf(p, base + lane) * quads, bytes, barrier);
		}
	};
	constexpr bool byDigits = CELL == 2 && R == 32; // of the second product, too
	float4 g[NV];
	float sums16[NV][16];
#pragma unroll
	for (int v = 0; v < NV; v++) {
		g[v] = make_float4(0, 0, 0, 0);
		for (int i = 0; i < 16; i++) sums16[v][i] = 0;
	}
	double loss = 0, slope = 0;
	for (int s = 0; s < 2 && s < steps; s++) load(s);
	label(0);
	for (int s = 0; s < steps; s++) {
		const unsigned char *rows = own + (s & 1) * room;
		const double y = nextY, w = nextW;
		label(s + 1);
		await(&full[warp][s & 1], (s >> 1) & 1);
#if CELL == 2
		float a[R / 4];
#pragma unroll
		for (int r = 0; r < R / 4; r++) {
			const uint4 *x = (const uint4 *)(rows + (4 * r + (lane >> 3)) * quads * 4) + (lane & 7);
			Sums some = {};
#pragma unroll
			for (int v = 0; v < NV; v++) addTile(some, x[v * 8], b[v]);
			a[r] = sumOf(some, unit);
		}
		const float z = fold<R / 4, 4>(a, lane, 16);
#else
		float a[R];
#pragma unroll
		for (int r = 0; r < R; r++) {
			const Quad *x = (const Quad *)rows + r * quads + lane;
			a[r] = 0;
#pragma unroll
			for (int v = 0; v < NV; v++) a[r] = dot4(a[r], x[v * 32], b[v]);
		}
		const float z = fold(a, lane, 16);
#endif
		const float d = derive(p, constant + (double)z, y, w, loss, p.values && leader);
		if (leader) slope += d;
#if CELL == 2
		if constexpr (byDigits) {
			const Slopes digits(d, (int *)slopes[warp]);
#pragma unroll
			for (int v = 0; v < NV; v++) addSlopes(sums16[v], rows + v * 128, quads * 4, digits);
		}
#endif
		if constexpr (!byDigits) {
			if (leader) slopes[warp][mine] = d;
			__syncwarp();
#pragma unroll
			for (int r = 0; r < R; r++) {
				const float dr = slopes[warp][r];
				const Quad *x = (const Quad *)rows + r * quads + lane;
#pragma unroll
				for (int v = 0; v < NV; v++) add4(g[v], dr, x[v * 32]);
			}
		}
		__syncwarp();
		if (s + 2 < steps) load(s + 2);
	}
#if CELL == 2
	if constexpr (byDigits) {
#pragma unroll
		for (int v = 0; v < NV; v++) g[v] = quadOf(sums16[v]);
	}
#endif
	for (int o = 16; o; o >>= 1) { // others than leaders have zeros
		loss += __shfl_xor_sync(~0u, loss, o);
		slope += __shfl_xor_sync(~0u, slope, o);
	}
	if (lane == 0) sums[0][warp] = loss, sums[1][warp] = slope;
	__syncthreads();
	float4 *sum = (float4 *)stage; // which nobody needs any more
	for (int turn = 0; turn < W; turn++) { // warp after warp, in order
		if (turn == warp) {
#pragma unroll
			for (int v = 0; v < NV; v++) {
				float4 s = g[v];
				if (turn > 0) {
					float4 t = sum[lane + v * 32];
					s.x += t.x, s.y += t.y, s.z += t.z, s.w += t.w;
				}
				sum[lane + v * 32] = s;
			}
		}
		__syncthreads();
	}
	float4 *to = (float4 *)p.g + (i64)blockIdx.x * quads;
	for (int q = threadIdx.x; q < quads; q += W * 32) {
		float4 s = sum[q];
		if (p.more) {
			float4 t = to[q];
			s.x += t.x, s.y += t.y, s.z += t.z, s.w += t.w;
		}
		to[q] = s;
	}
	if (threadIdx.x == 0) {
		double l = 0, s = 0;
		for (int i = 0; i < W; i++) l += sums[0][i], s += sums[1][i];
		p.loss[blockIdx.x] += l;
		p.slope[blockIdx.x] = p.more ? p.slope[blockIdx.x] + s : s;
	}
}

#define STAGED(name, NV, R, W) \
	extern "C" __global__ void __launch_bounds__(32 * W, 1) name(const __grid_constant__ Pass p) { staged<NV, R, W>(p); }
STAGED(staged32, 1, 32, (CELL == 1 ? 12 : 16))
STAGED(staged64, 2, (CELL == 1 ? 16 : 32), 12)
STAGED(staged128, 4, (CELL == 1 ? 8 : 16), 12)
STAGED(staged256, 8, (CELL == 1 ? 4 : 8), 12)
#endif
