#include <cstdio>
#ifdef MORE
__device__ int more = 3;
__global__ void k_more(int *p) { p[0] = more++; printf("more %d\n", p[0]); }
#endif
__device__ int counter;
__constant__ float scale = 2.5f;
__global__ void k_counter(int *p) { p[0] = atomicAdd(&counter, 1); }
__global__ void k_print(int *p) { printf("value %d\n", p[0]); }
__global__ void __launch_bounds__(128) k_scale(float *p) { __shared__ float s[32]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] *= scale + s[threadIdx.x ^ 1]; }
