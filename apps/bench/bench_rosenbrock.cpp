// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/core/profile.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/la/phi/phi_action.hpp>
#include <sinew/la/solvers/lagged_solver.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/physics/bodies.hpp>

#include "bench.hpp"

namespace sinew::cli {
namespace {

constexpr double span = 6.0;  // about one and a half swings [s]

/// 8,000 particles on springs of 1e6 N/m, held at the upper end and released under a weak field.
/// The masses (1 kg) are our choice.
physics::BodiesSpec coil() {
  physics::Body body;
  body.name = "coil";
  body.mesh = mesh::make_coil_spring({.cells = 3, .layers = 2, .wire_cells = 199});
  for (const mesh::Edge& edge : mesh::edges_of(body.mesh))
    body.springs.push_back(
        {.vertices = edge,
         .stiffness = 1e6,
         .rest_length = (body.mesh.vertices[edge[0]] - body.mesh.vertices[edge[1]]).norm()});
  body.points.assign(body.mesh.vertices.size(), {.mass = 1.0});
  physics::BodiesSpec spec;
  for (int v = 0; v < body.mesh.num_vertices(); ++v)
    if ((body.mesh.vertices[v] - Vec3(0.1, 0.0, 0.3)).norm() < 0.03) spec.fixed.push_back(v);
  spec.gravity = {0.0, 0.0, -0.05};
  spec.bodies.push_back(std::move(body));
  return spec;
}

struct Outcome {
  Vec q;
  double seconds = 0.0;  ///< of all steps
  double dt = 0.0;
};

Outcome run(const physics::TermSystem& system, const char* name, double dt,
            double tolerance = 0.0) {
  const integrators::IntegratorEntry* entry = integrators::find_integrator(name);
  integrators::Options options(entry->options);
  if (tolerance > 0.0) options.set("tolerance", tolerance);
  integrators::Services services = integrators::default_services();
  services.make_linear_solver = [](const la::Reducer& reducer) {
    return la::make_lagged_solver(la::solvers().front(), reducer);
  };
  const auto method = integrators::make_integrator(*entry, options, services);
  const auto workspace = system.make_workspace();
  dynamics::State state = system.rest_state();
  const auto steps = std::lround(span / dt);
  const core::Stopwatch watch;
  for (long k = 0; k < steps; ++k) {
    const integrators::StepReport report =
        method->step(system, *workspace, span / static_cast<double>(steps), state);
    if (report.status != integrators::StepStatus::accepted)
      throw InternalError(fmt::format("{}: {}", name, integrators::explanation(report.status)));
  }
  return {state.q, watch.seconds(), span / static_cast<double>(steps)};
}

}  // namespace

void bench_rosenbrock(BenchLog& log) {
  const physics::TermSystem system(physics::to_terms(coil()));
  const Vec rest = system.rest_state().q;
  const Outcome exact = run(system, "exprb42", 0.0125, 1e-8);
  const auto error = [&](const Outcome& outcome) {
    return (outcome.q - exact.q).norm() / (exact.q - rest).norm();
  };
  log.title(
      fmt::format("{} s of a coil of {} particles, one core; seconds in all, ratio to exprb42",
                  span, system.num_vertices()));
  const Outcome exprb42 = run(system, "exprb42", 0.05), pexprb43 = run(system, "pexprb43", 0.05);
  const auto add = [&](std::string what, double dt, double off, double seconds) {
    log.row(fmt::format("{}, h = {:.2g} s, off by {:.1e}", what, dt, off), seconds,
            seconds / exprb42.seconds);
  };
  add("exprb42", 0.05, error(exprb42), exprb42.seconds);
  add("pexprb43", 0.05, error(pexprb43), pexprb43.seconds);

  // the stability limit of rk4 is 2.83 over the largest frequency; it is hardly less accurate there
  const auto workspace = system.make_workspace();
  const auto linearization = system.make_linearization();
  system.linearize(system.rest_state(), {}, *workspace, *linearization);
  const la::SpectralBounds bounds = la::estimate_spectrum(
      {linearization->stiffness(), system.mass(), system.mass_inverse()}, la::serial_reducer(), 60);
  const Outcome rk4 = run(system, "rk4", 2.6 / std::sqrt(bounds.high));
  add("rk4 near its stability limit", rk4.dt, error(rk4), rk4.seconds);

  // errors of be are proportional to h once they are small: what equal accuracy would take
  const Outcome coarse = run(system, "be", 0.05), fine = run(system, "be", 0.0125);
  add("be", coarse.dt, error(coarse), coarse.seconds);
  add("be", fine.dt, error(fine), fine.seconds);
  const double equal = fine.dt * error(exprb42) / error(fine);
  add("be at the error of exprb42 (extrapolated)", equal, error(exprb42),
      fine.seconds * fine.dt / equal);
}

}  // namespace sinew::cli
