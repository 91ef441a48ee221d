// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include <sinew/core/error.hpp>
#include <sinew/la/dense/cholesky.hpp>
#include <sinew/la/dense/decompositions.hpp>
#include <sinew/la/phi/arnoldi.hpp>
#include <sinew/la/phi/faber.hpp>
#include <sinew/la/phi/oscillator_flow.hpp>
#include <sinew/la/phi/shift_invert.hpp>
#include <sinew/la/phi/square_root.hpp>
#include <sinew/la/phi/stumpff.hpp>
#include <sinew/la/symmetric_matrix.hpp>

namespace sinew::la {
namespace {

/// Zero also for what is not a number.
double mass_norm_or_zero(const Pencil& pencil, const VecIn& x, Vec& product,
                         const Reducer& reducer) {
  pencil.M.apply(x, product);
  const double square = reducer.dot(x, product);
  return std::sqrt(square > 0.0 ? square : 0.0);
}

/// y = D x.
void apply_damping(const Pencil& pencil, const FlowDamping& damping, const VecIn& x, VecOut y) {
  if (damping.general != nullptr) {
    damping.general->apply(x, y);
    return;
  }
  pencil.K.apply(x, y);
  y *= damping.stiffness;
  Vec Mx(x.size());
  pencil.M.apply(x, Mx);
  y += damping.mass * Mx;
}

/// h J on (q, v). Its inner product is the energy with K + sigma M for K, in which J is skew but
/// for damping and sigma: with sigma = 1/h^2 that costs a growth of at most e^(1/2), and motions
/// without stiffness have a norm.
class OscillatorMap final : public GeneralMap {
 public:
  /// `low`: no eigenvalue of the pencil is lower.
  OscillatorMap(const Pencil& pencil, const FlowDamping& damping, double h, double sigma,
                double low, const Reducer& reducer)
      : pencil_(pencil),
        damping_(damping),
        reducer_(reducer),
        h_(h),
        sigma_(sigma),
        growth_(0.5 * h * sigma / std::sqrt(sigma + std::min(0.0, low))),
        n_(pencil.K.size()) {
    for (Vec* vector : {&Kq_, &Mq_, &Dv_}) vector->setZero(n_);
  }

  Index size() const override { return 2 * n_; }
  void apply(const VecIn& x, VecOut Ax, VecOut Gx) const override {
    const auto q = x.head(n_), v = x.tail(n_);
    pencil_.K.apply(q, Kq_);
    pencil_.M.apply(q, Mq_);
    pencil_.M.apply(v, Gx.tail(n_));
    Gx.head(n_) = Kq_ + sigma_ * Mq_;
    Ax.head(n_) = h_ * v;
    apply_damping(pencil_, damping_, v, Dv_);
    Kq_ += Dv_;
    pencil_.M_inverse.apply(Kq_, Ax.tail(n_));
    Ax.tail(n_) *= -h_;
  }
  void weigh(const VecIn& x, VecOut Gx) const override {
    pencil_.K.apply(x.head(n_), Gx.head(n_));
    pencil_.M.apply(x.head(n_), Mq_);
    Gx.head(n_) += sigma_ * Mq_;
    pencil_.M.apply(x.tail(n_), Gx.tail(n_));
  }
  double growth() const override { return growth_; }
  /// Both halves are to be right, the smaller one too unless it is tiny.
  double scale_of(const VecIn& y) const override {
    const double q = mass_norm_or_zero(pencil_, y.head(n_), Mq_, reducer_) / h_,
                 v = mass_norm_or_zero(pencil_, y.tail(n_), Mq_, reducer_);
    return std::max(std::min(q, v), 1e-3 * std::max(q, v));
  }

