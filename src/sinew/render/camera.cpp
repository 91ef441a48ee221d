// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include <sinew/core/error.hpp>
#include <sinew/render/camera.hpp>

namespace sinew::render {
namespace {

/// For one direction across the picture: how far back the eye must be, and how far to the side.
struct Fit {
  double depth, offset;
};

/// Every corner (s, z), along the direction and into the picture, must satisfy
/// |s - offset| <= slope (z - depth). The two tightest lines meet in the answer.
Fit fit(const Eigen::Matrix<double, 3, 8>& corners, int row, double slope) {
  const Eigen::RowVectorXd inward = slope * corners.row(2);
  const double high = (corners.row(row) - inward).maxCoeff();
  const double low = (-corners.row(row) - inward).maxCoeff();
  return {-(high + low) / (2.0 * slope), 0.5 * (high - low)};
}

void turn(Camera& camera, const Vec3& direction) {
  camera.forward = direction.normalized();
  // seen from above or below, y is up
  const bool steep = std::abs(camera.forward.z()) > 0.999;
  camera.right = camera.forward.cross(steep ? Vec3::UnitY() : Vec3::UnitZ()).normalized();
  camera.up = camera.right.cross(camera.forward);
}

}  // namespace

Eigen::Vector2d Camera::project(const Vec3& point) const {
  const Vec3 way = point - eye;
  const double height = way.dot(forward) * tan_half_height;
  return {way.dot(right) / (height * aspect), way.dot(up) / height};
}

Camera frame_box(const mesh::BoundingBox& box, double aspect, const Framing& framing) {
  SINEW_ASSERT(box.low.allFinite() && box.high.allFinite(), "the box is not finite");
  SINEW_ASSERT(aspect > 0.0, "the aspect ratio must be positive");
  SINEW_ASSERT(framing.margin >= 0.0 && framing.margin < 0.5, "the margin must be in [0, 0.5)");
  SINEW_ASSERT(framing.field_of_view > 0.0 && framing.field_of_view < 170.0,
               "the field of view must be in (0, 170) degrees");
  SINEW_ASSERT(framing.view_direction.norm() > 0.0, "the view direction is zero");
  Camera camera;
  camera.aspect = aspect;
  camera.centre = 0.5 * (box.low + box.high);
  Vec3 half = 0.5 * box.size();
  if (half.isZero(0.0)) half = Vec3::Ones();
  camera.radius = half.norm();
  camera.tan_half_height = std::tan(framing.field_of_view * std::numbers::pi / 360.0);
  turn(camera, framing.view_direction);

  Mat3 axes;
  axes << camera.right, camera.up, camera.forward;
  // no flatter than a hundredth, or the eye would sit on what it looks at
  half = half.cwiseMax(0.01 * camera.radius);
  Eigen::Matrix<double, 3, 8> corners;
  for (int k = 0; k < 8; ++k)
    corners.col(k) =
        axes.transpose() * Vec3(k & 1 ? half.x() : -half.x(), k & 2 ? half.y() : -half.y(),
                                k & 4 ? half.z() : -half.z());
  const double slope = camera.tan_half_height * (1.0 - 2.0 * framing.margin);
  const Fit across = fit(corners, 0, slope * aspect), upward = fit(corners, 1, slope);
  const double depth = std::min(across.depth, upward.depth);
  camera.eye = camera.centre + axes * Vec3(across.offset, upward.offset, depth);
  return camera;
}

Camera aim(const Camera& camera, const Vec3& eye, const Vec3& target) {
  SINEW_ASSERT((target - eye).norm() > 0.0, "the eye is where it looks");
  Camera result = camera;
  result.eye = eye;
  turn(result, target - eye);
  return result;
}

}  // namespace sinew::render
