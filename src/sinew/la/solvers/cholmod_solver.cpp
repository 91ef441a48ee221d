// SPDX-License-Identifier: Apache-2.0
// Three choices make this fast and repeatable:
//  * The fill-reducing order is found on the graph of blocks (AMD for small, METIS for large ones),
//    postordered there and expanded; the matrix is handed over already permuted, so CHOLMOD's
//    numeric phase neither transposes nor copies it.
//  * Debian's CHOLMOD opens OpenMP regions that cost more than they give; max_active_levels(0)
//    makes them serial in the calling thread only.
//  * OpenBLAS runs on one thread while any solver is inside CHOLMOD: the sums are then the same
//    whatever the number of threads elsewhere.
#include <algorithm>
#include <mutex>
#include <new>

#include <cholmod.h>
#include <omp.h>

#include <sinew/la/scalar_csc.hpp>
#include <sinew/la/solvers/cholmod_solver.hpp>
#include <sinew/la/solvers/openblas.hpp>

namespace sinew::la {
namespace {

// METIS pays from about 10,000 tets, i.e. 2,000 vertices, upwards; AMD is quicker below.
constexpr int metis_from_blocks = 2000;

/// Makes every OpenMP region entered from this thread serial.
class SerialOpenMp {
 public:
  SerialOpenMp() : saved_(omp_get_max_active_levels()) { omp_set_max_active_levels(0); }
  ~SerialOpenMp() { omp_set_max_active_levels(saved_); }
  SerialOpenMp(const SerialOpenMp&) = delete;
  SerialOpenMp& operator=(const SerialOpenMp&) = delete;

 private:
  int saved_;
};

/// Too large is out of memory too: the factor has more entries than CHOLMOD's integers can count.
void require_memory(int status) {
  if (status == CHOLMOD_OUT_OF_MEMORY || status == CHOLMOD_TOO_LARGE) throw std::bad_alloc();
  SINEW_ASSERT(status == CHOLMOD_OK, "CHOLMOD failed");
}

struct Quiet {
  OneBlasThread blas;
  SerialOpenMp openmp;
};

class CholmodSolver final : public LinearSolver {
 public:
  CholmodSolver() {
    cholmod_start(&common_);
    common_.supernodal = CHOLMOD_SUPERNODAL;
    common_.final_ll = 1;
    common_.quick_return_if_not_posdef = 1;
    common_.print = 0;
    common_.error_handler = nullptr;
  }

  ~CholmodSolver() override {
    cholmod_free_factor(&factor_, &common_);
    cholmod_free_dense(&y_, &common_);
    cholmod_free_dense(&e_, &common_);
    cholmod_finish(&common_);
  }

  FactorReport factorize(const LinearOperator& A) override {
    const SymmetricMatrix* matrix = A.assembled();
    SINEW_ASSERT(matrix != nullptr, "a direct solver needs an assembled matrix");
    const Quiet quiet;
    FactorReport report;
    if (matrix->pattern().version() != analysed_version_) {
      analyze(matrix->pattern());
      report.analysed = true;
    }
    if (!csc_.fill(*matrix)) {
      report.status = SolveStatus::not_finite;
      return report;
    }
    cholmod_sparse view = sparse_view();
    cholmod_factorize(&view, factor_, &common_);
    if (common_.status == CHOLMOD_NOT_POSDEF) {
      report.status = SolveStatus::not_positive_definite;
    } else {
      require_memory(common_.status);
    }
    return report;
  }

  double factor_cost() const override {
    // measured on bars of 5,000 to 190,000 tets: factors run at about 19 Gflop/s, solves take about
    // 1.75 ns per entry; small factors are slower than that
    constexpr double flops_per_entry = 33.0, least = 12.0;
    return std::max(least, common_.fl / (flops_per_entry * common_.lnz));
  }

