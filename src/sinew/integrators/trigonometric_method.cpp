// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <Eigen/LU>
#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/dynamics/rayleigh.hpp>
#include <sinew/integrators/phi_stage.hpp>
#include <sinew/integrators/trigonometric_method.hpp>

namespace sinew::integrators {
namespace {

// systems up to this size are decomposed when the linear part stays the same
constexpr Index decomposed_size = 900;

/// R^T D R with a rotation per node.
class TurnedOperator final : public la::LinearOperator {
 public:
  TurnedOperator(const la::LinearOperator& inner, const std::vector<Mat3>& rotations)
      : inner_(inner), rotations_(rotations), x_(inner.size()), y_(inner.size()) {}
  Index size() const override { return inner_.size(); }

 private:
  void do_apply(const VecIn& x, VecOut y) const override {
    for (std::size_t k = 0; k < rotations_.size(); ++k)
      x_.segment<3>(3 * static_cast<Index>(k)) =
          rotations_[k] * x.segment<3>(3 * static_cast<Index>(k));
    inner_.apply(x_, y_);
    for (std::size_t k = 0; k < rotations_.size(); ++k)
      y.segment<3>(3 * static_cast<Index>(k)) =
          rotations_[k].transpose() * y_.segment<3>(3 * static_cast<Index>(k));
  }

