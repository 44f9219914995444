// Wide rows: the blocks of a cluster hold a slice of each row in shared memory and tell each other their parts of z.

#if __CUDA_ARCH__ >= 900
constexpr int mostStages = 8, mostBlocks = 16, slots = 4;
constexpr int wideThreads = 448; // that multiply: with those that help them, 512, which leaves each 128 registers

// wide lets a cluster of blocks take R rows at a time, of which each block has a slice of
// at most T·NV quads. The second product lags up to one step behind the first, so that the
// parts of z are on their way meanwhile. Besides the warps that multiply, one tells the other blocks its part of z and turns
// their sum into the derivative, and one fetches rows: those that multiply do not wait for each other.
template <int T, int NV, int R>
__device__ __forceinline__ void wide(const Pass &p)
{
	constexpr int warps = T / 32, all = T + 64;
	extern __shared__ __align__(128) unsigned char stage[];
	__shared__ __align__(8) u64 full[mostStages];
	__shared__ __align__(8) u64 told[slots];
	__shared__ __align__(8) u64 derived[2], freed[mostStages];
	__shared__ float part[slots][mostBlocks][R];
	__shared__ float sums[2][warps][R];
	__shared__ float slopes[2][R];
	__shared__ double2 labels[mostStages][R]; // y and the weight
	unsigned rank, blocks;
	asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
	asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(blocks));
	const int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
	const int cluster = blockIdx.x / blocks, clusters = gridDim.x / blocks;
	const int quads = p.stride / 4, from = rank * p.slice, mine = min(p.slice, quads - from);
	const unsigned bytes = mine * sizeof(Quad);
	constexpr unsigned room = T * NV * sizeof(Quad); // of a row: behind the last quad are zeros
#if CELL == 2
	Digits b[NV];
	float unit = 0;
	if (warp < warps) unit = digitsOf(b, (const float4 *)p.b + from, warp * 32, T, mine, (int4 *)stage + warp * NV * 32);
	__syncthreads();
#else
	float4 b[NV];
#pragma unroll
	for (int v = 0; v < NV; v++) {
		const int q = tid + v * T;
		b[v] = q < mine && warp < warps ? ((const float4 *)p.b)[from + q] : make_float4(0, 0, 0, 0);
	}
