// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include <Eigen/Cholesky>

#include <sinew/core/error.hpp>
#include <sinew/la/phi/arnoldi.hpp>
#include <sinew/la/phi/oscillator_flow.hpp>
#include <sinew/la/phi/square_root.hpp>
#include <sinew/la/phi/stumpff.hpp>

namespace sinew::la {
namespace {

/// h J on (q, v). Its inner product is the energy with K + sigma M for K, in which J is skew but
/// for sigma: with sigma = 1/h^2 that costs a growth of at most e^(1/2), and motions without
/// stiffness have a norm.
class OscillatorMap final : public GeneralMap {
 public:
  OscillatorMap(const Pencil& pencil, const FlowDamping& damping, double h, double sigma)
      : pencil_(pencil), damping_(damping), h_(h), sigma_(sigma), n_(pencil.K.size()) {
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
    if (damping_.general != nullptr) {
      damping_.general->apply(v, Dv_);
      Kq_ += Dv_;
    } else {
      Kq_ += damping_.mass * Gx.tail(n_);
      if (damping_.stiffness != 0.0) {
        pencil_.K.apply(v, Dv_);
        Kq_ += damping_.stiffness * Dv_;
      }
    }
    pencil_.M_inverse.apply(Kq_, Ax.tail(n_));
    Ax.tail(n_) *= -h_;
  }

 private:
  const Pencil& pencil_;
  const FlowDamping& damping_;
  double h_, sigma_;
  Index n_;
  mutable Vec Kq_, Mq_, Dv_;
};

/// h [[0, W], [-W, 0]] on (W y, y') with y = L^T q, M = L L^T, W^2 = L^-1 K L^-T: the form in which
/// the exponential Rosenbrock methods were first applied to particles.
class SkewMap final : public GeneralMap {
 public:
  SkewMap(const Mat& W, double h) : W_(W), h_(h) {}
  Index size() const override { return 2 * W_.rows(); }
  void apply(const VecIn& x, VecOut Ax, VecOut Gx) const override {
    const Index n = W_.rows();
    Ax.head(n).noalias() = h_ * (W_ * x.tail(n));
    Ax.tail(n).noalias() = -h_ * (W_ * x.head(n));
    Gx = x;
  }

 private:
  const Mat& W_;
  double h_;
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

PhiReport flow_by_arnoldi(PhiEvaluator& evaluator, const FlowDamping& damping, double h,
                          std::span<const PhiTerm> terms, std::span<const double> times,
                          std::span<Phase> out) {
  const Index n = evaluator.pencil().K.size();
  // negative eigenvalues that the estimate of the spectrum missed show as negative norms
  double sigma = 1.0 / (h * h) - 2.0 * std::min(0.0, evaluator.bounds().low);
  Mat Y(2 * n, static_cast<Index>(times.size()));
  PhiReport report;
  long wasted = 0;
  for (int attempt = 0; attempt < 12; ++attempt, sigma *= 8.0) {
    const OscillatorMap map(evaluator.pencil(), damping, h, sigma);
    report = phi_arnoldi(map, stacked(terms, n), times, Y,
                         {.tolerance = evaluator.settings().tolerance}, evaluator.reducer());
    if (report.status != PhiStatus::not_positive_definite) break;
    wasted += report.products;
  }
  report.products += wasted + evaluator.take_unreported_products();
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].q = Y.col(static_cast<Index>(i)).head(n);
    out[i].v = Y.col(static_cast<Index>(i)).tail(n);
  }
  return report;
}

PhiReport flow_by_skew_form(PhiEvaluator& evaluator, double h, std::span<const PhiTerm> terms,
                            std::span<const double> times, std::span<Phase> out) {
  const Index n = evaluator.pencil().K.size();
  SINEW_ASSERT(n <= max_dense_size, "this system is too large for the skew form");
  const Eigen::LLT<Mat> mass(dense_matrix(evaluator.pencil().M));
  const auto L = mass.matrixL();
  const Mat half = L.solve(dense_matrix(evaluator.pencil().K));
  const std::optional<Mat> W = matrix_square_root(L.solve(half.transpose()));
  if (!W) return {.status = PhiStatus::not_positive_definite, .kernel = PhiKernel::skew};
  const Eigen::LLT<Mat> inverse(*W);

  Mat B = stacked(terms, n);
  B.topRows(n) = *W * (mass.matrixU() * B.topRows(n)).eval();
  B.bottomRows(n) = (mass.matrixU() * B.bottomRows(n)).eval();
  const SkewMap map(*W, h);
  Mat Y(2 * n, static_cast<Index>(times.size()));
  PhiReport report = phi_arnoldi(map, B, times, Y, {.tolerance = evaluator.settings().tolerance},
                                 evaluator.reducer());
  report.kernel = PhiKernel::skew;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto y = Y.col(static_cast<Index>(i));
    out[i].q = mass.matrixU().solve(inverse.solve(y.head(n)).eval());
    out[i].v = mass.matrixU().solve(y.tail(n).eval());
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
  if (damping.general != nullptr || kernel == PhiKernel::arnoldi || kernel == PhiKernel::skew)
    return flow_by_arnoldi(evaluator, damping, h, terms, times, out);
  return flow_by_functions(evaluator, damping, h, terms, times, out);
}

}  // namespace sinew::la
