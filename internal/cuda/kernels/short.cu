// A whole epoch of short steps in one kernel: one cluster of blocks takes the rows of a batch, adds up what
// they found through each other's shared memory, moves the coefficients, which stay in
// registers, and goes on to the next batch, whose rows are on their way meanwhile.

#if __CUDA_ARCH__ >= 900
constexpr int shortBlocks = 16, shortThreads = 256; // blocks of the cluster, at most

__device__ __forceinline__ unsigned remote(const void *a, unsigned block)
{
	unsigned to;
	asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(shared(a)), "r"(block));
	return to;
}

__device__ __forceinline__ float readFloat(const float *a, unsigned block)
{
	float v;
	asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(v) : "r"(remote(a, block)) : "memory");
	return v;
}

__device__ __forceinline__ double readDouble(const double *a, unsigned block)
{
	double v;
	asm volatile("ld.shared::cluster.f64 %0, [%1];" : "=d"(v) : "r"(remote(a, block)) : "memory");
	return v;
}

__device__ __forceinline__ void writeFloat(float *a, float v, unsigned block)
{
	asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(remote(a, block)), "f"(v) : "memory");
}

__device__ __forceinline__ void writeDouble(double *a, double v, unsigned block)
{
	asm volatile("st.shared::cluster.f64 [%0], %1;" ::"r"(remote(a, block)), "d"(v) : "memory");
}

// total adds up a number of N blocks, whose answers are on their way at once.
template <int N>
__device__ __forceinline__ float total(const float *a, int from = 0)
{
	float v[N];
#pragma unroll
	for (int i = 0; i < N; i++) v[i] = readFloat(a, from + i);
#pragma unroll
	for (int o = N / 2; o; o /= 2)
#pragma unroll
		for (int i = 0; i < o; i++) v[i] += v[i + o];
	return v[0];
}

