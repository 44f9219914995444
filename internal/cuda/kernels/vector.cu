// What is done to coefficients and columns: the step, the choice of the strongest groups, and
// moving together what stays.

// Keep moves the living groups together, by the list of those that stay.
struct Keep {
	const double *beta, *velocity, *scale, *offset, *rank;
	const int *column, *list;
	double *toBeta, *toVelocity, *toScale, *toOffset, *toRank;
	int *toColumn;
	int groups, kept, outputs, free;
};

// Select finds the strongest groups.
struct Select {
	const double *beta; // or their sum over an epoch
	const double *rank; // what a strength is multiplied by; negative if the group must stay
	double *strength;
	int *list;
	const int *first; // column of each group, and their number; null where each has one
	int groups, kept, outputs, pad;
};

// Compact copies the columns that stay, in the order of the rows.
struct Compact {
	const void *x;
	void *to;
	const int *order, *column;
	i64 first, rows, stride, toStride;
	int columns, size; // size: bytes of a cell
};

// Reorder puts numbers of rows in their new order.
struct Reorder {
	const double *from;
	double *to;
	const int *order;
	i64 rows;
};

// Power is a step of the power iteration: lengths of v and Hv, and v = Hv/‖Hv‖.
struct Power {
	double *v;
	const double *hv;
	double *sums; // ‖v‖², ‖Hv‖², ⟨v,Hv⟩, by block
	double factor;
	i64 count;
};

// update has 32 coefficients for each block at a time, and 8 threads for each that share
// the parts of the sums.
extern "C" __global__ void __launch_bounds__(256) update(const __grid_constant__ Update u)
{
	const int tx = threadIdx.x & 31, ty = threadIdx.x >> 5;
	__shared__ double red[8][33];
	__shared__ double slopes[64]; // by output; others are added up where they are needed
	const int count = u.groups * u.outputs, known = min(u.outputs, 64);
	if (u.flags & UpdateGradient) {
		for (int c = ty; c < known; c += 8) {
			double s = 0;
			for (int i = tx; i < u.slopes; i += 32) s += u.slope[i * u.outputs + c];
			for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
			if (tx == 0) slopes[c] = s;
		}
	}
	__syncthreads();
	auto slopeOf = [&](int c) {
		if (c < known) return slopes[c];
		double s = 0;
		for (int i = 0; i < u.slopes; i++) s += u.slope[i * u.outputs + c];
		return s;
	};
	double squares = 0, moved = 0, largest = 0;
	// move takes the step of a coefficient and returns where it is then.
	auto move = [&](int at, double grad) {
		double b = u.beta[at];
		if (u.flags & UpdateSave) u.grad[at] = grad;
		if (u.flags & UpdateStep) {
			double m = u.rate * grad;
			if (u.velocity) {
				double v = u.momentum * u.velocity[at] + m;
				u.velocity[at] = v;
				m += u.momentum * v;
			}
			b -= m;
			u.beta[at] = b;
			moved = isfinite(m) && moved == moved ? fmax(moved, fabs(m)) : __longlong_as_double(0x7ff8000000000000ll);
			if (u.flags & UpdateTrail) u.trail[at] += b;
		}
		return b;
	};
	double *constant = u.constant + (i64)blockIdx.x * u.outputs;
	if (ty == 0)
		for (int c = tx; c < u.outputs; c += 32) constant[c] = 0;
	__syncthreads();
	for (int base = blockIdx.x * 32; base < count; base += gridDim.x * 32) {
		const int i = base + tx, c = i / u.groups, j = i - c * u.groups;
		double s = 0;
		if (u.flags & UpdateGradient) {
			if (i < count) {
				const float *g = u.g + c * u.stride + u.column[j];
				const i64 step = u.outputs * u.stride;
#pragma unroll 8
				for (int k = ty; k < u.parts; k += 8) s += (double)g[k * step];
			}
			red[ty][tx] = s;
			__syncthreads();
		}
		if (ty == 0) {
			double add = 0;
			if (i < count) {
				const int at = j * u.outputs + c;
				double grad = 0;
				const double b = u.beta[at];
				if (u.flags & UpdateGradient) {
					for (int k = 0; k < 8; k++) grad += red[k][tx];
					grad *= u.scale[j];
					if (u.offset) grad += u.offset[j] * slopeOf(c);
					grad += u.ridge * b;
				}
				squares += b * b;
				const double to = move(at, grad);
				largest = fmax(largest, fabs(to));
				u.b[c * u.stride + u.column[j]] = (float)(u.scale[j] * to);
				if (u.offset) add = u.offset[j] * to;
			}
			if (u.offset) { // 32 neighbours mostly have one output
				const int first = __shfl_sync(~0u, c, 0);
				if (__all_sync(~0u, c == first || i >= count)) {
					for (int o = 16; o; o >>= 1) add += __shfl_xor_sync(~0u, add, o);
					if (tx == 0) constant[first] += add;
				} else {
					for (int k = 0; k < 32; k++) {
						if (tx == k && i < count) constant[c] += add;
						__syncwarp();
					}
				}
			}
		}
		__syncthreads();
	}
	if (blockIdx.x == 0 && ty == 0)
		for (int c = tx; c < u.free; c += 32) constant[c] += move(count + c, u.flags & UpdateGradient ? slopeOf(c) : 0);
	if (ty == 0) {
		for (int o = 16; o; o >>= 1) {
			squares += __shfl_xor_sync(~0u, squares, o);
			double m = __shfl_xor_sync(~0u, moved, o);
			moved = m != m ? m : moved != moved ? moved : fmax(m, moved);
			largest = fmax(largest, __shfl_xor_sync(~0u, largest, o));
		}
		if (tx == 0) {
			double *to = u.stats + 3 * (i64)blockIdx.x;
			to[0] += squares * u.ridge / 2;
			to[1] = moved != moved ? moved : fmax(to[1], moved);
			to[2] = largest;
		}
	}
}

