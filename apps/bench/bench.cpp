// SPDX-License-Identifier: Apache-2.0
#include "bench.hpp"

#include <algorithm>
#include <array>

#include <sinew/core/profile.hpp>

namespace sinew::cli {
namespace {

// a turn is long enough for caches to hold what the contender itself keeps using
constexpr double shortest_turn = 0.05;  // [s]

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

std::vector<Timing> race(const std::vector<Contender>& contenders, int rounds) {
  for (const Contender& contender : contenders) contender.work();
  std::vector<std::vector<double>> seconds(contenders.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      const core::Stopwatch watch;
      int repeats = 0;
      do {
        contenders[c].work();
        ++repeats;
      } while (watch.seconds() < shortest_turn);
      seconds[c].push_back(watch.seconds() / repeats);
    }
  std::vector<Timing> timings;
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    std::vector<double> ratios;
    for (std::size_t r = 0; r < seconds[c].size(); ++r)
      ratios.push_back(seconds[c][r] / seconds[0][r]);
    timings.push_back({contenders[c].name, median(seconds[c]), median(std::move(ratios))});
  }
  return timings;
}

std::span<const Benchmark> benchmarks() {
  static constexpr std::array table{
      Benchmark{"assembly", "force and tangent assembly of 100,000 tets, against a plain loop",
                bench_assembly},
      Benchmark{"elements", "error against seconds of a beam of tets with four and with ten nodes",
                bench_elements},
      Benchmark{"solver", "multigrid from 10,000 to a million tets, beside factors (minutes)",
                bench_solver},
      Benchmark{"step",
                "steps of a swinging bar with lagged factors, against factorising each time",
                bench_step},
      Benchmark{"siere", "steps of siere, ssdirk2ere and blend beside si (minutes)", bench_siere},
      Benchmark{"phi", "one step of ere by every kernel, from soft to very stiff", bench_phi},
      Benchmark{"damped-phi", "the same with damping about the rest shape", bench_damped_phi},
      Benchmark{"particles", "neti on lattices of 20,000 to 100,000 particles; a molecule",
                bench_particles},
      Benchmark{"contact", "contact far away, piles of 5 to 80 bodies, the crash (minutes)",
                bench_contact},
      Benchmark{"rosenbrock", "a coil of springs by exprb42, pexprb43, rk4 and be (minutes)",
                bench_rosenbrock},
      Benchmark{"scaling", "1, 2 and 4 processes, and a model of 16 to 1,024 (with PETSc; minutes)",
                bench_scaling},
  };
  return table;
}

}  // namespace sinew::cli
