/* merge sort of pairs, and a reduction beside it that no change of merge sort touches */
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_reduce.cuh>

struct less_than {
	__host__ __device__ bool operator()(int a, int b) const
	{
		return a < b;
	}
};

int main(int argc, char **)
{
	int *keys = nullptr, *values = nullptr, *sum = nullptr;
	size_t bytes = 0;
	cub::DeviceMergeSort::SortPairs(nullptr, bytes, keys, values, argc, less_than());
	cub::DeviceReduce::Sum(nullptr, bytes, keys, sum, argc);
	return bytes == 0;
}
