#include <cub/cub.cuh>
int main()
{
	float *in = nullptr, *out = nullptr;
	unsigned *keys = nullptr;
	size_t bytes = 0;
	cub::DeviceReduce::Sum(nullptr, bytes, in, out, 100);
	cub::DeviceScan::ExclusiveSum(nullptr, bytes, in, out, 100);
	cub::DeviceRadixSort::SortKeys(nullptr, bytes, keys, keys, 100);
}
