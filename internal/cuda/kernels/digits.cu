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

// Slopes are the derivatives of 32 rows, of which each lane has one, as digits: a lane comes to have one of rows lane mod 4, and 4, 8, … further on.
struct Slopes {
	unsigned low, high; // of the first 16 rows, and of the others
	float unit;

	// Room is for 32 numbers.
	__device__ __forceinline__ Slopes(float d, int row, int *room)
	{
		const int lane = threadIdx.x & 31, digit = lane >> 2 & 3;
		const Units units(__reduce_max_sync(~0u, __float_as_uint(d) & 0x7fffffffu));
		room[row & 16 | (row & 3) << 2 | row >> 2 & 3] = units.whole(d);
		__syncwarp();
		low = digitOf(((const int4 *)room)[lane & 3], digit);
		high = digitOf(((const int4 *)room)[4 + (lane & 3)], digit);
		unit = lane & 2 ? 0 : units.of(2 * (lane & 1)); // of the sums of two digits; the other lanes have them again
	}

	// add adds to g what four columns of 32 rows give. A lane has those of rows lane mod 4, and 4, 8, … further on.
	__device__ __forceinline__ void add(float *g, unsigned x0, unsigned x1, unsigned x2, unsigned x3, unsigned x4, unsigned x5, unsigned x6, unsigned x7) const
	{
		unsigned one[4] = {x0, x1, x2, x3}, two[4] = {x4, x5, x6, x7};
		turn(one), turn(two);
#pragma unroll
		for (int k = 0; k < 4; k += 2) {
			int c[4] = {0, 0, 0, 0};
			multiply(c, one[k], one[k + 1], two[k], two[k + 1], low, high);
			g[k] = fmaf((float)(c[0] + c[1] * 256), unit, g[k]);
			g[k + 1] = fmaf((float)(c[2] + c[3] * 256), unit, g[k + 1]);
		}
	}

	// turn makes columns of four rows of four cells.
	static __device__ __forceinline__ void turn(unsigned (&x)[4])
	{
		const unsigned a = __byte_perm(x[0], x[1], 0x5140), b = __byte_perm(x[2], x[3], 0x5140);
		const unsigned c = __byte_perm(x[0], x[1], 0x7362), d = __byte_perm(x[2], x[3], 0x7362);
		x[0] = __byte_perm(a, b, 0x5410), x[1] = __byte_perm(a, b, 0x7632), x[2] = __byte_perm(c, d, 0x5410), x[3] = __byte_perm(c, d, 0x7632);
	}
};
#endif
