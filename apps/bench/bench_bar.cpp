// SPDX-License-Identifier: Apache-2.0
#include "bench_bar.hpp"

#include <sinew/la/solvers/lagged_solver.hpp>
#include <sinew/mesh/generators.hpp>

namespace sinew::cli {

physics::BodiesSpec swinging_bar(const BenchBar& bar) {
  physics::Body body;
  body.name = "bar";
  body.mesh = mesh::make_bar({.size = bar.size, .cells = bar.cells});
  if (bar.order == 2) body.mesh = mesh::to_second_order(std::move(body.mesh));
  body.tets.assign(body.mesh.tets.size(), {.material = physics::find_material(bar.material),
                                           .moduli = physics::moduli(bar.young, bar.poisson)});
  physics::BodiesSpec spec;
  spec.gravity = {0.0, 0.0, -bar.gravity};
  for (int v = 0; v < body.mesh.num_vertices(); ++v)
    if (body.mesh.vertices[v][0] < 1e-9) spec.fixed.push_back(v);
  spec.bodies.push_back(std::move(body));
  return spec;
}

integrators::Services bench_services(bool lagged) {
  integrators::Services result = integrators::default_services();
  if (lagged)
    result.make_linear_solver = [](const la::Reducer& reducer) {
      return la::make_lagged_solver(la::solvers().front(), reducer);
    };
  return result;
}

}  // namespace sinew::cli
