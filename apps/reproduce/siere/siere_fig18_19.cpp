// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "../oscillator_runs.hpp"
#include "../reproduction.hpp"
#include "program/damping_curve.hpp"
#include "targets.hpp"

namespace sinew::cli {
namespace {

/// The largest amplitude over the last tenth of the time.
double amplitude_at_end(const output::Curve& curve) {
  double largest = 0.0;
  for (std::size_t k = 9 * curve.y.size() / 10; k < curve.y.size(); ++k)
    largest = std::max(largest, std::abs(curve.y[k]));
  return largest;
}

void write_damping_curves(Reproduction& reproduction, const std::string& name,
                          const std::vector<output::Curve>& curves) {
  std::vector<std::string> rows;
  for (const output::Curve& curve : curves)
    for (std::size_t k = 0; k < curve.x.size(); ++k)
      rows.push_back(fmt::format("{},{},{}", curve.name, curve.x[k], curve.y[k]));
  reproduction.write_csv(name + ".csv", "integrator,h_omega,d_over_omega", rows);
  output::LinePlot plot{.title = "numerical damping of q'' + omega^2 q = 0",
                        .x_label = "h omega",
                        .y_label = "d / omega",
                        .logarithmic_x = true,
                        .curves = curves};
  for (output::Curve& curve : plot.curves) curve.family.clear();
  reproduction.write_plot(name + ".svg", std::move(plot));
}

/// How far two oscillators with the same h omega are apart, step by step.
double dependence_on_step(const char* method) {
  const OscillatorRun fast = run_oscillator(dynamics::Oscillator(100.0), method,
                                            dynamics::Oscillator::displaced(), 0.01, 50),
                      slow = run_oscillator(dynamics::Oscillator(1.0), method,
                                            dynamics::Oscillator::displaced(), 1.0, 50);
  double apart = 0.0;
  for (std::size_t k = 0; k < fast.positions.y.size(); ++k)
    apart = std::max(apart, std::abs(fast.positions.y[k] - slow.positions.y[k]));
  return apart;
}

void judge_damping(Reproduction& reproduction, const output::Curve& be, const output::Curve& bdf2) {
  // |R|^2 = 1 / (1 + x^2) for backward Euler
  double off = 0.0;
  for (std::size_t k = 0; k < be.x.size(); ++k)
    off = std::max(off, std::abs(be.y[k] - std::log1p(be.x[k] * be.x[k]) / be.x[k]));
  const double top_be = *std::max_element(be.y.begin(), be.y.end());
  const double top_bdf2 = *std::max_element(bdf2.y.begin(), bdf2.y.end());
  const double apart = std::max(dependence_on_step("be"), dependence_on_step("bdf2"));
  reproduction.judge(
      "curves",
      {.ours = fmt::format(
           "largest d/omega: BE {:.3f}, BDF2 {:.3f}; 100/s at 10 ms and 1/s at 1 s go the "
           "same way to {:.0e}",
           top_be, top_bdf2, apart),
       .verdict = agrees_if(off < 1e-6 && apart < 1e-9 && top_be > 0.1 && top_bdf2 > 0.1),
       .why = fmt::format("measured on steps; BE is off by {:.0e} from ln(1 + x^2)/x", off)});
  const auto ratio = [&](int exponent) {
    const auto k =
        static_cast<std::size_t>(points_per_decade) * static_cast<std::size_t>(exponent + 2);
    return be.y[k] / bdf2.y[k];
  };
  reproduction.judge(
      "twice",
      {.ours = fmt::format("{:.2f} times at the top; {:.1f}, {:.2f} and {:.2f} times at h omega "
                           "= 1, 10 and 100",
                           top_be / top_bdf2, ratio(0), ratio(1), ratio(2)),
       .verdict = agrees_if(top_be / top_bdf2 > 4.0 / 3.0 && top_be / top_bdf2 < 3.0),
       .why = "about twice from the top on, within a factor of 1.5; far more for slow "
              "motion, where BDF2 is of second order"});
}

void run_siere_fig18_19(Reproduction& reproduction) {
  const output::Curve be = damping_curve("be"), bdf2 = damping_curve("bdf2");
  write_damping_curves(reproduction, "siere-fig18", {be, bdf2});
  judge_damping(reproduction, be, bdf2);

  constexpr double omega = 100.0, d = 1.0, h = 0.01;
  constexpr int steps = 100;
  const dynamics::Oscillator oscillator(omega, d);
  output::LinePlot plot{.title = "q'' + q' + 100^2 q = 0, h = 0.01 s",
                        .x_label = "t [s]",
                        .y_label = "q",
                        .marks_points = true};
  std::vector<std::string> rows;
  std::vector<double> left;
  for (const char* method : {"be", "bdf2", "implicit-midpoint"}) {
    const OscillatorRun run =
        run_oscillator(oscillator, method, dynamics::Oscillator::displaced(), h, steps);
    for (std::size_t k = 0; k < run.positions.x.size(); ++k)
      rows.push_back(fmt::format("{},{},{}", method, run.positions.x[k], run.positions.y[k]));
    left.push_back(amplitude_at_end(run.positions));
    plot.curves.push_back(run.positions);
  }
  reproduction.write_csv("siere-fig19.csv", "integrator,t,q", rows);
  reproduction.write_plot("siere-fig19.svg", std::move(plot));
  const double exact = std::exp(-0.5 * d * h * steps);
  reproduction.judge(
      "solutions",
      {.ours = fmt::format("amplitude after 1 s: BE {:.1e}, BDF2 {:.1e}, IM {:.2f}; exact {:.2f}",
                           left[0], left[1], left[2], exact),
       .verdict = agrees_if(left[0] < 0.01 && left[1] < 0.01 && left[2] > 0.9 * exact),
       .why =
           "below a hundredth for both BDF methods, that of the equation for the midpoint rule"});
}

}  // namespace

Target siere_fig18_19() {
  return {
      .name = "siere-fig18-19",
      .paper = "Chen et al. 2020",
      .summary = "Damping curves of BE and BDF2, and a scalar oscillator under them",
      .statements = {{.id = "curves",
                      .where = "figure 18",
                      .text = "BE and BDF2 damp artificially, by d/omega that depends on h omega "
                              "only",
                      .paper = ""},
                     {.id = "twice",
                      .where = "figure 18 (as the survey, section 3.2, reads it)",
                      .text = "The curve of BE has the shape of that of BDF2 and is roughly twice "
                              "as high",
                      .paper = "about 2"},
                     {.id = "solutions",
                      .where = "figure 19",
                      .text =
                          "With omega = 100, d = 1 and h = 0.01 both BDF methods damp strongly, "
                          "the implicit midpoint rule does not",
                      .paper = ""}},
      .run = run_siere_fig18_19};
}

}  // namespace sinew::cli
