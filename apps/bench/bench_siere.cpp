// SPDX-License-Identifier: Apache-2.0
// What a step of the hybrid methods costs beside one of si, in steady motion: modes followed in
// every step, and every matrix factorised unless the row says lagged.
#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/integrators/registry.hpp>

#include "bench.hpp"
#include "bench_bar.hpp"

namespace sinew::cli {
namespace {

constexpr double siere_dt = 0.01;

using Settings = std::vector<std::pair<std::string, integrators::OptionValue>>;

/// One method on one bar, going on and on.
class Motion {
 public:
  Motion(std::string label, const physics::TermSystem& system, std::string_view method,
         const Settings& settings = {}, bool lagged = false)
      : label_(std::move(label)),
        system_(system),
        workspace_(system.make_workspace()),
        state_(system.rest_state()) {
    const integrators::IntegratorEntry* entry = integrators::find_integrator(method);
    integrators::Options options(entry->options);
    for (const auto& [name, value] : settings) options.set(name, value);
    method_ = integrators::make_integrator(*entry, options, bench_services(lagged));
  }

  void step() {
    const integrators::StepReport report = method_->step(system_, *workspace_, siere_dt, state_);
    if (report.status != integrators::StepStatus::accepted)
      throw InternalError(std::string(integrators::explanation(report.status)));
    solves_ = report.profile.counts.solves;
  }

  Contender contender() {
    return {label_, [this] { step(); }};
  }
  const std::string& label() const { return label_; }
  long solves() const { return solves_; }

 private:
  std::string label_;
  const physics::TermSystem& system_;
  std::unique_ptr<dynamics::Workspace> workspace_;
  dynamics::State state_;
  std::unique_ptr<integrators::Integrator> method_;
  long solves_ = 0;
};

Settings modes(long count, const std::string& variant = "collapsed") {
  return {{"modes", count}, {"variant", variant}};
}

void race_on(const std::string& title, const physics::TermSystem& system, int rounds,
             BenchLog& log) {
  std::vector<std::unique_ptr<Motion>> motions;
  const auto add = [&](const char* label, const char* method, const Settings& settings = {},
                       bool lagged = false) {
    motions.push_back(std::make_unique<Motion>(label, system, method, settings, lagged));
  };
  add("si", "si");
  add("siere 5", "siere", modes(5));
  add("siere 10", "siere", modes(10));
  add("siere 50", "siere", modes(50));
  add("siere 5, reference", "siere", modes(5, "reference"));
  add("ssdirk2ere 5", "ssdirk2ere", {{"modes", 5L}});
  add("blend", "blend");
  add("si, lagged", "si", {}, true);
  add("siere 5, lagged", "siere", modes(5), true);
  std::vector<Contender> contenders;
  contenders.reserve(motions.size());
  for (const auto& motion : motions) contenders.push_back(motion->contender());
  const std::vector<Timing> timings = race(contenders, rounds);
  for (std::size_t k = 0; k < timings.size(); ++k)
    log.row(fmt::format("{}, {} ({} solves)", title, timings[k].name, motions[k]->solves()),
            timings[k].median_seconds, timings[k].ratio);
}

}  // namespace

void bench_siere(BenchLog& log) {
  const core::Executor executor(0);
  log.title(
      "a step of a swinging bar; slender: 10,449 vertices, 40,960 tets; bulky: 30,800 vertices, "
      "137,180 tets; ratio to si of the same bar, or to the softest");
  race_on("slender", physics::TermSystem(physics::to_terms(swinging_bar({})), executor), 7, log);
  race_on(
      "bulky",
      physics::TermSystem(
          physics::to_terms(swinging_bar({.size = {4, 1, 1}, .cells = {76, 19, 19}})), executor),
      5, log);
  std::vector<std::unique_ptr<physics::TermSystem>> systems;
  std::vector<std::unique_ptr<Motion>> motions;
  std::vector<Contender> contenders;
  double gravity = 9.81;
  for (const double young : {1e5, 1e6, 1e7, 1e8, 1e9, 1e10}) {
    systems.push_back(std::make_unique<physics::TermSystem>(
        physics::to_terms(swinging_bar({.young = young, .gravity = gravity})), executor));
    motions.push_back(std::make_unique<Motion>(fmt::format("slender, siere 5, E = {:.0e}", young),
                                               *systems.back(), "siere", modes(5)));
    contenders.push_back(motions.back()->contender());
    gravity *= 3.0;
  }
  for (const Timing& timing : race(contenders, 5))
    log.row(timing.name, timing.median_seconds, timing.ratio);
}

}  // namespace sinew::cli
