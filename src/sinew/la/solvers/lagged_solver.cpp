// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <sinew/core/error.hpp>
#include <sinew/la/solvers/cg.hpp>
#include <sinew/la/solvers/lagged_solver.hpp>
#include <sinew/la/solvers/solution_guess.hpp>
#include <sinew/la/symmetric_matrix.hpp>

namespace sinew::la {
namespace {

class LaggedSolver final : public LinearSolver {
 public:
  LaggedSolver(std::unique_ptr<LinearSolver> exact, std::unique_ptr<LinearSolver> rough,
               const Reducer& reducer, const LagSettings& settings)
      : exact_(std::move(exact)),
        rough_(std::move(rough)),
        factor_(rough_ ? rough_.get() : exact_.get()),
        reducer_(reducer),
        settings_(settings) {}

  std::vector<Mat3>* frames() override { return &frames_; }

  FactorReport factorize(const LinearOperator& A) override {
    SINEW_ASSERT(A.assembled() != nullptr, "a lagged factor needs the entries of the matrix");
    matrix_ = &A;
    is_current_ = false;
    if (restored_.size() > 0) rebuild_factor();
    const bool usable =
        factored_ && factored_->pattern().version() == A.assembled()->pattern().version();
    if (usable && is_factored(*A.assembled())) {
      is_current_ = true;
      return {.factorized = false};
    }
    if (!usable || direct_left_ > 0 || excess_ >= factor_->factor_cost()) {
      judge_cycle();
      return refresh();
    }
    ++matrices_;
    return {.factorized = false};
  }

  SolveReport do_solve(const MatIn& B, MatOut X, double enough) override {
    SolveReport total;
    solves_ += static_cast<int>(B.cols());
    for (;;) {
      if (is_current_ && factor_ == exact_.get()) {
        const SolveReport report = exact_->solve(B, X);
        past_.remember(X);
        total.status = report.status;
        return total;
      }
      total.status = iterate(B, X, enough, total);
      if (total.status == SolveStatus::ok || total.status == SolveStatus::not_finite) return total;
      // if not even the present matrix gives a factor that does, a rough one is too rough
      const FactorReport factor = is_current_ ? refresh_exactly() : refresh();
      ++total.factorizations;
      total.status = factor.status;
      if (factor.status != SolveStatus::ok) return total;
    }
  }

  SolveReport do_precondition(const MatIn& B, MatOut X) override {
    apply_factor(B, X);
    return {};
  }

  Vec memory() const override {
    if (restored_.size() > 0) return restored_;
    if (!factored_) return {};
    const auto num_frames = static_cast<Index>(factor_frames_.size());
    const Index entries = num_entries(*factored_);
    const Mat& past = past_.solutions();
    Vec kept(header + past.size() + 9 * num_frames + entries);
    kept.head<header>() << static_cast<double>(num_frames), static_cast<double>(past.cols()),
        static_cast<double>(past_.newest()), iterations_, excess_, matrices_, solves_, direct_left_,
        factor_ == exact_.get(), experience_.rate, experience_.reduction, experience_of_,
        half(factored_->pattern().version(), 0), half(factored_->pattern().version(), 32);
    kept.segment(header, past.size()) = past.reshaped();
    Index at = header + past.size();
    for (const Mat3& frame : factor_frames_) {
      kept.segment<9>(at) = frame.reshaped();
      at += 9;
    }
    kept.tail(entries) = Eigen::Map<const Vec>(factored_->values(), entries);
    return kept;
  }

  void restore(const Vec& memory) override { restored_ = memory; }

  void reset() override {
    factored_.reset();
    factor_frames_.clear();
    restored_.resize(0);
    past_.forget();
    iterations_ = excess_ = matrices_ = solves_ = direct_left_ = 0;
    experience_ = {};
    is_current_ = false;
  }

 private:
  static constexpr Index header = 14;  // of memory(): numbers before the arrays

  /// 32 bits of a version, which a number holds exactly.
  static double half(std::uint64_t version, unsigned shift) {
    return static_cast<double>((version >> shift) & 0xffffffffULL);
  }

  static Index num_entries(const SymmetricMatrix& matrix) {
    const BlockPattern& pattern = matrix.pattern();
    return static_cast<Index>(pattern.num_entries()) * pattern.block_size() * pattern.block_size();
  }

