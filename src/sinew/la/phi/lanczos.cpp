// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <sinew/la/dense/decompositions.hpp>
#include <sinew/la/phi/phi_action.hpp>

namespace sinew::la {
namespace {

/// Of a square that rounding may have made negative; NaN stays NaN.
double root(double square) {
  return std::sqrt(square < 0.0 ? 0.0 : square);
}

/// The space spanned by b, A b, ..., M-orthonormal, grown one vector at a time.
class LanczosSpace {
 public:
  LanczosSpace(const Pencil& pencil, const VecIn& b, int max_dimension, const Reducer& reducer)
      : pencil_(pencil), reducer_(reducer), V_(b.size(), max_dimension + 1), Mv_(b.size()) {
    pencil_.M.apply(b, Mv_);
    norm_ = root(reducer_.dot(b, Mv_));
    if (norm_ > 0.0) {
      V_.col(0) = b / norm_;
      Mv_ /= norm_;
    }
    before_.setZero(b.size());
    z_.resize(b.size());
    w_.resize(b.size());
  }

  double norm() const { return norm_; }
  int dimension() const { return static_cast<int>(alpha_.size()); }
  /// The space is invariant: nothing new to find.
  bool is_complete() const { return norm_ == 0.0 || complete_; }
  double last_beta() const { return beta_.empty() ? 0.0 : beta_.back(); }
  auto basis() const { return V_.leftCols(dimension()); }

  /// One product with K.
  void extend() {
    const Index j = dimension();
    pencil_.K.apply(V_.col(j), z_);
    const double alpha = reducer_.dot(V_.col(j), z_);
    for_pieces([&](Index begin, Index size) {
      auto z = z_.segment(begin, size);
      z -= alpha * Mv_.segment(begin, size);
      if (j > 0) z -= beta_.back() * before_.segment(begin, size);
    });
    pencil_.M_inverse.apply(z_, w_);
    // once more against the last one: what rounding left of it is what hurts
    const double again = reducer_.dot(w_, Mv_);
    alpha_.push_back(alpha + again);
    for_pieces([&](Index begin, Index size) {
      w_.segment(begin, size) -= again * V_.col(j).segment(begin, size);
      before_.segment(begin, size) = Mv_.segment(begin, size);
    });
    pencil_.M.apply(w_, Mv_);
    const double beta = root(reducer_.dot(w_, Mv_));
    beta_.push_back(beta);
    largest_ = std::max({largest_, std::abs(alpha), beta});
    complete_ = !(beta > 1e-14 * largest_);
    if (complete_ || j + 1 >= V_.cols()) return;
    for_pieces([&](Index begin, Index size) {
      V_.col(j + 1).segment(begin, size) = w_.segment(begin, size) / beta;
      Mv_.segment(begin, size) /= beta;
    });
  }

  /// Of A restricted to the space.
  SymmetricEigen ritz() const {
    const Index m = dimension();
    return tridiagonal_eigen(Eigen::Map<const Vec>(alpha_.data(), m),
                             Eigen::Map<const Vec>(beta_.data(), std::max<Index>(0, m - 1)));
  }

 private:
  template <class Work>
  void for_pieces(const Work& work) const {
    reducer_.for_each_piece(z_.size(), work);
  }

  const Pencil& pencil_;
  const Reducer& reducer_;
  Mat V_;
  Vec Mv_, before_, z_, w_;
  std::vector<double> alpha_, beta_;
  double norm_ = 0.0, largest_ = 0.0;
  bool complete_ = false;
};

/// Coefficients of f_i(s A) b in the basis, one column per output.
Mat coefficients(const LanczosSpace& space, double s, Index start, Index num_starts,
                 Index num_outputs, const SymbolMatrix& symbols) {
  const SymmetricEigen ritz = space.ritz();
  const Index m = ritz.values.size();
  Mat values(m, num_outputs), f(num_outputs, num_starts);
  for (Index k = 0; k < m; ++k) {
    symbols(s * ritz.values[k], f);
    values.row(k) = f.col(start).transpose() * ritz.vectors(0, k);
  }
  return space.norm() * ritz.vectors * values;
}

/// |a - b| of coefficient columns of different lengths, and the size of the longer one.
double relative_change(const Mat& longer, const Mat& shorter, Index output, double reference) {
  Vec difference = longer.col(output);
  difference.head(shorter.rows()) -= shorter.col(output);
  return difference.norm() / std::max(reference, 1e-300);
}

}  // namespace

SpectralBounds estimate_spectrum(const Pencil& pencil, const Reducer& reducer, int steps) {
  const Index n = pencil.K.size();
  SpectralBounds bounds;
  if (reducer.count(n) == 0) return bounds;
  Vec rough(n);
  for (Index k = 0; k < n; ++k)  // has a share of every eigenvector, and is the same each time
    rough[k] = std::sin(1.0 + 12.9898 * static_cast<double>(k)) + 0.3;
  LanczosSpace space(pencil, rough, steps, reducer);
  while (space.dimension() < steps && !space.is_complete()) {
    space.extend();
    ++bounds.products;
  }
  const SymmetricEigen ritz = space.ritz();
  const Index m = ritz.values.size();
  const double residual_low = space.last_beta() * std::abs(ritz.vectors(m - 1, 0));
  const double residual_high = space.last_beta() * std::abs(ritz.vectors(m - 1, m - 1));
  const bool exact = space.is_complete();
  constexpr double margin = 0.05;
  bounds.high = std::max(0.0, ritz.values[m - 1]);
  bounds.low = std::min(0.0, ritz.values[0]);
  if (!exact) {
    bounds.high += residual_high + margin * std::abs(bounds.high);
    if (bounds.low < 0.0) bounds.low -= residual_low + margin * std::abs(bounds.low);
  }
  return bounds;
}

PhiReport phi_lanczos(const Pencil& pencil, double s, const SymbolMatrix& symbols, const MatIn& B,
                      MatOut Y, const PhiSettings& settings, const Reducer& reducer) {
  constexpr int stride = 2;  // products between two looks at the result
  PhiReport report{.kernel = PhiKernel::lanczos};
  Y.setZero();
  for (Index start = 0; start < B.cols(); ++start) {
    LanczosSpace space(pencil, B.col(start), settings.max_dimension, reducer);
    if (!std::isfinite(space.norm())) {
      report.status = PhiStatus::not_finite;
      return report;
    }
    if (space.norm() == 0.0) continue;
    Mat now, last;
    int quiet = 0;
    double error = 0.0;
    while (quiet < 2) {
      if (space.dimension() >= settings.max_dimension) {
        report.status = PhiStatus::not_converged;
        break;
      }
      for (int k = 0; k < stride && !space.is_complete(); ++k) {
        space.extend();
        ++report.products;
      }
      last = std::move(now);
      now = coefficients(space, s, start, B.cols(), Y.cols(), symbols);
      if (!now.allFinite()) {
        report.status = PhiStatus::not_finite;
        return report;
      }
      if (space.is_complete()) break;
      if (last.rows() == 0) continue;
      // relative to this start vector's own part: outputs may cancel, errors do not
      error = 0.0;
      for (Index i = 0; i < Y.cols(); ++i)
        error = std::max(error, relative_change(now, last, i, now.col(i).norm()));
      quiet = error <= settings.tolerance ? quiet + 1 : 0;
    }
    report.error_estimate = std::max(report.error_estimate, space.is_complete() ? 0.0 : error);
    report.dimension = std::max(report.dimension, space.dimension());
    Y += space.basis() * now;
    if (report.status != PhiStatus::ok) return report;
  }
  return report;
}

}  // namespace sinew::la
