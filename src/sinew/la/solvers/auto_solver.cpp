// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/la/solvers/auto_solver.hpp>
#include <sinew/la/symmetric_matrix.hpp>

namespace sinew::la {
namespace {

// With n nodes and separators of s, factorising takes about 180 n s^1.5 flops and the factor has
// about 65 n s^0.5 entries. Per solve that is some 5e-10 n s^1.5 + 1e-7 n s^0.5 seconds on one core
// with a factor that serves ten solves, against 7e-6 n for 25 iterations of multigrid: they meet at
// s = 600. Beyond 1000 multigrid is faster without doubt, and it needs far less memory.
constexpr double widest_for_factors = 1000.0;

class AutoSolver final : public LinearSolver {
 public:
  AutoSolver(const SolverEntry& entry, const Reducer& reducer, const LagSettings& settings)
      : reducer_(reducer),
        lagged_(make_lagged_solver(entry, reducer, settings)),
        iterative_(entry.make_iterative(reducer, settings.tolerance)) {}

  std::vector<Mat3>* frames() override { return &frames_; }
  Vec* positions() override { return &positions_; }

  FactorReport factorize(const LinearOperator& A) override {
    const SymmetricMatrix* matrix = A.assembled();
    SINEW_ASSERT(matrix != nullptr, "direct and multigrid solvers need the entries of the matrix");
    if (matrix->pattern().version() != version_) {
      version_ = matrix->pattern().version();
      width_ = matrix->pattern().block_size() == 3 ? band_width(matrix->pattern()) : 0.0;
      const bool is_large = width_ > widest_for_factors;
      chosen_ = reducer_.any(is_large) ? iterative_.get() : lagged_.get();
      if (restored_.size() > 0) chosen_->restore(std::exchange(restored_, Vec()));
    }
    // both are set anew before each call: no need to copy
    if (std::vector<Mat3>* frames = chosen_->frames()) frames->swap(frames_);
    if (Vec* positions = chosen_->positions()) positions->swap(positions_);
    return chosen_->factorize(A);
  }

  std::string choice() const override {
    if (!chosen_) return {};
    return fmt::format("{}: about {:.0f} nodes cut the body in two, factors are used up to {:.0f}",
                       chosen_ == lagged_.get() ? "lagged factor" : "multigrid", width_,
                       widest_for_factors);
  }

  Vec memory() const override {
    return restored_.size() > 0 ? restored_ : chosen_ ? chosen_->memory() : Vec();
  }
  void restore(const Vec& memory) override {
    restored_ = memory;
    version_ = 0;
  }
  void reset() override {
    restored_.resize(0);
    version_ = 0;
    lagged_->reset();
    iterative_->reset();
  }

 private:
  SolveReport do_solve(const MatIn& B, MatOut X, double enough) override {
    return chosen_->solve(B, X, enough);
  }
  SolveReport do_precondition(const MatIn& B, MatOut X) override {
    return chosen_->precondition(B, X);
  }

  const Reducer& reducer_;
  std::unique_ptr<LinearSolver> lagged_, iterative_;
  LinearSolver* chosen_ = nullptr;
  std::uint64_t version_ = 0;  // of the pattern that the choice is for
  double width_ = 0.0;         // of its band
  std::vector<Mat3> frames_;
  Vec positions_, restored_;
};

}  // namespace

double band_width(const BlockPattern& pattern) {
  // columns are sorted: the last of a row reaches furthest
  double sum = 0.0;
  for (int row = 0; row < pattern.num_blocks(); ++row)
    sum += pattern.cols()[pattern.row_end(row) - 1] - row;
  return pattern.num_blocks() > 0 ? sum / pattern.num_blocks() : 0.0;
}

std::unique_ptr<LinearSolver> make_sequence_solver(const SolverEntry& entry, const Reducer& reducer,
                                                   const LagSettings& settings) {
  if (entry.is_direct && entry.make_iterative)
    return std::make_unique<AutoSolver>(entry, reducer, settings);
  if (entry.is_direct) return make_lagged_solver(entry, reducer, settings);
  return entry.make_iterative ? entry.make_iterative(reducer, settings.tolerance)
                              : entry.make(reducer);
}

}  // namespace sinew::la
