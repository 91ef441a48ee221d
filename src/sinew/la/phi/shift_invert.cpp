// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <sinew/la/dense/decompositions.hpp>
#include <sinew/la/phi/shift_invert.hpp>

namespace sinew::la {
namespace {

/// V with V^T G V = I and Z V = V H + eta v e^T, Z = (I - gamma A)^-1.
class InverseSpace {
 public:
  InverseSpace(const GeneralMap& A, const ShiftedInverse& inverse, const VecIn& start,
               int max_dimension, const Reducer& reducer)
      : A_(A),
        inverse_(inverse),
        reducer_(reducer),
        V_(A.size(), max_dimension + 1),
        H_(Mat::Zero(max_dimension + 1, max_dimension)),
        w_(start),
        weighted_(A.size()) {
    norm_ = norm_of_w();
    if (norm_ > 0.0) V_.col(0) = w_ / norm_;
  }

  double norm() const { return norm_; }
  int dimension() const { return dimension_; }
  /// What a further vector would add is rounding.
  bool is_exhausted() const { return exhausted_; }
  PhiStatus status() const { return status_; }
  long products() const { return products_; }
  auto basis() const { return V_.leftCols(dimension_); }
  auto projection() const { return H_.topLeftCorner(dimension_, dimension_); }
  double leak() const { return H_(dimension_, dimension_ - 1); }

  void extend() {
    const int j = dimension_++;
    if (!inverse_.apply(V_.col(j), w_)) {
      status_ = PhiStatus::not_converged;
      return;
    }
    ++products_;
    const double before = norm_of_w();
    orthogonalise(j);
    // twice is enough, and what the second time takes off is so little that the norm is known
    const double square = std::pow(norm_of_w(), 2) - std::pow(orthogonalise(j), 2);
    const double size = std::sqrt(square > 0.0 ? square : 0.0);
    H_(j + 1, j) = size;
    exhausted_ = !(size > 1e-12 * before);
    if (!exhausted_) V_.col(j + 1) = w_ / size;
  }

 private:
  /// Takes off w what lies in the first j + 1 vectors, for which weighted_ must be G w; returns how
  /// much that was.
  double orthogonalise(int j) {
    const Vec overlap = reducer_.gram(V_.leftCols(j + 1), weighted_);
    H_.col(j).head(j + 1) += overlap;
    w_.noalias() -= V_.leftCols(j + 1) * overlap;
    return overlap.norm();
  }
  /// Leaves G w in weighted_.
  double norm_of_w() {
    ++products_;
    A_.weigh(w_, weighted_);
    const double square = reducer_.dot(w_, weighted_);
    if (!std::isfinite(square)) status_ = PhiStatus::not_finite;
    // rounding may make the square of nothing negative
    if (square < 0.0 && square < -1e-12 * reducer_.dot(w_.cwiseAbs(), weighted_.cwiseAbs()))
      status_ = PhiStatus::not_positive_definite;
    return std::sqrt(square > 0.0 ? square : 0.0);
  }

  const GeneralMap& A_;
  const ShiftedInverse& inverse_;
  const Reducer& reducer_;
  Mat V_, H_;
  Vec w_, weighted_;
  double norm_ = 0.0;
  int dimension_ = 0;
  bool exhausted_ = false;
  PhiStatus status_ = PhiStatus::ok;
  long products_ = 0;
};

/// u(c) in the space, where u' = X u + t^(k-1)/(k-1)! e_1 with X = (I - H^-1)/gamma stands for
/// y' = A y + t^(k-1)/(k-1)! b.
///
/// A V = V X + (I - gamma A) v r, r = eta/gamma e_m^T H^-1. So the error e obeys e' = A e +
/// (I - gamma A) v rho with rho = r u. Integrated by parts, no A is left beside the exponential:
///
///   e(c) = integral of e^{(c-s)A} v (rho - gamma rho') + gamma v rho(c)
///
/// whence |e(c)| <= e^{omega c} (integral |rho| + gamma variation(rho)) + gamma |rho(c)|. Where
/// fast motion ends within the step, what was left over in the first half of the time is gone at c,
/// and would make this far too large: there it is the second half that counts.
struct SmallMotion {
  Vec coefficients;
  double error = 0.0;
};
SmallMotion small_motion(const InverseSpace& space, const ShiftInvertSettings& settings,
                         double omega, int k, double c) {
  const double gamma = settings.gamma;
  const Index m = space.dimension();
  const Mat inverse = la::inverse(space.projection());
  // the last unknown is 1, the ones before it t, t^2/2, ...
  Mat big = Mat::Zero(m + k, m + k);
  big.topLeftCorner(m, m) = (Mat::Identity(m, m) - inverse) / gamma;
  big(0, m) = 1.0;
  for (Index i = m; i + 1 < m + k; ++i) big(i, i + 1) = 1.0;
  const Vec r = space.norm() * space.leak() / gamma * inverse.row(m - 1).transpose();

  constexpr int parts = 16, halvings = 10;
  double rho = 0.0, integral = 0.0, variation = 0.0, s = 0.0;
  const auto pass = [&](double to, const Vec& u) {
    const double next = r.dot(u.head(m));
    if (!settings.fast_motion_ends || s >= 0.5 * c) {
      integral += 0.5 * (to - s) * (std::abs(rho) + std::abs(next));
      variation += std::abs(next - rho);
    }
    rho = next;
    s = to;
  };
  // ever longer at first: fast motion begins at once
  Mat flow = exponential(std::ldexp(c / parts, -halvings) * big);
  for (int level = halvings; level > 0; --level) {
    pass(std::ldexp(c / parts, -level), flow.col(m + k - 1));
    flow = (flow * flow).eval();
  }
  Vec u = flow.col(m + k - 1);
  for (int part = 1; part <= parts; ++part) {
    if (part > 1) u = (flow * u).eval();
    pass(c * part / parts, u);
  }
  constexpr double unseen = 2.0;  // what happens between the samples
  return {space.norm() * u.head(m),
          unseen * std::exp(omega * c) * (integral + gamma * variation) + gamma * std::abs(rho)};
}

/// From what the last vectors changed and how fast that falls: the error before them.
class Convergence {
 public:
  double next(const Vec& coefficients) {
    Vec change = coefficients;
    change.head(before_.size()) -= before_;
    const double now = change.norm(), ratio = last_ > 0.0 ? now / last_ : 1.0;
    before_ = coefficients;
    last_ = now;
    constexpr double slowest = 0.95;
    return now / (1.0 - std::min(ratio, slowest));
  }

