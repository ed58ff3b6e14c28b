extern __device__ int other(int);
extern __device__ int shared_counter;
static __device__ int own = 5;
__global__ void caller(int *p) { p[0] = other(p[0]) + shared_counter; }
__global__ void neighbour(int *p) { p[0] *= 3 + own; }
int main()
{
	caller<<<1, 1>>>(nullptr);
	neighbour<<<1, 1>>>(nullptr);
}
