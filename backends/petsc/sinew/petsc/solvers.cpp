// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <petscksp.h>

#include <sinew/core/error.hpp>
#include <sinew/la/solvers/cg.hpp>
#include <sinew/la/solvers/solution_guess.hpp>
#include <sinew/la/symmetric_matrix.hpp>
#include <sinew/petsc/shared_matrix.hpp>
#include <sinew/petsc/solvers.hpp>

namespace sinew::petsc {
namespace {

using la::FactorReport;
using la::SolveReport;
using la::SolveStatus;

constexpr const char* option_prefix = "sinew_";

enum class Kind { gamg, hypre, mumps };

/// A matrix of PETSc with the owned rows of a shared one.
class PetscMatrix {
 public:
  ~PetscMatrix() { MatDestroy(&matrix_); }

  ::Mat get() const { return matrix_; }

  void assign(const SharedMatrix& A, MPI_Comm comm) {
    const la::SymmetricMatrix& part = *A.part().assembled();
    const Halo& halo = A.halo();
    if (!matrix_ || version_ != part.pattern().version()) allocate(part, halo, comm);
    check(MatZeroEntries(matrix_));
    const la::BlockPattern& pattern = part.pattern();
    std::array<double, 9> block{};
    for (int row = 0; row < pattern.num_blocks(); ++row)
      for (int slot = pattern.row_begin(row); slot < pattern.row_end(row); ++slot) {
        const int col = pattern.cols()[static_cast<std::size_t>(slot)];
        const double* entries = part.block(slot);
        if (is_owned_[static_cast<std::size_t>(row)]) add(row, col, entries);
        if (row == col || !is_owned_[static_cast<std::size_t>(col)]) continue;
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            block[static_cast<std::size_t>(3 * j + i)] = entries[3 * i + j];
        add(col, row, block.data());
      }
    check(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
  }

 private:
  void allocate(const la::SymmetricMatrix& part, const Halo& halo, MPI_Comm comm) {
    check(MatDestroy(&matrix_));
    const la::BlockPattern& pattern = part.pattern();
    numbers_ = halo.global_numbers();
    is_owned_.assign(numbers_.size(), 0);
    for (const int block : halo.owned()) is_owned_[static_cast<std::size_t>(block)] = 1;
    std::vector<PetscInt> row_of_block(numbers_.size(), -1);
    for (std::size_t k = 0; k < halo.owned().size(); ++k)
      row_of_block[static_cast<std::size_t>(halo.owned()[k])] = static_cast<PetscInt>(k);
    std::vector<PetscInt> here(halo.owned().size(), 0), elsewhere(halo.owned().size(), 0);
    const auto count = [&](int row, int col) {
      const PetscInt own = row_of_block[static_cast<std::size_t>(row)];
      if (own < 0) return;
      ++(is_owned_[static_cast<std::size_t>(col)] ? here
                                                  : elsewhere)[static_cast<std::size_t>(own)];
    };
    for (int row = 0; row < pattern.num_blocks(); ++row)
      for (int slot = pattern.row_begin(row); slot < pattern.row_end(row); ++slot) {
        const int col = pattern.cols()[static_cast<std::size_t>(slot)];
        count(row, col);
        if (row != col) count(col, row);
      }
    const auto rows = static_cast<PetscInt>(3 * halo.num_owned());
    check(MatCreate(comm, &matrix_));
    check(MatSetSizes(matrix_, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE));
    check(MatSetBlockSize(matrix_, 3));
    check(MatSetType(matrix_, MATAIJ));
    check(MatXAIJSetPreallocation(matrix_, 3, here.data(), elsewhere.data(), nullptr, nullptr));
    check(MatSetOption(matrix_, MAT_SYMMETRIC, PETSC_TRUE));
    check(MatSetOption(matrix_, MAT_SYMMETRY_ETERNAL, PETSC_TRUE));
    check(MatSetOption(matrix_, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
    version_ = pattern.version();
  }

  void add(int row, int col, const double* entries) {
    const PetscInt r = numbers_[static_cast<std::size_t>(row)],
                   c = numbers_[static_cast<std::size_t>(col)];
    check(MatSetValuesBlocked(matrix_, 1, &r, 1, &c, entries, INSERT_VALUES));
  }

  ::Mat matrix_ = nullptr;
  std::vector<PetscInt> numbers_;
  std::vector<char> is_owned_;
  std::uint64_t version_ = 0;
};

class PetscSolver final : public la::LinearSolver {
 public:
  PetscSolver(Kind kind, const la::Reducer& reducer, double tolerance, bool lags)
      : kind_(kind), reducer_(reducer), tolerance_(tolerance), lags_(lags) {}
  ~PetscSolver() override { discard(); }

  std::vector<Mat3>* frames() override { return lags_ ? &frames_ : nullptr; }
  Vec* positions() override { return &positions_; }

  FactorReport factorize(const la::LinearOperator& A) override {
    matrix_ = dynamic_cast<const SharedMatrix*>(&A);
    SINEW_ASSERT(matrix_ != nullptr && matrix_->part().assembled() != nullptr,
                 "solvers of PETSc are for the matrices that processes share");
    is_current_ = false;
    if (reducer_.any(!matrix_->part().assembled()->all_finite()))
      return {.status = SolveStatus::not_finite};
    if (restored_.size() > 0) rebuild();
    const bool is_of_this_pattern =
        conditioner_ && version_ == matrix_->part().assembled()->pattern().version();
    if (lags_ && is_of_this_pattern && excess_ < refresh_cost) return {.factorized = false};
    return refresh();
  }

  Vec memory() const override {
    if (restored_.size() > 0) return restored_;
    if (!lags_ || made_of_.size() == 0) return {};
    const sinew::Mat& past = past_.solutions();
    const auto num_frames = static_cast<Index>(made_frames_.size());
    Vec kept(header + past.size() + 9 * num_frames + made_at_.size() + made_of_.size());
    kept.head<header>() << static_cast<double>(past.cols()), static_cast<double>(past_.newest()),
        static_cast<double>(num_frames), static_cast<double>(made_at_.size()),
        static_cast<double>(fresh_), static_cast<double>(excess_);
    Index at = header;
    const auto add = [&](const auto& numbers) {
      kept.segment(at, numbers.size()) = numbers;
      at += numbers.size();
    };
    add(past.reshaped());
    for (const Mat3& frame : made_frames_) add(frame.reshaped());
    add(made_at_);
    add(made_of_);
    return kept;
  }
  void restore(const Vec& memory) override { restored_ = memory; }
  void reset() override {
    discard();
    restored_.resize(0);
    past_.forget();
    made_of_.resize(0);
    excess_ = 0;
  }
  double factor_cost() const override { return refresh_cost; }

 private:
  static constexpr Index header = 6;  // of memory(): numbers before the arrays
  // what a new preconditioner costs, in iterations
  static constexpr int refresh_cost = 30;
  static constexpr int max_iterations = 500;

  Index num_entries() const {
    return 9 * static_cast<Index>(matrix_->part().assembled()->pattern().num_entries());
  }

  void discard() {
    PCDestroy(&conditioner_);
    VecDestroy(&in_);
    VecDestroy(&out_);
  }

  FactorReport refresh() {
    const la::SymmetricMatrix& part = *matrix_->part().assembled();
    made_of_ = Eigen::Map<const Vec>(part.values(), num_entries());
    made_at_ = positions_;
    made_frames_ = frames_;
    excess_ = 0;
    fresh_ = 0;
    is_current_ = true;
    const SolveStatus status = set_up(*matrix_);
    if (status != SolveStatus::ok) made_of_.resize(0);
    return {.status = status, .factorized = true};
  }

  /// A preconditioner of this matrix at the places `made_at_`. Always from nothing: a run that is
  /// resumed makes the same.
  SolveStatus set_up(const SharedMatrix& A) {
    discard();
    version_ = A.part().assembled()->pattern().version();
    entries_.assign(A, PETSC_COMM_WORLD);
    set_rigid_motions();
    check(MatCreateVecs(entries_.get(), &in_, &out_));
    check(PCCreate(PETSC_COMM_WORLD, &conditioner_));
    check(PCSetOptionsPrefix(conditioner_, option_prefix));
    check(PCSetOperators(conditioner_, entries_.get(), entries_.get()));
    switch (kind_) {
      case Kind::gamg:
        // Plain aggregates: smoothed ones save a quarter of the iterations, and setting them up
        // takes ten times as long (docs/guide/processes.md).
        check(PCSetType(conditioner_, PCGAMG));
        check(PCGAMGSetNSmooths(conditioner_, 0));
        break;
      case Kind::hypre:
        check(PCSetType(conditioner_, PCHYPRE));
        check(PCHYPRESetType(conditioner_, "boomeramg"));
        break;
      case Kind::mumps:
        check(PCSetType(conditioner_, PCCHOLESKY));
        check(PCFactorSetMatSolverType(conditioner_, MATSOLVERMUMPS));
        break;
    }
    check(PCSetFromOptions(conditioner_));
    const bool failed = PCSetUp(conditioner_) != 0;
    PCFailedReason reason = PC_NOERROR;
    PCGetFailedReason(conditioner_, &reason);
    if (reducer_.any(failed || reason != PC_NOERROR)) {
      discard();
      return SolveStatus::not_positive_definite;
    }
    return SolveStatus::ok;
  }

  void set_rigid_motions() {
    if (kind_ == Kind::mumps || positions_.size() == 0) return;
    ::Vec coordinates = nullptr;
    check(MatCreateVecs(entries_.get(), &coordinates, nullptr));
    check(VecSetBlockSize(coordinates, 3));
    double* values = nullptr;
    check(VecGetArray(coordinates, &values));
    std::copy_n(made_at_.data(), made_at_.size(), values);
    check(VecRestoreArray(coordinates, &values));
    MatNullSpace motions = nullptr;
    check(MatNullSpaceCreateRigidBody(coordinates, &motions));
    check(MatSetNearNullSpace(entries_.get(), motions));
    check(MatNullSpaceDestroy(&motions));
    check(VecDestroy(&coordinates));
  }

  /// What an earlier process had, from what it was made of.
  void rebuild() {
    const Vec kept = std::exchange(restored_, Vec());
    const Index n = matrix_->size();
    if (kept.size() < header) return;
    const auto columns = static_cast<Index>(kept[0]), frames = static_cast<Index>(kept[2]),
               places = static_cast<Index>(kept[3]);
    if (kept.size() != header + n * columns + 9 * frames + places + num_entries()) return;
    Index at = header;
    past_.restore(Eigen::Map<const sinew::Mat>(kept.data() + at, n, columns),
                  static_cast<Index>(kept[1]));
    at += n * columns;
    made_frames_.clear();
    for (Index k = 0; k < frames; ++k, at += 9)
      made_frames_.emplace_back(Eigen::Map<const Mat3>(kept.data() + at));
    made_at_ = kept.segment(at, places);
    at += places;
    made_of_ = kept.tail(num_entries());
    fresh_ = static_cast<int>(kept[4]);
    excess_ = static_cast<int>(kept[5]);
    la::SymmetricMatrix then = *matrix_->part().assembled();
    std::copy_n(made_of_.data(), made_of_.size(), then.values());
    SharedMatrix shared(matrix_->halo());
    shared.set_part(then);
    static_cast<void>(set_up(shared));
  }

  SolveReport do_solve(const MatIn& B, MatOut X, double enough) override {
    SolveReport total;
    for (;;) {
      const SolveReport report = iterate(B, X, enough);
      total.iterations += report.iterations;
      total.relative_residual = report.relative_residual;
      total.status = report.status;
      if (report.status == SolveStatus::ok || report.status == SolveStatus::not_finite)
        return total;
      if (is_current_) {
        // around a preconditioner of the matrix itself only an indefinite one fails
        total.status = SolveStatus::not_positive_definite;
        return total;
      }
      ++total.factorizations;
      total.status = refresh().status;
      if (total.status != SolveStatus::ok) return total;
    }
  }

  SolveReport iterate(const MatIn& B, MatOut X, double enough) {
    const la::Preconditioner apply = [this](const MatIn& R, MatOut Z) { precondition_all(R, Z); };
    past_.guess(*matrix_, B, reducer_, X, product_);
    const SolveReport report = la::cg(*matrix_, apply, B, X,
                                      {.tolerance = std::max(tolerance_, enough),
                                       .test = la::CgTest::energy,
                                       .max_iterations = max_iterations,
                                       .product = &product_},
                                      reducer_, work_);
    if (report.status != SolveStatus::ok) return report;
    past_.remember(X);
    // against how it converged when it was new, at the same number of decades
    const int each =
        (report.iterations + static_cast<int>(B.cols()) - 1) / static_cast<int>(B.cols());
    if (is_current_ || fresh_ == 0)
      fresh_ = std::max({fresh_, each, 1});
    else
      excess_ += std::max(0, each - fresh_) * static_cast<int>(B.cols());
    return report;
  }

  void precondition_all(const MatIn& R, MatOut Z) {
    const bool turns = !is_current_ && !frames_.empty() && frames_.size() == made_frames_.size();
    for (Index c = 0; c < R.cols(); ++c) {
      double* in = nullptr;
      check(VecGetArray(in_, &in));
      for (Index k = 0; k < R.rows() / 3; ++k) {
        const auto r = R.col(c).segment<3>(3 * k);
        const auto node = static_cast<std::size_t>(k);
        Eigen::Map<Vec3>(in + 3 * k) =
            turns ? Vec3(made_frames_[node] * (frames_[node].transpose() * r)) : Vec3(r);
      }
      check(VecRestoreArray(in_, &in));
      check(PCApply(conditioner_, in_, out_));
      const double* out = nullptr;
      check(VecGetArrayRead(out_, &out));
      for (Index k = 0; k < R.rows() / 3; ++k) {
        const Eigen::Map<const Vec3> z(out + 3 * k);
        const auto node = static_cast<std::size_t>(k);
        Z.col(c).segment<3>(3 * k) =
            turns ? Vec3(frames_[node] * (made_frames_[node].transpose() * z)) : Vec3(z);
      }
      check(VecRestoreArrayRead(out_, &out));
    }
  }

  Kind kind_;
  const la::Reducer& reducer_;
  double tolerance_;
  bool lags_;
  const SharedMatrix* matrix_ = nullptr;
  bool is_current_ = false;  // the preconditioner is that of the present matrix
  PetscMatrix entries_;
  PC conditioner_ = nullptr;
  ::Vec in_ = nullptr, out_ = nullptr;
  std::uint64_t version_ = 0;
  Vec made_of_, made_at_;  // entries of the part and places of the nodes when it was made
  std::vector<Mat3> frames_, made_frames_;
  Vec positions_;
  int fresh_ = 0;   // iterations of a right-hand side when it was new
  int excess_ = 0;  // those since then that a new one would have saved
  Vec restored_;
  la::SolutionGuess past_;
  sinew::Mat product_;
  la::CgWorkspace work_;
};

// of solvers that are to be as good as direct ones
constexpr double tight = 1e-12;

template <Kind kind>
std::unique_ptr<la::LinearSolver> make_tight(const la::Reducer& reducer) {
  return std::make_unique<PetscSolver>(kind, reducer, tight, false);
}
template <Kind kind>
std::unique_ptr<la::LinearSolver> make_lagging(const la::Reducer& reducer, double tolerance) {
  return std::make_unique<PetscSolver>(kind, reducer, tolerance, true);
}

}  // namespace

std::span<const la::SolverEntry> shared_solvers() {
  static const std::array table{
      la::SolverEntry{.name = "petsc-gamg",
                      .summary = "of several processes: conjugate gradients around smoothed "
                                 "aggregation (PETSc)",
                      .is_direct = false,
                      .make = make_tight<Kind::gamg>,
                      .make_iterative = make_lagging<Kind::gamg>,
                      .is_shared = true},
      la::SolverEntry{.name = "petsc-hypre",
                      .summary = "of several processes: conjugate gradients around BoomerAMG "
                                 "(hypre)",
                      .is_direct = false,
                      .make = make_tight<Kind::hypre>,
                      .make_iterative = make_lagging<Kind::hypre>,
                      .is_shared = true},
      la::SolverEntry{.name = "petsc-mumps",
                      .summary = "of several processes: a Cholesky factor (MUMPS), lagged",
                      .is_direct = false,
                      .make = make_tight<Kind::mumps>,
                      .make_iterative = make_lagging<Kind::mumps>,
                      .is_shared = true}};
  return table;
}

void set_solver_options(const std::string& text) {
  std::string prefixed;
  for (std::size_t k = 0; k < text.size(); ++k) {
    prefixed += text[k];
    const bool starts_word = k == 0 || text[k - 1] == ' ';
    const bool is_name =
        k + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[k + 1]));
    if (text[k] == '-' && starts_word && is_name) prefixed += option_prefix;
  }
  check(PetscOptionsInsertString(nullptr, prefixed.c_str()));
}

}  // namespace sinew::petsc