 private:
  const Pencil& pencil_;
  const FlowDamping& damping_;
  const Reducer& reducer_;
  double h_, sigma_, growth_;
  Index n_;
  mutable Vec Kq_, Mq_, Dv_;
};

/// (I - c J)^-1 on (q, v): (M + c D + c^2 K) v' = M v - c K q, q' = q + c v'.
class ShiftedOscillator final : public ShiftedInverse {
 public:
  ShiftedOscillator(const Pencil& pencil, ShiftedSolver& solver, double c)
      : pencil_(pencil), solver_(solver), c_(c), n_(pencil.K.size()), Kq_(n_), b_(n_), v_(n_) {}
  bool apply(const VecIn& x, VecOut y) const override {
    pencil_.K.apply(x.head(n_), Kq_);
    pencil_.M.apply(x.tail(n_), b_);
    b_ -= c_ * Kq_;
    v_.setZero();
    if (solver_.solve(b_, v_) != SolveStatus::ok) return false;
    y.tail(n_) = v_;
    y.head(n_) = x.head(n_) + c_ * v_;
    return true;
  }

 private:
  const Pencil& pencil_;
  ShiftedSolver& solver_;
  double c_;
  Index n_;
  mutable Vec Kq_, b_, v_;
};

/// h [[0, W], [-W, 0]] on (W y, y') with y = L^T q, M = L L^T, W^2 = L^-1 K L^-T: the form in which
/// the exponential Rosenbrock methods were first applied to particles.
class SkewMap final : public GeneralMap {
 public:
  SkewMap(const Mat& W, double h, const Reducer& reducer) : W_(W), h_(h), reducer_(reducer) {}
  Index size() const override { return 2 * W_.rows(); }
  void apply(const VecIn& x, VecOut Ax, VecOut Gx) const override {
    const Index n = W_.rows();
    Ax.head(n).noalias() = h_ * (W_ * x.tail(n));
    Ax.tail(n).noalias() = -h_ * (W_ * x.head(n));
    Gx = x;
  }
  void weigh(const VecIn& x, VecOut Gx) const override { Gx = x; }
  double growth() const override { return 0.0; }
  double scale_of(const VecIn& y) const override { return reducer_.norm(y); }

 private:
  const Mat& W_;
  double h_;
  const Reducer& reducer_;
};

/// One column per k from 1 to the largest, (q, v) on top of each other.
Mat stacked(std::span<const PhiTerm> terms, Index n) {
  Mat B = Mat::Zero(2 * n, terms.empty() ? 0 : terms.back().k);
  for (const PhiTerm& term : terms) {
    if (term.q != nullptr) B.col(term.k - 1).head(n) = *term.q;
    if (term.v != nullptr) B.col(term.k - 1).tail(n) = *term.v;
  }
  return B;
}

/// The largest entry-wise eigenvalue of M^-1 (K - D/ratio) over single blocks: how fast a node
/// alone can vibrate, but for what damping of this ratio to stiffness ends. Infinite where there
/// are no entries to see.
double largest_undamped(const Pencil& pencil, const LinearOperator& damping, double ratio) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  const SymmetricMatrix *K = pencil.K.assembled(), *D = damping.assembled(),
                        *M = pencil.M.assembled();
  const Vec* mass = pencil.M.diagonal_only();
  if (K == nullptr || D == nullptr || (M == nullptr && mass == nullptr)) return unknown;
  const int bs = K->pattern().block_size();
  if (D->pattern().block_size() != bs || D->size() != K->size()) return unknown;
  const auto diagonal = [bs](const SymmetricMatrix& A, int node) {
    return Mat(Eigen::Map<const Mat>(A.block(A.pattern().row_begin(node)), bs, bs)
                   .selfadjointView<Eigen::Upper>());
  };
  double largest = 0.0;
  for (int node = 0; node < K->pattern().num_blocks(); ++node) {
    const Vec undamped = symmetric_eigenvalues(diagonal(*K, node) - diagonal(*D, node) / ratio);
    const double m = mass != nullptr ? (*mass)[static_cast<Index>(node) * bs]
                                     : symmetric_eigenvalues(diagonal(*M, node)).minCoeff();
    largest = std::max(largest, undamped.maxCoeff() / m);
  }
  return largest;
}

/// One flow by the kernels of the first-order system.
class FirstOrderFlow {
 public:
  FirstOrderFlow(PhiEvaluator& evaluator, const FlowDamping& damping, double h,
                 std::span<const PhiTerm> terms, std::span<const double> times)
      : evaluator_(evaluator),
        pencil_(evaluator.pencil()),
        damping_(damping),
        kernel_(evaluator.settings().kernel),
        tolerance_(evaluator.settings().tolerance),
        h_(h),
        times_(times),
        B_(stacked(terms, pencil_.K.size())),
        Y_(B_.rows(), static_cast<Index>(times.size())) {}

