// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/study/static.hpp>

namespace sinew::study {
namespace {

constexpr const char* static_method = "equilibrium";

/// The part of the loads at time t: all of them from the end on, where a run may go further.
std::string part_of_loads(double end) {
  return fmt::format("min(t/{},1)", end);
}

std::string ramped(const std::string& formula, double end) {
  return fmt::format("({})*{}", formula, part_of_loads(end));
}

/// A velocity of the air whose drag, which grows with the square, is that part.
std::string ramped_velocity(const std::string& formula, double end) {
  return fmt::format("({})*sqrt({})", formula, part_of_loads(end));
}

/// What cannot be meant where nothing moves in time.
std::vector<Problem> out_of_place(const scene::SceneSpec& scene) {
  std::vector<Problem> problems;
  const auto refuse = [&](std::string where, std::string what, std::string hint) {
    problems.push_back({scene.source, std::move(where), std::move(what), std::move(hint)});
  };
  if (!(scene.time.end > 0.0))
    refuse("/time/end", "loads need a time to grow in", "give an end above 0");
  if (!scene.cuts.empty()) refuse("/cuts", "there are no cuts in statics", "leave them out");
  if (!scene.fracture.empty())
    refuse("/fracture", "there is no fracture in statics", "leave it out");
  if (scene.contact && scene.contact->model != "barrier" && scene.contact->model != "penalty")
    refuse("/contact/model", fmt::format("{} needs steps in time", scene.contact->model),
           "use barrier or penalty");
  if (scene.contact && scene.contact->friction)
    refuse("/contact/friction", "what sticks creeps here, and statics would let it go on for ever",
           "leave friction out, or let the scene come to rest with be and damping");
  for (std::size_t k = 0; k < scene.loads.size(); ++k) {
    const std::string where = fmt::format("/loads/{}", k);
    if (scene.loads[k].type == "pulse")
      refuse(where, "a pulse is over before there is an equilibrium", "use a force");
    else if (scene.loads[k].from || scene.loads[k].until)
      refuse(where, "a load that acts for a time has no place in statics",
             "leave out \"from\" and \"until\"");
  }
  return problems;
}

/// Watches for stiffness that is not positive definite where the body rests.
class StabilityWatch final : public sim::Observer {
 public:
  explicit StabilityWatch(double end) : end_(end) {}

  void on_start(const sim::FrameView& view) override { observe(view); }
  void on_step(const sim::FrameView& view, const sim::StepRecord& record) override {
    if (record.report.status != integrators::StepStatus::accepted) return;
    observe(view);
    if (!unstable_from && !is_stable(view)) unstable_from = view.state.t / end_;
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    if (unstable_from)
      notes.push_back(fmt::format(
          "unstable from {:.4g} % of the loads on: it buckles, or would with a small push",
          100.0 * *unstable_from));
    if (jumped_at)
      notes.push_back(fmt::format("jumped after {:.4g} % of the loads, to another equilibrium",
                                  100.0 * *jumped_at));
    return notes;
  }

  std::optional<double> unstable_from, jumped_at;
  double reached = 0.0, largest_displacement = 0.0;

 private:
  void observe(const sim::FrameView& view) {
    // where bodies meet they stop, and move on together: that looks like jumps and is none
    if (!view.system.traits().has_contacts) watch_jumps(view.state);
    reached = view.state.t / end_;
    const dynamics::Observables& observables = dynamics::observables_of(view.system);
    Vec displacement(3 * observables.geometry().num_points);
    observables.evaluate_field("displacement", view.state, view.workspace, displacement);
    largest_displacement = 0.0;
    for (Index k = 0; k < displacement.size(); k += 3)
      largest_displacement = std::max(largest_displacement, displacement.segment<3>(k).norm());
  }

  /// A load step that moves much further than the one before, for as much load.
  void watch_jumps(const dynamics::State& state) {
    constexpr double much = 8.0, worth_mentioning = 1e-3;  // of the size of everything
    const double load = state.t / end_ - reached;
    if (before_.size() == state.q.size() && load > 0.0) {
      const Vec way = state.q - before_;
      const double rate = way.norm() / load, size = state.q.maxCoeff() - state.q.minCoeff();
      if (!jumped_at && last_rate_ > 0.0 && rate > much * last_rate_ &&
          way.cwiseAbs().maxCoeff() > worth_mentioning * size)
        jumped_at = reached;
      last_rate_ = rate;
    }
    before_ = state.q;
  }

  /// K of what rests, with next to nothing of M: free rigid motion does not count, nor does what
  /// rounding makes of it beside a stiffness of this size.
  static bool is_stable(const sim::FrameView& view) {
    constexpr double share = 1e-11;
    const auto linearization = view.system.make_linearization();
    view.system.linearize(view.state, {}, view.workspace, *linearization);
    // a mean of the squared frequencies
    Vec x(view.state.q.size()), y(x.size());
    for (Index k = 0; k < x.size(); ++k) x[k] = (5 * k * k + 3 * k) % 7 < 3 ? 1.0 : -1.0;
    linearization->stiffness().apply(x, y);
    const double stiffness = std::abs(x.dot(y));
    view.system.mass().apply(x, y);
    const double inertia = share * stiffness / x.dot(y);
    const auto solver = integrators::default_services().make_direct_solver(la::serial_reducer());
    return solver->factorize(linearization->combine(inertia, 0.0, 1.0)).status !=
           la::SolveStatus::not_positive_definite;
  }

  double end_;
  Vec before_;              // positions
  double last_rate_ = 0.0;  // of positions with loads
};

}  // namespace

scene::SceneSpec as_static(scene::SceneSpec scene, int load_steps, const scene::Catalog& catalog) {
  if (std::vector<Problem> problems = out_of_place(scene); !problems.empty())
    throw InputError(std::move(problems));
  const integrators::IntegratorEntry& entry = *catalog.find_integrator(static_method);
  if (scene.integrator.name != static_method) {
    scene.integrator.name = static_method;
    scene.integrator.options = integrators::Options(entry.options);
  }
  const double end = scene.time.end;
  scene.time.dt = end / load_steps;
  scene.time.tolerance = 0.0;
  scene.output.fps = load_steps / end;
  for (scene::BodySpec& body : scene.bodies) body.velocity = {"0", "0", "0"};
  for (scene::MotionSpec& motion : scene.motion)
    motion.until = std::numeric_limits<double>::infinity();
  for (scene::LoadSpec& load : scene.loads) {
    for (std::string& value : load.value) value = ramped(value, end);
    for (std::string& velocity : load.velocity) velocity = ramped_velocity(velocity, end);
    load.pressure = ramped(load.pressure.text, end);
  }
  return scene;
}

StaticResult find_static(const scene::SceneSpec& scene, const StaticOptions& options,
                         const scene::Catalog& catalog) {
  const scene::SceneSpec loaded = as_static(scene, options.load_steps, catalog);
  StabilityWatch watch(loaded.time.end);
  RunOptions run = options.run;
  run.observers.push_back(&watch);
  run.notes = [&watch] { return watch.notes(); };
  StaticResult result{.summary = run_scene(loaded, run, catalog)};
  result.reached = watch.reached;
  result.largest_displacement = watch.largest_displacement;
  result.unstable_from = watch.unstable_from;
  result.jumped_at = watch.jumped_at;
  result.notes = watch.notes();
  return result;
}

}  // namespace sinew::study
