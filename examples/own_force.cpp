// SPDX-License-Identifier: Apache-2.0
// A force of one's own: every selected vertex is drawn to a place, W = strength/2 |x - place|^2.
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/study/run.hpp>
using namespace sinew;
using physics::Configuration, physics::TermWork;
struct Tether final : physics::Term {
  explicit Tether(const physics::TermArguments& given)
      : place(given.vector("place")), k(given.number("strength")), vertices(given.vertices) {}
  physics::TermTraits traits() const override {
    return {.force = physics::TermForce::potential, .row = {"tether"}, .couples = false};
  }
  double energy(const Configuration& at, TermWork&) const override {
    double sum = 0.0;
    for (int i : vertices) sum += 0.5 * k * (at.x.vector(i) - place).squaredNorm();
    return sum;
  }
  void add_force(const Configuration& at, TermWork&, physics::PaddedField& f) const override {
    for (int i : vertices) f.vector(i) -= k * (at.x.vector(i) - place);
  }
  Index add_tangent(const Configuration&, dynamics::Definiteness, TermWork&,
                    const physics::TangentOut& out) const override {
    for (int i : vertices) out.K->add(i, i, k * Mat3::Identity());  // convex
    return 0;
  }
  const Vec3 place;
  const double k;
  const std::vector<int> vertices;
};
int main() {
  scene::Catalog catalog;
  catalog.add(physics::TermEntry{
      .name = "tether",
      .parameters = {{"place", {0, 0, 0}}, {"strength", {1}}},
      .make = [](const auto& given) { return std::make_unique<Tether>(given); }});
  const char* loads = R"([{"type":"tether","body":"ball","place":[0.2,0,0],"strength":30}])";
  const auto scene = scene::find_scene("hanging-ball", {{"loads", loads}}, catalog);
  const study::RunOptions options{.directory = "own-force", .replace = true};
  return study::run_scene(scene, options, catalog).accepted_steps > 0 ? 0 : 1;
}