  PhiReport run() {
    const double low = std::min(0.0, evaluator_.bounds().low);
    double sigma = 1.0 / (h_ * h_) - 2.0 * low;
    PhiReport report;
    for (int attempt = 0; attempt < 12; ++attempt) {
      const OscillatorMap map(pencil_, damping_, h_, sigma, low, evaluator_.reducer());
      report = by_kernel(map, sigma);
      spend(report);
      if (report.status != PhiStatus::not_positive_definite) break;
      sigma *= 8.0;  // negative eigenvalues that the estimate of the spectrum missed
    }
    report.products = spent_.products + evaluator_.take_unreported_products();
    report.solves = spent_.solves;
    report.factorizations = spent_.factorizations;
    return report;
  }

  const Mat& result() const { return Y_; }

 private:
  PhiReport by_kernel(const OscillatorMap& map, double sigma) {
    if (kernel_ == PhiKernel::arnoldi || kernel_ == PhiKernel::skew) return by_spaces(map);
    if (kernel_ == PhiKernel::shift_invert)
      return by_solves(map, ends_fast_motion(field_of_values(map, sigma, 1.0)));
    PhiReport report = by_series(map, sigma);
    if (report.status != PhiStatus::not_converged || kernel_ == PhiKernel::faber) return report;
    spend(report);
    return by_spaces(map);
  }

  PhiReport by_spaces(const OscillatorMap& map) {
    return phi_arnoldi(map, B_, times_, Y_, {.tolerance = tolerance_}, evaluator_.reducer());
  }

  /// By Faber polynomials, or by solves where they should be cheaper.
  PhiReport by_series(const OscillatorMap& map, double sigma) {
    constexpr double long_series = 150.0;  // products; a factorisation and some tens of solves
    constexpr double tall = 4.0;  // an ellipse that holds far more than the field of values
    const bool may_choose = kernel_ != PhiKernel::faber;
    bool may_solve = may_choose && damping_.shifted != nullptr;
    double wider = 1.0, accuracy = tolerance_;
    for (int attempt = 0; attempt < 8; ++attempt) {
      const FieldOfValues field = field_of_values(map, sigma, wider);
      const FaberPlan plan = plan_faber(field, accuracy);
      if (may_solve && plan.degree > long_series && ends_fast_motion(field)) {
        const PhiReport report = by_solves(map, true);
        if (report.status != PhiStatus::not_converged) return report;
        spend(report);
        may_solve = false;
      }
      if (plan.degree > evaluator_.settings().max_degree) break;
      if (may_choose && plan.degree > long_series && plan.ellipse.imaginary > tall * field.height)
        break;
      const PhiReport report =
          phi_faber(map, plan.ellipse, B_, times_, Y_,
                    {.tolerance = tolerance_, .max_degree = evaluator_.settings().max_degree},
                    evaluator_.reducer());
      // tolerances below this are wishes
      const double enough = std::max(5.0 * tolerance_, 1e-10);
      const bool is_rounded = report.status == PhiStatus::ok && report.error_estimate > enough;
      if (!is_rounded && report.status != PhiStatus::not_converged) return report;
      spend(report);
      if (is_rounded)
        accuracy *= 0.1 * tolerance_ / report.error_estimate;  // a series that cancels less
      else
        wider *= 1.5;  // the field was estimated too small
    }
    return {.status = PhiStatus::not_converged, .kernel = PhiKernel::faber};
  }

