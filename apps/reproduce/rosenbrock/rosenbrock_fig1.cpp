// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "../scene_runs.hpp"
#include "stable_step.hpp"
#include "targets.hpp"

namespace sinew::cli {
namespace {

constexpr const char* coil = "coil-spring-8k";

/// Distance of all particles from where they should be, of that from where they began.
double error_of(const SceneRun& run, const SceneRun& exact) {
  if (run.end.size() != exact.end.size()) return INFINITY;
  return (run.end - exact.end).norm() / (exact.end - exact.begin).norm();
}

/// Energy that is missing at the end, of the largest kinetic energy of the exact motion.
double loss_of(const SceneRun& run, const SceneRun& exact) {
  return run.lost() / *std::max_element(exact.kinetic.begin(), exact.kinetic.end());
}

/// The largest distance of the energy from that of the start, in the first or second half.
double wander_of(const SceneRun& run, bool second_half) {
  const auto half = static_cast<long>(run.total.size() / 2);
  double worst = 0.0;
  for (long k = second_half ? half : 0;
       k < (second_half ? static_cast<long>(run.total.size()) : half); ++k)
    worst = std::max(worst, std::abs(run.total[static_cast<std::size_t>(k)] - run.total.front()));
  return worst;
}

void run_rosenbrock_fig1(Reproduction& reproduction) {
  const double span = reproduction.choose(0.05, 6.0, 60.0);
  const Changes coarse = reproduction.choose<Changes>({{"bodies.0.mesh.wire_cells", "30"}}, {}, {});
  const auto run = [&](const std::string& label, const char* method, double dt,
                       const Changes& more = {}) {
    // whole steps: the end is a multiple of all of them
    const double step = span / std::ceil(span / dt - 1e-9);
    return run_scene_for(
        reproduction,
        {.label = label,
         .scene = coil,
         .changes = bare(method, more + coarse +
                                     Changes{{"time.dt", fmt::format("{:.17g}", step)},
                                             {"time.end", fmt::format("{}", span)}})});
  };
  const double stable = stable_rk4_step(coil, coarse);
  const SceneRun exact = run("reference", "exprb42", 0.0125, {{"integrator.tolerance", "1e-8"}});
  const std::vector<SceneRun> runs{
      run("exprb42, h = 0.05", "exprb42", 0.05), run("pexprb43, h = 0.05", "pexprb43", 0.05),
      run("rk4 at its limit", "rk4", 0.95 * stable), run("be, h = 0.05", "be", 0.05),
      run("be, h = 0.0125", "be", 0.0125)};
  write_energies(reproduction, "rosenbrock-fig1", "oscillating coil", EnergyKind::total, runs);
  const std::string time = fmt::format("after {:g} s", span);
  // what grows with time says little about 60 s after a tenth of them
  const bool is_full = reproduction.scale() == Scale::full;
  const auto error = [&](const char* id, const SceneRun& one, double most) {
    const double off = error_of(one, exact);
    reproduction.judge(
        id,
        {.ours = fmt::format("{:.2g} % {}", 100.0 * off, time),
         .verdict = is_full || off > most ? agrees_if(off < most) : Verdict::not_comparable,
         .why = fmt::format("{}against exprb42 with a quarter of the step and a tolerance of 1e-8; "
                            "errors of all particles, of how far they moved. Masses and the field "
                            "are ours",
                            is_full ? "" : "a tenth of the time; ")});
  };
  error("exprb42", runs[0], 0.02);
  error("pexprb43", runs[1], 0.015);
  const double early = std::max(wander_of(runs[0], false), wander_of(runs[1], false)),
               late = std::max(wander_of(runs[0], true), wander_of(runs[1], true));
  reproduction.judge(
      "energy",
      {.ours = fmt::format("never further off than {} in the first half, {} in the "
                           "second, of {} of motion",
                           joules(early), joules(late),
                           joules(*std::max_element(exact.kinetic.begin(), exact.kinetic.end()))),
       .verdict = agrees_if(late < 3.0 * early + 1e-12),
       .why = "no growth: the second half is at most three times as far off"});
  const double rk4 = loss_of(runs[2], exact), be = loss_of(runs[3], exact),
               fine = loss_of(runs[4], exact);
  reproduction.judge(
      "rk4",
      {.ours = fmt::format("{:.2g} % {} with h = {:.2g} s", 100.0 * rk4, time, 0.95 * stable),
       .verdict = agrees_if(rk4 > 0.5 * 0.22 && rk4 < 2.0 * 0.22),
       .why = fmt::format("within a factor of two; rk4 is accurate for the slow motion at any "
                          "stable step and damps the fastest vibrations only{}",
                          reproduction.scale() == Scale::full ? "" : "; a tenth of the time")});
  const auto later = [&](double loss) { return 100.0 * (1.0 - std::pow(1.0 - loss, 60.0 / span)); };
  reproduction.judge(
      "be",
      {.ours = fmt::format("{:.2g} % with h = 0.05 s, {:.2g} % with 0.0125 s {}", 100.0 * be,
                           100.0 * fine, time),
       .verdict = is_full ? agrees_if(std::min(be, fine) < 0.8 && std::max(be, fine) > 0.2)
                          : Verdict::not_comparable,
       .why = is_full ? "the step is not stated: agrees if 40 % lies within a factor of two of "
                        "these"
                      : fmt::format("a tenth of the time, and the step is not stated; at this rate "
                                    "{:.0f} % and {:.0f} % after 60 s",
                                    later(be), later(fine))});
}

}  // namespace

Target rosenbrock_fig1() {
  return {.name = "rosenbrock-fig1",
          .paper = "Luan and Michels 2020",
          .summary = "An oscillating coil of 8,000 particles: errors and losses",
          .statements = {{.id = "exprb42",
                          .where = "section 5.1",
                          .text = "With h = 0.05 the error of exprb42 is below 2 %",
                          .paper = "below 2 % after 60 s"},
                         {.id = "pexprb43",
                          .where = "section 5.1",
                          .text = "With h = 0.05 the error of pexprb43 is about a single percent",
                          .paper = "about 1 % after 60 s"},
                         {.id = "energy",
                          .where = "figure 1",
                          .text = "The energy of both oscillates a little and does not drift",
                          .paper = ""},
                         {.id = "rk4",
                          .where = "section 5.1",
                          .text = "The Runge-Kutta method of fourth order loses energy",
                          .paper = "22 % after 60 s"},
                         {.id = "be",
                          .where = "section 5.1",
                          .text = "BDF-1 loses energy",
                          .paper = "40 % after 60 s"}},
          .run = run_rosenbrock_fig1};
}

}  // namespace sinew::cli
