// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <sinew/core/error.hpp>
#include <sinew/la/dense/decompositions.hpp>
#include <sinew/la/phi/arnoldi.hpp>

namespace sinew::la {
namespace {

/// The matrix [[A, B/s, 0], [0, N, 0]] with N the shift that makes z = s (t^(p-1)/(p-1)!, ..., t,
/// 1) a solution of z' = N z, so that (y, z) obeys one linear equation. The number s > 0 makes the
/// two parts of equal size.
class EnlargedSpace {
 public:
  EnlargedSpace(const GeneralMap& A, const MatIn& B, double s, const ArnoldiSettings& settings,
                const Reducer& reducer)
      : A_(A),
        B_(B / s),
        reducer_(reducer),
        share_(1.0 / static_cast<double>(reducer.num_processes())),
        V_(A.size() + B.cols(), settings.max_dimension + 1),
        GV_(A.size() + B.cols(), settings.max_dimension + 1),
        next_(A.size() + B.cols()),
        H_(settings.max_dimension + 1, settings.max_dimension) {}

  /// Begins anew with this vector.
  void start(const VecIn& w) {
    dimension_ = 0;
    exhausted_ = false;
    H_.setZero();
    norm_ = place(w, 0);
    if (norm_ == 0.0) exhausted_ = true;
  }

  double norm() const { return norm_; }
  int dimension() const { return dimension_; }
  bool is_exhausted() const { return exhausted_; }
  /// The inner product turned out to be none.
  bool is_indefinite() const { return indefinite_; }
  long products() const { return products_; }
  auto basis() const { return V_.leftCols(dimension_); }
  auto projection() const { return H_.topLeftCorner(dimension_, dimension_); }
  /// The entry that leads out of the space.
  double leak() const { return H_(dimension_, dimension_ - 1); }

  void extend() {
    const int j = dimension_++;
    Vec w = next_;  // the enlarged matrix times V_j, made when V_j was placed
    // Against all of them, twice: against the last two only, a damped matrix loses its basis, and
    // the projection gets eigenvalues that the matrix has not.
    for (int pass = 0; pass < 2; ++pass) {
      const Vec overlap = reducer_.gram(GV_.leftCols(j + 1), w);
      H_.col(j).head(j + 1) += overlap;
      w.noalias() -= V_.leftCols(j + 1) * overlap;
    }
    const double size = place(w, j + 1);
    H_(j + 1, j) = size;
    largest_ = std::max(largest_, H_.col(j).lpNorm<Eigen::Infinity>());
    exhausted_ = !(size > 1e-14 * largest_);
  }

 private:
  /// Normalises w into column j, with G V_j and the next product; returns its norm.
  double place(const VecIn& w, int j) {
    const Index n = A_.size(), p = B_.cols();
    ++products_;
    A_.apply(w.head(n), next_.head(n), GV_.col(j).head(n));
    GV_.col(j).tail(p) = share_ * w.tail(p);
    next_.head(n).noalias() += B_.rowwise().reverse() * w.tail(p);
    for (Index k = 0; k + 1 < p; ++k) next_[n + k] = w[n + k + 1];
    if (p > 0) next_[n + p - 1] = 0.0;
    const double square = reducer_.dot(w, GV_.col(j));
    // rounding may make the square of nothing negative
    if (square < 0.0 && square < -1e-12 * reducer_.dot(w.cwiseAbs(), GV_.col(j).cwiseAbs()))
      indefinite_ = true;
    const double norm = std::sqrt(square < 0.0 ? 0.0 : square);
    const double factor = norm > 0.0 ? 1.0 / norm : 0.0;
    V_.col(j) = factor * w;
    GV_.col(j) *= factor;
    next_ *= factor;
    return norm;
  }

