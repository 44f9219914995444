// One pass over rows that reads X once. Narrow rows: a warp holds whole rows in
// registers. Wide ones: the blocks of a cluster hold a slice of each row in shared memory
// and tell each other their parts of z. Rows that are wider still, and devices without clusters:
// two kernels, of which the second finds the rows in the cache.

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

// fold adds up R numbers of each lane over G lanes: the lanes from r·G/R on come to hold
// the sum of the r-th.
template <int R>
__device__ __forceinline__ float fold(float (&a)[R], int lane, int o)
{
	if constexpr (R == 1) {
		for (; o; o /= 2) a[0] += __shfl_xor_sync(~0u, a[0], o);
		return a[0];
	} else {
		float half[R / 2];
		const bool upper = lane & o;
#pragma unroll
		for (int i = 0; i < R / 2; i++) {
			float send = upper ? a[i] : a[i + R / 2], keep = upper ? a[i + R / 2] : a[i];
			half[i] = keep + __shfl_xor_sync(~0u, send, o);
		}
		return fold(half, lane, o / 2);
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

#if __CUDA_ARCH__ >= 900
__device__ __forceinline__ unsigned shared(const void *a) { return (unsigned)__cvta_generic_to_shared(a); }

__device__ __forceinline__ void prepare(u64 *barrier) { asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared(barrier))); }

__device__ __forceinline__ void expect(u64 *barrier, unsigned bytes)
{
	asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared(barrier)), "r"(bytes) : "memory");
}

__device__ __forceinline__ void fetch(void *to, const void *from, unsigned bytes, u64 *barrier)
{
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared(to)), "l"(from), "r"(bytes), "r"(shared(barrier)) : "memory");
}

__device__ __forceinline__ void await(u64 *barrier, unsigned phase) // of copies
{
	unsigned done;
	do {
		asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(shared(barrier)), "r"(phase) : "memory");
	} while (!done);
}

__device__ __forceinline__ void awaitCluster(u64 *barrier, unsigned phase) // of what other blocks tell
{
	unsigned done;
	do {
		asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(shared(barrier)), "r"(phase) : "memory");
	} while (!done);
}

// tell sends a number to the same place of a block of the cluster, and says so at its barrier.
__device__ __forceinline__ void tell(float *place, float value, u64 *barrier, unsigned block)
{
	unsigned to, at;
	asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(shared(place)), "r"(block));
	asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(shared(barrier)), "r"(block));
	asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to), "r"(__float_as_uint(value)), "r"(at) : "memory");
}

__device__ __forceinline__ void meet() // of all blocks of the cluster
{
	asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

constexpr int mostStages = 8, mostBlocks = 16, slots = 4;
constexpr int wideThreads = 480; // that multiply: with those that fetch, 512, which leaves each 128 registers

// wide lets a cluster of blocks take R rows at a time, of which each block has a slice of
// at most T·NV quads. The second product lags one step behind the first, so that the
// parts of z are on their way meanwhile. Besides the warps that multiply, one fetches rows and tells the
// other blocks: nobody waits for it, and those that multiply do not wait for each other.
template <int T, int NV, int R>
__device__ __forceinline__ void wide(const Pass &p)
{
	constexpr int warps = T / 32, all = T + 32;
	extern __shared__ __align__(128) unsigned char stage[];
	__shared__ __align__(8) u64 full[mostStages];
	__shared__ __align__(8) u64 told[slots];
	__shared__ float part[slots][mostBlocks][R];
	__shared__ float sums[2][warps][R];
	unsigned rank, blocks;
	asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
	asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(blocks));
	const int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
	const int cluster = blockIdx.x / blocks, clusters = gridDim.x / blocks;
	const int quads = p.stride / 4, from = rank * p.slice, mine = min(p.slice, quads - from);
	const unsigned bytes = mine * sizeof(Quad);
	constexpr unsigned room = T * NV * sizeof(Quad); // of a row: behind the last quad are zeros
	if (tid == 0) {
		for (int i = 0; i < mostStages; i++) prepare(&full[i]);
		for (int i = 0; i < slots; i++) prepare(&told[i]);
		asm volatile("fence.mbarrier_init.release.cluster;");
	}
	for (int i = tid; i < p.stages * R * (int)(room / 16); i += all) ((uint4 *)stage)[i] = make_uint4(0, 0, 0, 0);
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); // copies come after these zeros
	const double constant = constantOf(p, 0);
	meet();
	const i64 groups = (p.rows + R - 1) / R;
	const int steps = (int)((groups - cluster + clusters - 1) / clusters);
	// row returns the number of row r of a step. Behind the last one comes the last one again.
	auto row = [&](int s, int r) { return rowOf(p, min(((i64)s * clusters + cluster) * R + r, p.rows - 1)); };
	// Barriers of the block, by turns: the first two say that sums are there, the others that a stage is free.
	auto arrive = [&](int barrier) { asm volatile("barrier.cta.arrive %0, %1;" ::"r"(barrier), "n"(all) : "memory"); };
	auto sync = [&](int barrier) { asm volatile("barrier.cta.sync %0, %1;" ::"r"(barrier), "n"(all) : "memory"); };
	if (warp == warps) {
		auto load = [&](int s, int at) {
			if (lane == 0) expect(&full[at], R * bytes);
			__syncwarp();
			if (lane < R) fetch(stage + (at * R + lane) * room, (const Quad *)p.x + row(s, lane) * quads + from, bytes, &full[at]);
		};
		for (int s = 0; s < p.stages && s < steps; s++) load(s, s);
		for (int s = 0, before = p.stages - 1; s <= steps; s++) {
			if (s < steps) {
				sync(1 + (s & 1));
				const int slot = s % slots;
				const float *parts = &sums[s & 1][0][0];
				float z = 0;
				for (int i = lane; i < warps * R; i += 32) z += parts[i];
				for (int o = R; o < 32 && o < warps * R; o *= 2) z += __shfl_xor_sync(~0u, z, o);
				if (lane == 0) expect(&told[slot], blocks * R * 4);
				__syncwarp();
				for (int i = lane; i < blocks * R; i += 32) // R divides 32
					tell(&part[slot][rank][lane % R], z, &told[slot], i / R);
			}
			const int past = s - 1;
			if (past >= 0) {
				sync(3 + (s & 1));
				if (past + p.stages < steps) load(past + p.stages, before);
			}
			if (++before == p.stages) before = 0;
		}
		meet();
		return;
	}
	float4 b[NV], g[NV];
