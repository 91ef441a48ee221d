// SPDX-License-Identifier: Apache-2.0
// A material of one's own: it stiffens when it is stretched, by a constant that scenes can set.
//   psi = mu/2 (I - 3) + s mu/4 (I - 3)^2 - mu (detF - 1) + (lambda + mu)/2 (detF - 1)^2
// with I = |F|^2. Derivatives by I and detF are all there is to write; tangents, their
// projections and the loops over four elements at a time are made from them by the library.
#include <sinew/physics/materials/invariants.hpp>
#include <sinew/physics/materials/material_entry.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/study/run.hpp>
using namespace sinew;
template <class T>
struct Stiffening : physics::InvariantMaterial<T, Stiffening<T>> {
  T mu, lambda_bar, s;
  static physics::Parameters parameters(const physics::Moduli& m) {
    return {m.mu, m.lambda + m.mu, m.own[0]};
  }
  static physics::Moduli small_strain(const physics::Moduli& m) {
    return {m.mu, m.lambda + 2.0 * m.own[0] * m.mu};
  }
  static Stiffening make(const std::array<T, 3>& p) { return {{}, p[0], p[1], p[2]}; }
  T psi(const T& I, const T& detF) const {
    return 0.5 * mu * (I - 3.0) + 0.25 * s * mu * (I - 3.0) * (I - 3.0) - mu * (detF - 1.0) +
           0.5 * lambda_bar * (detF - 1.0) * (detF - 1.0);
  }
  physics::InvariantDerivatives<T> derivatives(const T& I, const T& detF) const {
    const T by_I = 0.5 * mu + 0.5 * s * mu * (I - 3.0), by_det = lambda_bar * (detF - 1.0) - mu;
    return {by_I, by_det, 0.5 * s * mu, mu - mu, lambda_bar};
  }
};

int main() {
  scene::Catalog catalog;
  catalog.add(physics::material_entry<Stiffening>(
      {.name = "stiffening", .constants = {{"stiffening", 1.0, 0.0, 100.0, "how much"}}}));
  const auto scene = scene::find_scene(
      "hanging-ball", {{"bodies.0.material", R"({"model": "stiffening", "stiffening": 20})"}},
      catalog);
  const study::RunOptions options{.directory = "own-material", .replace = true};
  return study::run_scene(scene, options, catalog).accepted_steps > 0 ? 0 : 1;
}
