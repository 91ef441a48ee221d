// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <sinew/integrators/parts/modal_part.hpp>
#include <sinew/la/phi/stumpff.hpp>

namespace sinew::integrators {
namespace {

// the most modes that are looked at and used where the spectrum decides
constexpr Index most_automatic = 20, fewest_automatic = 5;

/// How many modes are worth keeping: those slow enough to be seen at this step, up to the widest
/// gap in the spectrum, where the fewest modes tell the most.
Index choose_count(const Vec& lambda, Index num_rigid, double h) {
  const Index known = lambda.size() - num_rigid;
  if (known <= fewest_automatic) return known;
  constexpr double fastest = 4.0;  // (h omega)^2; faster motion is a blur
  Index visible = 0;
  while (visible < known - 1 && h * h * lambda[num_rigid + visible] <= fastest) ++visible;
  const Index most = std::clamp(visible, fewest_automatic, std::min(most_automatic, known - 1));
  Index best = fewest_automatic;
  double widest = 0.0;
  for (Index s = fewest_automatic; s <= most; ++s) {
    const double below = lambda[num_rigid + s - 1];
    const double gap = below > 0.0 ? lambda[num_rigid + s] / below : 0.0;
    if (gap > widest) {
      widest = gap;
      best = s;
    }
  }
  return best;
}

}  // namespace

std::vector<OptionInfo> with_modal_options(std::vector<OptionInfo> own) {
  const ModalSettings defaults;
  own.push_back({.name = "modes",
                 .summary = "number of lowest modes that are advanced exactly, beside the rigid "
                            "ones of a free body; auto: from the spectrum",
                 .default_value = static_cast<long>(defaults.count),
                 .choices = {"auto"}});
  own.push_back({.name = "guard_vectors",
                 .summary = "further modes that are followed, so that those used stay accurate",
                 .default_value = static_cast<long>(defaults.guards)});
  own.push_back({.name = "mode_iterations",
                 .summary = "block solves per step by which the modes are followed",
                 .default_value = static_cast<long>(defaults.iterations)});
  own.push_back({.name = "mode_tolerance",
                 .summary = "relative residual of the modes at the first step [-]",
                 .default_value = defaults.cold});
  return own;
}

ModalSettings modal_settings(const Options& options) {
  ModalSettings settings;
  settings.count = options.is_word("modes") ? -1 : options.integer("modes");
  settings.guards = options.integer("guard_vectors");
  settings.iterations = static_cast<int>(options.integer("mode_iterations"));
  settings.cold = options.number("mode_tolerance");
  return settings;
}

void ModalPart::prepare(const dynamics::DynamicalSystem& system) {
  const Index n = system.num_dofs();
  acceleration_.setZero(n);
  if (shapes_.cols() > 0 && shapes_.rows() != n) forget();
}

StepStatus ModalPart::update(StepContext& step, const LinearStage& stage,
                             la::LinearSolver& solver) {
  h_ = step.dt;
  take_restored();
  use_none();
  next_shapes_.resize(0, 0);
  next_count_ = count_ > 0 ? count_ : settings_.count;
  if (settings_.count == 0) return StepStatus::accepted;
  core::Profile& profile = step.report().profile;
  const core::Stopwatch watch;
  const double solving = profile.seconds.solve, assembling = profile.seconds.assemble;
  const la::Pencil pencil{stage.linearization().stiffness(), step.system().mass(),
                          step.system().mass_inverse()};
  const la::BlockSolve solve = [&](const MatIn& B, MatOut X) {
    return step.precondition(solver, B, X);
  };
  has_rotations_ = step.node_rotations(stage.at(), rotations_);
  rigid_ = step.rigid_modes(stage.at());
  la::Modes modes;
  la::ModesReport report;
  const Index all = step.reducer.count(step.system().num_dofs());
  const Index needed = std::min(next_count_, all - rigid_.cols());
  if (shapes_.cols() < std::max<Index>(1, needed) || settings_.always_cold) {
    la::ModesRequest request;
    request.count = next_count_ > 0 ? next_count_ : most_automatic + 1;
    request.guards = settings_.guards;
    request.shift = 1.0 / (stage.coefficient() * stage.coefficient());
    request.tolerance = settings_.cold;
    report = (*step.find_modes)(pencil, solve, rigid_, request, step.reducer, modes);
    // the residuals of those that were not found well enough keep them from being used
    if (report.status == la::SolveStatus::not_converged) report.status = la::SolveStatus::ok;
  } else {
    Mat shapes = shapes_;
    turn(step.reducer, shapes, false);
    report =
        la::follow_modes(pencil, solve, rigid_, shapes, settings_.iterations, step.reducer, modes);
  }
  profile.counts.matvecs += report.products;
  profile.counts.modes_iterations += report.blocks;
  if (report.status == la::SolveStatus::ok) {
    if (next_count_ < 0) next_count_ = choose_count(modes.lambda, rigid_.cols(), h_);
    keep(step, modes);
    select(step, modes);
    if (const la::LinearOperator* D = stage.linearization().damping()) project_damping(step, *D);
  }
  profile.seconds.modes +=
      watch.seconds() - (profile.seconds.solve - solving) - (profile.seconds.assemble - assembling);
  return status_of(report.status);
}

void ModalPart::take_restored() {
  const Index n = acceleration_.size();
  if (restored_.size() > 0 && n > 0 && restored_.size() % n == 0)
    shapes_ = restored_.reshaped(n, restored_.size() / n);
  restored_.resize(0);
}

void ModalPart::use_none() {
  const Index n = acceleration_.size();
  used_ = {.lambda = Vec(0),
           .U = Mat(n, 0),
           .MU = Mat(n, 0),
           .R = Mat(n, 0),
           .residual = Vec(0),
           .given_share = Vec(0)};
  d_.resize(0);
  damping_rest_.resize(n, 0);
}

void ModalPart::keep(const StepContext& step, const la::Modes& modes) {
  next_shapes_ = la::flexible_shapes(modes, rigid_.cols());
  next_shapes_.conservativeResize(Eigen::NoChange,
                                  std::min(next_shapes_.cols(), next_count_ + settings_.guards));
  turn(step.reducer, next_shapes_, true);
}

void ModalPart::select(StepContext& step, const la::Modes& modes) {
  const Index candidates = std::min(modes.size(), rigid_.cols() + next_count_);
  ModalReport report;
  std::vector<Index> good;
  good.reserve(static_cast<std::size_t>(candidates));
  const la::ModesRequest at_this_step{.shift = 1.0 / (h_ * h_)};
  for (Index k = 0; k < candidates; ++k) {
    const double residual = at_this_step.relative_residual(modes, k);
    if (!(residual <= settings_.gate)) continue;
    good.push_back(k);
    report.residual = std::max(report.residual, residual);
  }
  report.used = static_cast<int>(good.size());
  report.refused = static_cast<int>(candidates) - report.used;
  step.report().modes = report;
  used_.lambda = modes.lambda(good);
  used_.residual = modes.residual(good);
  used_.given_share = modes.given_share(good);
  used_.U = modes.U(Eigen::all, good);
  used_.MU = modes.MU(Eigen::all, good);
  used_.R = modes.R(Eigen::all, good);
  d_ = Vec::Zero(used_.size());
  damping_rest_.resize(used_.U.rows(), 0);
}

void ModalPart::project_damping(StepContext& step, const la::LinearOperator& D) {
  damping_rest_.resize(used_.U.rows(), used_.size());
  D.apply_columns(used_.U, damping_rest_);
  step.report().profile.counts.matvecs += used_.size();
  d_ = step.reducer.column_dots(used_.U, damping_rest_);
  damping_rest_ -= used_.MU * d_.asDiagonal();
}

void ModalPart::load(StepContext& step, const dynamics::State& now, const Vec& f,
                     const Vec& h_rate) {
  const auto project = [&](const Mat& on, const Vec& x) -> Vec {
    return step.reducer.gram(on, x).col(0);
  };
  a_ = project(used_.MU, now.v);
  b_ = project(used_.U, f);
  rate_ = project(used_.U, h_rate);
  if (damping_rest_.cols() > 0) step.divide_by_mass(f, acceleration_);
  couple(step, now.v, acceleration_);
}

void ModalPart::couple(StepContext& step, const Vec& velocity, const Vec& acceleration) {
  pull_ = -step.reducer.gram(used_.R, velocity).col(0);
  if (damping_rest_.cols() > 0) pull_ -= step.reducer.gram(damping_rest_, acceleration).col(0);
}

Mat ModalPart::exact_increment(double c, bool coupled) const {
  Mat increment(used_.size(), 2);
  const double h = c * h_;
  for (Index k = 0; k < used_.size(); ++k) {
    const auto phi = la::oscillator_phi(h, used_.lambda[k], d_[k]);
    const double second = c * rate_[k] + (coupled ? h * pull_[k] : 0.0);
    const Eigen::Vector2d motion =
        h * (phi[1] * Eigen::Vector2d(a_[k], b_[k]) + phi[2] * Eigen::Vector2d(0.0, second));
    increment(k, 0) = motion[0];
    increment(k, 1) = motion[1];
  }
  return increment;
}

Mat ModalPart::implicit_increment() const {
  Mat increment(used_.size(), 2);
  for (Index k = 0; k < used_.size(); ++k) {
    const double x = h_ * h_ * used_.lambda[k];
    const double dv = (h_ * (b_[k] + rate_[k]) - x * a_[k]) / (1.0 + h_ * d_[k] + x);
    increment(k, 0) = h_ * (a_[k] + dv);
    increment(k, 1) = dv;
  }
  return increment;
}

void ModalPart::add(const Mat& increment, dynamics::State& next) const {
  if (used_.size() == 0) return;
  next.q += used_.U * increment.col(0);
  next.v += used_.U * increment.col(1);
}

void ModalPart::replace(StepContext& step, const Mat& increment, const dynamics::State& now,
                        dynamics::State& next) {
  if (used_.size() == 0) return;
  Mat missing = increment;
  missing.col(0) -= coordinates(step, next.q - now.q);
  missing.col(1) -= coordinates(step, next.v - now.v);
  add(missing, next);
}

Vec ModalPart::coordinates(StepContext& step, const Vec& x) const {
  return step.reducer.gram(used_.MU, x).col(0);
}

void ModalPart::turn(const la::Reducer& reducer, Mat& shapes, bool back) const {
  if (!has_rotations_) return;
  const auto turning = 3 * static_cast<Index>(rotations_.size());  // of what is made of nodes
  reducer.for_each_piece(turning, [&](Index begin, Index size) {
    for (Index row = begin; row < begin + size; row += 3) {
      const Mat3& own = rotations_[static_cast<std::size_t>(row / 3)];
      const Mat3 rotation = back ? Mat3(own.transpose()) : own;
      for (Index c = 0; c < shapes.cols(); ++c)
        shapes.col(c).segment<3>(row) = (rotation * shapes.col(c).segment<3>(row)).eval();
    }
  });
}

void ModalPart::commit() {
  count_ = next_count_;
  if (next_shapes_.cols() > 0) std::swap(shapes_, next_shapes_);
}

void ModalPart::save(Memory& memory) const {
  if (shapes_.cols() == 0 && restored_.size() == 0) return;
  memory["mode_shapes"] = restored_.size() > 0 ? restored_ : Vec(shapes_.reshaped());
  memory["mode_count"] = Vec::Constant(1, static_cast<double>(count_));
}

void ModalPart::restore(const Memory& memory) {
  if (!memory.contains("mode_shapes")) return;
  restored_ = memory.at("mode_shapes");
  count_ = static_cast<Index>(memory.at("mode_count")[0]);
}

void ModalPart::forget() {
  shapes_.resize(0, 0);
  next_shapes_.resize(0, 0);
  restored_.resize(0);
  count_ = -1;
}

}  // namespace sinew::integrators
