// Margins of cells of 8 bits by the matrix units, which multiply such cells by numbers of 8 bits and add up
// exactly. A coefficient is a whole number of 31 bits, in units of 2⁻²⁹ or less of the largest one of the warp: finer than
// what adding up in float32 leaves. It has four digits of 8 bits, from −128 to 127.

#if CELL == 2
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
	unsigned most = 0; // as a number of bits, of which those of NaN are the largest
	auto bits = [](float f) { return __float_as_uint(f) & 0x7fffffffu; };
#pragma unroll
	for (int v = 0; v < NV; v++) {
		const int q = first + v * step + lane;
		b[v] = q < quads ? from[q] : make_float4(0, 0, 0, 0);
		most = max(max(most, max(bits(b[v].x), bits(b[v].y))), max(bits(b[v].z), bits(b[v].w)));
	}
	most = __reduce_max_sync(~0u, most);
	const unsigned exponent = max(most >> 23, 30u);
	const float scale = __uint_as_float(exponent < 255 ? (283u - exponent) << 23 : 0x7fc00000u);
	auto whole = [&](float f) { return (__float2int_rn(f * scale) + 0x00808080) ^ 0x00808080; };
#pragma unroll
	for (int v = 0; v < NV; v++) room[v * 32 + lane] = make_int4(whole(b[v].x), whole(b[v].y), whole(b[v].z), whole(b[v].w));
	__syncwarp();
	const unsigned digit = lane >> 3, pick = digit | (digit + 4) << 4;
#pragma unroll
	for (int v = 0; v < NV; v++)
#pragma unroll
		for (int i = 0; i < 4; i++) {
			const int4 n = room[v * 32 + (lane & 7) * 4 + i];
			to[v].cells[i] = __byte_perm(__byte_perm(n.x, n.y, pick), __byte_perm(n.z, n.w, pick), 0x5410);
		}
	__syncwarp();
	return exponent < 255 ? __uint_as_float(exponent - 29 + 8 * digit << 23) : scale; // NaN stays
}

// Sums are those of four rows. A matrix unit has sixteen rows of digits, eight of which are of use at a time: of the first
// sums those above, of the second those below.
struct Sums {
	int first[4], second[4];
};

// addTile adds the products of a tile of four rows. A lane has 16 cells of row lane/8, those from column 16·(lane mod 8) on.
__device__ __forceinline__ void addTile(Sums &s, uint4 x, const Digits &b)
{
	auto add = [&](int (&c)[4], unsigned x0, unsigned x1) {
		asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
			: "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) : "r"(b.cells[0]), "r"(b.cells[2]), "r"(b.cells[1]), "r"(b.cells[3]), "r"(x0), "r"(x1));
	};
	add(s.first, x.x, x.y);
	add(s.second, x.z, x.w);
}

// sumOf returns the part of the margin of row lane mod 4 that this lane has: of one digit, and of half of the columns.
__device__ __forceinline__ float sumOf(const Sums &s, float unit)
{
	return (float)(threadIdx.x & 4 ? s.first[1] + s.second[3] : s.first[0] + s.second[2]) * unit;
}
#endif
