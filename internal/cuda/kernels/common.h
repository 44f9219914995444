// What the kernels share: arguments, whose Go twins are in arguments.go, cells and losses.
// Sums are taken in an order that depends on the shape of the problem and the kind of
// device alone; no floating-point number is added atomically.

typedef long long i64;
typedef unsigned long long u64;

// Pass is one pass over the rows of a batch: z = Xb, r = ∂loss/∂z, g = Xᵀr.
struct Pass {
	const void *x;          // cells, row after row
	const int *order;       // the number of each row, or null if they are in order
	const double *y, *w;    // by the number of a row; null weights are 1
	const float *b;         // scaled coefficients by output and column
	const double *constant; // parts of what is added to every margin, by part and output
	float *g;               // parts of Xᵀr, by part, output and column
	double *slope;          // parts of Σr, by part and output
	double *loss;           // parts of the loss, which go on from where they are
	float *z;               // parts of the margins, of the split kernels alone,
	float *r;               // and their derivatives
	unsigned *pace;         // what clusters count together, or null
	i64 first, rows, every; // the rows: first, first+every, …
	i64 stride;             // cells of a row, with what fills it up to 16 bytes
	i64 width;              // coefficients of an output, those of b and of g
	double huber, bend;     // of the svm and huber losses; bound on the second derivative
	int kind;               // of loss
	int outputs;
	int constants;          // parts of the constant
	int slice;              // quads of a row that a block of a cluster has
	int stages;             // rows in flight, in steps
	int more;               // g, slope go on from where they are
	int slabs;              // parts of the rows, of the split kernels alone
	int values;             // whether the loss is wanted
	int strips;             // parts of the columns, of the split kernels alone
	int knots, bins, digits; // of codes: coefficients of a variable, bins, digits of the place in one
};

// Update forms the gradient, takes a step and scales the coefficients for the next pass.
struct Update {
	double *beta, *velocity, *trail, *grad;
	const double *scale, *offset; // of each group's column; a null offset is 0
	const int *column;            // of each group
	float *b;
	double *constant;
	const float *g;
	const double *slope;
	double *stats; // penalty, largest move and largest coefficient, by block
	i64 stride;
	double rate, momentum, ridge; // ridge: 2λ times the weight of the rows
	int groups, outputs, free;
	int parts, slopes; // of g and of the slope
	int flags;
};

// Batch is the rows of a step, by their place in the order.
struct __align__(16) Batch {
	i64 first, rows;
	double weight, inverse; // inverse: 1/weight
};

// Short is an epoch of short steps.
struct Short {
	Pass p;
	Update u;
	const Batch *list;
	double *told; // loss, penalty, largest move and largest coefficient, by block
	double eta, ridge;
	int batches, begin;
};

enum { UpdateGradient = 1, UpdateStep = 2, UpdateTrail = 4, UpdateSave = 8 };

enum { Squared, Logistic, SVM, Lorenz, Multinomial, Bend, Huber };

// A quad is four cells of a row, and what they stand for.
#if CELL == 0
typedef float4 Quad;
__device__ __forceinline__ float4 numbers(Quad q) { return q; }
__device__ __forceinline__ Quad zeros() { return make_float4(0, 0, 0, 0); }
#elif CELL == 1
typedef uint2 Quad; // bfloat16: the upper halves of float32
__device__ __forceinline__ float4 numbers(Quad q)
{
	return make_float4(__uint_as_float(q.x << 16), __uint_as_float(q.x & 0xffff0000u),
		__uint_as_float(q.y << 16), __uint_as_float(q.y & 0xffff0000u));
}
__device__ __forceinline__ Quad zeros() { return make_uint2(0, 0); }
#else
typedef unsigned Quad; // int8, which become the last bits of 2²³ + 128 + cell
__device__ __forceinline__ float4 numbers(Quad q)
{
	q ^= 0x80808080u;
	const float zero = 8388736.0f;
	return make_float4(__uint_as_float(__byte_perm(q, 0x4B000000u, 0x7440)) - zero,
		__uint_as_float(__byte_perm(q, 0x4B000000u, 0x7441)) - zero,
		__uint_as_float(__byte_perm(q, 0x4B000000u, 0x7442)) - zero,
		__uint_as_float(__byte_perm(q, 0x4B000000u, 0x7443)) - zero);
}
__device__ __forceinline__ Quad zeros() { return 0; }
#endif

__device__ __forceinline__ float dot4(float a, Quad q, float4 b)
{
	float4 x = numbers(q);
	a = fmaf(x.x, b.x, a);
	a = fmaf(x.y, b.y, a);
	a = fmaf(x.z, b.z, a);
	return fmaf(x.w, b.w, a);
}

__device__ __forceinline__ void add4(float4 &g, float d, Quad q)
{
	float4 x = numbers(q);
	g.x = fmaf(d, x.x, g.x);
	g.y = fmaf(d, x.y, g.y);
	g.z = fmaf(d, x.z, g.z);
	g.w = fmaf(d, x.w, g.w);
}

// derive returns the derivative of the loss of a row by its margin, and adds the loss to
// sum if it is wanted. Margins are sums of float32, so that no more digits are needed here.
__device__ __forceinline__ float derive(const Pass &p, double z, double y, double w, double &sum, bool value)
{
	const float sign = (float)y, x = sign * (float)z, slope = -(float)w * sign;
	float loss, d;
	switch (p.kind) {
	case Squared: { // y may be far from zero
		const double e = z - y;
		if (value) sum += w * e * e / 2;
		return (float)(w * e);
	}
	case Logistic: {
		const float e = __expf(-fabsf(x));
		d = slope * __fdividef(x > 0 ? e : 1.0f, 1 + e);
		loss = (e < 1e-3f ? e - e * e / 2 : __logf(1 + e)) + fmaxf(-x, 0);
		break;
	}
	case SVM: {
		const float h = (float)p.huber, u = 1 + h - x;
		d = x < 1 - h ? slope : u > 0 ? slope * u / (2 * h) : 0;
		loss = x < 1 - h ? 1 - x : u > 0 ? u * u / (4 * h) : 0;
		break;
	}
	case Lorenz: {
		const float u = fmaxf(1 - x, 0), s = u * u; // beyond 1e15 the square is too large
		d = u < 1e15f ? slope * 2 * __fdividef(u, 1 + s) : slope * 2 / u;
		loss = s < 1e-3f ? s - s * s / 2 : u < 1e15f ? __logf(1 + s) : 2 * __logf(u);
		break;
	}
	case Huber: {
		const double e = z - y, h = p.huber, a = fabs(e);
		if (value) sum += w * (a <= h ? e * e / 2 : h * (a - h / 2));
		return (float)(w * (a <= h ? e : copysign(h, e)));
	}
	default: // Bend: Hv instead of the gradient
		return (float)(p.bend * w * z);
	}
	if (value) sum += w * (double)loss;
	return d;
}

// rowOf returns the number of the i-th row of the pass.
__device__ __forceinline__ i64 rowOf(const Pass &p, i64 i)
{
	i = p.first + i * p.every;
	return p.order ? p.order[i] : i;
}

// constantOf returns what is added to the margins of an output, in every thread of a block.
__device__ __forceinline__ double constantOf(const Pass &p, int output)
{
	__shared__ double all;
	__syncthreads();
	if (threadIdx.x < 32) {
		double sum = 0;
		for (int i = threadIdx.x; i < p.constants; i += 32) sum += p.constant[i * p.outputs + output];
		for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
		if (threadIdx.x == 0) all = sum;
	}
	__syncthreads();
	return all;
}