// strengths sets what groups are compared by; see anneal/strongest.go.
extern "C" __global__ void __launch_bounds__(256) strengths(const __grid_constant__ Select s)
{
	const int j = blockIdx.x * 256 + threadIdx.x;
	if (j >= s.groups) return;
	double length = 0;
	const i64 at = s.first ? s.first[j] : j;
	const int count = s.outputs * (s.first ? s.first[j + 1] - at : 1);
	const double *b = s.beta + at * s.outputs;
	if (count == 1) {
		length = fabs(b[0]);
	} else if (count > 1) {
		for (int c = 0; c < count; c++) length += b[c] * b[c];
		length = sqrt(length) / sqrt(sqrt((double)count));
	}
	const double rank = s.rank[j];
	s.strength[j] = rank < 0 ? __longlong_as_double(0x7ff0000000000000ll) : fmin(length * rank, 1.7976931348623157e308);
}

// strongest lists the groups that stay, ascending, of equal ones those with the lower
// number. One block: the threshold is found digit after digit, of 8 bits each.
extern "C" __global__ void __launch_bounds__(1024) strongest(const __grid_constant__ Select s)
{
	__shared__ int counts[256];
	__shared__ u64 limit;
	__shared__ int want, above[32], equal[32];
	const int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
	const u64 *key = (const u64 *)s.strength;
	if (tid == 0) limit = 0, want = s.kept;
	for (int shift = 56; shift >= 0; shift -= 8) {
		if (tid < 256) counts[tid] = 0;
		__syncthreads();
		const u64 found = limit;
		const int left = want;
		for (int base = 0; base < s.groups; base += 1024) {
			const int j = base + tid;
			bool in = j < s.groups;
			const u64 k = in ? key[j] : 0;
			in = in && (shift == 56 || k >> (shift + 8) == found >> (shift + 8));
			const int digit = in ? (int)(k >> shift & 255) : 256;
			const unsigned same = __match_any_sync(~0u, digit);
			if (in && lane == __ffs(same) - 1) atomicAdd(&counts[digit], __popc(same));
		}
		__syncthreads();
		if (tid == 0) {
			int n = left, d = 255;
			for (; d > 0 && counts[d] < n; d--) n -= counts[d];
			limit = found | (u64)d << shift;
			want = n;
		}
		__syncthreads();
	}
	// Want is how many of those that are equal to the limit stay.
	int at = 0, equals = 0;
	for (int base = 0; base < s.groups; base += 1024) {
		const int j = base + tid;
		const u64 k = j < s.groups ? key[j] : 0;
		const bool more = j < s.groups && k > limit, same = j < s.groups && k == limit;
		const unsigned mores = __ballot_sync(~0u, more), sames = __ballot_sync(~0u, same);
		if (lane == 0) above[warp] = __popc(mores), equal[warp] = __popc(sames);
		__syncthreads();
		int before = at, equalBefore = equals;
		for (int i = 0; i < 32; i++) {
			if (i < warp) before += above[i], equalBefore += equal[i];
			at += above[i], equals += equal[i];
		}
		const unsigned below = (1u << lane) - 1;
		before += __popc(mores & below), equalBefore += __popc(sames & below);
		if (more || same && equalBefore < want) s.list[before + min(equalBefore, want)] = j;
		__syncthreads();
	}
}