  const GeneralMap& A_;
  Mat B_;
  const Reducer& reducer_;
  double share_;  // z is the same on every process: each adds a part of its square
  Mat V_, GV_;
  Vec next_;
  Mat H_;
  int dimension_ = 0;
  bool exhausted_ = false, indefinite_ = false;
  long products_ = 0;
  double norm_ = 0.0, largest_ = 0.0;
};

/// e^{tau H} e_1, and a bound of the error that it makes: what is left over when it is put into the
/// equation is the entry that leads out of the space times the last coefficient, at all times up to
/// tau; and a left-over of one moment grows at most like e^{omega t} from then on.
struct SmallExponential {
  Vec coefficients;
  double error;
};
SmallExponential small_exponential(const EnlargedSpace& space, double omega, double tau) {
  constexpr int samples = 8;
  const int m = space.dimension();
  const Mat flow = exponential(tau / samples * space.projection());
  Vec u = Vec::Unit(m, 0);
  double integral = 0.0, before = std::abs(u[m - 1]);
  for (int k = 0; k < samples; ++k) {
    u = (flow * u).eval();
    integral += 0.5 * tau / samples * (before + std::abs(u[m - 1]));
    before = std::abs(u[m - 1]);
  }
  return {space.norm() * u, std::exp(omega * tau) * space.norm() * space.leak() * integral};
}

/// The largest of the b_k.
double largest_start(const GeneralMap& A, const MatIn& B, const Reducer& reducer) {
  Vec Ab(A.size()), Gb(A.size());
  double scale = 0.0;
  for (Index k = 0; k < B.cols(); ++k) {
    A.apply(B.col(k), Ab, Gb);
    const double square = reducer.dot(B.col(k), Gb);
    // written so that NaN wins
    scale = scale > std::sqrt(std::abs(square)) ? scale : std::sqrt(std::abs(square));
  }
  return scale;
}

/// The added rows z at time t: scale t^k / k!, the last one first.
void put_powers(double scale, double t, VecOut z) {
  double power = scale;
  for (Index k = 0; k < z.size(); ++k) {
    z[z.size() - 1 - k] = power;
    power *= t / static_cast<double>(k + 1);
  }
}

/// The error goes like tau^(m/4): by what factor a substep may differ from the last one.
double step_factor(double excess, int dimension, double least, double most) {
  return std::clamp(std::pow(0.8 / excess, 4.0 / static_cast<double>(dimension)), least, most);
}

/// y at those times that lie in a substep, from `next` on; returns the first that does not.
std::size_t write_outputs(const EnlargedSpace& space, double omega, double t, double tau,
                          const SmallExponential& at_end, std::span<const double> times,
                          std::size_t next, MatOut Y) {
  for (; next < times.size() && times[next] <= t + tau * (1.0 + 1e-12); ++next) {
    const SmallExponential at = times[next] >= t + tau * (1.0 - 1e-12)
                                    ? at_end
                                    : small_exponential(space, omega, times[next] - t);
    Y.col(static_cast<Index>(next)).noalias() = space.basis().topRows(Y.rows()) * at.coefficients;
  }
  return next;
}

}  // namespace

PhiReport phi_arnoldi(const GeneralMap& A, const MatIn& B, std::span<const double> times, MatOut Y,
                      const ArnoldiSettings& settings, const Reducer& reducer) {
  PhiReport report{.kernel = PhiKernel::arnoldi};
  const Index n = A.size(), p = B.cols();
  SINEW_ASSERT(std::is_sorted(times.begin(), times.end()) && !times.empty() && times[0] > 0.0,
               "times of a phi sum must be positive and ascending");
  Y.setZero();
  const double scale = largest_start(A, B, reducer);
  if (!std::isfinite(scale)) report.status = PhiStatus::not_finite;
  if (!std::isfinite(scale) || scale == 0.0) return report;

  const double end = times.back();
  // the added rows are of the size of the b_k: they add at most this to what can grow
  const double omega = A.growth() + 1.0;
  EnlargedSpace space(A, B, scale, settings, reducer);
  Vec w = Vec::Zero(n + p), later(n + p);
  double t = 0.0, tau = end, largest = 0.0;
  int dimension = settings.min_dimension;
  std::size_t output = 0;
  const auto is_hopeless = [&] {
    if (tau > 1e-12 * end) return false;
    report.status = PhiStatus::not_converged;
    report.products = space.products();
    return true;
  };
  while (output < times.size()) {
    if (report.substeps >= settings.max_substeps) {
      report.status = PhiStatus::not_converged;
      break;
    }
    put_powers(scale, t, w.tail(p));
    space.start(w);
    tau = std::min(tau, end - t);
    bool accepted = false;
    while (!accepted) {
      while (space.dimension() < dimension && !space.is_exhausted()) space.extend();
      if (space.is_indefinite()) {
        report.status = PhiStatus::not_positive_definite;
        report.products = space.products();
        return report;
      }
      if (space.is_exhausted() && space.dimension() == 0) break;
      const SmallExponential result = small_exponential(space, omega, tau);
      if (!(result.coefficients.norm() <= 1.01 * std::exp(omega * tau) * space.norm())) {
        // more than the equation can make of it: the space is not what it should be
        tau *= 0.25;
        if (is_hopeless()) return report;
        continue;
      }
      later.noalias() = space.basis() * result.coefficients;
      const double size = A.scale_of(later.head(n));
      // y grows about linearly: errors may, too
      const double reference = std::max(size / (t + tau), largest / end);
      const double excess = result.error / std::max(settings.tolerance * tau * reference, 1e-300);
      const bool full = space.dimension() >= settings.max_dimension || space.is_exhausted();
      if (excess <= 1.0) {
        accepted = true;
        output = write_outputs(space, omega, t, tau, result, times, output, Y);
        report.error_estimate = std::max(report.error_estimate, excess * settings.tolerance);
        report.dimension = std::max(report.dimension, space.dimension());
        ++report.substeps;
        t += tau;
        w = later;
        largest = std::max(largest, size);
        // what the space could have spanned
        if (!space.is_exhausted()) tau *= step_factor(std::max(excess, 1e-10), dimension, 0.5, 2.0);
      } else if (!full) {
        // the space is kept, so a few more vectors cost nothing but themselves
        dimension = std::min(settings.max_dimension, dimension + std::max(4, dimension / 4));
      } else {
        tau *= step_factor(excess, dimension, 0.2, 0.9);
        if (is_hopeless()) return report;
      }
    }
    if (space.is_exhausted() && space.dimension() == 0) break;
  }
  report.products = space.products();
  return report;
}

}  // namespace sinew::la