 private:
  Vec before_;
  double last_ = 0.0;
};

/// No more than c^k/k! e^{omega c} |b| can come of it, if H is what it should be.
bool is_possible(const SmallMotion& motion, const InverseSpace& space, double omega, int k,
                 double c) {
  const double most = std::pow(c, k) / std::tgamma(k + 1.0) * std::exp(omega * c) * space.norm();
  return motion.coefficients.norm() <= 1.01 * most;
}

}  // namespace

PhiReport phi_shift_invert(const GeneralMap& A, const ShiftedInverse& inverse, const MatIn& B,
                           std::span<const double> times, MatOut Y,
                           const ShiftInvertSettings& settings, const Reducer& reducer) {
  PhiReport report{.kernel = PhiKernel::shift_invert};
  Y.setZero();
  const Index outputs = Y.cols();
  const auto starts = static_cast<double>(B.cols());
  Vec errors = Vec::Zero(outputs);
  for (Index column = 0; column < B.cols(); ++column) {
    if (!reducer.any(!B.col(column).isZero(0.0))) continue;
    const int k = static_cast<int>(column) + 1;
    InverseSpace space(A, inverse, B.col(column), settings.max_dimension, reducer);
    std::vector<Convergence> convergence(times.size());
    Vec estimates = Vec::Zero(outputs);
    Mat part(A.size(), outputs);
    int look_at = 8;
    for (bool converged = false; !converged;) {
      while (space.status() == PhiStatus::ok && !space.is_exhausted() &&
             space.dimension() < look_at)
        space.extend();
      report.status = space.status();
      converged = true;
      for (Index i = 0; i < outputs && report.status == PhiStatus::ok; ++i) {
        const double c = times[static_cast<std::size_t>(i)];
        const SmallMotion motion = small_motion(space, settings, A.growth(), k, c);
        converged = converged && is_possible(motion, space, A.growth(), k, c);
        estimates[i] = std::max(motion.error,
                                convergence[static_cast<std::size_t>(i)].next(motion.coefficients));
        part.col(i).noalias() = space.basis() * motion.coefficients;
        const double wanted = settings.tolerance / starts * A.scale_of(Y.col(i) + part.col(i));
        converged = converged && estimates[i] <= wanted;
      }
      const bool full = space.is_exhausted() || look_at >= settings.max_dimension;
      if (report.status == PhiStatus::ok && !converged && full)
        report.status = PhiStatus::not_converged;
      if (report.status != PhiStatus::ok) break;
      look_at = std::min(settings.max_dimension, look_at + std::max(3, look_at / 4));
    }
    report.products += space.products();
    report.solves += space.dimension();
    report.dimension = std::max(report.dimension, space.dimension());
    if (report.status != PhiStatus::ok) return report;
    Y += part;
    errors += estimates;
  }
  for (Index i = 0; i < outputs; ++i)
    report.error_estimate =
        std::max(report.error_estimate, errors[i] / std::max(A.scale_of(Y.col(i)), 1e-300));
  return report;
}

}  // namespace sinew::la
