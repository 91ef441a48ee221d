// SPDX-License-Identifier: Apache-2.0
// Trigonometric method whose linear part turns with the material: R K R^T with K of the rest shape,
// so that f(R A R^T) = R f(A) R^T needs functions of one matrix only. R is the mean rotation of
// each connected piece, or one per node: then R^T q shows strains that are not there where
// rotations differ between neighbours. Pieces may turn far; what bends them is treated explicitly
// beyond its linear part. Symplectic only as long as R does not change.
#include <algorithm>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>

#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/trigonometric_method.hpp>

namespace sinew::integrators {
namespace {

class CorotationalTrigonometric final : public TrigonometricMethod {
 public:
  CorotationalTrigonometric(const Options& options, const Services& services)
      : TrigonometricMethod(options, services) {
    keeps_linear_part_ = true;
    const std::string& kind = options.text("rotations");
    per_node_ = kind != "piece";
    if (kind == "edges") kind_ = dynamics::NodeRotations::edges;
  }

 private:
  StepStatus choose_linear_part(StepContext& step, const dynamics::State& now) override {
    if (!has_linear_part()) set_linear_part_at_rest(step, now);
    if (!step.node_rotations(now, rotations_, kind_)) rotations_.clear();
    if (!per_node_) replace_by_means(step.reducer, rotations_);
    return StepStatus::accepted;
  }

  /// Every rotation by the one nearest to the mean of its piece.
  void replace_by_means(const la::Reducer& reducer, std::vector<Mat3>& rotations) {
    const la::SymmetricMatrix* K = linear_part().stiffness().assembled();
    if (K == nullptr || K->pattern().block_size() != 3) rotations.clear();
    if (rotations.empty()) return;
    if (pattern_ != K->shared_pattern()) {
      pattern_ = K->shared_pattern();
      pieces_ = pattern_->pieces();
      find_free_pieces(reducer, *K);
    }
    if (!reducer.any(std::find(free_.begin(), free_.end(), true) != free_.end())) {
      rotations.clear();
      return;
    }
    means_.assign(free_.size(), Mat3::Zero());
    for (std::size_t k = 0; k < rotations.size(); ++k) means_[pieces_[k]] += rotations[k];
    for (std::size_t p = 0; p < means_.size(); ++p) {
      Mat3& mean = means_[p];
      if (!free_[p]) {
        mean.setIdentity();
        continue;
      }
      const Eigen::JacobiSVD<Mat3> svd(mean, Eigen::ComputeFullU | Eigen::ComputeFullV);
      Mat3 U = svd.matrixU();
      if ((U * svd.matrixV().transpose()).determinant() < 0.0) U.col(2) *= -1.0;
      mean = U * svd.matrixV().transpose();
    }
    for (std::size_t k = 0; k < rotations.size(); ++k) rotations[k] = means_[pieces_[k]];
  }

  /// Those whose rotation costs no energy.
  void find_free_pieces(const la::Reducer& reducer, const la::SymmetricMatrix& K) {
    const int last = *std::max_element(pieces_.begin(), pieces_.end());
    free_.assign(static_cast<std::size_t>(last) + 1, true);
    const double stiffness = reducer.largest(K.diagonal().maxCoeff());
    const double size = reducer.max_abs(centre());
    Vec turned(K.size()), force(K.size());
    for (int axis = 0; axis < 3; ++axis) {
      for (Index k = 0; k < K.size(); k += 3)
        turned.segment<3>(k) = Vec3(Vec3::Unit(axis)).cross(Vec3(centre().segment<3>(k)));
      K.apply(turned, force);
      for (Index k = 0; k < K.size(); ++k)
        if (std::abs(force[k]) > 1e-9 * stiffness * size) free_[pieces_[k / 3]] = false;
    }
  }

  bool per_node_ = false;
  dynamics::NodeRotations kind_ = dynamics::NodeRotations::neighbourhood;
  std::shared_ptr<const la::BlockPattern> pattern_;
  std::vector<bool> free_;  // per piece
  std::vector<int> pieces_;
  std::vector<Mat3> means_;
};

}  // namespace

IntegratorEntry ceti() {
  return {
      .traits = {.name = "ceti",
                 .title = "exponential time integrator, linear part turned with the material",
                 .equation = "as eti, with Omega^2 = R M^-1 K R^T, K of the rest shape",
                 .order = 2,
                 .is_exponential = true,
                 .uses_rest_tangent = true,
                 .keeps_energy = true,
                 .exact_for_linear = true,
                 .keeps_linear_momentum = true,
                 .cost = "2 forces, about 3 h omega_max products; small systems: products with "
                         "full matrices",
                 .reference = "michels2014"},
      .options = with_trigonometric_options(
          {{.name = "rotations",
            .summary =
                "one for each connected piece that is free to turn (piece), or one per node: "
                "nearest to the deformation around it (neighbourhood), or of three of its "
                "edges (edges)",
            .default_value = std::string("piece"),
            .choices = {"piece", "neighbourhood", "edges"}}}),
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<CorotationalTrigonometric>(options, services);
      },
      .has_history = is_two_step};
}

}  // namespace sinew::integrators
