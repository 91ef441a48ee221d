// SPDX-License-Identifier: Apache-2.0
// The interface of a method to the system and the solvers during one step. It counts and
// times every coarse operation, so that methods read like the papers and the counters are exact.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <sinew/dynamics/capabilities/material_frame.hpp>
#include <sinew/dynamics/capabilities/split.hpp>
#include <sinew/dynamics/dynamical_system.hpp>
#include <sinew/integrators/step_report.hpp>
#include <sinew/la/eigen/modes.hpp>
#include <sinew/la/reducer.hpp>
#include <sinew/la/solvers/linear_solver.hpp>

namespace sinew::integrators {

/// What the composition root provides; it chooses CPU, distributed or device implementations.
struct Services {
  /// Called with the reducer below.
  using MakeSolver = std::function<std::unique_ptr<la::LinearSolver>(const la::Reducer&)>;
  MakeSolver make_linear_solver;
  /// One without memory, for many solves per factorisation.
  MakeSolver make_direct_solver;
  /// For the method, its solvers, and a simulation that runs it; must outlive them.
  const la::Reducer* reducer = &la::serial_reducer();
  la::FindModes find_modes = la::find_modes;
};

/// What a failed solve or a failed matrix function makes of a step.
StepStatus status_of(la::SolveStatus status);
StepStatus status_of(la::PhiStatus status);

/// The default solver of this build.
Services default_services();

class StepContext {
 public:
  /// `definiteness`: what to do about negative curvature, in every tangent of the step.
  StepContext(const dynamics::DynamicalSystem& system, dynamics::Workspace& workspace,
              double step_size, dynamics::Definiteness definiteness, const la::Reducer& sums,
              StepReport& report)
      : dt(step_size),
        reducer(sums),
        system_(system),
        workspace_(workspace),
        definiteness_(definiteness),
        report_(report) {}

  const double dt;
  const la::Reducer& reducer;
  bool wants_error_estimate = false;
  const la::FindModes* find_modes = nullptr;  ///< of the services

  const dynamics::DynamicalSystem& system() const { return system_; }
  StepReport& report() { return report_; }

  void force(const dynamics::State& state, VecOut f);
  /// target += factor * (mean of df/dt over `span` from the state's time on), for systems whose
  /// force depends on time.
  void add_force_rate(const dynamics::State& state, double span, double factor, Vec& target);
  double potential(const dynamics::State& state);
  double dissipation(const dynamics::State& state);
  double max_step(const dynamics::State& from, const dynamics::State& to);
  /// A way on which everything is admissible leads from the beginning of the step to this state,
  /// whether or not the straight one does. Of interest where contacts slide around corners.
  void reached(const dynamics::State& state) {
    if (system_.traits().has_contacts) reached_ = state;
  }
  /// Whether there is such a way to `state`: a straight one, from where a way led or from `now`.
  bool is_admissible(const dynamics::State& now, const dynamics::State& state);
  /// False: the system cannot tell.
  bool partition(const dynamics::State& state, const dynamics::PartitionWish& wish,
                 dynamics::Partition& split);
  /// The same step of a part of the system, counted with this one.
  StepContext of_part(const dynamics::DynamicalSystem& part, dynamics::Workspace& workspace) {
    StepContext context(part, workspace, dt, definiteness_, reducer, report_);
    context.find_modes = find_modes;
    return context;
  }
  /// False: the system knows none.
  bool rest_positions(VecOut q) const;
  /// Velocities that cost no energy, one per column.
  Mat rigid_modes(const dynamics::State& state) const;
  /// False: all identity.
  bool node_rotations(const dynamics::State& state, std::vector<Mat3>& rotations,
                      dynamics::NodeRotations kind = dynamics::NodeRotations::neighbourhood);
  /// K and D, and f at the same state when asked for, for those who solve once: contacts have no
  /// negative curvature, and friction is that of the present speed.
  void linearize(const dynamics::State& state, dynamics::Linearization& out, Vec* f = nullptr,
                 dynamics::Stiffness stiffness = dynamics::Stiffness::tangent);
  /// K and D for those who iterate: the exact ones, or such with definite contacts.
  void linearize_iterate(const dynamics::State& state, bool clamps_contacts,
                         dynamics::Linearization& out);
  void apply(const la::LinearOperator& A, const VecIn& x, VecOut y);
  /// (A + factor U) X = B by GMRES around the solver's A^-1, U the part of the tangent at the state
  /// that is not symmetric.
  [[nodiscard]] la::SolveStatus solve_unsymmetric(la::LinearSolver& solver,
                                                  const la::LinearOperator& A, double factor,
                                                  const dynamics::State& state, const Vec& b,
                                                  Vec& x, double enough);
  /// y = M^-1 x.
  void divide_by_mass(const VecIn& x, VecOut y);
  /// `at`: the state A was made at, by which a lagged factor turns with the material.
  [[nodiscard]] la::SolveStatus factorize(la::LinearSolver& solver, const la::LinearOperator& A,
                                          const dynamics::State& at);
  /// `enough`: a relative error that an iterative solver need not go below.
  [[nodiscard]] la::SolveStatus solve(la::LinearSolver& solver, const MatIn& B, MatOut X,
                                      double enough = 0.0);
  /// X ~ A^-1 B with the factor at hand: exact for direct solvers, rough for a lagged factor.
  [[nodiscard]] la::SolveStatus precondition(la::LinearSolver& solver, const MatIn& B, MatOut X);
  /// One evaluation of matrix functions; `evaluate` returns its PhiReport.
  template <class Evaluate>
  [[nodiscard]] StepStatus phi(const Evaluate& evaluate) {
    const core::ScopedTimer timer(report_.profile.seconds.phi);
    return take(evaluate());
  }
  /// Counts an evaluation that was timed elsewhere.
  [[nodiscard]] StepStatus take(const la::PhiReport& report);

 private:
  const dynamics::DynamicalSystem& system_;
  dynamics::Workspace& workspace_;
  dynamics::Definiteness definiteness_;
  void linearize(const dynamics::State& state, const dynamics::LinearizeOptions& options,
                 dynamics::Linearization& out, Vec* f);
  /// The wish of the step, which says nothing about contacts if it is for exact tangents.
  dynamics::Definiteness definiteness(bool clamps_contacts) const;

  StepReport& report_;
  std::optional<dynamics::State> reached_;
  Vec rate_;
};

}  // namespace sinew::integrators
