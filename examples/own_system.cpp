// SPDX-License-Identifier: Apache-2.0
// Bring your own dynamical system, without any mesh, and step it with every method of the table.
//
// The system: three beads on a wire, joined by two springs that stiffen when stretched,
//
//     W(q) = sum over springs of  k/2 e^2 + c/4 e^4,     M q'' = -grad W.
//
// A method asks for four things: the mass, the potential, the force and, if it is implicit, the
// matrix K = -df/dq. Everything else in DynamicalSystem has a default.

#include <cmath>
#include <cstdio>

#include <sinew/dynamics/dynamical_system.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/la/diagonal_operator.hpp>

using namespace sinew;
using dynamics::State;
using dynamics::Workspace;

class Beads final : public dynamics::DynamicalSystem {
 public:
  Index num_dofs() const override { return 3; }
  const la::LinearOperator& mass() const override { return mass_; }
  const la::LinearOperator& mass_inverse() const override { return inverse_; }

  double potential(const State& s, Workspace&) const override {
    double W = 0.0;
    for (int k = 0; k < 2; ++k) {
      const double e = s.q[k + 1] - s.q[k] - 1.0;
      W += 0.5 * stiffness * e * e + 0.25 * cubic * e * e * e * e;
    }
    return W;
  }

  void force(const State& s, Workspace&, VecOut f) const override {
    f.setZero();
    for (int k = 0; k < 2; ++k) {
      const double e = s.q[k + 1] - s.q[k] - 1.0;
      const double pull = stiffness * e + cubic * e * e * e;
      f[k] += pull;
      f[k + 1] -= pull;
    }
  }

  // there is a potential, so backward Euler may minimise instead of only solving
  dynamics::ForceTraits traits() const override {
    return {.form = dynamics::ForceForm::potential_and_dissipation};
  }

 protected:
  // where K may be non-zero: for three unknowns, everywhere
  std::shared_ptr<const la::BlockPattern> pattern(const State&, Workspace&) const override {
    return pattern_;
  }

  void assemble(const State& s, const dynamics::LinearizeOptions&, Workspace& workspace,
                la::SymmetricMatrix& K, la::SymmetricMatrix*, Vec* f,
                dynamics::LinearizeReport&) const override {
    for (int k = 0; k < 2; ++k) {
      const double e = s.q[k + 1] - s.q[k] - 1.0;
      const double slope = stiffness + 3.0 * cubic * e * e;
      K.add(k, k, slope);
      K.add(k + 1, k + 1, slope);
      K.add(k, k + 1, -slope);
    }
    if (f) force(s, workspace, *f);
  }

 private:
  static constexpr double stiffness = 100.0;  // [N/m]
  static constexpr double cubic = 500.0;      // [N/m^3]
  la::DiagonalOperator mass_{Vec{{1.0, 2.0, 1.0}}};
  la::DiagonalOperator inverse_{Vec{{1.0, 0.5, 1.0}}};
  std::shared_ptr<const la::BlockPattern> pattern_ = la::BlockPattern::dense(3);
};

int main() {
  const Beads beads;
  const auto workspace = beads.make_workspace();
  State start;
  start.q = Vec{{0.0, 1.0, 2.3}};
  start.v = Vec::Zero(3);
  const auto energy = [&](const State& s) {
    Vec Mv(3);
    beads.mass().apply(s.v, Mv);
    return 0.5 * s.v.dot(Mv) + beads.potential(s, *workspace);
  };

  std::printf("energy after one second, %.4f J at the start\n", energy(start));
  for (const integrators::IntegratorEntry& entry : integrators::integrators()) {
    const auto method = integrators::make_integrator(entry.traits.name);
    State state = start;
    for (int step = 0; step < 100; ++step)
      if (method->step(beads, *workspace, 0.01, state).status != integrators::StepStatus::accepted)
        return 1;
    std::printf("  %-18s %.4f J\n", entry.traits.name.data(), energy(state));
  }
  return 0;
}