  /// At the end of a factor's life: if using it again has cost more than factorising each matrix
  /// would have, do that for a while.
  void judge_cycle() {
    constexpr int a_while = 20;
    if (direct_left_ > 0) {
      --direct_left_;
    } else if (matrices_ > 0) {
      const double cost = factor_->factor_cost();
      if (cost + iterations_ > matrices_ * cost + solves_) direct_left_ = a_while;
    }
  }

  /// Whether the factor is of this very matrix.
  bool is_factored(const SymmetricMatrix& A) const {
    return !reducer_.any(!std::equal(A.values(), A.values() + num_entries(A), factored_->values()));
  }

  /// Factorises the present matrix, roughly where that is possible.
  FactorReport refresh() {
    if (!rough_ || reducer_.count(matrix_->size()) < settings_.rough_from) return refresh_exactly();
    factor_ = rough_.get();
    const FactorReport report = refresh_factor();
    return report.status == SolveStatus::not_positive_definite ? refresh_exactly() : report;
  }

  FactorReport refresh_exactly() {
    factor_ = exact_.get();
    return refresh_factor();
  }

  /// Factorises the present matrix and keeps what memory() needs.
  FactorReport refresh_factor() {
    const SymmetricMatrix& A = *matrix_->assembled();
    const FactorReport report = factor_->factorize(A);
    is_current_ = report.status == SolveStatus::ok;
    iterations_ = excess_ = 0;
    matrices_ = 1;
    solves_ = 0;
    experience_ = {};
    if (is_current_) {
      factored_ = A;
      factor_frames_ = frames_;
    } else {
      factored_.reset();
    }
    return report;
  }

  /// What an earlier process had: the factor, from the entries it was made of, if it is of the
  /// pattern of the present matrix. That of another would not be used again.
  void rebuild_factor() {
    const Vec kept = std::exchange(restored_, Vec());
    if (kept.size() < header) return;
    const Index n = matrix_->size();
    const auto num_frames = static_cast<Index>(kept[0]), num_past = static_cast<Index>(kept[1]);
    if (kept.size() < header + n * num_past + 9 * num_frames) return;  // another system
    iterations_ = static_cast<int>(kept[3]);
    excess_ = static_cast<int>(kept[4]);
    matrices_ = static_cast<int>(kept[5]);
    solves_ = static_cast<int>(kept[6]);
    direct_left_ = static_cast<int>(kept[7]);
    experience_ = {.rate = kept[9], .reduction = kept[10]};
    experience_of_ = static_cast<int>(kept[11]);
    past_.restore(Eigen::Map<const Mat>(kept.data() + header, n, num_past),
                  static_cast<Index>(kept[2]));
    const std::uint64_t version = matrix_->assembled()->pattern().version();
    if (kept[12] != half(version, 0) || kept[13] != half(version, 32)) return;
    SymmetricMatrix matrix = *matrix_->assembled();
    const Index entries = num_entries(matrix);
    std::copy_n(kept.data() + kept.size() - entries, entries, matrix.values());
    factor_ = kept[8] > 0.0 || !rough_ ? exact_.get() : rough_.get();
    if (factor_->factorize(matrix).status != SolveStatus::ok) return;
    factored_ = std::move(matrix);
    factor_frames_.clear();
    for (Index k = 0; k < num_frames; ++k)
      factor_frames_.emplace_back(
          Eigen::Map<const Mat3>(kept.data() + header + n * num_past + 9 * k));
  }

  SolveStatus iterate(const MatIn& B, MatOut X, double enough, SolveReport& total) {
    const Preconditioner lagged = [&](const MatIn& R, MatOut Z) { apply_factor(R, Z); };
    past_.guess(*matrix_, B, reducer_, X, product_);
    const SolveReport report = cg(*matrix_, lagged, B, X,
                                  {.tolerance = std::max(settings_.tolerance, enough),
                                   .test = CgTest::energy,
                                   .max_iterations = settings_.max_iterations,
                                   .experience = expected(),
                                   .product = &product_},
                                  reducer_, work_);
    total.iterations += report.iterations;
    total.relative_residual = std::max(total.relative_residual, report.relative_residual);
    iterations_ += report.iterations;
    // a factor of this matrix would need one for each
    excess_ += std::max(0, report.iterations - static_cast<int>(B.cols()));
    if (report.status != SolveStatus::ok) return report.status;
    if (work_.seen.rate > 0.0 && !is_current_) {  // its own matrix is no example for others
      experience_.rate = std::max(experience_.rate, work_.seen.rate);
      experience_.reduction = std::max(experience_.reduction, work_.seen.reduction);
      experience_of_ = matrices_;
    }
    past_.remember(X);
    return SolveStatus::ok;
  }

