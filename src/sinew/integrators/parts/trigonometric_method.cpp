// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <Eigen/LU>
#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/dynamics/rayleigh.hpp>
#include <sinew/integrators/parts/phi_stage.hpp>
#include <sinew/integrators/parts/trigonometric_method.hpp>

namespace sinew::integrators {
namespace {

// systems up to this size are decomposed when the linear part stays the same
constexpr Index decomposed_size = 900;

Vec pair(double first, double second) {
  Vec result(2);
  result << first, second;
  return result;
}

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
                            "for stiffness-proportional damping up to half a step only. The "
                            "two-step form lags damping other than a M + b K",
                 .default_value = std::string("exact"),
                 .choices = {"exact", "lagged"}});
  own.push_back({.name = "load",
                 .summary =
                     "forces on the rest shape at the beginning, such as weight: solved with "
                     "the linear part (exact), or filtered like all others (filtered)",
                 .default_value = std::string("exact"),
                 .choices = {"exact", "filtered"}});
  // errors of a symplectic method must not add up
  return with_phi_options(std::move(own), 1e-10);
}

bool is_two_step(const Options& options) {
  const bool one_step_possible =
      filter_pair(options.text("filter")).kick != nullptr && options.text("damping") != "lagged";
  return options.text("form") == "two-step" || !one_step_possible;
}

TrigonometricMethod::TrigonometricMethod(const Options& options, const Services& services)
    : Integrator(services),
      filter_(filter_pair(options.text("filter"))),
      lagged_damping_(options.text("damping") == "lagged"),
      solves_load_(options.text("load") == "exact"),
      evaluator_(phi_settings(options)),
      shifted_(services) {
  two_step_form_ = is_two_step(options);
  if (options.text("form") == "one-step" && two_step_form_)
    throw InputError({.where = "/integrator/form",
                      .what = fmt::format("there is no one-step form with {}",
                                          lagged_damping_ ? "lagged damping" : "this filter"),
                      .hint = "leave out form"});
}

void TrigonometricMethod::prepare(const dynamics::DynamicalSystem& system) {
  // kicks belong to a system; the first one may be that of a checkpoint
  if (linearization_ != nullptr) kicked_at_ = {};
  linearization_ = system.make_linearization();
  shifted_.bind(*linearization_);
  has_linear_part_ = false;
  rotations_.clear();
  turned_damping_.reset();
  load_.resize(0);
  for (Vec* vector : {&y_, &v_, &g_, &f_, &product_, &filtered_})
    vector->setZero(system.num_dofs());
  evaluator_.set_dense_below(keeps_linear_part_ ? decomposed_size : 0);
}

void TrigonometricMethod::set_linear_part(StepContext& step, const dynamics::State& at,
                                          dynamics::Stiffness stiffness) {
  step.linearize(at, *linearization_, nullptr, stiffness);
  const dynamics::DynamicalSystem& system = step.system();
  const auto rayleigh = dynamics::find_rayleigh(system.mass(), *linearization_, step.reducer);
  damping_ = {};
  turned_damping_.reset();
  // the two-step form has no place for damping that is no function of K
  lags_damping_ = lagged_damping_ || (two_step_form_ && !rayleigh);
  damping_.shifted = &shifted_;
  if (rayleigh && !lags_damping_) {
    damping_.mass = rayleigh->mass;
    damping_.stiffness = rayleigh->stiffness;
  } else if (!lags_damping_) {
    damping_.general = linearization_->damping();
  }
  evaluator_.bind({linearization_->stiffness(), system.mass(), system.mass_inverse()},
                  step.reducer);
  // a run that goes on from a checkpoint need not look again
  if (restored_bounds_) evaluator_.assume_bounds(*restored_bounds_);
  restored_bounds_.reset();
  centre_.resize(system.num_dofs());
  if (!step.rest_positions(centre_)) centre_ = at.q;
  has_linear_part_ = true;
  if (load_.size() == 0 && !solves_load_) load_.setZero(centre_.size());
  if (load_.size() == 0) {
    // weight and other loads as they are at the beginning: constant forces are solved exactly
    at_.q = centre_;
    at_.v.setZero(centre_.size());
    at_.t = 0.0;
    step.force(at_, f_);
    load_.resize(f_.size());
    step.divide_by_mass(f_, load_);
  }
}

