// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/integrators/registry.hpp>

#include "bench.hpp"
#include "bench_bar.hpp"

namespace sinew::cli {
namespace {

constexpr double step_dt = 0.01;

struct Case {
  std::string name;
  double young;
  double gravity;  ///< [m/s^2]
};

/// One method on one bar, from rest, again and again.
class Run {
 public:
  Run(const physics::TermSystem& system, std::string_view method, int steps, bool lagged)
      : system_(system),
        steps_(steps),
        workspace_(system.make_workspace()),
        method_(integrators::make_integrator(method, bench_services(lagged))) {}

  void go() {
    method_->reset();
    profile_ = {};
    state_ = system_.rest_state();
    for (int k = 0; k < steps_; ++k) {
      const integrators::StepReport report = method_->step(system_, *workspace_, step_dt, state_);
      if (report.status != integrators::StepStatus::accepted)
        throw InternalError(std::string(integrators::explanation(report.status)));
      profile_ += report.profile;
    }
  }

  const core::Counts& counts() const { return profile_.counts; }
  const dynamics::State& state() const { return state_; }

 private:
  const physics::TermSystem& system_;
  int steps_;
  std::unique_ptr<dynamics::Workspace> workspace_;
  std::unique_ptr<integrators::Integrator> method_;
  dynamics::State state_;
  core::Profile profile_;
};

}  // namespace

void bench_step(BenchLog& log) {
  constexpr int rounds = 3;
  for (const Case& load :
       {Case{"E = 1e6", 1e6, 9.81}, Case{"E = 1e8", 1e8, 98.1}, Case{"E = 1e10", 1e10, 981.0}}) {
    const core::Executor executor(0);
    const physics::TermSystem system(
        physics::to_terms(swinging_bar({.young = load.young, .gravity = load.gravity})), executor);
    if (load.young == 1e6)
      log.title(fmt::format(
          "a step of a swinging bar, {} vertices, {} tets; ratio to factorising each matrix",
          system.num_vertices(), system.num_cells()));
    for (const auto& [method, steps] : {std::pair{"si", 30}, std::pair{"be", 6}}) {
      Run plain(system, method, steps, false), lagged(system, method, steps, true);
      const std::vector<Timing> timings =
          race({{"every step", [&] { plain.go(); }}, {"lagged", [&] { lagged.go(); }}}, rounds);
      const double way = (plain.state().q - system.rest_state().q).norm();
      const double difference = (plain.state().q - lagged.state().q).norm() / way;
      for (std::size_t k = 0; k < timings.size(); ++k) {
        const core::Counts& counts = (k == 0 ? plain : lagged).counts();
        log.row(fmt::format("{} {}: {} ({} factors, {} iterations, off by {:.1e})", load.name,
                            method, timings[k].name, counts.factorizations, counts.krylov,
                            k == 0 ? 0.0 : difference),
                timings[k].median_seconds / steps, timings[k].ratio);
      }
    }
  }
}

}  // namespace sinew::cli
