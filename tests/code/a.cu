#include <cstdio>
#include <cassert>
__constant__ float coef[16];
__device__ int counter;
__device__ float table[64] = {1.f, 2.f, 3.f};
static __device__ int hidden = 7;
namespace { __device__ float anon_var[8]; 
__global__ void anon_kernel(float *p, int n) { int i = threadIdx.x; if (i < n) p[i] += anon_var[i & 7]; } }
template <typename T, int N> __global__ void tmpl(T *p) { for (int i = 0; i < N; i++) p[threadIdx.x + i] *= T(2); }
template <typename F> __global__ void apply(float *p, F f) { p[threadIdx.x] = f(p[threadIdx.x]); }
static __global__ void stat(float *p) { p[0] = hidden; hidden++; }
__global__ void k_const(float *p) { p[threadIdx.x] = coef[threadIdx.x & 15]; }
__global__ void k_const_idx(float *p, int i) { p[threadIdx.x] = coef[3] + coef[i]; }
__global__ void k_counter(int *p) { p[0] = atomicAdd(&counter, 1); }
__global__ void k_table(float *p) { p[threadIdx.x] += table[threadIdx.x & 63]; }
__global__ void k_tex(float *p, cudaTextureObject_t t) { p[threadIdx.x] = tex2D<float>(t, threadIdx.x, 0.5f); }
__global__ void k_printf(int *p) { printf("value %d\n", p[0]); }
__global__ void k_sin(float *p) { p[threadIdx.x] = sinf(p[threadIdx.x]); }
extern __shared__ float dyn[];
__global__ void k_dyn(float *p) { dyn[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = dyn[threadIdx.x ^ 1]; }
__global__ void k_local(float *p, int j) { float a[40]; for (int i = 0; i < 40; i++) a[i] = p[i] * i; __syncthreads(); p[0] = a[j] + a[j+1]; }
__global__ void k_assert(int *p) { assert(p[0] > 0); p[1] = 1; }
int main() {
  float *p = nullptr; int *q = nullptr;
  anon_kernel<<<1,1>>>(p, 3); tmpl<float,4><<<1,1>>>(p); 
  apply<<<1,1>>>(p, [] __device__ (float x) { return x + 1; });
  apply<<<1,1>>>(p, [] __device__ (float x) { return x * 3; });
  stat<<<1,1>>>(p); k_const<<<1,1>>>(p); k_printf<<<1,1>>>(q);
  return 0;
}