#pragma unroll
	for (int v = 0; v < NV; v++) {
		int q = tid + v * T;
		b[v] = q < mine ? ((const float4 *)p.b)[from + q] : make_float4(0, 0, 0, 0);
		g[v] = make_float4(0, 0, 0, 0);
	}
	const bool last = warp * 32 + (NV - 1) * T < mine; // whether the last quad of a thread may be there
	double loss = 0, slope = 0, y = 0, w = 0;
	int at = 0, before = 0; // stages of this step and of the one before: to divide takes too long
	unsigned phase = 0;
	for (int s = 0; s <= steps; s++) {
		const double pastY = y, pastW = w;
		if (s < steps) {
			if (lane < R) {
				i64 i = ((i64)s * clusters + cluster) * R + lane;
				const i64 number = row(s, lane);
				y = p.y[number];
				w = i < p.rows ? (p.w ? p.w[number] : 1) : 0;
			}
			await(&full[at], phase);
			float a[R];
#pragma unroll
			for (int r = 0; r < R; r++) {
				const Quad *x = (const Quad *)(stage + (at * R + r) * room);
				a[r] = 0;
#pragma unroll
				for (int v = 0; v < NV - 1; v++) a[r] = dot4(a[r], x[tid + v * T], b[v]);
				if (last) a[r] = dot4(a[r], x[tid + (NV - 1) * T], b[NV - 1]);
			}
			const float z = fold(a, lane, 16);
			if (lane % (32 / R) == 0) sums[s & 1][warp][lane / (32 / R)] = z;
			__syncwarp();
			arrive(1 + (s & 1));
		}
		const int past = s - 1;
		if (past >= 0) {
			awaitCluster(&told[past % slots], (past / slots) & 1);
			float d = 0, z = 0;
			const float *parts = &part[past % slots][0][0];
			for (int i = lane; i < blocks * R; i += 32) z += parts[i];
			for (int o = R; o < 32 && o < blocks * R; o *= 2) z += __shfl_xor_sync(~0u, z, o);
			if (lane < R) {
				d = derive(p, constant + (double)z, pastY, pastW, loss, p.values && rank == 0 && warp == 0);
				slope += d;
			}
#pragma unroll
			for (int r = 0; r < R; r++) {
				const float dr = __shfl_sync(~0u, d, r);
				const Quad *x = (const Quad *)(stage + (before * R + r) * room);
#pragma unroll
				for (int v = 0; v < NV - 1; v++) add4(g[v], dr, x[tid + v * T]);
				if (last) add4(g[NV - 1], dr, x[tid + (NV - 1) * T]);
			}
			__syncwarp();
			arrive(3 + (s & 1));
		}
		before = at;
		if (++at == p.stages) at = 0, phase ^= 1;
	}
	float4 *to = (float4 *)p.g + (i64)cluster * quads + from;
#pragma unroll
	for (int v = 0; v < NV; v++) {
		int q = tid + v * T;
		if (q < mine) {
			float4 s = g[v];
			if (p.more) {
				float4 t = to[q];
				s.x += t.x, s.y += t.y, s.z += t.z, s.w += t.w;
			}
			to[q] = s;
		}
	}
	if (rank == 0 && warp == 0) {
		for (int o = 16; o; o >>= 1) {
			loss += __shfl_down_sync(~0u, loss, o);
			slope += __shfl_down_sync(~0u, slope, o);
		}
		if (lane == 0) {
			p.loss[cluster] += loss;
			p.slope[cluster] = p.more ? p.slope[cluster] + slope : slope;
		}
	}
	meet();
}

#define WIDE(name, T, NV, R) \
	extern "C" __global__ void __launch_bounds__(T + 32, 1) name(const __grid_constant__ Pass p) { wide<T, NV, R>(p); }
WIDE(wide1, wideThreads, 1, 8 * ROWS)
WIDE(wide2, wideThreads, 2, 4 * ROWS)
WIDE(wide3, wideThreads, 3, 2 * ROWS)
WIDE(wide4, wideThreads, 4, 2 * ROWS)
WIDE(wide5, wideThreads, 5, ROWS)
WIDE(wide6, wideThreads, 6, ROWS)
WIDE(wide7, wideThreads, 7, ROWS)
WIDE(wide8, (CELL == 0 ? 512 : wideThreads), 8, ROWS) // float32 needs fewer registers
#endif

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