  /// Whether damping ends all motion within the step that some tens of solves cannot resolve: on
  /// the whole, and at every node. What is fast and not damped would be missed without a sign of
  /// it.
  bool ends_fast_motion(const FieldOfValues& field) const {
    constexpr double enough = 0.015, share = 0.2, resolved = 20.0;
    const double height = field.height * field.height, ratio = -field.left / height;
    if (ratio < enough) return false;
    if (damping_.general == nullptr) return true;
    const double undamped = evaluator_.reducer().largest(
        largest_undamped(pencil_, *damping_.general, share * ratio * h_));
    return h_ * h_ * undamped < resolved * resolved;
  }

  PhiReport by_solves(const OscillatorMap& map, bool fast_motion_ends) {
    const ShiftInvertSettings settings{.tolerance = tolerance_,
                                       .fast_motion_ends = fast_motion_ends};
    const double c = settings.gamma * h_;
    if (damping_.shifted == nullptr || damping_.shifted->factorize(c) != SolveStatus::ok)
      return {.status = PhiStatus::not_converged, .kernel = PhiKernel::shift_invert};
    const ShiftedOscillator inverse(pencil_, *damping_.shifted, c);
    PhiReport report =
        phi_shift_invert(map, inverse, B_, times_, Y_, settings, evaluator_.reducer());
    report.factorizations = 1;
    return report;
  }

  /// Real parts from damping, imaginary ones from K, and what sigma adds to them.
  FieldOfValues field_of_values(const OscillatorMap& map, double sigma, double wider) {
    if (!largest_D_) largest_D_ = largest_damping();
    return {.left = -wider * h_ * *largest_D_ - map.growth(),
            .right = map.growth(),
            .height = h_ * std::sqrt(wider * std::max(0.0, evaluator_.bounds().high) + sigma)};
  }

  /// Of M^-1 D.
  double largest_damping() {
    if (damping_.general == nullptr)
      return damping_.mass + damping_.stiffness * std::max(0.0, evaluator_.bounds().high);
    const Pencil damped{*damping_.general, pencil_.M, pencil_.M_inverse};
    const SpectralBounds bounds = estimate_spectrum(damped, evaluator_.reducer());
    spent_.products += bounds.products;
    return bounds.high;
  }

  /// What it cost goes into the sum.
  void spend(const PhiReport& report) {
    spent_.products += report.products;
    spent_.solves += report.solves;
    spent_.factorizations += report.factorizations;
  }

  PhiEvaluator& evaluator_;
  const Pencil& pencil_;
  const FlowDamping& damping_;
  PhiKernel kernel_;
  double tolerance_, h_;
  std::span<const double> times_;
  Mat B_, Y_;
  std::optional<double> largest_D_;
  PhiReport spent_;
};

PhiReport flow_by_first_order(PhiEvaluator& evaluator, const FlowDamping& damping, double h,
                              std::span<const PhiTerm> terms, std::span<const double> times,
                              std::span<Phase> out) {
  FirstOrderFlow flow(evaluator, damping, h, terms, times);
  const PhiReport report = flow.run();
  const Index n = evaluator.pencil().K.size();
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].q = flow.result().col(static_cast<Index>(i)).head(n);
    out[i].v = flow.result().col(static_cast<Index>(i)).tail(n);
  }
  return report;
}