#endif
	if (tid == 0) {
		for (int i = 0; i < mostStages; i++) prepare(&full[i], 33), prepare(&freed[i], warps); // cells, and what each lane fetches
		for (int i = 0; i < slots; i++) prepare(&told[i]);
		for (int i = 0; i < 2; i++) prepare(&derived[i]);
		asm volatile("fence.mbarrier_init.release.cluster;");
	}
	for (int i = tid; i < p.stages * R * (int)(room / 16); i += all) ((uint4 *)stage)[i] = make_uint4(0, 0, 0, 0);
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); // copies come after these zeros
	const double constant = constantOf(p, 0);
	meet();
	const i64 groups = (p.rows + R - 1) / R;
	const int steps = (int)((groups - cluster + clusters - 1) / clusters);
	// Barriers of the block, by turns, that say that sums are there.
	auto arrive = [&](int barrier) { asm volatile("barrier.cta.arrive %0, %1;" ::"r"(barrier), "n"(T + 32) : "memory"); };
	auto sync = [&](int barrier) { asm volatile("barrier.cta.sync %0, %1;" ::"r"(barrier), "n"(T + 32) : "memory"); };
	if (warp == warps + 1) {
		// row returns the number of the lane's row of a step. Behind the last one comes the last one again.
		auto row = [&](int s) { return rowOf(p, min(((i64)s * clusters + cluster) * R + lane % R, p.rows - 1)); };
		// All that is fetched may take longer than a step: nobody waits for it here.
		auto load = [&](int s, int at, i64 number) {
			const bool in = lane < R && ((i64)s * clusters + cluster) * R + lane < p.rows;
			if (lane < R && !(in && p.w)) labels[at][lane].y = in;
			__syncwarp();
			if (lane == 0) expect(&full[at], R * bytes);
			__syncwarp();
			if (lane < R) {
				fetch(stage + (at * R + lane) * room, (const Quad *)p.x + number * quads + from, bytes, &full[at]);
				fetchNumber(&labels[at][lane].x, &p.y[number]);
				if (in && p.w) fetchNumber(&labels[at][lane].y, &p.w[number]);
			}
			arriveFetched(&full[at]);
		};
		for (int s = 0; s < p.stages && s < steps; s++) load(s, s, row(s));
		i64 number = row(p.stages);
		unsigned phase = 0;
		Pace pace(p.pace, clusters);
		for (int s = p.stages, at = 0; s < steps; s++) {
			if (rank == 0) pace.keep(s, lane);
			await(&freed[at], phase);
			load(s, at, number);
			number = row(s + 1);
			if (++at == p.stages) at = 0, phase ^= 1;
		}
		meet();
		return;
	}
	if (warp == warps) {
		double loss = 0, slope = 0;
		unsigned phase = 0;
		for (int s = 0, at = 0; s < steps; s++) {
			await(&full[at], phase);
			const double2 label = lane < R ? labels[at][lane] : make_double2(0, 0);
			sync(1 + (s & 1));
			// Those that multiply wait for what follows, so that short code is wanted.
			const float *parts = &sums[s & 1][0][0];
			float z = 0;
#pragma unroll
			for (int i = 0; i < (warps * R + 31) / 32; i++) z += i * 32 + lane < warps * R ? parts[i * 32 + lane] : 0;
#pragma unroll
			for (int o = R; o < 32; o *= 2) z += __shfl_xor_sync(~0u, z, o);
			if (blocks > 1) {
				const int slot = s % slots, all = blocks * R;
				if (lane == 0) expect(&told[slot], all * 4);
				__syncwarp();
#pragma unroll 1
				for (int i = lane; i < all; i += 32) // R divides 32
					tell(&part[slot][rank][lane % R], z, &told[slot], i / R);
				awaitCluster(&told[slot], (s / slots) & 1);
				parts = &part[slot][0][0];
				z = 0;
#pragma unroll 1
				for (int i = lane; i < all; i += 32) z += parts[i];
#pragma unroll
				for (int o = R; o < 32; o *= 2) z += __shfl_xor_sync(~0u, z, o); // lanes behind the last part have zeros
			}
			const double margin = constant + (double)z;
			if (lane < R) {
				const float d = derive(p, margin, label.x, label.y, loss, false);
				slopes[s & 1][lane] = d;
				slope += d;
			}
			__syncwarp();
			if (lane == 0) arriveAt(&derived[s & 1]);
			if (lane < R && p.values && rank == 0) derive(p, margin, label.x, label.y, loss, true); // nobody waits for the loss
			if (++at == p.stages) at = 0, phase ^= 1;
		}
		if (rank == 0) {
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
		return;
	}
	float4 g[NV];
#pragma unroll
	for (int v = 0; v < NV; v++) g[v] = make_float4(0, 0, 0, 0);
	const bool last = warp * 32 + (NV - 1) * T < mine; // whether the last quad of a thread may be there
	int at = 0, before = 0; // stages of this step and of the one before: to divide takes too long
	unsigned phase = 0;
	// first multiplies the rows of a step by the coefficients, and second multiplies by the derivatives those of the one before.
	auto first = [&](int s) {
		await(&full[at], phase);
#if CELL == 2
#pragma unroll
		for (int r = 0; r < R; r += 4) {
			const uint4 *x = (const uint4 *)(stage + (at * R + r + (lane >> 3)) * room) + warp * 8 + (lane & 7);
			Sums some = {};
#pragma unroll
			for (int v = 0; v < NV - 1; v++) addTile(some, x[v * (T / 4)], b[v]);
			if (last) addTile(some, x[(NV - 1) * (T / 4)], b[NV - 1]);
			float a[1] = {sumOf(some, unit)};
			const float z = fold<1, 4>(a, lane, 16);
			if (lane < 4) sums[s & 1][warp][r + lane] = z;
		}
#else
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
#endif
		__syncwarp();
		arrive(1 + (s & 1));
	};
	auto second = [&](int past) {
		await(&derived[past & 1], (past >> 1) & 1);
#pragma unroll
		for (int r = 0; r < R; r++) {
			const float d = slopes[past & 1][r];
			const Quad *x = (const Quad *)(stage + (before * R + r) * room);
#pragma unroll
			for (int v = 0; v < NV - 1; v++) add4(g[v], d, x[tid + v * T]);
			if (last) add4(g[NV - 1], d, x[tid + (NV - 1) * T]);
		}
		__syncwarp();
		if (lane == 0) arriveAt(&freed[before]);
	};
	for (int s = 0; s <= steps; s++) {
#if CELL == 2 // arithmetic takes longer than the memory: rows are there
		if (s < steps) first(s);
		if (s > 0) second(s - 1);
#else
		// Where rows are still on their way, there is time for those of the step before.
		const bool there = s == 0 || (s < steps && over(&full[at], phase));
#pragma unroll 1
		for (int half = 0; half < 2; half++) {
			if (there == (half == 0)) {
				if (s < steps) first(s);
			} else if (s > 0) {
				second(s - 1);
			}
		}
#endif
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
	meet();
}

#define WIDE(name, T, NV, R) \
	extern "C" __global__ void __launch_bounds__(T + 64, 1) name(const __grid_constant__ Pass p) { wide<T, NV, R>(p); }
WIDE(wide1, wideThreads, 1, 8 * ROWS)
WIDE(wide2, wideThreads, 2, 4 * ROWS)
WIDE(wide3, wideThreads, 3, 2 * ROWS)
WIDE(wide4, wideThreads, 4, 2 * ROWS)
WIDE(wide5, wideThreads, 5, ROWS)
WIDE(wide6, wideThreads, 6, ROWS)
WIDE(wide7, wideThreads, 7, ROWS)
WIDE(wide8, (CELL == 2 ? 480 : 512), 8, ROWS) // int8 needs more registers
#endif