// shortSteps is narrow and update for all batches. G, NV and R are those of narrow. Where groups are so few that
// a block has a thread for each (Each), every block moves all coefficients, and blocks meet once a step; else each
// moves its own, at most Groups, tells the others, and they meet twice.
template <int G, int NV, int R, bool Each, int Groups = 64>
__device__ __forceinline__ void shortSteps(const Short &s)
{
	constexpr int warps = shortThreads / 32, width = G * NV;
	extern __shared__ float4 part[]; // by warp
	__shared__ float4 b4[width], sum4[2][width]; // the sums of a step are read while the next one begins
	__shared__ double slopes[warps], slope[2], constants[shortBlocks];
	constexpr int shares = shortThreads / Groups; // of the blocks, whose sums a thread adds up
	__shared__ float red[shares][Groups];
	const Pass &p = s.p;
	const Update &u = s.u;
	unsigned rank;
	asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
	unsigned blocks = shortBlocks; // of the cluster, a power of two
	if constexpr (Each) asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(blocks));
	const int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5, at = lane & (G - 1), group = lane / G;
	const int quads = p.stride / 4;
	constexpr int share = G / R;
	const int mine = at / share;
	const bool leader = at % share == 0;

	// The coefficients of a block: thread j has one, and one more has the free one, if only in block 0 where each
	// block has its own.
	const int each = Each ? u.groups : (u.groups + shortBlocks - 1) / shortBlocks, j = (Each ? 0 : rank * each) + tid;
	const bool owner = tid < each && j < u.groups;
	const bool free = u.free && (Each ? tid == shortThreads - 1 : rank == 0 && tid == Groups);
	const int place = owner ? j : u.groups;
	const int column = owner ? u.column[j] : 0;
	const int k = tid & (Groups - 1), someBlocks = tid / Groups, own = rank * each + k; // where each block has its own
	const int ownColumn = !Each && k < each && own < u.groups ? u.column[own] : -1;
	const double scale = owner ? u.scale[j] : 0, offset = owner && u.offset ? u.offset[j] : 0;
	double beta = 0, velocity = 0, trail = 0, penalty = 0, moved = 0;
	if (owner || free) {
		beta = u.beta[place];
		if (u.velocity) velocity = u.velocity[place];
		if (u.flags & UpdateTrail) trail = u.trail[place];
	}
	for (int q = tid; q < width; q += shortThreads) b4[q] = q < quads ? ((const float4 *)p.b)[q] : make_float4(0, 0, 0, 0);
	double constant = constantOf(p, 0), loss = 0;

	Quad next[R][NV];
	double nextY = 0, nextW = 0;
	const i64 step = (i64)blocks * warps * (32 / G) * R;
	const i64 start = (((i64)rank * warps + warp) * (32 / G) + group) * R, warpStart = start - (i64)group * R;
	auto load = [&](const Batch &of, i64 base) {
		const i64 rows = of.rows;
		auto row = [&](i64 i) { return p.order ? (i64)p.order[of.first + i] : of.first + i; };
#pragma unroll
		for (int r = 0; r < R; r++) {
			const bool in = base + r < rows;
			const Quad *x = (const Quad *)p.x + (in ? row(base + r) : 0) * quads;
#pragma unroll
			for (int v = 0; v < NV; v++) next[r][v] = in && at + v * G < quads ? x[at + v * G] : zeros();
		}
		nextY = nextW = 0;
		if (base + mine < rows) {
			const i64 i = row(base + mine);
			nextY = p.y[i];
			nextW = p.w ? p.w[i] : 1;
		}
	};
	// What is known of a batch is on its way two steps before it is needed.
	auto following = [&](int batch) { return batch + 1 == s.batches ? 0 : batch + 1; };
	int ahead = following(s.begin);
	Batch now = s.list[s.begin], after = s.list[ahead], later;
	load(now, start);
	meet();
	for (int t = 0; t < s.batches; t++, now = after, after = later) {
		ahead = following(ahead);
		later = s.list[ahead];
		const i64 rows = now.rows;
		const double weight = now.weight;
		float4 g[NV];
#pragma unroll
		for (int v = 0; v < NV; v++) g[v] = make_float4(0, 0, 0, 0);
		float sum = 0;
		for (i64 gone = 0;; gone += step) {
			const bool last = warpStart + gone + step >= rows;
			const bool any = warpStart + gone < rows;
			Quad x[R][NV];
#pragma unroll
			for (int r = 0; r < R; r++)
#pragma unroll
				for (int v = 0; v < NV; v++) x[r][v] = next[r][v];
			const double y = nextY, w = nextW;
			if (!last) load(now, start + gone + step);
			else load(after, start);
			if (any) {
				float a[R];
#pragma unroll
				for (int r = 0; r < R; r++) {
					a[r] = 0;
#pragma unroll
					for (int v = 0; v < NV; v++) a[r] = dot4(a[r], x[r][v], b4[at + v * G]);
				}
				const double z = constant + (double)fold(a, lane, G / 2);
				const float d = derive(p, z, y, w, loss, leader);
				if (leader) sum += d;
#pragma unroll
				for (int r = 0; r < R; r++) {
					const float dr = __shfl_sync(~0u, d, group * G + r * share);
#pragma unroll
					for (int v = 0; v < NV; v++) add4(g[v], dr, x[r][v]);
				}
			}
			if (last) break;
		}
#pragma unroll
		for (int v = 0; v < NV; v++)
			for (int o = 16; o >= G; o >>= 1) {
				g[v].x += __shfl_xor_sync(~0u, g[v].x, o);
				g[v].y += __shfl_xor_sync(~0u, g[v].y, o);
				g[v].z += __shfl_xor_sync(~0u, g[v].z, o);
				g[v].w += __shfl_xor_sync(~0u, g[v].w, o);
			}
		for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
		if (lane == 0) slopes[warp] = sum;
		if (group == 0) {
#pragma unroll
			for (int v = 0; v < NV; v++) part[warp * width + at + v * G] = g[v];
		}
		__syncthreads();
		for (int q = tid; q < width; q += shortThreads) {
			float4 all = part[q];
			for (int i = 1; i < warps; i++) {
				const float4 f = part[i * width + q];
				all.x += f.x, all.y += f.y, all.z += f.z, all.w += f.w;
			}
			sum4[t & 1][q] = all;
		}
		if (tid == 0) {
			double all = 0;
			for (int i = 0; i < warps; i++) all += slopes[i];
			slope[t & 1] = all;
		}
		meet(); // all blocks have their sums
		float sums[4] = {0, 0, 0, 0};
		if constexpr (Each) {
			if (owner) {
				const float *a = (const float *)sum4[t & 1] + column;
				switch (blocks) {
				case 16: // more at once would get into each other's way
					for (int i = 0; i < 4; i++) sums[i] = total<4>(a, 4 * i);
					break;
				case 8: sums[0] = total<8>(a); break;
				case 4: sums[0] = total<4>(a); break;
				case 2: sums[0] = total<2>(a); break;
				default: sums[0] = total<1>(a);
				}
			}
		} else {
			float all = 0;
			if (ownColumn >= 0) {
				constexpr int some = shortBlocks / shares;
#pragma unroll
				for (int i = 0; i < some; i++) all += readFloat((const float *)sum4[t & 1] + ownColumn, some * someBlocks + i);
			}
			red[someBlocks][k] = all;
		}
		double slopeSum = readDouble(&slope[t & 1], lane & (blocks - 1));
		for (int o = blocks / 2; o; o >>= 1) slopeSum += __shfl_xor_sync(~0u, slopeSum, o);
		if constexpr (!Each) {
			__syncthreads();
			if (tid < Groups)
				for (int i = 0; i < shares; i++) sums[i] = red[i][tid];
		}
		double add = 0;
		if (weight > 0 && (owner || free)) {
			double grad = slopeSum;
			if (owner) {
				grad = ((double)sums[0] + (double)sums[1] + (double)sums[2] + (double)sums[3]) * scale;
				grad += offset * slopeSum + 2 * s.ridge * weight * beta;
				penalty += s.ridge * weight * beta * beta;
			}
			double m = s.eta * now.inverse * grad;
			if (u.velocity) {
				velocity = u.momentum * velocity + m;
				m += u.momentum * velocity;
			}
			beta -= m;
			moved = isfinite(m) && moved == moved ? fmax(moved, fabs(m)) : __longlong_as_double(0x7ff8000000000000ll);
			trail += beta;
		}
		if (owner) {
			const float to = (float)(scale * beta);
			if constexpr (Each) {
				((float *)b4)[column] = to;
			} else {
				for (int i = 0; i < shortBlocks; i++) writeFloat((float *)b4 + column, to, i);
			}
			add = offset * beta;
		} else if (free) {
			add = beta;
		}
		// What is added to margins: thread after thread of a warp, then the warps in order.
		for (int o = 16; o; o >>= 1) add += __shfl_xor_sync(~0u, add, o);
		if constexpr (Each) {
			if (lane == 0) constants[warp] = add;
			__syncthreads();
			constant = 0;
			for (int i = 0; i < warps; i++) constant += constants[i];
			continue;
		}
		if (lane == 0) slopes[warp] = add;
		__syncthreads();
		if (tid < shortBlocks) {
			double all = 0;
			for (int i = 0; i < warps; i++) all += slopes[i];
			writeDouble(&constants[rank], all, tid);
		}
		meet(); // all blocks have the coefficients
		constant = 0;
		for (int i = 0; i < shortBlocks; i++) constant += constants[i];
	}
	if (Each && rank > 0) penalty = 0; // which the first block has
	if ((owner || free) && !(Each && rank > 0)) {
		u.beta[place] = beta;
		if (u.velocity) u.velocity[place] = velocity;
		if (u.flags & UpdateTrail) u.trail[place] = trail;
		if (owner) u.b[column] = (float)(scale * beta);
	}
	__shared__ double told[4][warps];
	double largest = owner ? fabs(beta) : 0;
	for (int o = 16; o; o >>= 1) {
		loss += __shfl_xor_sync(~0u, loss, o);
		penalty += __shfl_xor_sync(~0u, penalty, o);
		const double m = __shfl_xor_sync(~0u, moved, o);
		moved = m != m || moved != moved ? m + moved : fmax(m, moved);
		largest = fmax(largest, __shfl_xor_sync(~0u, largest, o));
	}
	if (lane == 0) told[0][warp] = loss, told[1][warp] = penalty, told[2][warp] = moved, told[3][warp] = largest;
	__syncthreads();
	if (tid == 0) {
		double *to = s.told + 4 * rank;
		for (int i = 0; i < 4; i++) to[i] = told[i][0];
		for (int w = 1; w < warps; w++) {
			to[0] += told[0][w], to[1] += told[1][w];
			const double m = told[2][w];
			to[2] = m != m || to[2] != to[2] ? m + to[2] : fmax(to[2], m);
			to[3] = fmax(to[3], told[3][w]);
		}
	}
	if (rank == 0)
		for (int i = tid; i < p.constants; i += shortThreads) u.constant[i] = i == 0 ? constant : 0;
	meet();
}

#define SHORT(name, ...) \
	extern "C" __global__ void __launch_bounds__(shortThreads, 1) name(const __grid_constant__ Short s) { shortSteps<__VA_ARGS__>(s); }
SHORT(each8, 8, 1, 8, true)
SHORT(each16, 16, 1, 8, true)
SHORT(each32, 32, 1, 8, true)
SHORT(each64, 32, 2, 4, true)
SHORT(short8, 8, 1, 8, false)
SHORT(short16, 16, 1, 8, false)
SHORT(short32, 32, 1, 8, false)
SHORT(short64, 32, 2, 4, false)
SHORT(short128, 32, 4, 2, false)
SHORT(short256, 32, 8, 1, false)
SHORT(short512, 32, 16, 1, false, 128)
#endif
