// One kernel for each thing that can change: mutations.txt edits them one at a time.
#include <cooperative_groups.h>
#include <cstdio>

__constant__ float weights[16] = {1.f, 2.f, 3.f};
__constant__ float scale = 2.5f;
__device__ float table[64] = {1.f, 2.f, 3.f};
__device__ int counter_a, counter_b;
__device__ int plain = 3;
extern __shared__ float dynamic[];

__global__ void k_bounds(float *p) { p[threadIdx.x] += 1.f; }
__global__ void k_limits(float *p) { p[threadIdx.x] += 2.f; }
__global__ void k_shape(float *p) { p[threadIdx.x + blockIdx.x * 128] += 3.f; }
__global__ void k_shared(float *p)
{
	__shared__ float s[128];
	s[threadIdx.x] = p[threadIdx.x];
	__syncthreads();
	p[threadIdx.x] = s[threadIdx.x ^ 3];
}
__global__ void k_dynamic(float *p)
{
	dynamic[threadIdx.x] = p[threadIdx.x];
	__syncthreads();
	p[threadIdx.x] = dynamic[threadIdx.x ^ 1];
}
__global__ void k_constant(float *p) { p[threadIdx.x] *= scale; }
__global__ void k_weights(float *p) { p[threadIdx.x] = weights[threadIdx.x & 15]; }
__global__ void k_table(float *p) { p[threadIdx.x] += table[threadIdx.x & 63]; }
__global__ void k_counter(int *p) { p[0] = atomicAdd(&counter_a, 1); }
__global__ void k_both(int *p) { p[0] = atomicAdd(&counter_a, 1); p[1] = atomicAdd(&counter_b, 1); }
__global__ void k_plain(int *p) { p[0] = plain++; }
__device__ __noinline__ float callee(float x) { return x * 3.f + sqrtf(x); }
__global__ void k_call(float *p) { p[threadIdx.x] = callee(p[threadIdx.x]); }
__device__ __noinline__ float deep(float x) { return x * 5.f + cbrtf(x); }
__device__ __noinline__ float middle(float x) { return deep(x + 1.f) * 2.f; }
__global__ void k_deep(float *p) { p[threadIdx.x] = middle(p[threadIdx.x]); }
struct shape { __device__ virtual float area(float x) const = 0; };
struct square : shape { __device__ float area(float x) const override { return x * x; } };
struct circle : shape { __device__ float area(float x) const override { return x * x * 3.14f; } };
__global__ void k_virtual(float *p, int round)
{
	square s;
	circle c;
	const shape *v = round ? (const shape *)&c : (const shape *)&s;
	p[threadIdx.x] = v->area(p[threadIdx.x]);
}
__global__ void k_print(int *p) { printf("value %d\n", p[0]); }
__global__ void k_gemm(const float *a, const float *b, float *c, int n)
{
	float sum = 0.f;
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
	for (int i = 0; i < n; i++)
		sum += a[y * n + i] * b[i * n + x];
	c[y * n + x] = sum;
}
__global__ void k_local(float *p, int j)
{
	float a[40];
	for (int i = 0; i < 40; i++)
		a[i] = p[i] * i;
	__syncthreads();
	p[0] = a[j] + a[j + 1];
}
__global__ void k_switch(int *p)
{
	switch (p[0]) {
	case 0: p[1] = 3; break;
	case 1: p[2] = 5; break;
	case 2: p[3] = 7; break;
	case 3: p[4] = 8; break;
	case 4: p[5] = clock(); break;
	case 5: p[6] = 1; break;
	case 6: p[9] = p[3]; break;
	}
}
__global__ void k_grid(int *p) { cooperative_groups::this_grid().sync(); p[0] = 1; }
__global__ void k_divide(double *p) { p[0] = p[0] / p[1]; }
template <typename T, int N> __global__ void k_template(T *p) { for (int i = 0; i < N; i++) p[threadIdx.x + i] *= T(2); }
template __global__ void k_template<float, 4>(float *);
