// SPDX-License-Identifier: Apache-2.0
// Slow motion by ere, fast motion by si, and a smooth passage between. On an oscillator with
// x = (h omega)^2,
//   u1 = u0 + w(x) (increment of ere) + (1 - w(x)) (increment of si),   w = 1/(1 + (x/x_c)^p):
// a convex combination of what keeps the energy and what lowers it. As a function of the tangent
// it has a limit for stiff motion, so a small space tells all of it: with dv the velocity change of
// si,
//   u1 = u_si + w(h^2 A) (ere - si),   from the space of v, dv, Z v, Z dv, ...,  Z = S^-1 M,
// by Rayleigh and Ritz. It grows by residuals divided by S: the same space for the factor of S,
// and one that leads to the present tangent for an older factor. No modes, and a number of solves
// that does not depend on the stiffness. Of second order while x_c is a number; with x_c = h^2
// lambda_c of some mode w does not depend on h, and what lies above stays of first order.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <sinew/integrators/implicit/si.hpp>
#include <sinew/integrators/methods.hpp>
#include <sinew/la/dense/decompositions.hpp>
#include <sinew/la/eigen/modes.hpp>
#include <sinew/la/phi/stumpff.hpp>

namespace sinew::integrators {
namespace {

struct BlendSettings {
  double cutoff = -1.0;     ///< x_c; negative: from a mode of the rest shape
  Index cutoff_mode = 10;   ///< that one
  double sharpness = 8.0;   ///< p
  double tolerance = 3e-4;  ///< errors after 20 steps are then a quarter of those of the steps
};

// a cut-off from the spectrum never damps motion slower than this, and one without a spectrum
// begins at h omega = 2
constexpr double least_cutoff = 0.06, plain_cutoff = 4.0;

constexpr int most_blocks = 60;

/// V^T D V of a basis that has grown since it was known last; stays empty without damping.
void project_damping(StepContext& step, const la::LinearOperator* D, const MatIn& basis,
                     Mat& projected) {
  if (D == nullptr) return;
  const Index old = projected.rows(), fresh = basis.cols() - old;
  Mat DV(basis.rows(), fresh);
  for (Index k = 0; k < fresh; ++k) step.apply(*D, basis.col(old + k), DV.col(k));
  projected.conservativeResize(basis.cols(), basis.cols());
  projected.rightCols(fresh) = step.reducer.gram(basis, DV);
  projected.bottomRows(fresh) = projected.rightCols(fresh).transpose().eval();
}

/// Those rigid motions that are eigenvectors, exactly: translations, and at rest rotations too. The
/// others would be strangers in the space: nothing in it tells what K makes of them.
Mat without_force(StepContext& step, const la::LinearOperator& K, const Mat& rigid) {
  if (rigid.cols() == 0) return rigid;
  Vec rough = rigid.rowwise().norm();
  for (Index i = 0; i < rough.size(); i += 2) rough[i] = -rough[i];
  Vec force(rough.size());
  step.apply(K, rough, force);
  const double size = step.reducer.norm(force) / step.reducer.norm(rough);
  std::vector<Index> chosen;
  for (Index c = 0; c < rigid.cols(); ++c) {
    constexpr double rounding = 1e-12;
    step.apply(K, rigid.col(c), force);
    if (step.reducer.norm(force) <= rounding * size * step.reducer.norm(rigid.col(c)))
      chosen.push_back(c);
  }
  return rigid(Eigen::all, chosen);
}

/// Combinations of the columns without those that the others nearly are: no solves for nothing.
Mat independent(const la::Reducer& reducer, Mat B) {
  if (B.cols() == 0) return B;
  const Vec sizes = reducer.column_dots(B, B).cwiseSqrt();
  for (Index c = 0; c < B.cols(); ++c)
    if (sizes[c] > 0.0) B.col(c) /= sizes[c];
  const la::SymmetricEigen eigen = la::symmetric_eigen(reducer.gram(B, B));
  constexpr double nearly = 1e-8;  // squared
  return reducer.product(B, eigen.vectors.rightCols((eigen.values.array() > nearly).count()));
}

class Blend final : public Integrator {
 public:
  Blend(const BlendSettings& settings, const Services& services)
      : Integrator(services), settings_(settings), solver_(add_solver()), si_(solver_, false) {}

