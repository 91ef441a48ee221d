// SPDX-License-Identifier: Apache-2.0
// The paper shows a bouncing steel ball, whose data it does not give. The effect belongs to every
// stiff linear part with a nonlinear rest, so it is shown on the standard problem of that kind:
// three stiff linear springs between soft cubic ones (Fermi, Pasta, Ulam), started with energy in a
// stiff spring.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/dynamics/capabilities/material_frame.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/la/diagonal_operator.hpp>
#include <sinew/output/publish/line_plot.hpp>

#include "reproduce.hpp"

namespace sinew::cli {
namespace {

/// Six unit masses: springs 0, 2, 4, 6 are soft, with tension 4 e^3; springs 1, 3, 5 are stiff and
/// linear, omega^2/2 e.
class FermiPastaUlam final : public dynamics::DynamicalSystem, dynamics::MaterialFrame {
 public:
  static constexpr int n = 6;
  static constexpr double omega = 500.0;

  FermiPastaUlam() : mass_(Vec::Ones(n)) {
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i + 1 < n; ++i) pairs.emplace_back(i, i + 1);
    pattern_ = la::BlockPattern::build(n, 1, pairs);
  }

  Index num_dofs() const override { return n; }
  const la::LinearOperator& mass() const override { return mass_; }
  const la::LinearOperator& mass_inverse() const override { return mass_; }
  double potential(const dynamics::State& s, dynamics::Workspace&) const override {
    double W = 0.0;
    for (int k = 0; k <= n; ++k) {
      const double e = stretch(s.q, k);
      W += is_stiff(k) ? 0.25 * omega * omega * e * e : e * e * e * e;
    }
    return W;
  }
  void force(const dynamics::State& s, dynamics::Workspace&, VecOut f) const override {
    f.setZero();
    for (int k = 0; k <= n; ++k) {
      const double e = stretch(s.q, k);
      const double pull = is_stiff(k) ? 0.5 * omega * omega * e : 4.0 * e * e * e;
      if (k > 0) f[k - 1] += pull;
      if (k < n) f[k] -= pull;
    }
  }
  void rest_positions(VecOut q) const override { q.setZero(); }
  dynamics::Capabilities capabilities() const override { return {.frame = this}; }

  /// As in the literature: the first stiff spring vibrates with an amplitude of 1/omega.
  static dynamics::State start() {
    dynamics::State state;
    state.q.setZero(n);
    state.v.setZero(n);
    const double root = std::sqrt(0.5);
    state.q[0] = (1.0 - 1.0 / omega) * root;
    state.q[1] = (1.0 + 1.0 / omega) * root;
    state.v[1] = 2.0 * root;
    return state;
  }

 protected:
  std::shared_ptr<const la::BlockPattern> pattern(const dynamics::State&,
                                                  dynamics::Workspace&) const override {
    return pattern_;
  }
  void assemble(const dynamics::State& s, const dynamics::LinearizeOptions&, dynamics::Workspace& w,
                la::SymmetricMatrix& K, la::SymmetricMatrix*, Vec* f,
                dynamics::LinearizeReport&) const override {
    for (int k = 0; k <= n; ++k) {
      const double e = stretch(s.q, k);
      const double stiffness = is_stiff(k) ? 0.5 * omega * omega : 12.0 * e * e;
      if (k > 0) K.add(k - 1, k - 1, stiffness);
      if (k < n) K.add(k, k, stiffness);
      if (k > 0 && k < n) K.add(k - 1, k, -stiffness);
    }
    if (f) force(s, w, *f);
  }

 private:
  static bool is_stiff(int k) { return k % 2 == 1; }
  static double stretch(const Vec& q, int k) {
    return (k < n ? q[k] : 0.0) - (k > 0 ? q[k - 1] : 0.0);
  }

  la::DiagonalOperator mass_;
  std::shared_ptr<const la::BlockPattern> pattern_;
};

constexpr double end = 1.0;

dynamics::State advance(integrators::Integrator& method, const FermiPastaUlam& system, int steps) {
  const auto workspace = system.make_workspace();
  dynamics::State state = FermiPastaUlam::start();
  for (int k = 0; k < steps; ++k) {
    const auto report = method.step(system, *workspace, end / steps, state);
    if (report.status != integrators::StepStatus::accepted)
      throw InternalError(std::string(integrators::explanation(report.status)));
  }
  return state;
}

/// Largest factor between an error and the one that steps a little smaller or larger would lead to
/// expect: how far the curve is from a smooth one.
double roughness(const output::Curve& curve) {
  double worst = 1.0;
  for (std::size_t k = 1; k + 1 < curve.y.size(); ++k) {
    const double expected = std::sqrt(curve.y[k - 1] * curve.y[k + 1]);
    worst = std::max({worst, curve.y[k] / expected, expected / curve.y[k]});
  }
  return worst;
}

}  // namespace

bool reproduce_exp_fig5(const std::filesystem::path& directory, bool quick) {
  const FermiPastaUlam system;
  const auto reference = integrators::make_integrator("rk4");
  const dynamics::State exact = advance(*reference, system, 1000000);
  struct Choice {
    const char* filter;
    const char* label;
  };
  constexpr std::array choices{
      Choice{"garcia-archilla", "filtered: garcia-archilla"},
      Choice{"hairer-lubich", "not filtered: hairer-lubich"},
      Choice{"deuflhard", "not filtered: deuflhard"},
  };
  output::LinePlot plot{.title = "error after 1 s of eti, stiff springs with omega = 500 / s",
                        .x_label = "h omega",
                        .y_label = "error of positions [m]",
                        .logarithmic_x = true,
                        .logarithmic_y = true};
  std::string csv = "filter,h,h_omega,error\n";
  std::vector<double> measured;
  for (const Choice& choice : choices) {
    integrators::Options options(integrators::find_integrator("eti")->options);
    options.set("filter", std::string(choice.filter));
    options.set("tolerance", 1e-13);
    output::Curve curve{.name = choice.label};
    int last = 0;
    for (int k = 0; k <= (quick ? 120 : 480); ++k) {
      const int steps = static_cast<int>(20.0 * std::pow(60.0, k / (quick ? 120.0 : 480.0)));
      if (steps == std::exchange(last, steps)) continue;
      const auto method = integrators::make_integrator(*integrators::find_integrator("eti"),
                                                       options, integrators::default_services());
      const double error = (advance(*method, system, steps).q - exact.q).norm();
      csv += fmt::format("{},{},{},{}\n", choice.filter, end / steps,
                         FermiPastaUlam::omega * end / steps, error);
      curve.x.push_back(FermiPastaUlam::omega * end / steps);
      curve.y.push_back(error);
    }
    measured.push_back(roughness(curve));
    fmt::print("{:<30} errors jump by up to a factor of {:.2g} between neighbouring steps\n",
               choice.label, measured.back());
    plot.curves.push_back(std::move(curve));
  }
  output::fit_axes(plot);
  core::write_atomically(directory / "exp-fig5.csv", csv);
  core::write_atomically(directory / "exp-fig5.svg", output::to_svg(plot));
  fmt::print("written     {} and {}\n", (directory / "exp-fig5.csv").string(),
             (directory / "exp-fig5.svg").string());
  return measured[0] < 0.5 * measured[1] && measured[0] < 0.5 * measured[2];
}

}  // namespace sinew::cli
