// Narrow rows of small cells: a warp has rows on their way to shared memory of its own while it multiplies others, and holds
// its coefficients and sums in registers. Warps do not wait for each other.

#if __CUDA_ARCH__ >= 900 && CELL > 0
// Numbers multiplies R rows of at most G·NV quads, G lanes a row.
template <int G, int NV, int Rows>
struct Numbers {
	static constexpr int R = Rows, NQ = NV, room = R * NV * G * sizeof(Quad); // bytes of the rows
	static constexpr int share = 32 / R;                                    // lanes that come to have the same margin
	const int at, group, mine; // mine: the row whose margin the lane comes to have
	const bool leader;         // of those lanes
	float4 b[NV], g[NV];

	__device__ __forceinline__ Numbers(const float4 *from, int quads, void *) : Numbers(threadIdx.x & 31)
	{
#pragma unroll
		for (int v = 0; v < NV; v++) b[v] = place(v) < quads ? from[place(v)] : make_float4(0, 0, 0, 0);
	}
	__device__ __forceinline__ Numbers(int lane) : at(lane & (G - 1)), group(lane / G), mine(at / share * (32 / G) + group), leader(at % share == 0)
	{
#pragma unroll
		for (int v = 0; v < NV; v++) g[v] = make_float4(0, 0, 0, 0);
	}
	// row returns the i-th row of this lane.
	__device__ __forceinline__ const Quad *row(const unsigned char *rows, int quads, int i) const { return (const Quad *)rows + (i * (32 / G) + group) * quads + at; }
	__device__ __forceinline__ float margin(const unsigned char *rows, int quads) const
	{
		float a[R * G / 32];
#pragma unroll
		for (int i = 0; i < R * G / 32; i++) {
			a[i] = 0;
#pragma unroll
			for (int v = 0; v < NV; v++) a[i] = dot4(a[i], row(rows, quads, i)[v * G], b[v]);
		}
		return fold(a, threadIdx.x & 31, G / 2);
	}
	// add adds up the rows times their derivatives, of which each lane has that of row mine.
	__device__ __forceinline__ void add(const unsigned char *rows, int quads, float d, float *slopes)
	{
		if (leader) slopes[mine] = d;
		__syncwarp();
#pragma unroll
		for (int i = 0; i < R * G / 32; i++) {
			const float di = slopes[i * (32 / G) + group];
#pragma unroll
			for (int v = 0; v < NV; v++) add4(g[v], di, row(rows, quads, i)[v * G]);
		}
	}
	// sum returns the sums of the v-th quad of the lane, and place where that is.
	__device__ __forceinline__ float4 sum(int v) const
	{
		float4 s = g[v];
		for (int o = 16; o >= G; o >>= 1) {
			s.x += __shfl_xor_sync(~0u, s.x, o);
			s.y += __shfl_xor_sync(~0u, s.y, o);
			s.z += __shfl_xor_sync(~0u, s.z, o);
			s.w += __shfl_xor_sync(~0u, s.w, o);
		}
		return s;
	}
	__device__ __forceinline__ int place(int v) const { return at + v * G; }
	__device__ __forceinline__ bool first() const { return group == 0; } // of the lanes that have the same sums
};

#if CELL == 2
// Tiles multiplies R rows of NV tiles of 128 columns: margins by the matrix units.
template <int NV, int R>
struct Tiles : Numbers<32, NV, R> {
	Digits digits[NV];
	float unit;
	const int mine;
	const bool leader;

	__device__ __forceinline__ Tiles(int lane) : Numbers<32, NV, R>(lane), mine(lane / (128 / R) * 4 + (lane & 3)), leader(lane / 4 % (32 / R) == 0) {}
	__device__ __forceinline__ Tiles(const float4 *from, int quads, void *room) : Tiles(threadIdx.x & 31)
	{
		unit = digitsOf(digits, from, 0, 32, quads, (int4 *)room);
	}
	__device__ __forceinline__ float margin(const unsigned char *rows, int quads) const
	{
		const int lane = threadIdx.x & 31;
		float a[R / 4];
#pragma unroll
		for (int r = 0; r < R / 4; r++) {
			const uint4 *x = (const uint4 *)(rows + (4 * r + (lane >> 3)) * quads * 4) + (lane & 7);
			Sums some = {};
#pragma unroll
			for (int v = 0; v < NV; v++) addTile(some, x[v * 8], digits[v]);
			a[r] = sumOf(some, unit);
		}
		return fold<R / 4, 4>(a, lane, 16);
	}
	__device__ __forceinline__ void add(const unsigned char *rows, int quads, float d, float *slopes)
	{
		if (leader) slopes[mine] = d;
		__syncwarp();
#pragma unroll
		for (int r = 0; r < R; r++)
#pragma unroll
			for (int v = 0; v < NV; v++) add4(this->g[v], slopes[r], this->row(rows, quads, r)[v * 32]);
	}
};