 private:
  void prepare(const dynamics::DynamicalSystem& system) override {
    si_.prepare(system);
    rest_.prepare(system);
    f_.setZero(system.num_dofs());
  }

  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    lambda_ = cutoff_lambda_;
    if (settings_.cutoff < 0.0 && lambda_ < 0.0) lambda_ = find_cutoff(step, now);
    const dynamics::Linearization* linearization = nullptr;
    const StepStatus status = si_.run(step, now, next, [&](const StageView& view) {
      linearization = &view.stage.linearization();
      f_ = view.f;
      h_rate_ = view.h_rate;
      if (!step.system().traits().depends_on_time) return StepStatus::accepted;
      // what the change of the force does to the velocity: slow motion that v and dv need not hold
      rate_dv_.setZero(f_.size());
      return status_of(step.solve(solver_, step.dt * h_rate_, rate_dv_));
    });
    if (status != StepStatus::accepted) return status;
    core::Seconds& seconds = step.report().profile.seconds;
    const core::Stopwatch watch;
    const double solving = seconds.solve;
    const StepStatus corrected = correct(step, *linearization, now, next);
    seconds.phi += watch.seconds() - (seconds.solve - solving);
    return corrected;
  }

  /// next += w(h^2 A) (ere - si), in a space that grows until nothing changes any more.
  StepStatus correct(StepContext& step, const dynamics::Linearization& linearization,
                     const dynamics::State& now_state, dynamics::State& next) {
    const dynamics::DynamicalSystem& system = step.system();
    const la::LinearOperator& M = system.mass();
    const Vec& v = now_state.v;
    Mat start(v.size(), 2), M_start(v.size(), 2);
    start << v, next.v - v;
    M.apply_columns(start, M_start);
    la::RitzSpace space({linearization.stiffness(), M, system.mass_inverse()}, step.reducer);
    // with translations in the space momentum does not depend on when it stops growing
    space.append(without_force(step, linearization.stiffness(), step.rigid_modes(now_state)));
    const double scale = speed_within(step, space, start, M_start);
    if (!std::isfinite(scale)) return StepStatus::not_finite;
    if (scale == 0.0) return StepStatus::accepted;
    const Index num_rigid = space.size();
    take_restored();
    const bool is_warm = space.append(slow_) > 0;
    const Index given = space.size();
    space.append(start);
    if (system.traits().depends_on_time) space.append(rate_dv_);
    // A space that knows slow motion already changes little although what is new in the start
    // vectors is not resolved yet: once is then no evidence.
    const int enough = is_warm ? 2 : 1;
    int small_changes = 0;
    Mat damping(0, 0);
    Mat last(0, 2);
    la::PhiReport report{.status = la::PhiStatus::not_converged,
                         .kernel = la::PhiKernel::shift_invert};
    for (int blocks = 0;; ++blocks) {
      const Index known = last.rows();
      project_damping(step, linearization.damping(), space.basis(), damping);
      const Mat now = corrections(step, space, M_start, damping);
      if (!now.allFinite()) return StepStatus::not_finite;
      Mat change = now;
      change.topRows(known) -= last;
      report.error_estimate =
          std::max(change.col(0).norm() / (step.dt * scale), change.col(1).norm() / scale);
      last = now;
      small_changes =
          blocks > 0 && report.error_estimate <= settings_.tolerance ? small_changes + 1 : 0;
      if (small_changes == enough) report.status = la::PhiStatus::ok;
      if (report.status == la::PhiStatus::ok || blocks == most_blocks) break;
      // At first what the start vectors lack to be invariant, then what the correction lacks. With
      // the factor of this very matrix that is S^-1 M times the newest vectors, up to the space;
      // with an older one it still leads to the present tangent.
      Mat wanted(now.rows(), 2);
      wanted << now.col(0) / step.dt, now.col(1);
      const Mat B =
          independent(step.reducer, blocks == 0 ? space.residual_of_last(space.size() - given)
                                                : space.residual_of(wanted));
      Mat X = B;
      if (B.cols() > 0) {
        const StepStatus status = status_of(step.precondition(solver_, B, X));
        if (status != StepStatus::accepted) return status;
      }
      // an invariant space tells everything; slow motion alone need not be one
      if (space.append(std::move(X)) == 0 && (blocks > 0 || !is_warm))
        report.status = la::PhiStatus::ok;
      if (report.status == la::PhiStatus::ok) break;
    }
    report.products = space.products();
    report.dimension = static_cast<int>(space.size());
    keep_slow(step, space, num_rigid);
    const Mat added = step.reducer.product(space.basis(), last);
    next.q += added.col(0);
    next.v += added.col(1);
    return step.take(report);
  }