  const la::LinearOperator& inner_;
  const std::vector<Mat3>& rotations_;
  mutable Vec x_, y_;
};

}  // namespace

std::vector<OptionInfo> with_trigonometric_options(std::vector<OptionInfo> own) {
  OptionInfo filter{.name = "filter",
                    .summary = "where forces are taken and how they act",
                    .default_value = std::string("garcia-archilla")};
  for (const FilterPair& pair : filter_pairs()) filter.choices.emplace_back(pair.name);
  own.push_back(std::move(filter));
  own.push_back({.name = "form",
                 .summary = "one-step, or two-step in the positions; auto is one-step where the "
                            "filter and the damping allow it",
                 .default_value = std::string("auto"),
                 .choices = {"auto", "one-step", "two-step"}});
  own.push_back({.name = "damping",
                 .summary = "part of the linear motion (exact), or a force from the velocity "
                            "between the last two positions (lagged): of first order, and stable "
                            "for stiffness-proportional damping up to half a step only",
                 .default_value = std::string("exact"),
                 .choices = {"exact", "lagged"}});
  // errors of a symplectic method must not add up
  return with_phi_options(std::move(own), 1e-10);
}

TrigonometricMethod::TrigonometricMethod(const Options& options, const Services& services)
    : Integrator(services),
      filter_(filter_pair(options.text("filter"))),
      lagged_damping_(options.text("damping") == "lagged"),
      evaluator_(phi_settings(options)) {
  const std::string& form = options.text("form");
  const bool one_step_possible = filter_.kick != nullptr && !lagged_damping_;
  if (form == "one-step" && !one_step_possible)
    throw InputError({.where = "/integrator/form",
                      .what = fmt::format("there is no one-step form with {}",
                                          lagged_damping_ ? "lagged damping" : "this filter"),
                      .hint = "leave out form"});
  two_step_form_ = form == "two-step" || !one_step_possible;
}

void TrigonometricMethod::prepare(const dynamics::DynamicalSystem& system) {
  linearization_ = system.make_linearization();
  has_linear_part_ = false;
  rotations_.clear();
  turned_damping_.reset();
  for (Vec* vector : {&y_, &v_, &g_, &f_, &product_, &kicked_, &filtered_})
    vector->setZero(system.num_dofs());
  evaluator_.set_dense_below(keeps_linear_part_ ? decomposed_size : 0);
}

void TrigonometricMethod::set_linear_part(StepContext& step, const dynamics::State& at,
                                          dynamics::Stiffness stiffness) {
  step.linearize(at, *linearization_, nullptr, stiffness);
  const dynamics::DynamicalSystem& system = step.system();
  const auto rayleigh = dynamics::find_rayleigh(system.mass(), *linearization_);
  damping_ = {};
  turned_damping_.reset();
  if (rayleigh && !lagged_damping_)
    damping_ = {rayleigh->mass, rayleigh->stiffness, nullptr};
  else if (!lagged_damping_)
    damping_.general = linearization_->damping();
  evaluator_.bind({linearization_->stiffness(), system.mass(), system.mass_inverse()},
                  step.reducer);
  centre_.resize(system.num_dofs());
  if (!system.rest_positions(centre_)) centre_ = at.q;
  has_linear_part_ = true;
}

void TrigonometricMethod::set_linear_part_at_rest(StepContext& step, const dynamics::State& now) {
  at_ = now;
  knows_rest_ = step.system().rest_positions(at_.q);
  if (!knows_rest_ && reference_.size() > 0) at_.q = reference_;
  at_.v.setZero();
  at_.t = 0.0;
  const Vec origin = at_.q;
  set_linear_part(step, at_, dynamics::Stiffness::tangent);
  centre_ = origin;
  // where the run began is known only once its first step is accepted
  has_linear_part_ = knows_rest_ || reference_.size() > 0;
}

Eigen::Matrix2d TrigonometricMethod::flow(double h, double x) const {
  const double lambda = x / (h * h);
  return la::damped_exponential(h, lambda, damping_.mass + damping_.stiffness * lambda);
}

template <class Symbols>
StepStatus TrigonometricMethod::functions(StepContext& step, const Symbols& symbols, const MatIn& B,
                                          Mat& Y) {
  return step.phi([&] { return evaluator_.apply(step.dt * step.dt, symbols, B, Y); });
}

StepStatus TrigonometricMethod::filtered(StepContext& step, const Vec& y, Vec& out) {
  results_.resize(y.size(), 1);
  const StepStatus status = functions(
      step, [&](double x, Eigen::Ref<Mat> f) { f(0, 0) = filter_.phi(la::stumpff(x)); }, y,
      results_);
  out = results_.col(0);
  return status;
}

void TrigonometricMethod::turn(const VecIn& x, bool back, Vec& out) const {
  out = x;
  for (std::size_t k = 0; k < rotations_.size(); ++k) {
    const Vec3 part = x.segment<3>(3 * static_cast<Index>(k));
    out.segment<3>(3 * static_cast<Index>(k)) =
        back ? Vec3(rotations_[k].transpose() * part) : Vec3(rotations_[k] * part);
  }
}

void TrigonometricMethod::acceleration(StepContext& step, const Vec& y, const Vec& v, double t,
                                       Vec& g) {
  // a constant D is all in the linear part: forces of a body at rest are what is left
  const bool takes_velocity =
      step.system().damping_kind() == dynamics::DampingKind::state_dependent && !lagged_damping_;
  f_ = centre_ + y;
  turn(f_, false, at_.q);
  at_.v.setZero(y.size());
  if (takes_velocity) turn(v, false, at_.v);
  at_.t = t;
  step.force(at_, f_);
  step.divide_by_mass(f_, product_);
  turn(product_, true, g);
  // back from g what the linear part has already
  f_ = y;
  if (takes_velocity) f_ += damping_.stiffness * v;
  step.apply(linearization_->stiffness(), f_, product_);
  if (takes_velocity && damping_.general != nullptr) {
    step.apply(*damping_.general, v, f_);
    product_ += f_;
  }
  step.divide_by_mass(product_, f_);
  g += f_;
  if (takes_velocity) g += damping_.mass * v;
}

StepStatus TrigonometricMethod::do_step(StepContext& step, const dynamics::State& now,
                                        dynamics::State& next) {
  at_ = now;
  StepStatus status = choose_linear_part(step, now);
  if (status != StepStatus::accepted) return status;
  const bool about_rest_axes = damping_.stiffness != 0.0 || damping_.general != nullptr;
  if (!rotations_.empty() && about_rest_axes && !turned_damping_ &&
      step.system().damping_kind() == dynamics::DampingKind::constant) {
    // it does not turn with the material, so in turned axes it is no multiple of K
    turned_damping_ = std::make_unique<TurnedOperator>(*linearization_->damping(), rotations_);
    damping_ = {0.0, 0.0, turned_damping_.get()};
  }
  turn(now.q, true, y_);
  y_ -= centre_;
  turn(now.v, true, v_);
  at_.internal = now.internal;
  if (two_step_form_)
    status = two_step(step, now, next);
  else if (damping_.general != nullptr)
    status = one_step(step, now, next);
  else
    status = one_step_by_functions(step, now, next);
  last_dt_ = step.dt;
  return status;
}

/// All that depends on q and v in one evaluation, all that depends on g in a second one.
StepStatus TrigonometricMethod::one_step_by_functions(StepContext& step, const dynamics::State& now,
                                                      dynamics::State& next) {
  const double h = step.dt;
  const Index n = y_.size();
  starts_.resize(n, 2);
  starts_ << y_, v_;
  results_.resize(n, 4);
  StepStatus status = functions(
      step,
      [&](double x, Eigen::Ref<Mat> f) {
        const double phi = filter_.phi(la::stumpff(x));
        const Eigen::Matrix2d E = flow(h, x);
        f.row(0) << phi, 0.0;  // where the force is taken
        f.block<2, 2>(1, 0) = E;
        f.row(3) = phi * E.row(0);  // where it will be taken
      },
      starts_, results_);
  if (status != StepStatus::accepted) return status;
  const Mat free = results_;
  acceleration(step, free.col(0), v_, now.t, g_);
  forced_.resize(n, 4);
  status = functions(
      step,
      [&](double x, Eigen::Ref<Mat> f) {
        const auto c = la::stumpff(x);
        const double kick = 0.5 * h * filter_.kick(c), phi = filter_.phi(c);
        const Eigen::Matrix2d E = flow(h, x);
        f(0, 0) = kick * E(0, 1);
        f(1, 0) = kick * E(1, 1);
        f(2, 0) = phi * kick * E(0, 1);
        f(3, 0) = kick;
      },
      g_, forced_);
  if (status != StepStatus::accepted) return status;
  filtered_ = free.col(3) + forced_.col(2);
  // velocity after the second kick, as far as it is known before it
  v_ = free.col(2) + forced_.col(1) + forced_.col(3);
  acceleration(step, filtered_, v_, now.t + h, g_);
  results_.resize(n, 1);
  status = functions(
      step, [&](double x, Eigen::Ref<Mat> f) { f(0, 0) = 0.5 * h * filter_.kick(la::stumpff(x)); },
      g_, results_);
  if (status != StepStatus::accepted) return status;
  f_ = centre_ + free.col(1) + forced_.col(0);
  turn(f_, false, next.q);
  f_ = free.col(2) + forced_.col(1) + results_.col(0);
  turn(f_, false, next.v);
  return StepStatus::accepted;
}

/// With damping that is no function of K the flow is one of the first-order system.
StepStatus TrigonometricMethod::one_step(StepContext& step, const dynamics::State& now,
                                         dynamics::State& next) {
  const double h = step.dt;
  const auto kick = [&](double x, Eigen::Ref<Mat> f) {
    f(0, 0) = 0.5 * h * filter_.kick(la::stumpff(x));
  };
  StepStatus status = filtered(step, y_, filtered_);
  if (status != StepStatus::accepted) return status;
  acceleration(step, filtered_, v_, now.t, g_);
  results_.resize(y_.size(), 1);
  status = functions(step, kick, g_, results_);
  if (status != StepStatus::accepted) return status;
  kicked_ = results_.col(0);
  v_ += kicked_;
  // exp(hJ) u = u + phi_1(hJ) hJ u
  step.apply(linearization_->stiffness(), y_, f_);
  step.apply(*damping_.general, v_, product_);
  f_ += product_;
  step.divide_by_mass(f_, product_);
  product_ *= -h;
  f_ = h * v_;
  const std::array<la::PhiTerm, 1> terms{{{1, &f_, &product_}}};
  constexpr std::array<double, 1> end{1.0};
  status = step.phi([&] {
    return la::oscillator_flow(evaluator_, damping_, h, terms, end, {&flow_, 1});
  });
  if (status != StepStatus::accepted) return status;
  y_ += flow_.q;
  v_ += flow_.v;
  status = filtered(step, y_, filtered_);
  if (status != StepStatus::accepted) return status;
  kicked_ += v_;
  acceleration(step, filtered_, kicked_, now.t + h, g_);
  status = functions(step, kick, g_, results_);
  if (status != StepStatus::accepted) return status;
  y_ += centre_;
  turn(y_, false, next.q);
  v_ += results_.col(0);
  turn(v_, false, next.v);
  return StepStatus::accepted;
}

StepStatus TrigonometricMethod::two_step(StepContext& step, const dynamics::State& now,
                                         dynamics::State& next) {
  const double h = step.dt;
  const Index n = y_.size();
  // a run starts, and goes on after a change of step, with the one-step formula for positions
  const bool starting = previous_.size() == 0 || previous_dt_ != h;
  starts_.resize(n, 3);
  starts_.leftCols(2) << y_, v_;
  if (starting) {
    starts_.col(2).setZero();
  } else {
    turn(previous_, true, f_);
    starts_.col(2) = f_ - centre_;
  }
  results_.resize(n, 3);
  StepStatus status = functions(
      step,
      [&](double x, Eigen::Ref<Mat> f) {
        const Eigen::Matrix2d E = flow(h, x);
        f.setZero();
        f(0, 0) = filter_.phi(la::stumpff(x));
        if (starting)
          f.row(1).head<2>() = E.row(0);
        else
          f.row(1) << E.trace(), 0.0, -E.determinant();
        f.row(2).head<2>() = E.row(1);
      },
      starts_, results_);
  if (status != StepStatus::accepted) return status;
  const Mat free = results_;
  acceleration(step, free.col(0), v_, now.t, g_);
  const la::LinearOperator* D = lagged_damping_ ? linearization_->damping() : nullptr;
  if (D != nullptr) {
    f_ = starting ? now.v : Vec((now.q - previous_) / h);
    step.apply(*D, f_, product_);
    step.divide_by_mass(product_, f_);
    turn(f_, true, product_);
    g_ -= product_;
  }
  // positions feel the force through psi; velocities are only read, never used for positions
  const auto velocity_filter = [&](const StumpffValues& c) {
    return filter_.kick != nullptr ? filter_.kick(c) : c[1];
  };
  forced_.resize(n, 2);
  status = functions(
      step,
      [&](double x, Eigen::Ref<Mat> f) {
        const auto c = la::stumpff(x);
        const double lambda = x / (h * h);
        const double half = 0.5 * h * (damping_.mass + damping_.stiffness * lambda);
        f(0, 0) = (starting ? 0.5 : 1.0) * h * h * std::exp(-half) * filter_.psi(c);
        f(1, 0) = 0.5 * h * velocity_filter(c) * flow(h, x)(1, 1);
      },
      g_, forced_);
  if (status != StepStatus::accepted) return status;
  f_ = centre_ + free.col(1) + forced_.col(0);
  turn(f_, false, next.q);
  kicked_ = free.col(2) + forced_.col(1);

  y_ = free.col(1) + forced_.col(0);
  status = filtered(step, y_, filtered_);
  if (status != StepStatus::accepted) return status;
  acceleration(step, filtered_, kicked_, now.t + h, g_);
  if (D != nullptr) {
    f_ = (next.q - now.q) / h;
    step.apply(*D, f_, product_);
    step.divide_by_mass(product_, f_);
    turn(f_, true, product_);
    g_ -= product_;
  }
  results_.resize(n, 1);
  status = functions(
      step,
      [&](double x, Eigen::Ref<Mat> f) { f(0, 0) = 0.5 * h * velocity_filter(la::stumpff(x)); }, g_,
      results_);
  if (status != StepStatus::accepted) return status;
  kicked_ += results_.col(0);
  turn(kicked_, false, next.v);
  return StepStatus::accepted;
}

void TrigonometricMethod::commit(const dynamics::State& before, const dynamics::State&) {
  if (keeps_linear_part_ && !knows_rest_ && reference_.size() == 0) {
    reference_ = before.q;
    has_linear_part_ = true;
  }
  if (!two_step_form_) return;
  previous_ = before.q;
  previous_dt_ = last_dt_;
}

void TrigonometricMethod::save_history(Memory& memory) const {
  if (reference_.size() > 0) memory["reference"] = reference_;
  if (previous_.size() == 0) return;
  memory["previous"] = previous_;
  memory["previous_dt"] = Vec::Constant(1, previous_dt_);
}

void TrigonometricMethod::restore_history(const Memory& memory) {
  has_linear_part_ = false;
  if (memory.contains("reference")) reference_ = memory.at("reference");
  if (memory.contains("previous")) {
    previous_ = memory.at("previous");
    previous_dt_ = memory.at("previous_dt")[0];
  }
}

void TrigonometricMethod::forget_history() {
  previous_.resize(0);
  reference_.resize(0);
  has_linear_part_ = false;
}

}  // namespace sinew::integrators
