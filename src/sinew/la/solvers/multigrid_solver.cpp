// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <sinew/core/error.hpp>
#include <sinew/la/multigrid/two_level_cycle.hpp>
#include <sinew/la/solvers/cg.hpp>
#include <sinew/la/solvers/multigrid_solver.hpp>
#include <sinew/la/solvers/openblas.hpp>
#include <sinew/la/solvers/solution_guess.hpp>
#include <sinew/la/solvers/supernodal_solver.hpp>

namespace sinew::la {
namespace {

class MultigridSolver final : public LinearSolver {
 public:
  MultigridSolver(const Reducer& reducer, double tolerance)
      : reducer_(reducer), tolerance_(tolerance) {}

  std::vector<Mat3>* frames() override { return &frames_; }
  Vec* positions() override { return &positions_; }

  FactorReport factorize(const LinearOperator& A) override {
    matrix_ = A.assembled();
    SINEW_ASSERT(matrix_, "multigrid needs the entries of the matrix");
    if (matrix_->pattern().block_size() != 3) {
      if (!direct_) direct_ = make_supernodal_solver(reducer_);
      return direct_->factorize(A);
    }
    direct_.reset();
    FactorReport report{.factorized = false};
    if (!matrix_->all_finite()) return {.status = SolveStatus::not_finite};
    if (matrix_->pattern().version() != analysed_version_) {
      coarse_.analyze(matrix_->pattern(), nodes_per_aggregate);
      analysed_version_ = matrix_->pattern().version();
      placed_for_.reset();
      report.analysed = true;
    }
    if (restored_.size() > 0) rebuild_space();
    if (!cycle_.assign(*matrix_)) return {.status = SolveStatus::not_positive_definite};
    if (!placed_for_ || is_due_) {
      report.factorized = true;
      report.status = set_up();
    } else {
      is_current_ = false;
      coarse_.turn(placed_frames_, frames_, matrix_->executor());
    }
    return report;
  }

  Vec memory() const override {
    if (restored_.size() > 0) return restored_;
    if (!placed_for_) return {};
    const Mat& past = past_.solutions();
    const auto num_frames = static_cast<Index>(placed_frames_.size());
    const Vec& entries = *placed_for_;
    Vec kept(header + past.size() + 9 * num_frames + placed_at_.size() + entries.size());
    kept.head<header>() << static_cast<double>(past.cols()), static_cast<double>(past_.newest()),
        static_cast<double>(num_frames), static_cast<double>(placed_at_.size()), pace_, is_due_;
    Index at = header;
    const auto add = [&](const auto& numbers) {
      kept.segment(at, numbers.size()) = numbers;
      at += numbers.size();
    };
    add(past.reshaped());
    for (const Mat3& frame : placed_frames_) add(frame.reshaped());
    add(placed_at_);
    add(entries);
    return kept;
  }

  void restore(const Vec& memory) override { restored_ = memory; }

  void reset() override {
    placed_for_.reset();
    restored_.resize(0);
    past_.forget();
    is_due_ = false;
  }

 private:
  static constexpr Index header = 6;  // of memory(): numbers before the arrays
  static constexpr int nodes_per_aggregate = 100, max_iterations = 500;

  Index num_entries() const { return 9 * static_cast<Index>(matrix_->pattern().num_entries()); }

  /// A coarse space of the present matrix.
  SolveStatus set_up() {
    placed_for_ = Eigen::Map<const Vec>(matrix_->values(), num_entries());
    placed_at_ = positions_;
    placed_frames_ = frames_;
    pace_ = 0.0;
    is_due_ = false;
    is_current_ = true;
    return place(*matrix_);
  }

  /// The coarse space and the smoother for a matrix that the cycle has.
  SolveStatus place(const SymmetricMatrix& A) {
    const OneBlasThread blas;
    coarse_.place(placed_at_);
    RowBlocks<double> rows;
    rows.assign(A);
    if (coarse_.factorize(rows) && cycle_.fit()) return SolveStatus::ok;
    placed_for_.reset();
    return SolveStatus::not_positive_definite;
  }

