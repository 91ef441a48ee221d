// SPDX-License-Identifier: Apache-2.0
// A program with the library inside: steps a mesh.
#include <cstdio>

#include <sinew/core/version.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/physics/bodies.hpp>

int main() {
  using namespace sinew;
  physics::Body body;
  body.mesh = mesh::make_bar({});
  body.tets.assign(body.mesh.tets.size(), {.material = physics::find_material("stvk"),
                                           .moduli = physics::moduli(1e6, 0.3)});
  physics::BodiesSpec spec;
  spec.gravity = {0.0, 0.0, -9.81};
  spec.fixed = {0, 1, 2};
  spec.bodies.push_back(std::move(body));
  const physics::TermSystem system(physics::to_terms(spec));
  const auto workspace = system.make_workspace();
  dynamics::State state = system.rest_state();
  const auto report = integrators::make_integrator("si")->step(system, *workspace, 0.01, state);
  std::printf("sinew %s: t = %g\n", core::version, state.t);
  return report.status == integrators::StepStatus::accepted && state.t == 0.01 ? 0 : 1;
}
