__device__ int shared_counter = 5;
__device__ __noinline__ static int deeper(int x) { return x % 13; }
__device__ int other(int x) { return deeper(x) * 7 + x; }
