// SPDX-License-Identifier: Apache-2.0
// What the hybrid methods add to a step of another one: the lowest modes u_i of the tangent, each
// of them an oscillator of its own,
//
//   z_i = (u_i^T M q, u_i^T M v),   z_i' = J_i z_i + ...,   J_i = [[0, 1], [-lambda_i, -d_i]],
//
// is advanced exactly as `ere` would, and takes the place of what the other method made of it. The
// modes are followed from step to step: turned with the material, then improved by one block of
// solves with the matrix that the step has factorised anyway. With all modes the result is `ere`,
// with none the other method.
#pragma once

#include <sinew/integrators/parts/linear_stage.hpp>
#include <sinew/la/eigen/modes.hpp>

namespace sinew::integrators {

struct ModalSettings {
  Index count = 5;     ///< beside the rigid ones; negative: from the spectrum at the first step
  Index guards = 3;    ///< modes that are followed but not used
  int iterations = 1;  ///< block solves per step
  double gate = 0.2;   ///< modes with a larger relative residual are not used
  double cold = 1e-3;  ///< relative residual to reach when there is nothing to follow
  bool always_cold = false;  ///< find the modes anew in every step
};

/// `modes`, `guard_vectors`, `mode_iterations`, `mode_tolerance`; in front of them those of the
/// method itself.
std::vector<OptionInfo> with_modal_options(std::vector<OptionInfo> own = {});
ModalSettings modal_settings(const Options& options);

class ModalPart {
 public:
  explicit ModalPart(const ModalSettings& settings) : settings_(settings) {}

  void prepare(const dynamics::DynamicalSystem& system);

  /// The modes of the stage's K, by solves with its factor. Call once per step, at its beginning.
  [[nodiscard]] StepStatus update(StepContext& step, const LinearStage& stage,
                                  la::LinearSolver& solver);
  /// Projects the state and f at the beginning of the step onto the modes in use. `h_rate` is
  /// h df/dt.
  void load(StepContext& step, const dynamics::State& now, const Vec& f, const Vec& h_rate);

  /// What the rest of the body does during the step, for exact_increment(): its mean velocity and
  /// acceleration. load() assumes those at the beginning, which is too much for a stiff rest.
  void couple(StepContext& step, const Vec& velocity, const Vec& acceleration);

  /// Where the modal coordinates are after the time c h, as increments (rows: modes; columns: q,
  /// v): h phi_1 F + h^2 phi_2 F_t. `coupled` adds what the rest does to modes that are not quite
  /// eigenvectors: second order, whatever the modes are.
  Mat exact_increment(double c, bool coupled) const;
  /// What the linearised backward Euler step makes of the modal coordinates.
  Mat implicit_increment() const;
  /// next += U increment, for q and v.
  void add(const Mat& increment, dynamics::State& next) const;
  /// Makes the modal part of next - now equal to `increment`.
  void replace(StepContext& step, const Mat& increment, const dynamics::State& now,
               dynamics::State& next);
  double damping(Index mode) const { return d_[mode]; }
  /// U^T M x.
  Vec coordinates(StepContext& step, const Vec& x) const;

  /// Those in use, after update().
  const la::Modes& modes() const { return used_; }
  /// No modes were asked for.
  bool is_off() const { return settings_.count == 0; }

  // the shapes to go on with are memory: commit() when the step was accepted
  void commit();
  void save(Memory& memory) const;
  void restore(const Memory& memory);
  void forget();

 private:
  void use_none();
  void take_restored();
  /// What to go on with if the step is accepted.
  void keep(const StepContext& step, const la::Modes& modes);
  /// Takes those into use that are good enough.
  void select(StepContext& step, const la::Modes& modes);
  void project_damping(StepContext& step, const la::LinearOperator& D);
  /// Turns shapes from the axes of the rest shape to those of the material now, or back.
  void turn(const la::Reducer& reducer, Mat& shapes, bool back) const;

  ModalSettings settings_;
  Index count_ = -1, next_count_ = -1;  ///< chosen; negative: not yet
  double h_ = 0.0;
  bool has_rotations_ = false;
  std::vector<Mat3> rotations_;
  Mat rigid_;
  Mat shapes_, next_shapes_;  ///< in the axes of the rest shape
  Vec restored_;              ///< shapes of an earlier process, until the system is known
  la::Modes used_;
  Vec d_;                    ///< u_i^T D u_i
  Mat damping_rest_;         ///< D U - M U diag(d); empty without damping
  Vec a_, b_, rate_, pull_;  ///< u^T M v, u^T f, h u^T f_t, and what couples to the rest
  Vec acceleration_;
};

}  // namespace sinew::integrators
