extern __device__ int other(int);
__global__ void caller(int *p) { p[0] = other(p[0]); }
__global__ void neighbour(int *p) { p[0] *= 3; }