PhiReport flow_by_skew_form(PhiEvaluator& evaluator, double h, std::span<const PhiTerm> terms,
                            std::span<const double> times, std::span<Phase> out) {
  const Index n = evaluator.pencil().K.size();
  SINEW_ASSERT(n <= max_dense_size, "this system is too large for the skew form");
  SINEW_ASSERT(evaluator.reducer().num_processes() == 1, "the skew form needs all of the system");
  const DenseCholesky mass(dense_matrix(evaluator.pencil().M));
  const Mat half = mass.solve_lower(dense_matrix(evaluator.pencil().K));
  const std::optional<Mat> W = matrix_square_root(mass.solve_lower(half.transpose()));
  if (!W) return {.status = PhiStatus::not_positive_definite, .kernel = PhiKernel::skew};
  const DenseCholesky root(*W);

  Mat B = stacked(terms, n);
  B.topRows(n) = *W * mass.multiply_upper(B.topRows(n));
  B.bottomRows(n) = mass.multiply_upper(B.bottomRows(n));
  const SkewMap map(*W, h, evaluator.reducer());
  Mat Y(2 * n, static_cast<Index>(times.size()));
  PhiReport report = phi_arnoldi(map, B, times, Y, {.tolerance = evaluator.settings().tolerance},
                                 evaluator.reducer());
  report.kernel = PhiKernel::skew;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto y = Y.col(static_cast<Index>(i));
    out[i].q = mass.solve_upper(root.solve(Vec(y.head(n))));
    out[i].v = mass.solve_upper(y.tail(n));
  }
  return report;
}

PhiReport flow_by_functions(PhiEvaluator& evaluator, const FlowDamping& damping, double h,
                            std::span<const PhiTerm> terms, std::span<const double> times,
                            std::span<Phase> out) {
  // a start vector for each half of each term
  struct Start {
    int k;
    int half;  // 0: q, 1: v
    const Vec* vector;
  };
  std::vector<Start> starts;
  for (const PhiTerm& term : terms) {
    if (term.q != nullptr) starts.push_back({term.k, 0, term.q});
    if (term.v != nullptr) starts.push_back({term.k, 1, term.v});
  }
  const Index n = evaluator.pencil().K.size();
  Mat B(n, static_cast<Index>(starts.size())), Y(n, static_cast<Index>(2 * times.size()));
  for (std::size_t j = 0; j < starts.size(); ++j) B.col(static_cast<Index>(j)) = *starts[j].vector;
  const SymbolMatrix symbols = [&](double x, Eigen::Ref<Mat> f) {
    const double lambda = x / (h * h), d = damping.mass + damping.stiffness * lambda;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const auto phi = oscillator_phi(times[i] * h, lambda, d);
      for (std::size_t j = 0; j < starts.size(); ++j)
        f.block<2, 1>(static_cast<Index>(2 * i), static_cast<Index>(j)) =
            std::pow(times[i], starts[j].k) *
            phi[static_cast<std::size_t>(starts[j].k)].col(starts[j].half);
    }
  };
  const PhiReport report = evaluator.apply(h * h, symbols, B, Y);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].q = Y.col(static_cast<Index>(2 * i));
    out[i].v = Y.col(static_cast<Index>(2 * i + 1));
  }
  return report;
}

}  // namespace

PhiReport oscillator_flow(PhiEvaluator& evaluator, const FlowDamping& damping, double h,
                          std::span<const PhiTerm> terms, std::span<const double> times,
                          std::span<Phase> out) {
  SINEW_ASSERT(times.size() == out.size(), "one result per time");
  const PhiKernel kernel = evaluator.settings().kernel;
  const bool damped = damping.general != nullptr || damping.mass != 0.0 || damping.stiffness != 0.0;
  if (kernel == PhiKernel::skew && !damped)
    return flow_by_skew_form(evaluator, h, terms, times, out);
  if (damping.general != nullptr || kernel == PhiKernel::arnoldi || kernel == PhiKernel::skew ||
      kernel == PhiKernel::faber || kernel == PhiKernel::shift_invert)
    return flow_by_first_order(evaluator, damping, h, terms, times, out);
  return flow_by_functions(evaluator, damping, h, terms, times, out);
}

}  // namespace sinew::la
