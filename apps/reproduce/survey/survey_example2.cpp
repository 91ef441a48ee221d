// SPDX-License-Identifier: Apache-2.0
// u' = -1000 u with u(0) = 1 and one step of 0.1. Methods here are for equations of second order: u
// is the velocity of a free mass with a damper of 1000. The first stage of both DIRK methods is a
// trapezoidal step over the part gamma of the whole.
#include <cmath>

#include <fmt/format.h>

#include "../oscillator_runs.hpp"
#include "../reproduction.hpp"
#include "targets.hpp"

namespace sinew::cli {
namespace {

void run_survey_example2(Reproduction& reproduction) {
  constexpr double rate = 1000.0, h = 0.1;
  const dynamics::Oscillator decay(0.0, rate);
  const auto u_after = [&](const char* method, double dt, int steps) {
    return run_oscillator(decay, method, dynamics::Oscillator::displaced(0.0, 1.0), dt, steps)
        .velocities.y;
  };
  const double gamma = 2.0 - std::sqrt(2.0);
  const double tr_stage = u_after("trapezoidal", 0.5 * h, 1).back();
  const double sdirk_stage = u_after("trapezoidal", gamma * h, 1).back();
  const double ours = u_after("bdf2", h, 1).back();
  // BDF2 needs a value before the first: as if u had been 1 until then
  const auto bdf2 = [](double before, double now) {
    return (4.0 * now - before) / (3.0 + 2.0 * h * rate);
  };
  const double first = bdf2(1.0, 1.0), second = bdf2(1.0, first);
  reproduction.write_csv(
      "survey-example2.csv", "what,u",
      {fmt::format("tr-bdf2 stage,{}", tr_stage), fmt::format("sdirk stage,{}", sdirk_stage),
       fmt::format("bdf2 step 1,{}", first), fmt::format("bdf2 step 2,{}", second),
       fmt::format("bdf2 here,{}", ours),
       fmt::format("tr-bdf2,{}", u_after("tr-bdf2", h, 1).back()),
       fmt::format("sdirk,{}", u_after("sdirk2", h, 1).back())});
  const auto expected = [](double z) { return (1.0 - 0.5 * z) / (1.0 + 0.5 * z); };
  reproduction.judge(
      "stage",
      {.ours = fmt::format("u_gamma = {:.4f} in TR-BDF2, {:.4f} in SDIRK", tr_stage, sdirk_stage),
       .verdict = agrees_if(tr_stage < -0.9 && sdirk_stage < -0.9 &&
                            std::abs(tr_stage - expected(0.5 * h * rate)) < 1e-9),
       .why = "close to -1, and that of (1 - z/2)/(1 + z/2)"});
  reproduction.judge(
      "bdf2",
      {.ours = fmt::format("u1 = {:.4f}, then u2 = {:.4f}", first, second),
       .verdict = agrees_if(first > 0.0 && first < 0.05),
       .why = fmt::format("with u = 1 before the step; `bdf2` here begins with a method of one "
                          "step and of second order, which yields {:.4f}",
                          ours)});
  reproduction.judge(
      "log",
      {.ours = fmt::format("u_gamma = {:.2f} and {:.2f} have no logarithm; ln u1 = {:.2f} with "
                           "BDF2, u2 = {:.4f} has none",
                           tr_stage, sdirk_stage, std::log(first), second),
       .verdict = agrees_if(tr_stage < 0.0 && sdirk_stage < 0.0 && first > 0.0),
       .why = "the second equation cannot be evaluated at the stage; with BDF2 the same happens "
              "one step later"});
}

}  // namespace

Target survey_example2() {
  return {
      .name = "survey-example2",
      .paper = "Ascher et al. 2022",
      .summary = "A scalar equation that is too stiff for the first stage of DIRK methods",
      .statements = {{.id = "stage",
                      .where = "example 2",
                      .text = "The trapezoidal first stage of both DIRK methods comes out negative",
                      .paper = "about -1"},
                     {.id = "bdf2",
                      .where = "example 2",
                      .text = "BDF2 yields a value that is close to 0 and not negative",
                      .paper = "above 0, close to it"},
                     {.id = "log",
                      .where = "example 2",
                      .text = "With w' = log u beside it BDF2 completes the step and both DIRK "
                              "methods get stuck",
                      .paper = ""}},
      .run = run_survey_example2};
}

}  // namespace sinew::cli
