// SPDX-License-Identifier: Apache-2.0
// Systems written in Python.
#include "bindings.hpp"
#include "python_system.hpp"

namespace sinew::python {
namespace {

using dynamics::State, dynamics::Workspace;

/// y = A x by entries and, for the inverse, by another dense matrix.
class DenseOperator final : public la::LinearOperator {
 public:
  explicit DenseOperator(Mat matrix) : matrix_(std::move(matrix)) {}
  Index size() const override { return matrix_.rows(); }

 private:
  void do_apply(const VecIn& x, VecOut y) const override { y = matrix_ * x; }
  Mat matrix_;
};

Mat matrix_of(const py::object& given, Index n, const char* what) {
  py::object dense = py::hasattr(given, "toarray") ? given.attr("toarray")() : given;
  const auto array = Array<double>::ensure(dense);
  if (!array || array.ndim() != 2 || array.shape(0) != n || array.shape(1) != n)
    throw py::value_error(std::string(what) + " must be a matrix of " + std::to_string(n) + " x " +
                          std::to_string(n));
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(array.data(), n, n);
}

/// A dynamical system whose functions are methods of a Python object: force(q, v, t), and where it
/// has them potential(q, t), stiffness(q, v, t) and damping(q, v, t).
class PythonSystem final : public dynamics::DynamicalSystem {
 public:
  explicit PythonSystem(py::object own)
      : own_(new py::object(std::move(own)), [](py::object* last) {
          const py::gil_scoped_acquire lock;
          delete last;
        }) {
    const py::object given = own_->attr("mass");
    const py::object mass = py::hasattr(given, "toarray")
                                ? py::object(given.attr("toarray")())
                                : py::object(py::module_::import("numpy").attr("asarray")(given));
    const auto array = Array<double>::ensure(mass);
    if (array && array.ndim() == 1) {
      const Vec diagonal = vector_of(array);
      if (!((diagonal.array() > 0.0).all()) || diagonal.size() == 0)
        throw py::value_error("mass must be positive");
      mass_ = std::make_unique<la::DiagonalOperator>(diagonal);
      inverse_ = std::make_unique<la::DiagonalOperator>(diagonal.cwiseInverse());
    } else {
      const auto n = mass.attr("shape").attr("__getitem__")(0).cast<Index>();
      mass_ = std::make_unique<la::SymmetricMatrix>(
          la::SymmetricMatrix::from_dense(matrix_of(mass, n, "mass")));
      const py::object inverse =
          py::module_::import("numpy.linalg").attr("inv")(matrix_of(mass, n, "mass"));
      inverse_ = std::make_unique<DenseOperator>(matrix_of(inverse, n, "mass"));
    }
    const auto has = [&](const char* name) {
      return py::hasattr(*own_, name) && !own_->attr(name).is_none();
    };
    has_potential_ = has("potential");
    has_stiffness_ = has("stiffness");
    has_damping_ = has("damping");
    depends_on_time_ =
        py::hasattr(*own_, "depends_on_time") && own_->attr("depends_on_time").cast<bool>();
    pattern_ = la::BlockPattern::dense(static_cast<int>(num_dofs()));
  }

  Index num_dofs() const override { return mass_->size(); }
  const la::LinearOperator& mass() const override { return *mass_; }
  const la::LinearOperator& mass_inverse() const override { return *inverse_; }

  double potential(const State& s, Workspace&) const override {
    if (!has_potential_) return 0.0;
    const py::gil_scoped_acquire lock;
    return own_->attr("potential")(s.q, s.t).cast<double>();
  }
  void force(const State& s, Workspace&, VecOut f) const override {
    const py::gil_scoped_acquire lock;
    f = force_of(s.q, s.v, s.t);
  }
  dynamics::ForceTraits traits() const override {
    using enum dynamics::DampingKind;
    return {.form = has_potential_ && !has_damping_ ? dynamics::ForceForm::potential_and_dissipation
                                                    : dynamics::ForceForm::general,
            .damping = has_damping_ ? state_dependent : none,
            .depends_on_time = depends_on_time_};
  }