  /// What moves slowly now will do so in the next step. To a finer tolerance most of the work is
  /// beyond that.
  void keep_slow(StepContext& step, const la::RitzSpace& space, Index num_rigid) {
    constexpr double worth_keeping = 1e-5;
    if (settings_.tolerance < worth_keeping) return;
    constexpr Index most_kept = 16;
    constexpr double least_weight = 1e-3;
    const la::RitzSpace::Pairs pairs = space.pairs();
    const double cutoff = cutoff_at(step.dt);
    std::vector<Index> kept;
    for (Index k = 0; k < pairs.lambda.size() && std::ssize(kept) < most_kept; ++k) {
      // translations are in every space
      const bool is_rigid = pairs.C.col(k).head(num_rigid).squaredNorm() > 0.5;
      if (!is_rigid && weight(step.dt * step.dt * pairs.lambda[k], cutoff) > least_weight)
        kept.push_back(k);
    }
    next_slow_ = step.reducer.product(space.basis(), pairs.C(Eigen::all, kept));
  }

  void take_restored() {
    const Index n = f_.size();
    if (restored_.size() > 0 && n > 0 && restored_.size() % n == 0)
      slow_ = restored_.reshaped(n, restored_.size() / n);
    restored_.resize(0);
    if (slow_.rows() != n) slow_.resize(n, 0);
  }

  /// The size of the velocities beyond what is in the space: how fast a body flies says nothing
  /// about how exactly its vibration is wanted.
  static double speed_within(StepContext& step, const la::RitzSpace& space, const Mat& start,
                             const Mat& M_start) {
    const Mat rigid = step.reducer.gram(space.basis(), M_start);
    double scale = 0.0;
    for (Index c = 0; c < start.cols(); ++c) {
      const double all = step.reducer.dot(start.col(c), M_start.col(c));
      // of a rigid motion nothing is left but rounding, which no space resolves
      constexpr double resolution = 1e-4;
      scale += std::sqrt(std::max(all - rigid.col(c).squaredNorm(), resolution * resolution * all));
    }
    return scale;
  }

  /// Coefficients in the basis of what to add to q and v.
  Mat corrections(StepContext& step, const la::RitzSpace& space, const Mat& M_start,
                  const Mat& damping) const {
    const double h = step.dt, cutoff = cutoff_at(h);
    const la::RitzSpace::Pairs pairs = space.pairs();
    const auto in_pairs = [&](const Mat& x) -> Mat {
      return pairs.C.transpose() * step.reducer.gram(space.basis(), x);
    };
    const Mat start = in_pairs(M_start), force = in_pairs(f_), rate = in_pairs(h_rate_);
    const Index m = pairs.lambda.size();
    Vec d = Vec::Zero(m), pull = Vec::Zero(m);
    if (damping.size() > 0) {
      // what couples the pairs acts with the acceleration of si, which lies in the space
      const Mat D = pairs.C.transpose() * damping * pairs.C;
      d = D.diagonal();
      pull = (d.cwiseProduct(start.col(1)) - D * start.col(1)) / h;
    }
    Mat result(m, 2);
    for (Index k = 0; k < m; ++k) {
      const double v = start(k, 0), dv = start(k, 1);
      const auto phi = la::oscillator_phi(h, pairs.lambda[k], d[k]);
      const Eigen::Vector2d ere = h * (phi[1] * Eigen::Vector2d(v, force(k, 0)) +
                                       phi[2] * Eigen::Vector2d(0.0, rate(k, 0) + h * pull[k]));
      const double w = weight(h * h * pairs.lambda[k], cutoff);
      result(k, 0) = w * (ere[0] - h * (v + dv));
      result(k, 1) = w * (ere[1] - dv);
    }
    return pairs.C * result;
  }

  double cutoff_at(double h) const {
    if (settings_.cutoff >= 0.0) return settings_.cutoff;
    return lambda_ == 0.0 ? plain_cutoff : std::max(h * h * lambda_, least_cutoff);
  }

  double weight(double x, double cutoff) const {
    if (x <= 0.0) return 1.0;
    if (cutoff == 0.0) return 0.0;
    return 1.0 / (1.0 + std::pow(x / cutoff, settings_.sharpness));
  }