// Whole multiplies 32 rows of NV tiles of 128 columns, both times by the matrix units. A lane comes to have sums of 16 columns of a tile.
template <int NV>
struct Whole : Tiles<NV, 32> {
	float g16[NV][16];

	__device__ __forceinline__ Whole(const float4 *from, int quads, void *room) : Tiles<NV, 32>(from, quads, room)
	{
#pragma unroll
		for (int v = 0; v < NV; v++)
			for (int i = 0; i < 16; i++) g16[v][i] = 0;
	}
	__device__ __forceinline__ void add(const unsigned char *rows, int quads, float d, float *room)
	{
		const int lane = threadIdx.x & 31;
		const Slopes s(d, this->mine, (int *)room);
#pragma unroll
		for (int v = 0; v < NV; v++) {
			uint4 x[8];
#pragma unroll
			for (int r = 0; r < 8; r++) x[r] = *((const uint4 *)(rows + (4 * r + (lane & 3)) * quads * 4) + v * 8 + (lane >> 2));
			s.add(g16[v], x[0].x, x[1].x, x[2].x, x[3].x, x[4].x, x[5].x, x[6].x, x[7].x);
			s.add(g16[v] + 4, x[0].y, x[1].y, x[2].y, x[3].y, x[4].y, x[5].y, x[6].y, x[7].y);
			s.add(g16[v] + 8, x[0].z, x[1].z, x[2].z, x[3].z, x[4].z, x[5].z, x[6].z, x[7].z);
			s.add(g16[v] + 12, x[0].w, x[1].w, x[2].w, x[3].w, x[4].w, x[5].w, x[6].w, x[7].w);
		}
	}
	__device__ __forceinline__ float4 sum(int v) const
	{
		float4 to = make_float4(0, 0, 0, 0);
#pragma unroll
		for (int i = 0; i < 16; i++) {
			float s = g16[v][i] + __shfl_xor_sync(~0u, g16[v][i], 1);
			s += __shfl_xor_sync(~0u, s, 2);
			if ((threadIdx.x & 3) == i / 4) (&to.x)[i % 4] = s;
		}
		return to;
	}
};

// Thin multiplies 32 rows of NV tiles of 32 columns by the matrix units. A lane comes to have sums of four columns of a tile.
template <int NV>
struct Thin {
	static constexpr int R = 32, NQ = NV, room = R * NV * 32;
	static constexpr bool leader = true;
	const int lane, mine;
	unsigned low[NV], high[NV]; // a digit of coefficients of columns 8·(lane mod 4) to +3, and +4 to +7; of the first 16 lanes alone
	float unit;
	float g[NV][4];

	__device__ __forceinline__ Thin(const float4 *from, int quads, void *) : lane(threadIdx.x & 31), mine(lane >> 3 << 3 | (lane & 3) << 1 | lane >> 2 & 1)
	{
		float4 b[2 * NV];
		unsigned most = 0;
		auto bits = [](float f) { return __float_as_uint(f) & 0x7fffffffu; };
#pragma unroll
		for (int i = 0; i < 2 * NV; i++) {
			const int q = i / 2 * 8 + 2 * (lane & 3) + i % 2;
			b[i] = q < quads ? from[q] : make_float4(0, 0, 0, 0);
			most = max(max(most, max(bits(b[i].x), bits(b[i].y))), max(bits(b[i].z), bits(b[i].w)));
		}
		const Units units(__reduce_max_sync(~0u, most));
		auto digit = [&](float4 f) { return lane < 16 ? digitOf(make_int4(units.whole(f.x), units.whole(f.y), units.whole(f.z), units.whole(f.w)), lane >> 2) : 0; };
#pragma unroll
		for (int v = 0; v < NV; v++) {
			low[v] = digit(b[2 * v]), high[v] = digit(b[2 * v + 1]);
			for (int i = 0; i < 4; i++) g[v][i] = 0;
		}
		unit = units.of(lane >> 2 & 3);
	}
	__device__ __forceinline__ float margin(const unsigned char *rows, int quads) const
	{
		float a[8];
#pragma unroll
		for (int t = 0; t < 4; t++) {
			int c[4] = {0, 0, 0, 0};
#pragma unroll
			for (int v = 0; v < NV; v++) {
				const uint2 x = *((const uint2 *)(rows + (8 * t + (lane >> 2)) * quads * 4) + v * 4 + (lane & 3));
				multiply(c, low[v], 0, high[v], 0, x.x, x.y);
			}
			a[2 * t] = (float)c[0] * unit, a[2 * t + 1] = (float)c[1] * unit;
		}
		return fold<8, 4>(a, lane, 16);
	}
	__device__ __forceinline__ void add(const unsigned char *rows, int quads, float d, float *room)
	{
		const Slopes s(d, mine, (int *)room);
		auto cells = [&](int r, int v) { return ((const unsigned *)rows)[(4 * r + (lane & 3)) * quads + v * 8 + (lane >> 2)]; };
#pragma unroll
		for (int v = 0; v < NV; v++)
			s.add(g[v], cells(0, v), cells(1, v), cells(2, v), cells(3, v), cells(4, v), cells(5, v), cells(6, v), cells(7, v));
	}
	__device__ __forceinline__ float4 sum(int v) const
	{
		auto all = [&](float s) {
			s += __shfl_xor_sync(~0u, s, 1);
			return s + __shfl_xor_sync(~0u, s, 2);
		};
		return make_float4(all(g[v][0]), all(g[v][1]), all(g[v][2]), all(g[v][3]));
	}
	__device__ __forceinline__ int place(int v) const { return (lane >> 2) + v * 8; }
	__device__ __forceinline__ bool first() const { return (lane & 3) == 0; }
};
#endif

