// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <sinew/dynamics/rayleigh.hpp>
#include <sinew/integrators/parts/phi_stage.hpp>

namespace sinew::integrators {

std::vector<OptionInfo> with_phi_options(std::vector<OptionInfo> own, double default_tolerance) {
  own.push_back({.name = "tolerance",
                 .summary = "of matrix functions times vectors, relative",
                 .default_value = default_tolerance,
                 .minimum = 1e-15,
                 .maximum = 0.1});
  own.push_back({.name = "kernel",
                 .summary = "how matrix functions are evaluated; auto chooses by size and "
                            "stiffness, dense and skew are for small systems",
                 .default_value = std::string("auto"),
                 .choices = {"auto", "dense", "lanczos", "chebyshev", "arnoldi", "skew", "faber",
                             "shift-invert"},
                 .small_choices = {"dense", "skew"},
                 .small_limit = la::max_dense_size});
  return own;
}

la::PhiSettings phi_settings(const Options& options) {
  using enum la::PhiKernel;
  la::PhiSettings settings;
  settings.tolerance = options.number("tolerance");
  for (const la::PhiKernel kernel :
       {automatic, dense, lanczos, chebyshev, arnoldi, skew, faber, shift_invert})
    if (options.text("kernel") == la::to_string(kernel)) settings.kernel = kernel;
  return settings;
}

void PhiStage::prepare(const dynamics::DynamicalSystem& system) {
  linearization_ = system.make_linearization();
  shifted_.bind(*linearization_);
  for (Vec* vector : {&f_, &rate_, &product_}) vector->setZero(system.num_dofs());
}

void PhiStage::linearize(StepContext& step, const dynamics::State& now) {
  now_ = now;
  step.linearize(now, *linearization_, &f_);
  const dynamics::DynamicalSystem& system = step.system();
  const auto rayleigh = dynamics::find_rayleigh(system.mass(), *linearization_, step.reducer);
  damping_ = {.shifted = &shifted_};
  if (rayleigh) {
    damping_.mass = rayleigh->mass;
    damping_.stiffness = rayleigh->stiffness;
  } else {
    damping_.general = linearization_->damping();
  }
  evaluator_.bind({linearization_->stiffness(), system.mass(), system.mass_inverse()},
                  step.reducer);

  const double h = step.dt;
  hv_ = h * now.v;
  ha_.resize(f_.size());
  step.divide_by_mass(f_, ha_);
  ha_ *= h;
  rate_.setZero();
  if (!system.traits().depends_on_time) return;
  // Methods of order four need the derivative itself, not its mean over the step: one-sided, of
  // second order, close enough to leave only rounding
  const double span = 1e-4 * h;
  step.add_force_rate(now, span, 2.0, rate_);
  step.add_force_rate(now, 2.0 * span, -1.0, rate_);
  hh_rate_.resize(rate_.size());
  step.divide_by_mass(rate_, hh_rate_);
  hh_rate_ *= h * h;
}

StepStatus PhiStage::linear_motion(StepContext& step, std::span<const double> times,
                                   std::span<la::Phase> out) {
  const bool moving = step.system().traits().depends_on_time;
  const std::array<la::PhiTerm, 2> terms{{{1, &hv_, &ha_}, {2, nullptr, &hh_rate_}}};
  return step.phi([&] {
    return la::oscillator_flow(evaluator_, damping_, step.dt,
                               std::span(terms).first(moving ? 2 : 1), times, out);
  });
}

void PhiStage::remainder(StepContext& step, const la::Phase& increment, double c,
                         Vec& acceleration) {
  at_ = now_;
  at_.q += increment.q;
  at_.v += increment.v;
  at_.t += c * step.dt;
  acceleration.resize(f_.size());
  step.force(at_, acceleration);
  acceleration -= f_ + c * step.dt * rate_;
  step.apply(linearization_->stiffness(), increment.q, product_);
  acceleration += product_;
  if (const la::LinearOperator* D = linearization_->damping()) {
    step.apply(*D, increment.v, product_);
    acceleration += product_;
  }
  product_ = acceleration;
  step.divide_by_mass(product_, acceleration);
}

StepStatus PhiStage::correction(StepContext& step, const Vec& b3, const Vec* b4, la::Phase& out) {
  scaled3_ = step.dt * b3;
  if (b4 != nullptr) scaled4_ = step.dt * *b4;
  const std::array<la::PhiTerm, 2> terms{{{3, nullptr, &scaled3_}, {4, nullptr, &scaled4_}}};
  constexpr std::array<double, 1> end{1.0};
  return step.phi([&] {
    return la::oscillator_flow(evaluator_, damping_, step.dt,
                               std::span(terms).first(b4 != nullptr ? 2 : 1), end, {&out, 1});
  });
}

}  // namespace sinew::integrators
