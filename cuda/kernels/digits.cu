// Products of cells of 8 bits by the matrix units, which multiply such cells by numbers of 8 bits and add up
// exactly. A coefficient, or a derivative, is a whole number of 31 bits, in units of 2⁻²⁹ or less of the largest one of the
// warp: finer than what adding up in float32 leaves. It has four digits of 8 bits, from −128 to 127.

#if CELL == 2
// Units are what numbers are whole numbers of, for the bits of the largest one, of which those of NaN are the largest.
struct Units {
	unsigned exponent;
	float scale;
	__device__ __forceinline__ Units(unsigned most) : exponent(max(most >> 23, 30u)), scale(__uint_as_float(exponent < 255 ? (283u - exponent) << 23 : 0x7fc00000u)) {}
	// whole returns a number whose bytes are the digits.
	__device__ __forceinline__ int whole(float f) const { return (__float2int_rn(f * scale) + 0x00808080) ^ 0x00808080; }
	// of returns what sums of a digit have to be multiplied by. NaN stays.
	__device__ __forceinline__ float of(unsigned digit) const { return exponent < 255 ? __uint_as_float(exponent - 29 + 8 * digit << 23) : scale; }
};

// digitOf returns a digit of four whole numbers.
__device__ __forceinline__ unsigned digitOf(int4 n, unsigned digit)
{
	const unsigned pick = digit | (digit + 4) << 4;
	return __byte_perm(__byte_perm(n.x, n.y, pick), __byte_perm(n.z, n.w, pick), 0x5410);
}

