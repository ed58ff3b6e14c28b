// Kernels for code.sh: with -DAFTER each needs something else of a GPU.
#ifdef AFTER
#define SELECT(before, after) after
#else
#define SELECT(before, after) before
#endif

__constant__ float table[SELECT(64, 1024)];

extern "C" __global__ void k_plain(float *p) { p[threadIdx.x] *= SELECT(2.0f, p[threadIdx.x + 1]); }

// many values that live at once: more registers
extern "C" __global__ void k_registers(float *p, int n)
{
	float a[SELECT(8, 64)];
#pragma unroll
	for (int i = 0; i < SELECT(8, 64); i++)
		a[i] = p[i * 256 + threadIdx.x];
	for (int k = 0; k < n; k++)
#pragma unroll
		for (int i = 0; i < SELECT(8, 64); i++)
			a[i] = a[i] * a[(i + 1) % SELECT(8, 64)] + k;
#pragma unroll
	for (int i = 0; i < SELECT(8, 64); i++)
		p[i * 256 + threadIdx.x] = a[i];
}

// the same values in few registers: spills
extern "C" __global__ void __launch_bounds__(1024, SELECT(1, 2)) k_spills(float *p, int n)
{
	float a[48];
#pragma unroll
	for (int i = 0; i < 48; i++)
		a[i] = p[i * 256 + threadIdx.x];
	for (int k = 0; k < n; k++)
#pragma unroll
		for (int i = 0; i < 48; i++)
			a[i] = a[i] * a[(i + 1) % 48] + k;
#pragma unroll
	for (int i = 0; i < 48; i++)
		p[i * 256 + threadIdx.x] = a[i];
}

// an array whose index is not known when it is compiled
extern "C" __global__ void k_local(float *p, int n)
{
	float a[SELECT(16, 160)];
	for (int i = 0; i < SELECT(16, 160); i++)
		a[i] = p[i];
	for (int i = 0; i < n; i++)
		a[(i * 7 + n) % SELECT(16, 160)] += i;
	p[threadIdx.x] = a[n];
}

extern "C" __global__ void k_shared(float *p)
{
	__shared__ float tile[SELECT(128, 4096)];
	tile[threadIdx.x] = p[threadIdx.x];
	__syncthreads();
	p[threadIdx.x] = tile[threadIdx.x ^ 1];
}

extern "C" __global__ void k_constant(float *p, int i) { p[threadIdx.x] += table[i]; }

extern "C" __global__ void __launch_bounds__(SELECT(128, 256)) k_bounds(float *p)
{
	p[threadIdx.x] += SELECT(1, 2);
}

__device__ __noinline__ float deep(float x, int n)
{
	float a[SELECT(8, 40)];
	for (int i = 0; i < SELECT(8, 40); i++)
		a[i] = x * i;
	return n > 0 ? a[n % SELECT(8, 40)] + deep(x, n - 1) : x;
}

extern "C" __global__ void k_call(float *p, int n) { p[threadIdx.x] = deep(p[threadIdx.x], n); }
