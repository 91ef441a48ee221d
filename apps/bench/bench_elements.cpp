// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/la/solvers/linear_solver.hpp>

#include "bench.hpp"
#include "bench_bar.hpp"

namespace sinew::cli {
namespace {

constexpr double length = 1.0, depth = 0.1;  // of the beam [m]
constexpr double swing_dt = 4e-4;            // about a tenth of its period [s]

BenchBar steel_beam(int order, int cells_across) {
  return {.size = {length, depth, depth},
          .cells = {10 * cells_across, cells_across, cells_across},
          .order = order,
          .material = "linear",
          .young = 210e9,
          .poisson = 0.3};
}

/// A beam held at one end: what its own weight bends it by, and steps of its swinging.
class Beam {
 public:
  Beam(int order, int cells_across, const core::Executor& executor)
      : reducer_(executor),
        system_(physics::to_terms(swinging_bar(steel_beam(order, cells_across))), executor),
        workspace_(system_.make_workspace()),
        linearization_(system_.make_linearization()),
        solver_(la::solvers().front().make(reducer_)),
        method_(integrators::make_integrator("si", bench_services(true))) {}

  /// K u = f, from nothing but the mesh. Returns how far the end goes down [m].
  double bend() {
    const dynamics::State rest = system_.rest_state();
    Vec f;
    system_.linearize(rest, {}, *workspace_, *linearization_, &f);
    if (solver_->factorize(linearization_->combine(0.0, 0.0, 1.0)).status != la::SolveStatus::ok)
      throw InternalError("the stiffness of a held beam is not definite");
    Mat u(f.size(), 1);
    if (solver_->solve(f, u).status != la::SolveStatus::ok)
      throw InternalError("the stiffness of a held beam was not solved with");
    return -mean_at_end(u, rest.q);
  }

  void swing(int steps) {
    method_->reset();
    dynamics::State state = system_.rest_state();
    for (int k = 0; k < steps; ++k)
      if (method_->step(system_, *workspace_, swing_dt, state).status !=
          integrators::StepStatus::accepted)
        throw InternalError("a step of a swinging beam failed");
  }

  int num_vertices() const { return system_.num_vertices(); }
  int num_tets() const { return system_.num_cells(); }

 private:
  static double mean_at_end(const Mat& u, const Vec& rest) {
    double sum = 0.0;
    int count = 0;
    for (Index i = 0; i < rest.size(); i += 3)
      if (rest[i] > length - 1e-9) {
        sum += u(i + 2, 0);
        ++count;
      }
    return sum / count;
  }

  la::Reducer reducer_;
  physics::TermSystem system_;
  std::unique_ptr<dynamics::Workspace> workspace_;
  std::unique_ptr<dynamics::Linearization> linearization_;
  std::unique_ptr<la::LinearSolver> solver_;
  std::unique_ptr<integrators::Integrator> method_;
};

}  // namespace

void bench_elements(BenchLog& log) {
  constexpr int rounds = 5, steps = 10;
  const core::Executor executor(1);
  // tets with ten nodes converge from above and from below alike; this one is good to 1e-4
  const double exact = Beam(2, 6, executor).bend();
  std::vector<std::unique_ptr<Beam>> beams;
  std::vector<Contender> bending, swinging;
  for (const auto& [order, cells] :
       {std::pair{1, 1}, std::pair{1, 2}, std::pair{1, 4}, std::pair{1, 8}, std::pair{1, 16},
        std::pair{2, 1}, std::pair{2, 2}, std::pair{2, 4}}) {
    Beam* beam = beams.emplace_back(std::make_unique<Beam>(order, cells, executor)).get();
    const std::string name =
        fmt::format("{} nodes, {:2} cells across, {:6} tets, {:5} vertices: off by {:5.2f} %",
                    order == 1 ? " 4" : "10", cells, beam->num_tets(), beam->num_vertices(),
                    100.0 * std::abs(beam->bend() / exact - 1.0));
    bending.push_back({name, [beam] { beam->bend(); }});
    swinging.push_back({name, [beam] { beam->swing(steps); }});
  }
  log.title("a beam of 1 x 0.1 x 0.1 m under its weight: stiffness, factor and solve, one thread");
  for (const Timing& timing : race(bending, rounds))
    log.row(timing.name, timing.median_seconds, timing.ratio);
  log.title("a step of si of the same beam");
  for (const Timing& timing : race(swinging, rounds))
    log.row(timing.name, timing.median_seconds / steps, timing.ratio);
}

}  // namespace sinew::cli
