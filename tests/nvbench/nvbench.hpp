// What tests of the hook need of NVBench, with NVBench's names and places: a library that takes
// samples of a function on the processor. tests/e2e/nvbench.sh builds it as a shared library and
// into programs.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace nvbench
{
// memory of the GPU while it exists
struct device_memory
{
  explicit device_memory(std::size_t bytes);
  ~device_memory();
};

struct state
{
  std::string axis, word, reason;
  long value = 0;
  bool skipped = false;
  std::vector<std::string> columns;
  std::string get_axis_values_as_string(bool color = false) const;
  void add_element_count(std::size_t elements, std::string column = {});
  void add_global_memory_reads(std::size_t bytes, std::string column = {});
  void add_global_memory_writes(std::size_t bytes, std::string column = {});
  void skip(std::string why) { skipped = true, reason = why; }
  void exec(const std::function<void()> &call);
};

struct benchmark_base
{
  std::string name, axis;
  std::vector<long> exponents;
  std::vector<state> states;
  virtual ~benchmark_base();
  void run() { this->do_run(); }

private:
  virtual std::unique_ptr<benchmark_base> do_clone() const = 0;
  virtual void do_set_type_axes_names(std::vector<std::string> names) = 0;
  virtual void do_run() = 0;
  friend struct option_parser;
};

struct benchmark : benchmark_base
{
  void (*function)(state &);
  std::unique_ptr<benchmark_base> do_clone() const override;
  void do_set_type_axes_names(std::vector<std::string>) override {}
  void do_run() override;
};

std::vector<std::unique_ptr<benchmark_base>> &all();
bool add(const char *name, void (*function)(state &), const char *axis, std::vector<long> exponents);

struct runner_base
{
  benchmark_base &bench;
  void run_state_prologue(state &exec_state) const;
};

struct printer_multiplex
{
  std::string file;
  virtual void do_print_benchmark_results(
    const std::vector<std::unique_ptr<benchmark_base>> &benchmarks);
};

struct option_parser
{
  option_parser();
  ~option_parser();
  void parse(int argc, char const *const argv[]);
  void parse(std::vector<std::string> args);
  printer_multiplex &get_printer();
  std::vector<std::unique_ptr<benchmark_base>> &get_benchmarks() { return m_benchmarks; }

private:
  std::vector<std::string> m_args, m_global;
  std::vector<int> m_devices;
  std::vector<std::unique_ptr<benchmark_base>> m_benchmarks;
  printer_multiplex m_printer;
};

namespace detail
{
struct stopping_criterion_base
{
  virtual void do_initialize()                    = 0;
  virtual void do_add_measurement(double seconds) = 0;
  virtual bool do_is_finished()                   = 0;
};

struct stdrel_criterion : stopping_criterion_base
{
  std::vector<double> samples;
  // NVBench has several criteria, so that the compiler guesses none of them
  [[gnu::noinline]] void do_initialize() override;
  [[gnu::noinline]] void do_add_measurement(double seconds) override;
  [[gnu::noinline]] bool do_is_finished() override;
};

extern stopping_criterion_base *criterion; // of any class, as far as the compiler knows
} // namespace detail
} // namespace nvbench
