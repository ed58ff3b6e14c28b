/* The algorithms of the cases of CUB, for NVBench; CASE is the program that the case names. */
#include <cub/cub.cuh>
#include <nvbench/main.cuh>
#include <nvbench/nvbench.cuh>
#include <thrust/device_vector.h>
#include <thrust/tabulate.h>

template <typename Call> static void measure(nvbench::state &state, Call call)
{
	std::size_t bytes = 0;
	call(nullptr, bytes, nullptr);
	thrust::device_vector<char> temporary(bytes);
	state.exec(nvbench::exec_tag::gpu | nvbench::exec_tag::no_batch, [&](nvbench::launch &launch) {
		call(thrust::raw_pointer_cast(temporary.data()), bytes, launch.get_stream());
	});
}

template <typename T> struct mixed {
	__device__ T operator()(int i) const
	{
		return static_cast<T>(static_cast<unsigned>(i) * 2654435761u >> 7);
	}
};

template <typename T> static void algorithm(nvbench::state &state, nvbench::type_list<T>)
{
	auto n = static_cast<int>(state.get_int64("Elements"));
	thrust::device_vector<T> in(n), out(n);
	thrust::tabulate(in.begin(), in.end(), mixed<T>());
	auto *a = thrust::raw_pointer_cast(in.data()), *b = thrust::raw_pointer_cast(out.data());
	measure(state, [=](void *t, std::size_t &bytes, cudaStream_t s) {
#if CASE_radix
		cub::DeviceRadixSort::SortKeys(t, bytes, a, b, n, 0, static_cast<int>(8 * sizeof(T)), s);
#else
		cub::DeviceReduce::Sum(t, bytes, a, b, n, s);
#endif
	});
}
#if CASE_reduce128
using types = nvbench::type_list<__int128_t>;
#else
using types = nvbench::type_list<nvbench::int8_t, nvbench::int32_t, nvbench::int64_t>;
#endif
NVBENCH_BENCH_TYPES(algorithm, NVBENCH_TYPE_AXES(types)).add_int64_power_of_two_axis("Elements", {20, 24, 26});
NVBENCH_MAIN