  /// The coarse space that an earlier process had, from the entries it was made of.
  void rebuild_space() {
    const Vec kept = std::exchange(restored_, Vec());
    if (kept.size() < header) return;
    const auto columns = static_cast<Index>(kept[0]), frames = static_cast<Index>(kept[2]),
               places = static_cast<Index>(kept[3]), entries = num_entries();
    const Index n = matrix_->size();
    if (kept.size() < header + n * columns + 9 * frames + places) return;  // another system
    Index at = header;
    past_.restore(Eigen::Map<const Mat>(kept.data() + at, n, columns), static_cast<Index>(kept[1]));
    at += n * columns;
    // a space of another pattern would not be used again
    if (kept.size() != at + 9 * frames + places + entries) return;
    placed_frames_.clear();
    for (Index k = 0; k < frames; ++k, at += 9)
      placed_frames_.emplace_back(Eigen::Map<const Mat3>(kept.data() + at));
    placed_at_ = kept.segment(at, places);
    placed_for_ = kept.tail(entries);
    pace_ = kept[4];
    is_due_ = kept[5] > 0.0;
    SymmetricMatrix matrix = *matrix_;
    std::copy_n(placed_for_->data(), entries, matrix.values());
    if (cycle_.assign(matrix)) static_cast<void>(place(matrix));
  }

  SolveReport do_solve(const MatIn& B, MatOut X, double enough) override {
    if (direct_) return direct_->solve(B, X);
    const double tolerance = std::max(tolerance_, enough);
    past_.guess(*matrix_, B, reducer_, X, product_);
    SolveReport report = iterate(B, X, tolerance, &product_);
    int wasted = 0;
    if (report.status == SolveStatus::not_converged && !is_current_) {
      wasted = report.iterations;
      const SolveStatus status = set_up();
      report = status == SolveStatus::ok ? iterate(B, X, tolerance) : SolveReport{.status = status};
      ++report.factorizations;
    }
    if (report.status == SolveStatus::ok) {
      judge(report.iterations, B.cols());
      past_.remember(X);
    }
    report.iterations += wasted;
    return report;
  }

  /// Whether the space has become worse than it was. Solves that have little to do say nothing.
  void judge(int iterations, Index columns) {
    const double decades = work_.seen.decades, count = static_cast<double>(columns);
    if (decades < 2.0 * count) return;
    if (pace_ > 0.0 && iterations > 1.35 * pace_ * decades + 4.0 * count) is_due_ = true;
    const double pace = iterations / decades;
    pace_ = pace_ > 0.0 ? std::min(pace_, pace) : pace;
  }

  /// One cycle is not worth much: a few iterations, from nothing.
  SolveReport do_precondition(const MatIn& B, MatOut X) override {
    if (direct_) return direct_->precondition(B, X);
    constexpr double roughly = 1e-2;
    X.setZero();
    return iterate(B, X, roughly);
  }

  /// `product`: of the matrix and X, where it is known.
  SolveReport iterate(const MatIn& B, MatOut X, double tolerance, const Mat* product = nullptr) {
    const OneBlasThread blas;
    const Preconditioner cycle = [&](const MatIn& R, MatOut Z) {
      cycle_.apply(coarse_, R, Z, reducer_);
    };
    return cg(*matrix_, cycle, B, X,
              {.tolerance = tolerance,
               .test = CgTest::energy,
               .max_iterations = max_iterations,
               .product = product},
              reducer_, work_);
  }

  const Reducer& reducer_;
  double tolerance_;
  std::unique_ptr<LinearSolver> direct_;  // for matrices that are not of 3x3 blocks
  const SymmetricMatrix* matrix_ = nullptr;
  std::uint64_t analysed_version_ = 0;
  TwoLevelCycle cycle_;
  CoarseSpace coarse_;
  std::vector<Mat3> frames_;
  Vec positions_;
  // the matrix, the positions and the rotations that the coarse space is of
  std::optional<Vec> placed_for_;
  Vec placed_at_;
  std::vector<Mat3> placed_frames_;
  double pace_ = 0.0;        // fewest iterations per power of ten of the residual; 0: unknown
  bool is_due_ = false;      // a new space, with the next matrix
  bool is_current_ = false;  // it is of the present matrix
  SolutionGuess past_;
  Mat product_;  // of the matrix and the guess
  Vec restored_;
  CgWorkspace work_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_multigrid_solver(const Reducer& reducer, double tolerance) {
  return std::make_unique<MultigridSolver>(reducer, tolerance);
}

std::unique_ptr<LinearSolver> make_tight_multigrid_solver(const Reducer& reducer) {
  return make_multigrid_solver(reducer, 1e-10);
}

}  // namespace sinew::la
