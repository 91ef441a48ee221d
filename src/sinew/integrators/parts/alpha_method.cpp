// SPDX-License-Identifier: Apache-2.0
#include <sinew/integrators/parts/alpha_method.hpp>

namespace sinew::integrators {

void AlphaMethod::prepare(const dynamics::DynamicalSystem& system) {
  stage_.prepare(system);
  for (Vec* vector : {&f_, &old_, &end_}) vector->setZero(system.num_dofs());
}

void AlphaMethod::recall_acceleration(StepContext& step, const dynamics::State& now) {
  if (acceleration_.size() > 0 && dt_ == step.dt) {
    old_ = acceleration_;
    return;
  }
  step.force(now, f_);
  step.divide_by_mass(f_, old_);
  // A is the acceleration a little off the end of its step, by (am - af) steps: carried over to a
  // step of another length it must move along, or the order is lost
  if (acceleration_.size() > 0) old_ += step.dt / dt_ * (acceleration_ - old_);
}

void AlphaMethod::commit(const dynamics::State&, const dynamics::State&) {
  acceleration_ = end_;
  dt_ = tried_dt_;
}

StepStatus AlphaMethod::do_step(StepContext& step, const dynamics::State& now,
                                dynamics::State& next) {
  const auto& [am, af, beta, gamma] = k_;
  const double h = step.dt;
  tried_dt_ = h;
  recall_acceleration(step, now);
  // the mean state as a function of A1: v = v_pre + (1 - af) gamma h A1, and q follows v
  const double slope = (1.0 - af) * gamma * h;
  stage_.a = slope / (1.0 - am);
  stage_.b = beta * h / gamma;
  stage_.t = now.t + (1.0 - af) * h;
  stage_.v_hat = now.v + (1.0 - af) * (1.0 - gamma) * h * old_;
  stage_.q_hat =
      now.q + (1.0 - af) * h * (now.v + (0.5 - beta) * h * old_) - stage_.b * stage_.v_hat;
  step.apply(step.system().mass(), old_, stage_.p);
  stage_.p *= -am * stage_.a;
  next.v = now.v + (1.0 - af) * h * old_;
  const StepStatus status = stage_.solve(step, solver_, now, next);
  if (status != StepStatus::accepted) return status;
  end_ = (next.v - stage_.v_hat) / slope;
  next.q = now.q + h * now.v + h * h * ((0.5 - beta) * old_ + beta * end_);
  next.v = now.v + h * ((1.0 - gamma) * old_ + gamma * end_);
  return StepStatus::accepted;
}

void AlphaMethod::save_history(Memory& memory) const {
  if (acceleration_.size() == 0) return;
  memory["acceleration"] = acceleration_;
  memory["dt_before"] = Vec::Constant(1, dt_);
}

void AlphaMethod::restore_history(const Memory& memory) {
  if (!memory.contains("acceleration")) return;
  acceleration_ = memory.at("acceleration");
  dt_ = memory.at("dt_before")[0];
}

}  // namespace sinew::integrators
