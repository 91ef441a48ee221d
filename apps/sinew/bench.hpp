// SPDX-License-Identifier: Apache-2.0
// Named benchmarks. Rivals are timed in turn inside one run, because machines drift; what is
// reported is the median and the median of the ratios.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

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

struct Benchmark {
  std::string_view name;
  std::string_view summary;
  nlohmann::ordered_json (*run)();
};

std::span<const Benchmark> benchmarks();

nlohmann::ordered_json bench_assembly();
nlohmann::ordered_json bench_step();
nlohmann::ordered_json bench_siere();
nlohmann::ordered_json bench_phi();
nlohmann::ordered_json bench_damped_phi();
nlohmann::ordered_json bench_rosenbrock();

}  // namespace sinew::cli
