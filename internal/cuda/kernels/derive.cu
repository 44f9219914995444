// From margins to derivatives, for passes of two kernels.

// derivatives turns z into r, a thread for each row.
extern "C" __global__ void __launch_bounds__(256) derivatives(const __grid_constant__ Pass p)
{
	const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
	double loss = 0, y = 0, w = 0;
	if (i < p.rows) {
		const i64 row = rowOf(p, i);
		y = p.y[row];
		w = p.w ? p.w[row] : 1;
	}
	// margin returns one of the row. Every thread of the block has to ask.
	auto margin = [&](int c) {
		double z = constantOf(p, c);
		if (i < p.rows)
			for (int k = 0; k < p.strips; k++) z += (double)p.z[((i64)k * p.outputs + c) * p.rows + i];
		return z;
	};
	if (p.kind != Multinomial) {
		for (int c = 0; c < p.outputs; c++) {
			const double z = margin(c);
			if (i < p.rows) p.r[c * p.rows + i] = derive(p, z, y, w, loss, true);
		}
	} else {
		const int own = (int)y;
		double most = -__longlong_as_double(0x7ff0000000000000ll), mine = 0;
		int top = 0;
		for (int c = 0; c < p.outputs; c++) {
			const double z = margin(c);
			if (z > most) most = z, top = c;
			if (c == own) mine = z;
		}
		double rest = 0, others = 0; // Σ exp(z_c − z_top) without the top itself
		for (int c = 0; c < p.outputs; c++) {
			const double z = margin(c);
			if (c != top) rest += exp(z - most);
		}
		for (int c = 0; c < p.outputs; c++) {
			const double z = margin(c);
			const double e = (c == top ? 1 : exp(z - most)) * w / (1 + rest);
			if (c != own) others += e;
			if (i < p.rows && c != own) p.r[c * p.rows + i] = (float)e;
		}
		if (i < p.rows) {
			p.r[own * p.rows + i] = (float)-others;
			loss = w * (log1p(rest) + most - mine);
		}
	}
	__shared__ double sums[8];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
	for (int c = -1; c < p.outputs; c++) {
		double v = c < 0 ? loss : i < p.rows ? (double)p.r[c * p.rows + i] : 0;
		for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);
		__syncthreads();
		if (lane == 0) sums[warp] = v;
		__syncthreads();
		if (threadIdx.x == 0) {
			double s = 0;
			for (int k = 0; k < 8; k++) s += sums[k];
			if (c < 0) {
				p.loss[blockIdx.x] += s;
			} else {
				double *to = &p.slope[blockIdx.x * p.outputs + c];
				*to = p.more ? *to + s : s;
			}
		}
	}
}
