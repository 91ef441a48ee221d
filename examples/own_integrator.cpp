// SPDX-License-Identifier: Apache-2.0
// A method of one's own, in a scene and its report like any other: drift, kick, drift.
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/study/compare.hpp>
using namespace sinew;
class DriftKickDrift final : public integrators::Integrator {
 public:
  DriftKickDrift(const integrators::Options&, const integrators::Services& services)
      : Integrator(services) {}

 private:
  // `next` begins as a copy of `now`; the step counts forces and times them
  integrators::StepStatus do_step(integrators::StepContext& step, const dynamics::State& now,
                                  dynamics::State& next) override {
    Vec f(now.q.size()), a(now.q.size());
    next.q = now.q + 0.5 * step.dt * now.v;
    next.t = now.t + 0.5 * step.dt;
    step.force(next, f);
    step.divide_by_mass(f, a);
    next.v = now.v + step.dt * a;
    next.q += 0.5 * step.dt * next.v;
    return integrators::StepStatus::accepted;
  }
};

int main() {
  scene::Catalog catalog;
  catalog.add(integrators::IntegratorEntry{
      .traits = {.name = "dkd", .title = "drift, kick, drift", .order = 2, .symplectic = true},
      .options = {},
      .make = [](const integrators::Options& options, const integrators::Services& services)
          -> std::unique_ptr<integrators::Integrator> {
        return std::make_unique<DriftKickDrift>(options, services);
      }});
  const auto scene = scene::find_scene("hanging-ball", {{"time.dt", "1e-5"}, {"time.end", "2e-3"}});
  const study::CompareOptions options{
      .directory = "own-integrator", .replace = true, .integrators = {"dkd", "verlet", "si"}};
  const auto result = study::compare(scene, options, catalog);
  return result.runs[0].summary.reason == sim::StopReason::reached_end ? 0 : 1;
}