 protected:
  std::shared_ptr<const la::BlockPattern> pattern(const State&, Workspace&) const override {
    return pattern_;
  }
  void assemble(const State& s, const dynamics::LinearizeOptions&, Workspace& workspace,
                la::SymmetricMatrix& K, la::SymmetricMatrix* D, Vec* f,
                dynamics::LinearizeReport&) const override {
    {
      const py::gil_scoped_acquire lock;
      write(has_stiffness_
                ? matrix_of(own_->attr("stiffness")(s.q, s.v, s.t), num_dofs(), "stiffness")
                : differences(s),
            K);
      if (D) write(matrix_of(own_->attr("damping")(s.q, s.v, s.t), num_dofs(), "damping"), *D);
    }
    if (f) force(s, workspace, *f);
  }

 private:
  Vec force_of(const Vec& q, const Vec& v, double t) const {
    const auto array = Array<double>::ensure(own_->attr("force")(q, v, t));
    if (!array || array.size() != num_dofs())
      throw py::value_error("force must return " + std::to_string(num_dofs()) + " numbers");
    return vector_of(array);
  }
  /// -df/dq by central differences, its symmetric part.
  Mat differences(const State& s) const {
    const Index n = num_dofs();
    Mat K(n, n);
    Vec q = s.q;
    for (Index i = 0; i < n; ++i) {
      const double span = 6e-6 * std::max(1.0, std::abs(s.q[i]));  // cube root of the rounding
      q[i] = s.q[i] + span;
      K.col(i) = -force_of(q, s.v, s.t);
      q[i] = s.q[i] - span;
      K.col(i) += force_of(q, s.v, s.t);
      K.col(i) /= 2.0 * span;
      q[i] = s.q[i];
    }
    return 0.5 * (K + K.transpose());
  }
  static void write(const Mat& dense, la::SymmetricMatrix& out) {
    for (Index i = 0; i < dense.rows(); ++i)
      for (Index j = i; j < dense.cols(); ++j) out.add(i, j, dense(i, j));
  }

  std::shared_ptr<py::object> own_;
  std::unique_ptr<la::LinearOperator> mass_, inverse_;
  std::shared_ptr<const la::BlockPattern> pattern_;
  bool has_potential_ = false, has_stiffness_ = false, has_damping_ = false;
  bool depends_on_time_ = false;
};

}  // namespace

std::unique_ptr<dynamics::DynamicalSystem> make_python_system(py::object own) {
  return std::make_unique<PythonSystem>(std::move(own));
}

std::tuple<py::array_t<double>, py::array_t<int>, py::array_t<int>> sparse_entries(
    const la::LinearOperator& A) {
  std::vector<double> values;
  std::vector<int> rows, columns;
  const auto put = [&](int i, int j, double value) {
    values.push_back(value);
    rows.push_back(i);
    columns.push_back(j);
  };
  if (const Vec* diagonal = A.diagonal_only()) {
    for (int i = 0; i < static_cast<int>(diagonal->size()); ++i) put(i, i, (*diagonal)[i]);
  } else {
    const la::SymmetricMatrix* matrix = A.assembled();
    SINEW_ASSERT(matrix != nullptr, "this operator has no entries");
    const la::BlockPattern& pattern = matrix->pattern();
    const int size = pattern.block_size();
    for (int row = 0; row < pattern.num_blocks(); ++row)
      for (int slot = pattern.row_begin(row); slot < pattern.row_end(row); ++slot) {
        const int column = pattern.cols()[static_cast<std::size_t>(slot)];
        const double* block = matrix->block(slot);
        for (int i = 0; i < size; ++i)
          for (int j = 0; j < size; ++j) {
            put(size * row + i, size * column + j, block[size * i + j]);
            if (row != column) put(size * column + j, size * row + i, block[size * i + j]);
          }
      }
  }
  const auto count = static_cast<py::ssize_t>(values.size());
  return {owning_array<double>(std::move(values), {count}),
          owning_array<int>(std::move(rows), {count}),
          owning_array<int>(std::move(columns), {count})};
}

void bind_dynamics(py::module_&) {}

}  // namespace sinew::python
