// What was chosen is learned on few columns of numbers of 64 bits: margins, losses, and products with
// columns. Parts of sums are added up in order by who asks.

struct Learn {
	const double *x;         // columns, one after the other
	const double *y, *w;     // of the rows; null weights are 1
	const double *z, *along; // margins, and what a step adds to them
	double *to;              // margins that are made
	double *r;               // derivatives of the loss; weights of the rows, of grams
	double *parts;           // of sums
	const double *beta;
	const int *column; // of each coefficient
	i64 rows;
	double constant, t; // what is added to margins; how many steps
	double huber, bend;
	double flattest, difference; // of curvatures; see internal/subset
	int columns; // coefficients, or all columns of grams
	int kind, slabs, pad;
};

// combine makes margins of coefficients.
extern "C" __global__ void __launch_bounds__(256) combine(const __grid_constant__ Learn l)
{
	const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
	if (i >= l.rows) return;
	double z = l.constant;
#pragma unroll 8
	for (int j = 0; j < l.columns; j++) z += l.beta[j] * l.x[l.column[j] * l.rows + i];
	l.to[i] = z;
}

// lossOf returns the derivative of the loss of a row of weight 1, and the loss.
__device__ __forceinline__ double lossOf(const Learn &l, double z, double y, double &loss)
{
	const double e = z - y, x = y * z, h = l.huber;
	switch (l.kind) {
	case Squared:
		loss = e * e / 2;
		return e;
	case Huber:
		loss = fabs(e) <= h ? e * e / 2 : h * (fabs(e) - h / 2);
		return fabs(e) <= h ? e : copysign(h, e);
	case Logistic: {
		const double s = exp(-fabs(x));
		loss = log1p(s) + fmax(-x, 0.0);
		return -y * (x > 0 ? s : 1) / (1 + s);
	}
	case SVM: {
		const double u = 1 + h - x;
		loss = x < 1 - h ? 1 - x : u > 0 ? u * u / (4 * h) : 0;
		return x < 1 - h ? -y : u > 0 ? -y * u / (2 * h) : 0;
	}
	default: { // Lorenz; beyond 1e150 the square is too large
		const double u = fmax(1 - x, 0.0);
		loss = u < 1e150 ? log1p(u * u) : 2 * log(u);
		return u < 1e150 ? -y * 2 * u / (1 + u * u) : -y * 2 / u;
	}
	}
}

// addUp leaves the sum over a block in its first thread.
__device__ __forceinline__ double addUp(double v)
{
	__shared__ double sums[8];
	for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);
	__syncthreads();
	if ((threadIdx.x & 31) == 0) sums[threadIdx.x >> 5] = v;
	__syncthreads();
	double s = 0;
	for (int k = 0; k < 8; k++) s += sums[k];
	return s;
}

// losses goes t steps along, and leaves sums of the loss and of its derivatives.
extern "C" __global__ void __launch_bounds__(256) losses(const __grid_constant__ Learn l)
{
	const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
	double loss = 0, r = 0;
	if (i < l.rows) {
		const double w = l.w ? l.w[i] : 1, z = l.t == 0 ? l.z[i] : l.z[i] + l.t * l.along[i];
		r = w * lossOf(l, z, l.y[i], loss);
		loss *= w;
		if (w == 0) loss = 0, r = 0; // also of a margin that is not a number
		l.to[i] = z;
		l.r[i] = r;
	}
	loss = addUp(loss);
	r = addUp(r);
	if (threadIdx.x == 0) l.parts[2 * blockIdx.x] = loss, l.parts[2 * blockIdx.x + 1] = r;
}

// curvatures leaves sums of the second derivative of the loss, by a difference of the first.
extern "C" __global__ void __launch_bounds__(256) curvatures(const __grid_constant__ Learn l)
{
	const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
	double d = 0, loss;
	if (i < l.rows) {
		const double w = l.w ? l.w[i] : 1, z = l.z[i], h = l.difference;
		const double up = lossOf(l, z + h, l.y[i], loss), down = lossOf(l, z - h, l.y[i], loss);
		d = w * fmin(fmax((up - down) / (2 * h), l.flattest * l.bend), l.bend);
	}
	d = addUp(d);
	if (threadIdx.x == 0) l.parts[blockIdx.x] = d;
}

// slopes multiplies the derivatives with columns: a block for each coefficient and slab of rows.
extern "C" __global__ void __launch_bounds__(256) slopes(const __grid_constant__ Learn l)
{
	const int slab = blockIdx.y;
	const i64 lo = l.rows * slab / l.slabs, hi = l.rows * (slab + 1) / l.slabs;
	const double *x = l.x + l.column[blockIdx.x] * l.rows;
	double s = 0;
#pragma unroll 4
	for (i64 i = lo + threadIdx.x; i < hi; i += 256) s += x[i] * l.r[i];
	s = addUp(s);
	if (threadIdx.x == 0) l.parts[(i64)slab * l.columns + blockIdx.x] = s;
}

// grams multiplies all columns, and last one of ones, with each other: a block for 16 of them with 16 others, of a slab
// of rows. Of two blocks that would find the same the first is there.
extern "C" __global__ void __launch_bounds__(256) grams(const __grid_constant__ Learn l)
{
	enum { Tile = 16, Rows = 32 };
	__shared__ double a[Tile][Rows + 1], b[Tile][Rows + 1];
	const int side = l.columns + 1;
	int ta = 0, tb = blockIdx.x; // ta ≥ tb
	while (tb > ta) tb -= ++ta;
	const int ca = Tile * ta + (threadIdx.x >> 4), cb = Tile * tb + (threadIdx.x & 15);
	const i64 lo = l.rows * blockIdx.y / l.slabs, hi = l.rows * (blockIdx.y + 1) / l.slabs;
	auto cell = [&](int c, i64 i) { return c > l.columns || i >= hi ? 0.0 : c == l.columns ? 1.0 : l.x[c * l.rows + i]; };
	double s = 0;
	for (i64 base = lo; base < hi; base += Rows) {
		__syncthreads();
		for (int k = threadIdx.x; k < Tile * Rows; k += 256) {
			const int c = k / Rows, r = k % Rows;
			const i64 i = base + r;
			a[c][r] = i < hi ? l.r[i] * cell(Tile * ta + c, i) : 0;
			b[c][r] = cell(Tile * tb + c, i);
		}
		__syncthreads();
#pragma unroll
		for (int r = 0; r < Rows; r++) s += a[threadIdx.x >> 4][r] * b[threadIdx.x & 15][r];
	}
	if (ca < side && cb < side) l.parts[((i64)blockIdx.y * side + ca) * side + cb] = s;
}
