#include "nvbench.hpp"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <filesystem>
#include <stdexcept>
#include <unistd.h>

// ---- a GPU's memory of 150 million bytes: in the folder GPU_MEMORY each process has a file that
// says how much it holds
static std::string of_process(const std::string &pid)
{
  const char *folder = std::getenv("GPU_MEMORY");
  return folder ? std::string(folder) + "/" + pid : "";
}

static std::size_t held_now()
{
  std::size_t all = 0, one = 0;
  for (auto &f : std::filesystem::directory_iterator(of_process("")))
    if (std::filesystem::exists("/proc/" + f.path().filename().string()))
      all += std::ifstream(f.path()) >> one ? one : 0;
  return all;
}

extern "C" int cuMemGetInfo_v2(std::size_t *left, std::size_t *total)
{
  if (of_process("").empty())
    return 1;
  *total = 150000000;
  *left  = *total - held_now();
  return 0;
}

namespace nvbench
{
device_memory::device_memory(std::size_t bytes)
{
  std::size_t left = 0, total = 0;
  if (cuMemGetInfo_v2(&left, &total) != 0)
    return;
  if (left < bytes)
    throw std::runtime_error("out of memory");
  std::ofstream(of_process(std::to_string(getpid()))) << bytes << std::endl;
}

device_memory::~device_memory()
{
  if (!of_process("").empty())
    std::filesystem::remove(of_process(std::to_string(getpid())));
}

std::vector<std::unique_ptr<benchmark_base>> &all()
{
  static std::vector<std::unique_ptr<benchmark_base>> benchmarks;
  return benchmarks;
}

bool add(const char *name, void (*function)(state &), const char *axis, std::vector<long> exponents)
{
  auto b       = std::make_unique<benchmark>();
  b->name      = name;
  b->axis      = axis;
  b->exponents = exponents;
  b->function  = function;
  all().push_back(std::move(b));
  return true;
}

std::string state::get_axis_values_as_string(bool) const { return axis + "=" + word; }
// long enough for a jump, as NVBench's are
void state::add_element_count(std::size_t, std::string column) { columns.push_back(column + "e"); }
void state::add_global_memory_reads(std::size_t, std::string column)
{
  columns.push_back(column + "r");
}
void state::add_global_memory_writes(std::size_t, std::string column)
{
  columns.push_back(column + "w");
}

void state::exec(const std::function<void()> &call)
{
  detail::criterion->do_initialize();
  do
  {
    auto start = std::chrono::steady_clock::now();
    call();
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    detail::criterion->do_add_measurement(took.count());
  } while (!detail::criterion->do_is_finished());
}

namespace detail
{
stopping_criterion_base *criterion = new stdrel_criterion;
void stdrel_criterion::do_initialize() { samples.clear(); }
void stdrel_criterion::do_add_measurement(double seconds) { samples.push_back(seconds); }
bool stdrel_criterion::do_is_finished()
{
  double sum = 0;
  for (double s : samples)
    sum += s;
  return samples.size() > 10 && sum > 0.01;
}
} // namespace detail

benchmark_base::~benchmark_base() = default;
std::unique_ptr<benchmark_base> benchmark::do_clone() const
{
  return std::make_unique<benchmark>(*this);
}

void runner_base::run_state_prologue(state &s) const
{
  std::fprintf(stderr, "Run: %s [%s]\n", bench.name.c_str(), s.get_axis_values_as_string().c_str());
}

void benchmark::do_run()
{
  states.clear();
  for (long e : exponents)
  {
    state s;
    s.axis = axis, s.word = "2^" + std::to_string(e), s.value = 1L << e;
    states.push_back(s);
  }
  runner_base runner{*this};
  for (state &s : states)
  {
    runner.run_state_prologue(s);
    try
    {
      function(s);
    }
    catch (std::exception &e)
    {
      s.skip(std::string("Unexpected error: ") + e.what());
    }
  }
}

void printer_multiplex::do_print_benchmark_results(
  const std::vector<std::unique_ptr<benchmark_base>> &benchmarks)
{
  std::ofstream out(file);
  for (auto &b : benchmarks)
    for (state &s : b->states)
      out << "          \"is_skipped\": " << (s.skipped ? "true" : "false")
          << ",\n          \"skip_reason\": \"" << s.reason << "\"\n";
}

option_parser::option_parser()  = default;
option_parser::~option_parser() = default;
printer_multiplex &option_parser::get_printer() { return m_printer; }

void option_parser::parse(int argc, char const *const argv[])
{
  this->parse(std::vector<std::string>(argv, argv + argc));
}

static void print_list()
{
  const char *before = "";
  std::cout << "{\n  \"benchmarks\": [";
  for (auto &b : all())
  {
    std::cout << before << "\n    {\n      \"name\": \"" << b->name << "\",\n      \"axes\": [\n"
              << "        {\n          \"name\": \"" << b->axis
              << "\",\n          \"type\": \"int64\",\n          \"flags\": \"pow2\",\n"
              << "          \"values\": [";
    for (long e : b->exponents)
      std::cout << "\n            {\n              \"input_string\": \"" << e << "\"\n            }";
    std::cout << "\n          ]\n        }\n      ]\n    }";
    before = ",";
  }
  std::cout << "\n  ]\n}\n";
}

// --min-time, which is unknown to this version, must not be given: --no-batch is there
void option_parser::parse(std::vector<std::string> args)
{
  static const std::vector<std::string> with_value{
    "--min-samples", "--timeout", "--skip-time", "--throttle-threshold", "--stopping-criterion"};
  m_args = std::move(args);
  for (std::size_t i = 1; i < m_args.size(); i++)
  {
    const std::string &word = m_args[i];
    if (word == "--jsonlist-benches")
    {
      print_list();
      std::exit(0);
    }
    else if (word == "--benchmark")
    {
      for (auto &b : all())
        if (b->name == m_args.at(i + 1))
          m_benchmarks.push_back(b->do_clone());
      i++;
    }
    else if (word == "--axis")
    {
      auto at = m_args.at(++i).find("[pow2]=");
      m_benchmarks.back()->exponents = {std::stol(m_args[i].substr(at + 7))};
    }
    else if (word == "--json")
      m_printer.file = m_args.at(++i);
    else if (std::count(with_value.begin(), with_value.end(), word))
      i++;
    else if (word != "--quiet" && word != "--no-batch")
      throw std::runtime_error("Unrecognized command-line argument: `" + word + "`.");
  }
  if (m_benchmarks.empty())
    for (auto &b : all())
      m_benchmarks.push_back(b->do_clone());
}
} // namespace nvbench