// multiply adds the products of 16×32 and 32×8 cells.
__device__ __forceinline__ void multiply(int (&c)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1)
{
	asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

// Digits are those of 16 coefficients of a tile of 128 columns.
struct Digits {
	unsigned cells[4];
};

// digitsOf sets the digits of NV tiles, the quads of which are from first on, and then step further on. It
// returns what the sums of the lane's digit have to be multiplied by. Room is for NV·32 quads.
template <int NV>
__device__ __forceinline__ float digitsOf(Digits (&to)[NV], const float4 *from, int first, int step, int quads, int4 *room)
{
	const int lane = threadIdx.x & 31;
	float4 b[NV];
	unsigned most = 0;
	auto bits = [](float f) { return __float_as_uint(f) & 0x7fffffffu; };
#pragma unroll
	for (int v = 0; v < NV; v++) {
		const int q = first + v * step + lane;
		b[v] = q < quads ? from[q] : make_float4(0, 0, 0, 0);
		most = max(max(most, max(bits(b[v].x), bits(b[v].y))), max(bits(b[v].z), bits(b[v].w)));
	}
	const Units units(__reduce_max_sync(~0u, most));
#pragma unroll
	for (int v = 0; v < NV; v++) room[v * 32 + lane] = make_int4(units.whole(b[v].x), units.whole(b[v].y), units.whole(b[v].z), units.whole(b[v].w));
	__syncwarp();
#pragma unroll
	for (int v = 0; v < NV; v++)
#pragma unroll
		for (int i = 0; i < 4; i++) to[v].cells[i] = digitOf(room[v * 32 + (lane & 7) * 4 + i], lane >> 3);
	__syncwarp();
	return units.of(lane >> 3);
}

// Sums are those of four rows. A matrix unit has sixteen rows of digits, eight of which are of use at a time: of the first
// sums those above, of the second those below.
struct Sums {
	int first[4], second[4];
};

// addTile adds the products of a tile of four rows. A lane has 16 cells of row lane/8, those from column 16·(lane mod 8) on.
__device__ __forceinline__ void addTile(Sums &s, uint4 x, const Digits &b)
{
	multiply(s.first, b.cells[0], b.cells[2], b.cells[1], b.cells[3], x.x, x.y);
	multiply(s.second, b.cells[0], b.cells[2], b.cells[1], b.cells[3], x.z, x.w);
}

// sumOf returns the part of the margin of row lane mod 4 that this lane has: of one digit, and of half of the columns.
__device__ __forceinline__ float sumOf(const Sums &s, float unit)
{
	return (float)(threadIdx.x & 4 ? s.first[1] + s.second[3] : s.first[0] + s.second[2]) * unit;
}

// Slopes are the derivatives of 32 rows, of which each lane has one, as digits: those of rows lane mod 4, and 4, 8, … further on.
struct Slopes {
	unsigned low, high; // of the first 16 rows, and of the others
	float unit;

	// Room is for 32 numbers.
	__device__ __forceinline__ Slopes(float d, int *room)
	{
		const int lane = threadIdx.x & 31;
		const Units units(__reduce_max_sync(~0u, __float_as_uint(d) & 0x7fffffffu));
		room[lane & 16 | (lane & 3) << 2 | lane >> 2 & 3] = units.whole(d);
		__syncwarp();
		low = digitOf(((const int4 *)room)[lane & 3], lane >> 2 & 3);
		high = digitOf(((const int4 *)room)[4 + (lane & 3)], lane >> 2 & 3);
		unit = lane & 2 ? 0 : units.of(2 * (lane & 1)); // digits are there twice
	}
};

// turn makes columns of four rows of four cells.
__device__ __forceinline__ void turn(unsigned (&x)[4])
{
	const unsigned a = __byte_perm(x[0], x[1], 0x5140), b = __byte_perm(x[2], x[3], 0x5140);
	const unsigned c = __byte_perm(x[0], x[1], 0x7362), d = __byte_perm(x[2], x[3], 0x7362);
	x[0] = __byte_perm(a, b, 0x5410), x[1] = __byte_perm(a, b, 0x7632), x[2] = __byte_perm(c, d, 0x5410), x[3] = __byte_perm(c, d, 0x7632);
}

// addSlopes adds up what 32 rows of a tile of 128 columns give to g. A lane has columns 16·(lane/4) to 16·(lane/4)+15, and of their digits
// two, if any.
__device__ __forceinline__ void addSlopes(float (&g)[16], const unsigned char *rows, int pitch, const Slopes &s)
{
	const int lane = threadIdx.x & 31;
	uint4 x[8];
#pragma unroll
	for (int r = 0; r < 8; r++) x[r] = *(const uint4 *)(rows + (4 * r + (lane & 3)) * pitch + (lane >> 2) * 16);
	auto quad = [&](int q, unsigned x0, unsigned x1, unsigned x2, unsigned x3, unsigned x4, unsigned x5, unsigned x6, unsigned x7) {
		unsigned low[4] = {x0, x1, x2, x3}, high[4] = {x4, x5, x6, x7};
		turn(low), turn(high);
#pragma unroll
		for (int k = 0; k < 4; k += 2) {
			int c[4] = {0, 0, 0, 0};
			multiply(c, low[k], low[k + 1], high[k], high[k + 1], s.low, s.high);
			g[q + k] = fmaf((float)(c[0] + c[1] * 256), s.unit, g[q + k]);
			g[q + k + 1] = fmaf((float)(c[2] + c[3] * 256), s.unit, g[q + k + 1]);
		}
	};
	quad(0, x[0].x, x[1].x, x[2].x, x[3].x, x[4].x, x[5].x, x[6].x, x[7].x);
	quad(4, x[0].y, x[1].y, x[2].y, x[3].y, x[4].y, x[5].y, x[6].y, x[7].y);
	quad(8, x[0].z, x[1].z, x[2].z, x[3].z, x[4].z, x[5].z, x[6].z, x[7].z);
	quad(12, x[0].w, x[1].w, x[2].w, x[3].w, x[4].w, x[5].w, x[6].w, x[7].w);
}

// quadOf returns the sums of quad number lane of a tile.
__device__ __forceinline__ float4 quadOf(float (&g)[16])
{
	float4 to = make_float4(0, 0, 0, 0);
#pragma unroll
	for (int i = 0; i < 16; i++) {
		g[i] += __shfl_xor_sync(~0u, g[i], 1);
		g[i] += __shfl_xor_sync(~0u, g[i], 2);
		if ((threadIdx.x & 3) == i / 4) (&to.x)[i % 4] = g[i];
	}
	return to;
}
#endif