// keep moves coefficients and what belongs to groups together.
extern "C" __global__ void __launch_bounds__(256) keep(const __grid_constant__ Keep k)
{
	const int i = blockIdx.x * 256 + threadIdx.x, all = k.kept * k.outputs;
	if (i >= all + k.free) return;
	const int from = i < all ? k.list[i / k.outputs] * k.outputs + i % k.outputs : k.groups * k.outputs + i - all;
	k.toBeta[i] = k.beta[from];
	if (k.velocity) k.toVelocity[i] = k.velocity[from];
	if (i >= k.kept) return;
	const int j = k.list[i];
	k.toScale[i] = k.scale[j];
	if (k.offset) k.toOffset[i] = k.offset[j];
	if (k.rank) k.toRank[i] = k.rank[j];
	k.toColumn[i] = k.column[j];
}

// compact copies four columns of a row with each thread, and zeros behind the last one.
template <class T>
__device__ __forceinline__ void compactCells(const Compact &c)
{
	const i64 quads = c.toStride / 4, all = quads * c.rows;
	for (i64 i = (i64)blockIdx.x * 256 + threadIdx.x; i < all; i += (i64)gridDim.x * 256) {
		const i64 r = i / quads, q = i - r * quads;
		const T *row = (const T *)c.x + (c.order ? c.order[c.first + r] : c.first + r) * c.stride;
		T *to = (T *)c.to + r * c.toStride + 4 * q;
#pragma unroll
		for (int k = 0; k < 4; k++) to[k] = 4 * q + k < c.columns ? row[c.column[4 * q + k]] : (T)0;
	}
}

extern "C" __global__ void __launch_bounds__(256) compact(const __grid_constant__ Compact c)
{
	switch (c.size) {
	case 4: return compactCells<unsigned>(c);
	case 2: return compactCells<unsigned short>(c);
	default: return compactCells<unsigned char>(c);
	}
}

extern "C" __global__ void __launch_bounds__(256) reorder(const __grid_constant__ Reorder o)
{
	const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
	if (i < o.rows) o.to[i] = o.from[o.order[i]];
}

// lengths adds up ‖v‖², ‖Hv‖² and ⟨v,Hv⟩, by block.
extern "C" __global__ void __launch_bounds__(256) lengths(const __grid_constant__ Power p)
{
	double s[3] = {0, 0, 0};
	for (i64 i = (i64)blockIdx.x * 256 + threadIdx.x; i < p.count; i += (i64)gridDim.x * 256) {
		const double v = p.v[i], h = p.hv[i];
		s[0] += v * v, s[1] += h * h, s[2] += v * h;
	}
	__shared__ double sums[3][8];
	for (int k = 0; k < 3; k++) {
		for (int o = 16; o; o >>= 1) s[k] += __shfl_xor_sync(~0u, s[k], o);
		if ((threadIdx.x & 31) == 0) sums[k][threadIdx.x >> 5] = s[k];
	}
	__syncthreads();
	if (threadIdx.x < 3) {
		double all = 0;
		for (int i = 0; i < 8; i++) all += sums[threadIdx.x][i];
		p.sums[3 * blockIdx.x + threadIdx.x] = all;
	}
}

extern "C" __global__ void __launch_bounds__(256) turn(const __grid_constant__ Power p)
{
	const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
	if (i < p.count) p.v[i] = p.hv[i] * p.factor;
}
