// SPDX-License-Identifier: Apache-2.0
// The error that tr-bdf2 and sdirk2 report, against its definition worked out by hand on an
// oscillator, and against the error they really make.
#include <cmath>
#include <numbers>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <sinew/dynamics/oscillator.hpp>
#include <sinew/integrators/registry.hpp>

namespace sinew::integrators {
namespace {

using Mat2 = Eigen::Matrix2d;
using Vec2 = Eigen::Vector2d;

struct Step {
  double estimate;
  Vec2 end;
};

/// One step of length h from u on q'' + d q' + q = 0.
Step measured(const char* name, double h, double d, const Vec2& u) {
  const dynamics::Oscillator oscillator(1.0, d);
  const auto workspace = oscillator.make_workspace();
  Options options(find_integrator(name)->options);
  options.set("tolerance", 1e-13);
  const auto method = make_integrator(*find_integrator(name), options, default_services());
  method->set_error_estimate(true);
  dynamics::State state = dynamics::Oscillator::displaced(u[0], u[1]);
  const StepReport report = method->step(oscillator, *workspace, h, state);
  EXPECT_EQ(report.status, StepStatus::accepted);
  return {report.error_estimate, {state.q[0], state.v[0]}};
}

/// The node c of the middle stage and the coefficient b h of the last one.
struct Nodes {
  const char* name;
  double c, b;
};

const double sdirk2_node = 2.0 - std::numbers::sqrt2;
const Nodes methods[] = {{"tr-bdf2", 0.5, 1.0 / 3.0}, {"sdirk2", sdirk2_node, 0.5 * sdirk2_node}};

/// |(I - b h J)^-1 (u1 - u0 - h J (w0 u0 + wc uc + w1 u1))| with the middle stage by the
/// trapezoidal rule over c h, written in 2x2 matrices.
double by_hand(const Nodes& nodes, double h, double d, const Vec2& u0, const Vec2& u1) {
  Mat2 J;
  J << 0.0, 1.0, -1.0, -d;
  const double c = nodes.c;
  const Mat2 I = Mat2::Identity();
  const Vec2 uc = (I - 0.5 * c * h * J).lu().solve((I + 0.5 * c * h * J) * u0);
  const double wc = 1.0 / (6.0 * c * (1.0 - c)), w1 = 0.5 - c * wc, w0 = 1.0 - wc - w1;
  const Vec2 e = u1 - u0 - h * J * (w0 * u0 + wc * uc + w1 * u1);
  const Vec2 filtered = (I - nodes.b * h * J).lu().solve(e);
  return std::abs(filtered[0]) + h * std::abs(filtered[1]);
}

TEST(ErrorEstimate, IsWhatItsDefinitionSays) {
  const Vec2 u(0.7, -0.4);
  for (const Nodes& nodes : methods)
    for (const double d : {0.0, 0.3})
      for (const double h : {0.01, 0.5, 5.0, 300.0}) {
        const Step step = measured(nodes.name, h, d, u);
        const double expected = by_hand(nodes, h, d, u, step.end);
        // differences of numbers of the size of u, magnified by h and h^2 before they are filtered
        EXPECT_NEAR(step.estimate, expected, 1e-9 * expected + 1e-14 * (1.0 + h))
            << nodes.name << " h " << h << " d " << d;
      }
}

TEST(ErrorEstimate, IsTheErrorWhereTheMotionIsResolved) {
  const Vec2 u(1.0, 0.0);
  for (const Nodes& nodes : methods)
    for (const double h : {0.02, 0.01}) {
      const Step step = measured(nodes.name, h, 0.0, u);
      const Vec2 exact(std::cos(h), -std::sin(h));
      const double error = std::abs(step.end[0] - exact[0]) + h * std::abs(step.end[1] - exact[1]);
      EXPECT_NEAR(step.estimate / error, 1.0, 0.1) << nodes.name << " h " << h;
    }
}

TEST(ErrorEstimate, OfMotionFarTooFastIsOfTheSizeOfTheMotion) {
  // With z = i h the parts are R_c = -1 - 4/(c z), R = r/z and e = A z + B up to 1/z; divided by
  // 1 - b z that is -A/b - (A/b + B)/(b z). Unfiltered it would grow like h^2.
  for (const Nodes& nodes : methods) {
    const double c = nodes.c, b = nodes.b, wc = 1.0 / (6.0 * c * (1.0 - c)), w1 = 0.5 - c * wc;
    const double r = c == 0.5 ? 5.0 : 2.0 + 2.0 * std::numbers::sqrt2;
    const double A = wc - (1.0 - wc - w1), B = -1.0 + 4.0 * wc / c - w1 * r;
    const double limit = A / b + (A / b + B) / b;
    for (const double h : {1e4, 1e6})
      EXPECT_NEAR(measured(nodes.name, h, 0.0, {1.0, 0.0}).estimate, limit, 1e-4) << nodes.name;
  }
}

TEST(ErrorEstimate, CostsNothingUnlessAskedFor) {
  const dynamics::Oscillator oscillator(1.0);
  const auto workspace = oscillator.make_workspace();
  for (const Nodes& nodes : methods) {
    long solves[2];
    for (const bool wanted : {false, true}) {
      const auto method = make_integrator(nodes.name);
      method->set_error_estimate(wanted);
      dynamics::State state = dynamics::Oscillator::displaced();
      const StepReport report = method->step(oscillator, *workspace, 0.1, state);
      solves[wanted ? 1 : 0] = report.profile.counts.solves;
      EXPECT_EQ(report.error_estimate > 0.0, wanted) << nodes.name;
    }
    EXPECT_EQ(solves[1], solves[0] + 1) << nodes.name;
  }
}

}  // namespace
}  // namespace sinew::integrators
