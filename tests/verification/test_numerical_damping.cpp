// SPDX-License-Identifier: Apache-2.0
// What methods do to an oscillator, as measured by running them, against the roots of their
// characteristic polynomials.
#include <cmath>
#include <complex>
#include <functional>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <sinew/integrators/numerical_damping.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/la/dense/decompositions.hpp>

namespace sinew::integrators {
namespace {

using Complex = std::complex<double>;
constexpr double sqrt2 = 1.4142135623730951;

Amplification measure(const char* name, double theta, const Options& changes = {}) {
  const IntegratorEntry& entry = *find_integrator(name);
  Options options(entry.options);
  if (options.values().contains("tolerance")) options.set("tolerance", 1e-14);
  for (const auto& [key, value] : changes.values()) options.set(key, value);
  return measure_amplification(entry, options, theta);
}

double damping(const char* name, double theta) {
  return measure(name, theta).damping(theta);
}

/// Larger root of a x^2 + b x + c.
double largest_root(Complex a, Complex b, Complex c) {
  const Complex root = std::sqrt(b * b - 4.0 * a * c);
  return std::max(std::abs((-b + root) / (2.0 * a)), std::abs((-b - root) / (2.0 * a)));
}

/// Spectral radius of generalized-alpha from its recursion in (q, h v, h^2 A), h = 1.
double alpha_radius(double am, double af, double theta) {
  const double gamma = 0.5 - am + af, beta = 0.25 * (1.0 - am + af) * (1.0 - am + af);
  const double x = theta * theta;
  // (1 - am) A1 + am A0 = -x ((1 - af) q1 + af q0)
  Eigen::Matrix3d left, right;
  left << 1, 0, -beta, 0, 1, -gamma, x * (1 - af), 0, 1 - am;
  right << 1, 1, 0.5 - beta, 0, 1, 1 - gamma, -x * af, 0, -am;
  return la::eigenvalues(left.inverse() * right).cwiseAbs().maxCoeff();
}

/// |R(i theta)| in closed form.
struct ClosedForm {
  const char* name;
  std::function<double(double theta)> radius;
};

std::vector<ClosedForm> closed_forms() {
  const auto euler = [](double t) { return 1.0 / std::sqrt(1.0 + t * t); };
  const auto bdf2 = [](double t) { return largest_root(Complex(1.5, -t), -2.0, 0.5); };
  const auto tr_bdf2 = [](double t) {
    const Complex z(0.0, t);
    return std::abs((1.0 + 5.0 * z / 12.0) / ((1.0 - z / 4.0) * (1.0 - z / 3.0)));
  };
  const auto sdirk2 = [](double t) {
    const Complex z(0.0, t);
    const double g = 2.0 - sqrt2;
    const Complex stage = (1.0 + 0.5 * g * z) / (1.0 - 0.5 * g * z);
    return std::abs((1.0 + sqrt2 / (2.0 * g) * (stage - 1.0)) / (1.0 - 0.5 * g * z));
  };
  const auto one = [](double) { return 1.0; };
  // the oscillator has no tenth mode, so the cut-off is at (h omega)^2 = 4
  const auto blend = [](double t) {
    const double w = 1.0 / (1.0 + std::pow(t * t / 4.0, 8.0));
    return std::abs(w * std::exp(Complex(0.0, -t)) + (1.0 - w) / Complex(1.0, t));
  };
  return {
      {"si", euler},
      {"be", euler},
      {"imex", euler},  // the oscillator cannot be taken apart
      {"bdf2", bdf2},
      {"sbdf2", bdf2},
      {"tr-bdf2", tr_bdf2},
      {"str-sbdf2", tr_bdf2},
      {"sdirk2", sdirk2},
      {"ssdirk2", sdirk2},
      {"implicit-midpoint", one},
      {"trapezoidal", one},
      {"newmark", one},
      {"v-imex", one},
      {"generalized-alpha", [](double t) { return alpha_radius(0.6 / 1.8, 0.8 / 1.8, t); }},
      {"hht", [](double t) { return alpha_radius(0.0, 0.1, t); }},
      {"explicit-euler", [](double t) { return std::sqrt(1.0 + t * t); }},
      {"rk4",
       [](double t) { return std::sqrt(1.0 - std::pow(t, 6) / 72.0 + std::pow(t, 8) / 576.0); }},
      {"ere", one},
      {"exprb42", one},
      {"pexprb43", one},
      {"eti", one},
      {"neti", one},
      {"ceti", one},
      // the only mode there is belongs to ere
      {"siere", one},
      {"beere", one},
      {"bdf2ere", one},
      {"sbdf2ere", one},
      {"str-sbdf2ere", one},
      {"tr-bdf2ere", one},
      {"ssdirk2ere", one},
      {"blend", blend},
      {"symplectic-euler", one},
      {"verlet", one}};
}

TEST(NumericalDamping, IsThatOfTheAmplificationMatrixForEveryMethod) {
  for (const IntegratorEntry& entry : integrators()) {
    const std::vector<ClosedForm> forms = closed_forms();
    const auto form = std::find_if(forms.begin(), forms.end(), [&](const ClosedForm& row) {
      return row.name == entry.traits.name;
    });
    ASSERT_NE(form, forms.end()) << "no closed form written down for " << entry.traits.name;
    for (const double theta : {0.05, 0.3, 1.0, 1.7, 3.0, 7.0, 20.0, 35.0, 100.0}) {
      const bool takes_large_steps = entry.traits.is_implicit || entry.traits.is_exponential;
      if (!takes_large_steps && theta >= 2.0) continue;
      const double expected = -2.0 * std::log(form->radius(theta)) / theta;
      const double measured = damping(entry.traits.name.data(), theta);
      EXPECT_NEAR(measured, expected, 1e-10) << entry.traits.name << " at " << theta;
    }
  }
}

TEST(NumericalDamping, FollowsThePublishedTable) {
  struct Row {
    double theta, be, bdf2, tr_bdf2, sdirk2;
  };
  for (const Row& row :
       {Row{0.1, .099503, .000488, .000007, .000007}, Row{0.5, .446287, .038580, .000832, .000882},
        Row{1.0, .693147, .138012, .005900, .006262}, Row{2.0, .804719, .271501, .031757, .033749},
        Row{5.0, .651619, .307279, .118968, .125144}, Row{10.0, .461512, .240295, .156489, .162000},
        Row{100.0, .092104, .050993, .059934, .060630}}) {
    EXPECT_NEAR(damping("be", row.theta), row.be, 6e-7);
    EXPECT_NEAR(damping("bdf2", row.theta), row.bdf2, 6e-7);
    EXPECT_NEAR(damping("tr-bdf2", row.theta), row.tr_bdf2, 6e-7);
    EXPECT_NEAR(damping("sdirk2", row.theta), row.sdirk2, 6e-7);
  }
}

TEST(NumericalDamping, HasTheShapeOfThePapersCurves) {
  EXPECT_NEAR(damping("be", 1.0) / damping("bdf2", 1.0), 5.0, 0.1);
  for (const double theta : {5.0, 7.0, 10.0, 20.0, 50.0})
    EXPECT_NEAR(damping("be", theta) / damping("bdf2", theta), 2.0, 0.2) << theta;
  EXPECT_LT(damping("tr-bdf2", 1.0), 0.1 * damping("bdf2", 1.0));
  EXPECT_NEAR(damping("sdirk2", 1.0) / damping("tr-bdf2", 1.0), 1.0, 0.1);
  for (const char* name : {"trapezoidal", "implicit-midpoint"})
    for (const double theta : {0.1, 1.0, 10.0}) EXPECT_NEAR(damping(name, theta), 0.0, 1e-12);
  // bdf2 falls below tr-bdf2 at 35.350 and below sdirk2 at 32.474
  EXPECT_GT(damping("bdf2", 35.34), damping("tr-bdf2", 35.34));
  EXPECT_LT(damping("bdf2", 35.36), damping("tr-bdf2", 35.36));
  EXPECT_GT(damping("bdf2", 32.47), damping("sdirk2", 32.47));
  EXPECT_LT(damping("bdf2", 32.48), damping("sdirk2", 32.48));
}

TEST(NumericalDamping, IsLargestWhereTheClosedFormsSay) {
  struct Maximum {
    const char* name;
    double value, at;
  };
  for (const auto& [name, value, at] :
       {Maximum{"be", .80474, 1.9803}, Maximum{"bdf2", .31748, 3.656},
        Maximum{"tr-bdf2", .15694, 10.93}, Maximum{"sdirk2", .16222, 10.63}}) {
    EXPECT_NEAR(damping(name, at), value, 6e-6) << name;
    EXPECT_LT(damping(name, 0.97 * at), damping(name, at));
    EXPECT_LT(damping(name, 1.03 * at), damping(name, at));
  }
}

TEST(NumericalDamping, VanishesAtSmallStepsWithItsLeadingTerm) {
  const double theta = 0.02, cube = theta * theta * theta;
  EXPECT_NEAR(damping("be", theta) / theta, 1.0, 2e-3);
  EXPECT_NEAR(damping("bdf2", theta) / (cube / 2), 1.0, 2e-3);
  EXPECT_NEAR(damping("tr-bdf2", theta) / (cube / 144), 1.0, 2e-3);
}

TEST(NumericalDamping, OfGeneralizedAlphaIsSetByRho) {
  struct Row {
    double rho, radius;
  };
  for (const auto& [rho, radius] :
       {Row{1.0, 1.0}, Row{0.8, .999475}, Row{0.5, .989313}, Row{0.0, .906563}}) {
    Options changes;
    changes.set("rho", rho);
    EXPECT_NEAR(measure("generalized-alpha", 1.0, changes).radius, radius, 1e-6);
    // two or three roots coincide in the limit: the measured size carries the square or cube root
    // of the rounding of states that fall by 1e6 in a step
    EXPECT_NEAR(measure("generalized-alpha", 1e6, changes).radius, rho, 1e-2);
  }
}

TEST(NumericalDamping, OfInfinitelyStiffMotionTellsLStableMethodsFromOthers) {
  for (const IntegratorEntry& entry : integrators()) {
    if (!entry.traits.is_implicit) continue;
    const double radius = measure(entry.traits.name.data(), 1e6).radius;
    RecordProperty(std::string(entry.traits.name), std::to_string(radius));
    if (entry.traits.l_stable)
      EXPECT_LT(radius, 2e-3) << entry.traits.name;
    else
      EXPECT_GT(radius, 0.5) << entry.traits.name;
  }
}

TEST(NumericalDamping, PhasesAreThoseOfTheMidpointRule) {
  for (const char* name : {"implicit-midpoint", "trapezoidal", "v-imex"})
    EXPECT_NEAR(measure(name, 1.0).phase, 0.927295218, 1e-9) << name;
}

}  // namespace
}  // namespace sinew::integrators
