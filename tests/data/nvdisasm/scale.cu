extern "C" __global__ void NAME(float *y, const float *x, float a, int n)
{
	__shared__ float tile[128];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = i < n ? x[i] : 0;
	tile[threadIdx.x] = v;
	__syncthreads();
	if (i < n)
		y[i] = SCALED + tile[threadIdx.x ^ 1];
}
