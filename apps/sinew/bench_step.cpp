// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/error.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/la/lagged_solver.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/physics/elastic_system.hpp>

#include "bench.hpp"

namespace sinew::cli {
namespace {

constexpr double dt = 0.01;

struct Case {
  std::string name;
  double young;
  double gravity;  ///< scaled so that stiff bars swing as well [m/s^2]
};

/// A bar of 10,449 vertices, held at one end, that swings under its weight.
physics::ElasticSystemSpec swinging_bar(const Case& load) {
  physics::Body body;
  body.name = "bar";
  body.mesh = mesh::make_bar({.size = {1.0, 1.0 / 16, 1.0 / 16}, .cells = {128, 8, 8}});
  body.tets.assign(body.mesh.tets.size(), {.material = physics::find_material("stable-neo-hookean"),
                                           .moduli = physics::moduli(load.young, 0.45)});
  physics::ElasticSystemSpec spec;
  spec.gravity = {0.0, 0.0, -load.gravity};
  for (int v = 0; v < body.mesh.num_vertices(); ++v)
    if (body.mesh.vertices[v][0] < 1e-9) spec.fixed.push_back(v);
  spec.bodies.push_back(std::move(body));
  return spec;
}

/// One method on one bar, from rest, again and again.
class Run {
 public:
  Run(const physics::ElasticSystem& system, std::string_view method, int steps, bool lagged)
      : system_(system),
        steps_(steps),
        workspace_(system.make_workspace()),
        method_(integrators::make_integrator(method, services(lagged))) {}

  void go() {
    method_->reset();
    profile_ = {};
    state_ = system_.rest_state();
    for (int k = 0; k < steps_; ++k) {
      const integrators::StepReport report = method_->step(system_, *workspace_, dt, state_);
      if (report.status != integrators::StepStatus::accepted)
        throw InternalError(std::string(integrators::explanation(report.status)));
      profile_ += report.profile;
    }
  }

  const core::Counts& counts() const { return profile_.counts; }
  const dynamics::State& state() const { return state_; }

 private:
  static integrators::Services services(bool lagged) {
    integrators::Services result = integrators::default_services();
    if (lagged)
      result.make_linear_solver = [] {
        return la::make_lagged_solver(la::solvers().front().make());
      };
    return result;
  }

  const physics::ElasticSystem& system_;
  int steps_;
  std::unique_ptr<dynamics::Workspace> workspace_;
  std::unique_ptr<integrators::Integrator> method_;
  dynamics::State state_;
  core::Profile profile_;
};

}  // namespace

nlohmann::ordered_json bench_step() {
  nlohmann::ordered_json result;
  constexpr int rounds = 3;
  for (const Case& load :
       {Case{"E = 1e6", 1e6, 9.81}, Case{"E = 1e8", 1e8, 98.1}, Case{"E = 1e10", 1e10, 981.0}}) {
    const core::Executor executor(0);
    const physics::ElasticSystem system(swinging_bar(load), executor);
    result["title"] = fmt::format(
        "a step of a swinging bar, {} vertices, {} tets; ratio to factorising each matrix",
        system.num_vertices(), system.num_tets());
    for (const auto& [method, steps] : {std::pair{"si", 60}, std::pair{"be", 20}}) {
      Run plain(system, method, steps, false), lagged(system, method, steps, true);
      const std::vector<Timing> timings =
          race({{"every step", [&] { plain.go(); }}, {"lagged", [&] { lagged.go(); }}}, rounds);
      const double way = (plain.state().q - system.rest_state().q).norm();
      const double difference = (plain.state().q - lagged.state().q).norm() / way;
      for (std::size_t k = 0; k < timings.size(); ++k) {
        const core::Counts& counts = (k == 0 ? plain : lagged).counts();
        result["rows"].push_back(
            {{"name", fmt::format("{} {}: {} ({} factors, {} iterations, off by {:.1e})", load.name,
                                  method, timings[k].name, counts.factorizations, counts.krylov,
                                  k == 0 ? 0.0 : difference)},
             {"seconds", timings[k].median_seconds / steps},
             {"ratio", timings[k].ratio}});
      }
    }
  }
  return result;
}

}  // namespace sinew::cli