// staged lets each of W warps take the rows that M multiplies at a time, and has those of two steps on their way.
template <class M, int W>
__device__ __forceinline__ void staged(const Pass &p)
{
	constexpr int R = M::R, room = M::room; // of a stage; what is behind a row is multiplied by zeros
	extern __shared__ __align__(128) unsigned char stage[];
	__shared__ __align__(8) u64 full[W][2];
	__shared__ __align__(16) float slopes[W][R];
	__shared__ double sums[2][W];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
	const int quads = p.stride / 4;
	unsigned char *own = stage + warp * 2 * room;
	M m((const float4 *)p.b, quads, own);
	for (int i = lane; i < 2 * room / 16; i += 32) ((uint4 *)own)[i] = make_uint4(0, 0, 0, 0);
	if (lane < 2) prepare(&full[warp][lane]);
	asm volatile("fence.mbarrier_init.release.cluster;");
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); // copies come after these zeros
	const double constant = constantOf(p, 0);
	const i64 groups = (p.rows + R - 1) / R, all = (i64)gridDim.x * W, first = (i64)blockIdx.x * W + warp;
	const int steps = first < groups ? (int)((groups - first + all - 1) / all) : 0;
	const bool whole = !p.order && p.every == 1; // rows of a step are one piece
	i64 base = first * R, labelled = base + m.mine; // the next rows to load, and the next one whose label is
	double nextY = 0, nextW = 0;
	auto label = [&] {
		nextY = nextW = 0;
		if (labelled < p.rows) {
			const i64 row = whole ? p.first + labelled : rowOf(p, labelled);
			nextY = p.y[row];
			nextW = p.w ? p.w[row] : 1;
		}
		labelled += all * R;
	};
	auto load = [&](int s) {
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
		base += all * R;
	};
	double loss = 0, slope = 0;
	for (int s = 0; s < 2 && s < steps; s++) load(s);
	label();
	for (int s = 0; s < steps; s++) {
		const unsigned char *rows = own + (s & 1) * room;
		const double y = nextY, w = nextW;
		label();
		await(&full[warp][s & 1], s >> 1 & 1);
		const double z = constant + (double)m.margin(rows, quads);
		const float d = derive(p, z, y, w, loss, p.values && m.leader);
		if (m.leader) slope += d;
		m.add(rows, quads, d, slopes[warp]);
		__syncwarp();
		if (s + 2 < steps) load(s + 2);
	}
	for (int o = 16; o; o >>= 1) { // others than leaders have zeros
		loss += __shfl_xor_sync(~0u, loss, o);
		slope += __shfl_xor_sync(~0u, slope, o);
	}
	if (lane == 0) sums[0][warp] = loss, sums[1][warp] = slope;
	float4 g[M::NQ];
#pragma unroll
	for (int v = 0; v < M::NQ; v++) g[v] = m.sum(v);
	__syncthreads();
	float4 *sum = (float4 *)stage; // which nobody needs any more
	for (int turn = 0; turn < W; turn++) { // warp after warp, in order
		if (turn == warp && m.first()) {
#pragma unroll
			for (int v = 0; v < M::NQ; v++) {
				float4 s = g[v];
				if (turn > 0) {
					float4 t = sum[m.place(v)];
					s.x += t.x, s.y += t.y, s.z += t.z, s.w += t.w;
				}
				sum[m.place(v)] = s;
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

#define STAGED(name, W, ...) \
	extern "C" __global__ void __launch_bounds__(32 * W, 1) name(const __grid_constant__ Pass p) { staged<__VA_ARGS__, W>(p); }
#if CELL == 2
STAGED(staged8, 32, Thin<1>)
STAGED(staged16, 24, Thin<2>)
STAGED(staged32, 16, Whole<1>)
STAGED(staged64, 12, Whole<2>)
STAGED(staged128, 12, Tiles<4, 16>)
STAGED(staged256, 12, Tiles<8, 8>)
#else
STAGED(staged8, 24, Numbers<8, 1, 32>)
STAGED(staged16, 16, Numbers<16, 1, 32>)
STAGED(staged32, 12, Numbers<32, 1, 32>)
STAGED(staged64, 12, Numbers<32, 2, 16>)
STAGED(staged128, 12, Numbers<32, 4, 8>)
STAGED(staged256, 12, Numbers<32, 8, 4>)
#endif
#endif
