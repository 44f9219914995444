// Made data: equally correlated, nearly normal variables whose sum over some of them decides
// the label. A cell depends on the seed, its row and its column alone; generate.go has the
// twin of it, to the last bit.

struct Generate {
	void *x;
	double *y;
	i64 first, rows, stride; // first: the number of the first row
	u64 seed;
	int columns, format, every, count; // every-th columns are true, count of them
};

// Constants of the twin.
enum { PerUnit = 75674, Int8PerUnit = 24 };

// noise is the sum of four numbers of 16 bits, less its mean.
__device__ __forceinline__ int noise(u64 seed, i64 row, int column)
{
	u64 h = seed + ((u64)row << 24 | (u64)(unsigned)column) * 0x9e3779b97f4a7c15ull;
	h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9ull;
	h = (h ^ h >> 27) * 0x94d049bb133111ebull;
	h ^= h >> 31;
	return (int)((h & 0xffff) + (h >> 16 & 0xffff) + (h >> 32 & 0xffff) + (h >> 48)) - 2 * 0xffff;
}

enum { Common = 0xffffff }; // in place of a column: what all of a row share

__device__ __forceinline__ signed char clampCell(int v)
{
	int up = v * Int8PerUnit + PerUnit / 2; // rounded down after this, towards −∞
	int q = up >= 0 ? up / PerUnit : -((-up + PerUnit - 1) / PerUnit);
	return (signed char)(q > 127 ? 127 : q < -127 ? -127 : q);
}

// generate has a warp for each row.
extern "C" __global__ void __launch_bounds__(256) generate(const __grid_constant__ Generate g)
{
	const int lane = threadIdx.x & 31;
	const i64 warps = (i64)gridDim.x * 8;
	for (i64 i = (i64)blockIdx.x * 8 + (threadIdx.x >> 5); i < g.rows; i += warps) {
		const i64 row = g.first + i;
		const int common = noise(g.seed, row, Common);
		for (int j = lane; j < g.stride; j += 32) {
			const int v = j < g.columns ? 2 * noise(g.seed, row, j) + common : 0;
			const i64 at = i * g.stride + j;
			const float f = (float)v * (1.0f / PerUnit);
			switch (g.format) {
			case 0: ((float *)g.x)[at] = f; break;
			case 1: ((unsigned short *)g.x)[at] = (unsigned short)((__float_as_uint(f) + 0x8000u) >> 16); break;
			default: ((signed char *)g.x)[at] = clampCell(v);
			}
		}
		i64 sum = 0;
		for (int t = lane; t < g.count; t += 32) sum += 2 * noise(g.seed, row, (t + 1) * g.every - 1) + common;
		for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
		if (lane == 0) g.y[i] = sum > 0 ? 1 : -1;
	}
}
