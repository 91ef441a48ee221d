// SPDX-License-Identifier: Apache-2.0
// A smooth surface around the triangles of a closed part: where an implicit function of the
// positions of their corners is zero, as contact surfaces are made in section 5.2 of ascher2022.
// It is the mean of the heights h_t over the planes of the triangles near a point,
//
//   F(p) = (sum_t w_t h_t + w_0 F_0) / (sum_t w_t + w_0),
//   w_t = area_t k(|p - c_t|^2/r_t^2) s(-h_t/d_t),
//   k(u) = (1 - u)^5 up to 1, then 0,    s(a) = 1 below 0, (1 - a^3)^3 up to 1, then 0,
//
// positive outside, with areas and radii r_t around the middles c_t of the shape at rest. d_t, the
// depth to which a triangle acts, is at most half the thickness of the body there: the two sides of
// a plate know nothing of each other. F_0 is beyond what acts and w_0 small: far from all
// triangles, outside and inside, F goes there without a jump. F turns with the body and has two
// continuous derivatives; |grad F| is near 1.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <sinew/geometry/box.hpp>
#include <sinew/physics/contact/contact_surface.hpp>
#include <sinew/physics/elements/padded_field.hpp>

namespace sinew::physics {

/// The function at a vertex of another part.
struct SmoothPoint {
  /// A triangle that reaches the point, and where the point and its corners are in `vertices`.
  struct Near {
    int triangle = 0;
    std::array<int, 4> places{};
  };

  std::vector<int> vertices;  ///< all that F depends on, the point itself first
  std::vector<Near> near;
  double value = 0.0;  ///< F [m]
  Vec gradient;        ///< of F, by the vertices
  /// Per vertex, adding up to zero: sum of weights * velocities is how fast the point moves over
  /// the mean of the triangles.
  std::vector<double> weights;

  Vec3 normal() const { return gradient.head<3>().normalized(); }
};

class SmoothSurface {
 public:
  /// `reach`: gap from which on nothing acts [m].
  SmoothSurface(const ContactSurface& surface, int part, double reach);

  /// Where triangles have an influence, one box each.
  std::vector<geometry::Box> boxes(const PaddedField& x) const;
  /// F alone; `near`: those triangles whose boxes contain the point, ascending [m].
  double value(int vertex, std::span<const int> near, const PaddedField& x) const;
  SmoothPoint at(int vertex, std::span<const int> near, const PaddedField& x) const;
  /// Second derivatives of F.
  Mat hessian(const SmoothPoint& point, const PaddedField& x) const;

 private:
  struct Triangle {
    std::array<int, 3> vertices{};
    double area = 0.0;    ///< at rest [m^2]
    double radius = 0.0;  ///< r_t [m]
    double depth = 0.0;   ///< d_t [m]
  };
  struct Influence;

  void limit_depths(const Numbering& numbering);
  const Triangle& triangle(int k) const { return triangles_[static_cast<std::size_t>(k)]; }
  Influence influence(int vertex, int triangle, const PaddedField& x) const;

  std::vector<Triangle> triangles_;
  double far_weight_ = 0.0;  ///< w_0 [m^2]
  double far_value_;         ///< F_0 [m]
};

}  // namespace sinew::physics
