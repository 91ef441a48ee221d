// SPDX-License-Identifier: Apache-2.0
// Named benchmarks. Rivals are timed in turn inside one run, because machines drift; what is
// reported is the median and the median of the ratios.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::cli {

struct Contender {
  std::string name;
  std::function<void()> work;
};

struct Timing {
  std::string name;
  double median_seconds = 0.0;
  double ratio = 1.0;  ///< median over rounds of (this / the first contender)
};

/// Runs all contenders once to warm up, then in turn for `rounds` rounds; a turn repeats the work
/// for at least a twentieth of a second.
std::vector<Timing> race(const std::vector<Contender>& contenders, int rounds);

/// Where results go as they come: printed at once, or gathered.
class BenchLog {
 public:
  virtual ~BenchLog() = default;
  virtual void title(const std::string& text) = 0;
  virtual void row(const std::string& name, double seconds, double ratio) = 0;
};

struct Benchmark {
  std::string_view name;
  std::string_view summary;
  void (*run)(BenchLog& log);
};

std::span<const Benchmark> benchmarks();

void bench_assembly(BenchLog& log);
void bench_elements(BenchLog& log);
void bench_solver(BenchLog& log);
void bench_step(BenchLog& log);
void bench_siere(BenchLog& log);
void bench_particles(BenchLog& log);
void bench_contact(BenchLog& log);
void bench_phi(BenchLog& log);
void bench_damped_phi(BenchLog& log);
void bench_rosenbrock(BenchLog& log);
void bench_scaling(BenchLog& log);

}  // namespace sinew::cli
