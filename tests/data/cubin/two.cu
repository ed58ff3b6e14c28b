__global__ void k(float *p) { p[0] += 1; }
__global__ void other(float *p) { p[0] *= 3; }
