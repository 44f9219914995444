// What blocks of Hopper can do besides: copies to shared memory that go on alone, and telling the other blocks of a cluster.

#if __CUDA_ARCH__ >= 900
__device__ __forceinline__ unsigned shared(const void *a) { return (unsigned)__cvta_generic_to_shared(a); }

__device__ __forceinline__ void prepare(u64 *barrier, int count = 1) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared(barrier)), "r"(count)); }

__device__ __forceinline__ void expect(u64 *barrier, unsigned bytes)
{
	asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared(barrier)), "r"(bytes) : "memory");
}

__device__ __forceinline__ void arriveAt(u64 *barrier) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared(barrier)) : "memory"); }

__device__ __forceinline__ void fetch(void *to, const void *from, unsigned bytes, u64 *barrier)
{
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared(to)), "l"(from), "r"(bytes), "r"(shared(barrier)) : "memory");
}

// fetchNumber copies 8 bytes, and arriveFetched arrives at a barrier once all such copies of the thread are done.
__device__ __forceinline__ void fetchNumber(double *to, const double *from)
{
	asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(shared(to)), "l"(from) : "memory");
}

__device__ __forceinline__ void arriveFetched(u64 *barrier) { asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared(barrier)) : "memory"); }

// over reports to a whole warp whether a phase of a barrier is.
__device__ __forceinline__ bool over(u64 *barrier, unsigned phase)
{
	unsigned done;
	asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(shared(barrier)), "r"(phase) : "memory");
	return __all_sync(~0u, done);
}

__device__ __forceinline__ void await(u64 *barrier, unsigned phase) // of what this block does
{
	unsigned done;
	do {
		asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(shared(barrier)), "r"(phase) : "memory");
	} while (!done);
}

__device__ __forceinline__ void awaitCluster(u64 *barrier, unsigned phase) // of what other blocks tell
{
	unsigned done;
	do {
		asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(shared(barrier)), "r"(phase) : "memory");
	} while (!done);
}

// tell sends a number to the same place of a block of the cluster, and says so at its barrier.
__device__ __forceinline__ void tell(float *place, float value, u64 *barrier, unsigned block)
{
	unsigned to, at;
	asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(shared(place)), "r"(block));
	asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(shared(barrier)), "r"(block));
	asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to), "r"(__float_as_uint(value)), "r"(at) : "memory");
}

// Pace keeps clusters that get more of the memory's time than others from running far ahead of them, and so from leaving
// them alone at the end. Count is where clusters say that they are a stretch further. To wait for others is
// never needed, and soon given up where they do not move.
struct Pace {
	static constexpr int stretch = CELL == 1 ? 4 : 8; // steps
	unsigned *count;
	unsigned clusters, seen;
	__device__ __forceinline__ Pace(unsigned *count, unsigned clusters) : count(count), clusters(clusters), seen(0) {}
	__device__ __forceinline__ unsigned look() const { return *(volatile unsigned *)count; }
	__device__ __forceinline__ void keep(int step, int lane)
	{
		const int at = step % stretch, stretches = step / stretch;
		if (!count || lane > 0 || stretches == 0) return;
		if (at == 0) atomicAdd(count, 1);
		if (at == stretch / 2) seen = look(); // which is there when it is asked for
		if (at < stretch - 1) return;
		for (int i = 0; seen < stretches * clusters; i++) {
			if (i == 1000) {
				count = nullptr;
				return;
			}
			__nanosleep(200);
			seen = look();
		}
	}
};

__device__ __forceinline__ void meet() // of all blocks of the cluster
{
	asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
#endif