  /// How fast iterations will converge, or nothing. What a factor lacks grows at most like the
  /// number of matrices since it was made; so does the rate, with the square of it.
  CgExperience expected() const {
    constexpr double caution = 4.0;
    if (!(experience_.rate > 0.0) || is_current_ || matrices_ > 2 * experience_of_) return {};
    const double growth = static_cast<double>(matrices_) / experience_of_;
    return {.rate = caution * growth * growth * experience_.rate,
            .reduction = growth * experience_.reduction};
  }

  /// With the factor of an earlier matrix, turned with the material since then.
  void apply_factor(const MatIn& B, MatOut X) {
    if (is_current_ || frames_.empty() || frames_.size() != factor_frames_.size()) {
      static_cast<void>(factor_->precondition(B, X));
      return;
    }
    turned_.resize(B.rows(), B.cols());
    for_each_node([&](std::size_t k) {
      const Mat3 turn = factor_frames_[k] * frames_[k].transpose();
      const auto row = static_cast<Index>(3 * k);
      for (Index c = 0; c < B.cols(); ++c)
        turned_.col(c).segment<3>(row) = turn * B.col(c).segment<3>(row);
    });
    static_cast<void>(factor_->precondition(turned_, X));
    for_each_node([&](std::size_t k) {
      const Mat3 turn = frames_[k] * factor_frames_[k].transpose();
      const auto row = static_cast<Index>(3 * k);
      for (Index c = 0; c < X.cols(); ++c)
        X.col(c).segment<3>(row) = (turn * X.col(c).segment<3>(row)).eval();
    });
  }

  template <class Work>
  void for_each_node(const Work& work) const {
    constexpr Index piece = 2048;
    matrix_->assembled()->executor().for_ranges(static_cast<Index>(frames_.size()), piece,
                                                [&](Index begin, Index end) {
                                                  for (Index k = begin; k < end; ++k)
                                                    work(static_cast<std::size_t>(k));
                                                });
  }

  std::unique_ptr<LinearSolver> exact_, rough_;
  LinearSolver* factor_;  // the one in use
  const Reducer& reducer_;
  LagSettings settings_;
  const LinearOperator* matrix_ = nullptr;
  bool is_current_ = false;                  // the factor is that of the present matrix
  std::optional<SymmetricMatrix> factored_;  // entries the factor was made of
  std::vector<Mat3> frames_, factor_frames_;
  int iterations_ = 0;       // since the factor was made
  int excess_ = 0;           // those of them that a new factor would have saved
  int matrices_ = 0;         // it has served for, its own included
  int solves_ = 0;           // with it
  int direct_left_ = 0;      // matrices to factorise before lagging is tried again
  CgExperience experience_;  // the worst of solves that took more than one iteration
  int experience_of_ = 1;    // number of the last matrix of such a solve
  Vec restored_;
  Mat turned_;
  Mat product_;  // of the matrix and the guess
  SolutionGuess past_;
  CgWorkspace work_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_lagged_solver(std::unique_ptr<LinearSolver> exact,
                                                 std::unique_ptr<LinearSolver> rough,
                                                 const Reducer& reducer,
                                                 const LagSettings& settings) {
  return std::make_unique<LaggedSolver>(std::move(exact), std::move(rough), reducer, settings);
}

std::unique_ptr<LinearSolver> make_lagged_solver(const SolverEntry& direct, const Reducer& reducer,
                                                 const LagSettings& settings) {
  return make_lagged_solver(direct.make(reducer),
                            direct.make_rough ? direct.make_rough(reducer) : nullptr, reducer,
                            settings);
}

}  // namespace sinew::la