void TrigonometricMethod::set_linear_part_at_rest(StepContext& step, const dynamics::State& now) {
  at_ = now;
  knows_rest_ = step.rest_positions(at_.q);
  if (!knows_rest_ && reference_.size() > 0) at_.q = reference_;
  at_.v.setZero();
  at_.t = 0.0;
  const Vec origin = at_.q;
  set_linear_part(step, at_, dynamics::Stiffness::tangent);
  centre_ = origin;
  // where the run began is known only once its first step is accepted
  has_linear_part_ = knows_rest_ || reference_.size() > 0;
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

void TrigonometricMethod::linear_acceleration(StepContext& step, const Vec& y, const Vec& v,
                                              bool takes_velocity, Vec& out) {
  stretched_ = y;
  if (takes_velocity) stretched_ += damping_.stiffness * v;
  product_.resize(y.size());
  step.apply(linearization_->stiffness(), stretched_, product_);
  if (takes_velocity && damping_.general != nullptr) {
    step.apply(*damping_.general, v, stretched_);
    product_ += stretched_;
  }
  out.resize(y.size());
  step.divide_by_mass(product_, out);
  if (takes_velocity) out += damping_.mass * v;
}

void TrigonometricMethod::acceleration(StepContext& step, const Vec& y, const Vec& v, double t,
                                       Vec& g) {
  // a constant D is all in the linear part: forces of a body at rest are what is left
  const bool takes_velocity =
      step.system().traits().damping == dynamics::DampingKind::state_dependent && !lags_damping_;
  f_ = centre_ + y;
  turn(f_, false, at_.q);
  at_.v.setZero(y.size());
  if (takes_velocity) turn(v, false, at_.v);
  at_.t = t;
  step.force(at_, f_);
  step.divide_by_mass(f_, product_);
  turn(product_, true, g);
  // less what the linear part has already
  linear_acceleration(step, y, v, takes_velocity, f_);
  g += f_ - constant_;
}

StepStatus TrigonometricMethod::do_step(StepContext& step, const dynamics::State& now,
                                        dynamics::State& next) {
  at_ = now;
  const StepStatus status = choose_linear_part(step, now);
  if (status != StepStatus::accepted) return status;
  const bool about_rest_axes = damping_.stiffness != 0.0 || damping_.general != nullptr;
  if (!rotations_.empty() && about_rest_axes && !turned_damping_ &&
      step.system().traits().damping == dynamics::DampingKind::constant) {
    // it does not turn with the material, so in turned axes it is no multiple of K
    turned_damping_ = std::make_unique<TurnedOperator>(*linearization_->damping(), rotations_);
    damping_ = {.general = two_step_form_ ? nullptr : turned_damping_.get()};
    lags_damping_ = two_step_form_;
  }
  turn(now.q, true, y_);
  y_ -= centre_;
  turn(now.v, true, v_);
  turn(load_, true, constant_);
  at_.internal = now.internal;
  last_dt_ = step.dt;
  return two_step_form_ ? two_step(step, now, next) : one_step(step, now, next);
}

StepStatus TrigonometricMethod::half_kick(StepContext& step, const Vec& y, const Vec& v, double t,
                                          Vec& kick) {
  StepStatus status = filtered(step, y, filtered_);
  if (status != StepStatus::accepted) return status;
  acceleration(step, filtered_, v, t, g_);
  const double half = 0.5 * step.dt;
  results_.resize(y.size(), 1);
  status = functions(
      step, [&](double x, Eigen::Ref<Mat> f) { f(0, 0) = half * filter_.kick(la::stumpff(x)); }, g_,
      results_);
  kick = results_.col(0);
  return status;
}

StepStatus TrigonometricMethod::one_step(StepContext& step, const dynamics::State& now,
                                         dynamics::State& next) {
  const double h = step.dt;
  StepStatus status = StepStatus::accepted;
  const bool known = kick_is_known(step, now);
  kicked_at_ = {};  // a step that fails leaves a kick of nowhere
  if (!known) status = half_kick(step, y_, v_, now.t, kick_);
  if (status != StepStatus::accepted) return status;
  v_ += kick_;
  // exp(hJ) u = u + phi_1(hJ) hJ u, and the constant load with it
  linear_acceleration(step, y_, v_, true, f_);
  f_ = h * (constant_ - f_);
  product_ = h * v_;
  const std::array<la::PhiTerm, 1> terms{{{1, &product_, &f_}}};
  constexpr std::array<double, 1> end{1.0};
  status = step.phi([&] {
    return la::oscillator_flow(evaluator_, damping_, h, terms, end, {&flow_, 1});
  });
  if (status != StepStatus::accepted) return status;
  y_ += flow_.q + centre_;
  turn(y_, false, next.q);
  v_ += flow_.v;

  // from the rounded position, so that the next step can take this kick for its own
  turn(next.q, true, y_);
  y_ -= centre_;
  predicted_ = v_ + kick_;  // velocity after the second kick, as far as it is known before it
  status = half_kick(step, y_, predicted_, now.t + h, kick_);
  if (status != StepStatus::accepted) return status;
  v_ += kick_;
  turn(v_, false, next.v);
  return StepStatus::accepted;
}

bool TrigonometricMethod::kick_is_known(const StepContext& step, const dynamics::State& now) const {
  return keeps_linear_part_ && rotations_.empty() && kicked_at_.dt == step.dt &&
         kicked_at_.t == now.t && kicked_at_.q.size() == now.q.size() &&
         step.system().traits().damping != dynamics::DampingKind::state_dependent &&
         !step.reducer.any(kicked_at_.q != now.q);
}

void TrigonometricMethod::lag_damping(StepContext& step, const Vec& velocity, Vec& g) {
  if (!lags_damping_ || linearization_->damping() == nullptr) return;
  step.apply(*linearization_->damping(), velocity, product_);
  step.divide_by_mass(product_, f_);
  turn(f_, true, product_);
  g -= product_;
}

StepStatus TrigonometricMethod::two_step(StepContext& step, const dynamics::State& now,
                                         dynamics::State& next) {
  const double h = step.dt;
  const Index n = y_.size();
  // a run starts, and goes on after a change of step, with the one-step formula for positions
  const bool starting = previous_.size() == 0 || previous_dt_ != h;
  starts_.resize(n, 4);
  starts_ << y_, v_, constant_, constant_;
  if (!starting) {
    turn(previous_, true, f_);
    starts_.col(3) = f_ - centre_;
  }
  results_.resize(n, 3);
  StepStatus status = functions(
      step,
      [&](double x, Eigen::Ref<Mat> f) {
        const double lambda = x / (h * h), d = damping_.mass + damping_.stiffness * lambda;
        const auto phi = la::oscillator_phi(h, lambda, d);
        f.row(0) << filter_.phi(la::stumpff(x)), 0.0, 0.0, 0.0;
        f.row(2) << phi[0].row(1), h * phi[1](1, 1), 0.0;
        // det(e^Z - I) = det Z det phi_1 makes a constant load exact in the two-step form too
        if (starting)
          f.row(1) << phi[0].row(0), h * phi[1](0, 1), 0.0;
        else
          f.row(1) << phi[0].trace(), 0.0, h * h * phi[1].determinant(), -phi[0].determinant();
      },
      starts_, results_);
  if (status != StepStatus::accepted) return status;
  const Mat free = results_;
  acceleration(step, free.col(0), v_, now.t, g_);
  lag_damping(step, starting ? now.v : Vec((now.q - previous_) / h), g_);
  // positions feel the force through psi; velocities are only read, never used for positions
  const auto velocity_filter = [&](const StumpffValues& c) {
    return 0.5 * h * (filter_.kick != nullptr ? filter_.kick(c) : c[1]);
  };
  forced_.resize(n, 2);
  status = functions(
      step,
      [&](double x, Eigen::Ref<Mat> f) {
        const auto c = la::stumpff(x);
        const double lambda = x / (h * h), d = damping_.mass + damping_.stiffness * lambda;
        f(0, 0) = (starting ? 0.5 : 1.0) * h * h * std::exp(-0.5 * h * d) * filter_.psi(c);
        f(1, 0) = velocity_filter(c) * la::damped_exponential(h, lambda, d)(1, 1);
      },
      g_, forced_);
  if (status != StepStatus::accepted) return status;
  y_ = free.col(1) + forced_.col(0);
  f_ = centre_ + y_;
  turn(f_, false, next.q);
  v_ = free.col(2) + forced_.col(1);

  status = filtered(step, y_, filtered_);
  if (status != StepStatus::accepted) return status;
  acceleration(step, filtered_, v_, now.t + h, g_);
  lag_damping(step, (next.q - now.q) / h, g_);
  results_.resize(n, 1);
  status = functions(
      step, [&](double x, Eigen::Ref<Mat> f) { f(0, 0) = velocity_filter(la::stumpff(x)); }, g_,
      results_);
  if (status != StepStatus::accepted) return status;
  v_ += results_.col(0);
  turn(v_, false, next.v);
  return StepStatus::accepted;
}

void TrigonometricMethod::commit(const dynamics::State& before, const dynamics::State& after) {
  kicked_at_ = {after.q, after.t, last_dt_};
  if (keeps_linear_part_ && !knows_rest_ && reference_.size() == 0) {
    reference_ = before.q;
    has_linear_part_ = true;
  }
  if (!two_step_form_) return;
  previous_ = before.q;
  previous_dt_ = last_dt_;
}

void TrigonometricMethod::on_skipped(const dynamics::State&, const dynamics::State&, double) {
  kicked_at_ = {};
  previous_.resize(0);
}

void TrigonometricMethod::save_history(Memory& memory) const {
  if (reference_.size() > 0) memory["reference"] = reference_;
  if (keeps_linear_part_ && evaluator_.known_bounds())
    memory["spectrum"] = pair(evaluator_.known_bounds()->low, evaluator_.known_bounds()->high);
  if (keeps_linear_part_ && kicked_at_.q.size() > 0) {
    memory["kick"] = kick_;
    memory["kicked_q"] = kicked_at_.q;
    memory["kicked_at"] = pair(kicked_at_.t, kicked_at_.dt);
  }
  if (previous_.size() == 0) return;
  memory["previous"] = previous_;
  memory["previous_dt"] = Vec::Constant(1, previous_dt_);
}

void TrigonometricMethod::restore_history(const Memory& memory) {
  has_linear_part_ = false;
  load_.resize(0);
  kicked_at_ = {};
  if (memory.contains("reference")) reference_ = memory.at("reference");
  if (memory.contains("spectrum")) {
    const Vec& spectrum = memory.at("spectrum");
    restored_bounds_ = la::SpectralBounds{spectrum[0], spectrum[1], 0};
  }
  if (memory.contains("kick")) {
    kick_ = memory.at("kick");
    const Vec& place = memory.at("kicked_at");
    kicked_at_ = {memory.at("kicked_q"), place[0], place[1]};
  }
  if (memory.contains("previous")) {
    previous_ = memory.at("previous");
    previous_dt_ = memory.at("previous_dt")[0];
  }
}

void TrigonometricMethod::forget_history() {
  previous_.resize(0);
  reference_.resize(0);
  load_.resize(0);
  kicked_at_ = {};
  has_linear_part_ = false;
}

}  // namespace sinew::integrators
