// A program of the library beside it, with EXTRA times the work; above 6, with twice the memory.
#include "nvbench.hpp"
#include <dlfcn.h>
#include <stdexcept>

static volatile double sink;

// As the CUDA runtime does: the driver is found by its name.
static int (*driver_wait)(void *);
static void open_driver()
{
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  auto init = driver ? reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit")) : nullptr;
  if (init && init(0) == 0)
    driver_wait = reinterpret_cast<int (*)(void *)>(dlsym(driver, "cuStreamSynchronize"));
}

__attribute__((noinline)) static void wait_often(long times)
{
  if (!driver_wait)
    open_driver();
  for (long i = 0; i < times && driver_wait; i++)
    sink = driver_wait(nullptr);
}

static void sum(nvbench::state &state)
{
  if (state.value == 2048)
  {
    state.skip("two thousand is no number");
    return;
  }
  if (state.value == 4096)
    throw std::runtime_error("it broke");
  state.add_element_count(static_cast<std::size_t>(state.value));
  state.add_global_memory_reads(static_cast<std::size_t>(state.value) * 8, "Read");
  long n = static_cast<long>(static_cast<double>(state.value) * EXTRA);
  state.exec([n] {
    double s = 0;
    for (long i = 0; i < n; i++)
      s += static_cast<double>(i) * 0.5;
    wait_often(EXTRA > 2 ? 3 : 1);
    sink = s;
  });
}
// its inputs take as many bytes as it has elements, or twice as many
static void big(nvbench::state &state)
{
  nvbench::device_memory inputs(static_cast<std::size_t>(state.value) * (EXTRA > 6 ? 2 : 1));
  state.exec([] {
    double s = 0;
    for (int i = 0; i < static_cast<int>(20000 * EXTRA); i++)
      s += i * 0.5;
    sink = s;
  });
}
static bool is_big = nvbench::add("big", big, "Elements", {10, 26});

static bool added = nvbench::add("sum", sum, "Elements{io}", {10, 11, 12, 14});

int main(int argc, char **argv)
{
  nvbench::option_parser parser;
  if (argc > 1 && std::string(argv[1]) == "--own-loop")
    return 3;
  parser.parse(argc, argv);
  for (auto &b : parser.get_benchmarks())
    b->run();
  return added && is_big ? 0 : 1;
}
