// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/study/run.hpp>
#include <sinew/study/stiffness.hpp>

namespace sinew::study {
namespace {

void multiply(scene::Formula& formula, double factor) {
  formula.text = fmt::format("({})*{}", formula.text, factor);
}
void multiply(std::optional<scene::Formula>& formula, double factor) {
  if (formula) multiply(*formula, factor);
}

}  // namespace

scene::SceneSpec with_stiffness(scene::SceneSpec scene, double factor) {
  for (scene::BodySpec& body : scene.bodies) {
    if (body.type != "springs") continue;
    scene::SpringsSpec& springs = body.springs;
    multiply(springs.stiffness, factor);
    multiply(springs.young, factor);
    multiply(springs.bending, factor);
    multiply(springs.angle, factor);
    for (double& stiffness : springs.stiffnesses) stiffness *= factor;
    if (springs.fibre) {
      springs.fibre->young *= factor;
      springs.fibre->torsion *= factor;
    }
    for (scene::RegionSpec& region : body.regions) {
      multiply(region.springs.stiffness, factor);
      multiply(region.springs.young, factor);
    }
  }
  return scene;
}

StiffnessFound find_stiffness(const scene::SceneSpec& scene, const StiffnessSearch& search,
                              const scene::Catalog& catalog) {
  if (std::none_of(scene.bodies.begin(), scene.bodies.end(),
                   [](const scene::BodySpec& body) { return body.type == "springs"; }))
    throw InputError(Problem{.file = scene.source,
                             .what = "there are no springs whose stiffness could be found",
                             .hint = "strain is that of springs"});
  StiffnessFound found;
  const RunOptions options{
      .frames = false, .publish = false, .stop_requested = search.stop_requested};
  // too soft and stiff enough, as far as is known
  double soft = 0.0, stiff = std::numeric_limits<double>::infinity(), factor = 1.0;
  for (int k = 0; k < search.most_trials && !found.is_found; ++k) {
    StiffnessTrial trial{.factor = factor};
    trial.summary = run_scene(with_stiffness(scene, factor), options, catalog);
    trial.strain = trial.summary.largest_strain;
    if (search.on_trial) search.on_trial(trial);
    found.trials.push_back(trial);
    if (trial.summary.reason == sim::StopReason::stopped_by_user) return found;
    const bool has_ended = trial.summary.reason == sim::StopReason::reached_end;
    if (has_ended && trial.strain == 0.0) return found;  // however stiff
    const bool is_enough = has_ended && trial.strain <= search.strain;
    found.is_found = is_enough && trial.strain >= (1.0 - search.slack) * search.strain;
    (is_enough ? stiff : soft) = factor;
    // strains go about as one over the stiffness; aim at the middle of what is allowed
    const double aim = (1.0 - 0.5 * search.slack) * search.strain;
    double next = factor * trial.strain / aim;
    if (trial.summary.reason == sim::StopReason::failed) next = 10.0 * factor;
    // not outside of what is known, and not slower than by halves
    const bool is_between = soft > 0.0 && std::isfinite(stiff);
    if (is_between && !(next > soft && next < stiff)) next = std::sqrt(soft * stiff);
    factor = next;
  }
  return found;
}

}  // namespace sinew::study
