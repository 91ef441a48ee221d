// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {

/// The coefficients of bdf2 for uneven steps, w = h / (the step before): what of the last
/// difference goes on, and the time for which the force acts.
struct Bdf2Weights {
  double old;  ///< w^2/(1 + 2w)
  double c;    ///< h (1 + w)/(1 + 2w) [s]
};
inline Bdf2Weights bdf2_weights(double h, double h_before) {
  const double w = h / h_before;
  return {w * w / (1.0 + 2.0 * w), h * (1.0 + w) / (1.0 + 2.0 * w)};
}

/// The state one step back, and how long that step was.
class TwoStepHistory {
 public:
  bool is_empty() const { return q_.size() == 0; }
  const Vec& q() const { return q_; }
  const Vec& v() const { return v_; }
  double dt() const { return dt_; }  ///< of the last accepted step [s]

  /// A step of this length is tried.
  void begin(double dt) { tried_dt_ = dt; }
  /// It was accepted, and began here.
  void commit(const dynamics::State& before) {
    q_ = before.q;
    v_ = before.v;
    dt_ = tried_dt_;
  }

  /// A step of this length that another method made began here.
  void skip(const dynamics::State& before, double dt) {
    begin(dt);
    commit(before);
  }

  void save(Memory& memory) const {
    if (is_empty()) return;
    memory["q_before"] = q_;
    memory["v_before"] = v_;
    memory["dt_before"] = Vec::Constant(1, dt_);
  }
  void restore(const Memory& memory) {
    if (!memory.contains("q_before")) return;
    q_ = memory.at("q_before");
    v_ = memory.at("v_before");
    dt_ = memory.at("dt_before")[0];
  }
  void forget() {
    q_.resize(0);
    v_.resize(0);
  }

 private:
  Vec q_, v_;
  double dt_ = 0.0, tried_dt_ = 0.0;
};

/// A method whose whole memory is such a history.
class TwoStepIntegrator : public Integrator {
 protected:
  using Integrator::Integrator;

  TwoStepHistory history_;

 private:
  void commit(const dynamics::State& before, const dynamics::State& /*after*/) override {
    history_.commit(before);
  }
  void on_skipped(const dynamics::State& before, const dynamics::State& /*after*/,
                  double dt) override {
    history_.skip(before, dt);
  }
  void save_history(Memory& memory) const override { history_.save(memory); }
  void restore_history(const Memory& memory) override { history_.restore(memory); }
  void forget_history() override { history_.forget(); }
};

}  // namespace sinew::integrators