  SolveReport do_solve(const MatIn& B, MatOut X, double /*enough*/) override {
    if (B.size() == 0) return {};  // CHOLMOD takes this for an error
    const Quiet quiet;
    const Index n = B.rows();
    if (b_.rows() != n || b_.cols() < B.cols()) {
      b_.resize(n, B.cols());
      x_.resize(n, B.cols());
    }
    csc_.permute(B, b_.leftCols(B.cols()));
    cholmod_dense rhs = dense_view(b_, B.cols());
    cholmod_dense solution = dense_view(x_, B.cols());
    cholmod_dense* solution_pointer = &solution;
    cholmod_solve2(CHOLMOD_A, factor_, &rhs, nullptr, &solution_pointer, nullptr, &y_, &e_,
                   &common_);
    SINEW_ASSERT(common_.status == CHOLMOD_OK && solution_pointer == &solution,
                 "CHOLMOD could not solve");
    csc_.permute_back(x_.leftCols(B.cols()), X);
    return {};
  }

 private:
  void analyze(const BlockPattern& pattern) {
    csc_.analyze(pattern, fill_reducing_order(pattern));
    cholmod_free_factor(&factor_, &common_);
    common_.nmethods = 1;
    common_.method[0].ordering = CHOLMOD_NATURAL;
    common_.postorder = 0;  // the order is a postorder already
    cholmod_sparse view = sparse_view();
    factor_ = cholmod_analyze(&view, &common_);
    require_memory(common_.status);
    analysed_version_ = pattern.version();
  }

  std::vector<int> fill_reducing_order(const BlockPattern& pattern) {
    // METIS seeds and draws from the C library's global rand(): one at a time, or orders would vary
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    // the graph of blocks, upper triangle by rows = lower triangle by columns
    const int n = pattern.num_blocks();
    std::vector<int> starts(static_cast<std::size_t>(n) + 1),
        rows(pattern.cols().begin(), pattern.cols().end());
    for (int row = 0; row < n; ++row) starts[row + 1] = pattern.row_end(row);
    cholmod_sparse graph{};
    graph.nrow = graph.ncol = static_cast<std::size_t>(n);
    graph.nzmax = rows.size();
    graph.p = starts.data();
    graph.i = rows.data();
    graph.stype = -1;
    graph.itype = CHOLMOD_INT;
    graph.xtype = CHOLMOD_PATTERN;
    graph.dtype = CHOLMOD_DOUBLE;
    graph.sorted = graph.packed = 1;
    common_.nmethods = 1;
    common_.method[0].ordering = n >= metis_from_blocks ? CHOLMOD_METIS : CHOLMOD_AMD;
    common_.postorder = 1;
    cholmod_factor* symbolic = cholmod_analyze(&graph, &common_);
    require_memory(common_.status);
    const int* order = static_cast<const int*>(symbolic->Perm);
    std::vector<int> result(order, order + n);
    cholmod_free_factor(&symbolic, &common_);
    return result;
  }

  cholmod_sparse sparse_view() {
    cholmod_sparse view{};
    view.nrow = view.ncol = csc_.col_start.size() - 1;
    view.nzmax = csc_.rows.size();
    view.p = csc_.col_start.data();
    view.i = csc_.rows.data();
    view.x = csc_.values.data();
    view.stype = -1;  // lower triangle
    view.itype = CHOLMOD_INT;
    view.xtype = CHOLMOD_REAL;
    view.dtype = CHOLMOD_DOUBLE;
    view.sorted = view.packed = 1;
    return view;
  }

  static cholmod_dense dense_view(Mat& matrix, Index cols) {
    cholmod_dense view{};
    view.nrow = view.d = static_cast<std::size_t>(matrix.rows());
    view.ncol = static_cast<std::size_t>(cols);
    view.nzmax = view.nrow * view.ncol;
    view.x = matrix.data();
    view.xtype = CHOLMOD_REAL;
    view.dtype = CHOLMOD_DOUBLE;
    return view;
  }

  cholmod_common common_{};
  cholmod_factor* factor_ = nullptr;
  cholmod_dense* y_ = nullptr;  // CHOLMOD's own scratch, kept between solves
  cholmod_dense* e_ = nullptr;
  std::uint64_t analysed_version_ = 0;
  ScalarCsc csc_;
  Mat b_, x_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_cholmod_solver(const Reducer& /*sums nothing*/) {
  return std::make_unique<CholmodSolver>();
}

}  // namespace sinew::la