  /// The eigenvalue at which the passage lies: of one mode of the rest shape; 0 if there is none.
  double find_cutoff(StepContext& step, const dynamics::State& now) {
    dynamics::State rest = now;
    const dynamics::DynamicalSystem& system = step.system();
    if (!step.rest_positions(rest.q)) return 0.0;
    rest.v.setZero();
    const Mat rigid = step.rigid_modes(rest);
    const Index wanted = rigid.cols() + settings_.cutoff_mode;
    if (wanted > step.reducer.count(system.num_dofs())) return 0.0;
    rest_.linearize(step, rest, f_);
    if (rest_.factorize(step, solver_, step.dt) != StepStatus::accepted) return 0.0;
    la::Modes modes;
    const la::ModesReport report = la::find_modes(
        {rest_.linearization().stiffness(), system.mass(), system.mass_inverse()},
        [&](const MatIn& B, MatOut X) { return step.precondition(solver_, B, X); }, rigid,
        {.count = settings_.cutoff_mode, .shift = 1.0 / (step.dt * step.dt), .tolerance = 1e-3},
        step.reducer, modes);
    return report.status == la::SolveStatus::ok ? std::max(0.0, modes.lambda[wanted - 1]) : 0.0;
  }

  void commit(const dynamics::State&, const dynamics::State&) override {
    cutoff_lambda_ = lambda_;
    if (next_slow_.cols() > 0) std::swap(slow_, next_slow_);
    next_slow_.resize(0, 0);
  }
  void save_history(Memory& memory) const override {
    if (cutoff_lambda_ >= 0.0) memory["cutoff"] = Vec::Constant(1, cutoff_lambda_);
    if (restored_.size() > 0)
      memory["slow"] = restored_;
    else if (slow_.cols() > 0)
      memory["slow"] = slow_.reshaped();
  }
  void restore_history(const Memory& memory) override {
    if (memory.contains("cutoff")) cutoff_lambda_ = memory.at("cutoff")[0];
    if (memory.contains("slow")) restored_ = memory.at("slow");
  }
  void forget_history() override {
    cutoff_lambda_ = -1.0;
    slow_.resize(0, 0);
    next_slow_.resize(0, 0);
    restored_.resize(0);
  }

  BlendSettings settings_;
  la::LinearSolver& solver_;
  SiStep si_;
  LinearStage rest_;
  double cutoff_lambda_ = -1.0;  ///< negative: not known yet; 0: there is no such mode
  double lambda_ = -1.0;         ///< the same, in the present step
  Mat slow_, next_slow_;         ///< shapes of the last step, and of this one until it counts
  Vec restored_;
  Vec f_, h_rate_, rate_dv_;
};

}  // namespace

IntegratorEntry blend() {
  const BlendSettings defaults;
  return {
      .traits = {.name = "blend",
                 .title = "blended exponential-implicit Euler",
                 .equation = "u1 = u_si + w(h^2 A) (u_ere - u_si);  w(x) = 1/(1 + (x/x_c)^p)",
                 .order = 2,
                 .is_implicit = true,
                 .is_exponential = true,
                 .l_stable = true,
                 .keeps_linear_momentum = true,
                 .guarded = true,
                 .finest_tolerance = 1e-7,
                 .cost = "1 force, 1 tangent, 1 factorisation, 10 to 20 solves",
                 .reference = "chen2020"},
      .options = {{.name = "cutoff",
                   .summary = "x_c = (h omega)^2 where half of the motion is ere's; auto: that of "
                              "cutoff_mode at rest, but at least 0.06",
                   .default_value = plain_cutoff,
                   .choices = {"auto"},
                   .word_by_default = true},
                  {.name = "cutoff_mode",
                   .summary = "the mode of the rest shape that sets an automatic cut-off, counted "
                              "from 1 without the rigid ones",
                   .default_value = static_cast<long>(defaults.cutoff_mode),
                   .minimum = 1},
                  {.name = "sharpness",
                   .summary = "p: how sharp the passage is [-]",
                   .default_value = defaults.sharpness,
                   .minimum = 1.0},
                  {.name = "tolerance",
                   .summary = "of the velocities, relative to their size [-]",
                   .default_value = defaults.tolerance}},
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        BlendSettings settings;
        if (!options.is_word("cutoff")) settings.cutoff = options.number("cutoff");
        settings.cutoff_mode = options.integer("cutoff_mode");
        settings.sharpness = options.number("sharpness");
        settings.tolerance = options.number("tolerance");
        return std::make_unique<Blend>(settings, services);
      }};
}

}  // namespace sinew::integrators
