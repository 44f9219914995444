// Narrow rows: a warp holds whole rows in registers.

// ROWS is how many rows of cells are as large as one of float32, and HELD how many of them a warp has
// registers for.
#if CELL == 0
#define ROWS 1
#define HELD 1
#elif CELL == 1
#define ROWS 2
#define HELD 2
#else
#define ROWS 4
#define HELD 2
#endif

// fold adds up R numbers of each lane over G lanes, by exchange with those that are G/2 to last apart: the lanes from r·G/R on come to hold
// the sum of the r-th.
template <int R, int last = 1>
__device__ __forceinline__ float fold(float (&a)[R], int lane, int o)
{
	if constexpr (R == 1) {
		for (; o >= last; o /= 2) a[0] += __shfl_xor_sync(~0u, a[0], o);
		return a[0];
	} else {
		float half[R / 2];
		const bool upper = lane & o;
#pragma unroll
		for (int i = 0; i < R / 2; i++) {
			float send = upper ? a[i] : a[i + R / 2], keep = upper ? a[i + R / 2] : a[i];
			half[i] = keep + __shfl_xor_sync(~0u, send, o);
		}
		return fold<R / 2, last>(half, lane, o / 2);
	}
}

// narrow lets G lanes of a warp take a row of at most G·NV quads, and R rows for each
// G lanes at a time, the next of which are on their way meanwhile.
template <int G, int NV, int R>
__device__ __forceinline__ void narrow(const Pass &p)
{
	extern __shared__ float4 room[];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	const int at = lane & (G - 1), group = lane / G;
	const int quads = p.stride / 4;
	const i64 step = (i64)gridDim.x * warps * (32 / G) * R;
	const double constant = constantOf(p, 0);
	float4 b[NV], g[NV];
#pragma unroll
	for (int v = 0; v < NV; v++) {
		int q = at + v * G;
		b[v] = q < quads ? ((const float4 *)p.b)[q] : make_float4(0, 0, 0, 0);
		g[v] = make_float4(0, 0, 0, 0);
	}
	double loss = 0, slope = 0;
	Quad x[R][NV], next[R][NV];
	// Lane `at` comes to hold the margin of row mine of its G lanes; leader if it is the first such lane.
	constexpr int share = G / R; // lanes that hold the same margin
	const int mine = at / share;
	const bool leader = at % share == 0;
	auto load = [&](Quad (&to)[R][NV], i64 base) {
#pragma unroll
		for (int r = 0; r < R; r++) {
			i64 i = base + r;
			const Quad *row = (const Quad *)p.x + (i < p.rows ? rowOf(p, i) : 0) * quads;
#pragma unroll
			for (int v = 0; v < NV; v++) {
				int q = at + v * G;
				to[r][v] = i < p.rows && q < quads ? __ldcs(row + q) : zeros();
			}
		}
	};
	i64 base = (((i64)blockIdx.x * warps + warp) * (32 / G) + group) * R;
	const i64 warpBase = base - (i64)group * R;
	i64 gone = 0;
	load(next, base);
	for (; warpBase + gone < p.rows; gone += step, base += step) {
#pragma unroll
		for (int r = 0; r < R; r++)
#pragma unroll
			for (int v = 0; v < NV; v++) x[r][v] = next[r][v];
		load(next, base + step);
		double y = 0, w = 0;
		if (base + mine < p.rows) {
			i64 row = rowOf(p, base + mine);
			y = p.y[row];
			w = p.w ? p.w[row] : 1;
		}
		float a[R];
#pragma unroll
		for (int r = 0; r < R; r++) {
			a[r] = 0;
#pragma unroll
			for (int v = 0; v < NV; v++) a[r] = dot4(a[r], x[r][v], b[v]);
		}
		const double z = constant + (double)fold(a, lane, G / 2);
		float d = derive(p, z, y, w, loss, p.values && leader);
		if (leader) slope += d;
#pragma unroll
		for (int r = 0; r < R; r++) {
			float dr = __shfl_sync(~0u, d, group * G + r * share);
#pragma unroll
			for (int v = 0; v < NV; v++) add4(g[v], dr, x[r][v]);
		}
	}
	for (int o = 16; o; o >>= 1) { // others than leaders have zeros
		loss += __shfl_xor_sync(~0u, loss, o);
		slope += __shfl_xor_sync(~0u, slope, o);
	}
#pragma unroll
	for (int v = 0; v < NV; v++)
		for (int o = 16; o >= G; o >>= 1) {
			g[v].x += __shfl_xor_sync(~0u, g[v].x, o);
			g[v].y += __shfl_xor_sync(~0u, g[v].y, o);
			g[v].z += __shfl_xor_sync(~0u, g[v].z, o);
			g[v].w += __shfl_xor_sync(~0u, g[v].w, o);
		}
	__shared__ double sums[2][32];
	if (lane == 0) sums[0][warp] = loss, sums[1][warp] = slope;
	for (int turn = 0; turn < warps; turn++) { // warp after warp, in order
		if (turn == warp && group == 0) {
#pragma unroll
			for (int v = 0; v < NV; v++) {
				float4 s = g[v];
				if (turn > 0) {
					float4 t = room[at + v * G];
					s.x += t.x, s.y += t.y, s.z += t.z, s.w += t.w;
				}
				room[at + v * G] = s;
			}
		}
		__syncthreads();
	}
	float4 *to = (float4 *)p.g + (i64)blockIdx.x * quads;
	for (int q = threadIdx.x; q < quads; q += blockDim.x) {
		float4 s = room[q];
		if (p.more) {
			float4 t = to[q];
			s.x += t.x, s.y += t.y, s.z += t.z, s.w += t.w;
		}
		to[q] = s;
	}
	if (threadIdx.x == 0) {
		double l = 0, s = 0;
		for (int i = 0; i < warps; i++) l += sums[0][i], s += sums[1][i];
		p.loss[blockIdx.x] += l;
		p.slope[blockIdx.x] = p.more ? p.slope[blockIdx.x] + s : s;
	}
}

#define NARROW(name, G, NV, R, threads, blocks) \
	extern "C" __global__ void __launch_bounds__(threads, blocks) name(const __grid_constant__ Pass p) { narrow<G, NV, R>(p); }
NARROW(narrow8, 8, 1, 8, 256, 2)
NARROW(narrow16, 16, 1, 8 * HELD, 256, 2)
NARROW(narrow32, 32, 1, 8 * HELD, 256, 2)
NARROW(narrow64, 32, 2, 4 * HELD, 256, 2)
NARROW(narrow128, 32, 4, 2 * HELD, 128, 3)
NARROW(narrow256, 32, 8, (CELL == 1 ? 1 : HELD), 128, 3) // bfloat16 takes registers twice: as it is stored, and as numbers
