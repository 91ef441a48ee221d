// SPDX-License-Identifier: Apache-2.0
// What every exponential Rosenbrock method is made of. With J the Jacobian of u' = (v, M^-1 f) at
// the beginning of the step,
//
//   y(c) = sum_k c^k phi_k(c h J) b_k,   and   g(U) = what f has beyond its linearisation.
//
// Neither J nor M^-1 K is ever formed, and no half of the unknowns is doubled: la/phi.
#pragma once

#include <sinew/integrators/integrator.hpp>
#include <sinew/integrators/parts/shifted_matrix.hpp>
#include <sinew/la/phi/oscillator_flow.hpp>

namespace sinew::integrators {

/// `tolerance` and `kernel`; in front of them those of the method itself.
std::vector<OptionInfo> with_phi_options(std::vector<OptionInfo> own = {},
                                         double default_tolerance = 1e-6);
la::PhiSettings phi_settings(const Options& options);

class PhiStage {
 public:
  PhiStage(const la::PhiSettings& settings, const Services& services)
      : evaluator_(settings), shifted_(services) {}

  void prepare(const dynamics::DynamicalSystem& system);

  /// f, K, D at the beginning of the step, and df/dt there.
  void linearize(StepContext& step, const dynamics::State& now);

  /// h phi_1(c h J) F(u) c + (c h)^2 phi_2(c h J) F_t for every c: where the linearised motion is
  /// after the time c h, as increments.
  [[nodiscard]] StepStatus linear_motion(StepContext& step, std::span<const double> times,
                                         std::span<la::Phase> out);
  /// M^-1 (f(U) - its linearisation at U), where U = now + increment at time t + c h.
  void remainder(StepContext& step, const la::Phase& increment, double c, Vec& acceleration);
  /// phi_3(h J) b_3 + phi_4(h J) b_4 for accelerations b, with h in front; b_4 may be nullptr.
  [[nodiscard]] StepStatus correction(StepContext& step, const Vec& b3, const Vec* b4,
                                      la::Phase& out);

 private:
  la::PhiEvaluator evaluator_;
  std::unique_ptr<dynamics::Linearization> linearization_;
  ShiftedMatrix shifted_;
  la::FlowDamping damping_;
  dynamics::State now_, at_;
  Vec f_, rate_, hv_, ha_, hh_rate_, product_, scaled3_, scaled4_;
};

/// A method whose steps are made of these parts.
class RosenbrockMethod : public Integrator {
 public:
  RosenbrockMethod(const Options& options, const Services& services)
      : Integrator(services), stage_(phi_settings(options), services) {}

 protected:
  PhiStage stage_;

 private:
  void prepare(const dynamics::DynamicalSystem& system) final { stage_.prepare(system); }
};

}  // namespace sinew::integrators
