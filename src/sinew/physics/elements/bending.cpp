// SPDX-License-Identifier: Apache-2.0
// Turning angle. With u, v the unit vectors along the two sides, l, m their lengths and c = u.v:
//   dc/de = (v - c u)/l,     dc/df = (u - c v)/m,
//   d^2c/de^2 = -((v - c u) u^T + u (v - c u)^T + c (I - u u^T))/l^2,   likewise for f,
//   d^2c/de df = (I - u u^T)(I - v v^T)/(l m);
// W is a function of c, W' = -k (phi - phi0)/sin phi, which is smooth at phi = 0 for a chain that
// is straight at rest. Where it is not, a straight chain does not know which way to turn: a kink of
// the energy, where the sine is kept from vanishing.
//
// Hinge angle. With N1, N2 the area vectors and e the edge, only the opposite corners turn the
// hinge directly, g2 = -|e| N1/|N1|^2 and g3 = -|e| N2/|N2|^2, and the ends of the edge take up
// what is left, by where the feet of the two heights lie on the edge. The Hessian is the derivative
// of these expressions; where a definite one is asked for, k g g^T.
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include <sinew/physics/elements/bending.hpp>
#include <sinew/physics/elements/stencil_set.hpp>

namespace sinew::physics {
namespace {

Mat3 cross_matrix(const Vec3& w) {
  Mat3 result;
  result << 0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0;
  return result;
}

struct AngleKernel {
  using Element = BendAngle;
  using Corners = Stencil<3>::Corners;
  using Gradient = Stencil<3>::Gradient;
  using Hessian = Stencil<3>::Hessian;

  /// Two sides of a chain and the angle between them.
  struct Sides {
    explicit Sides(const Corners& x) {
      const Vec3 e = x.col(1) - x.col(0), f = x.col(2) - x.col(1);
      l = e.norm();
      m = f.norm();
      u = e / l;
      v = f / m;
      c = u.dot(v);
      angle = std::atan2(u.cross(v).norm(), c);
      p = (v - c * u) / l;
      q = (u - c * v) / m;
    }
    Vec3 u, v, p, q;
    double l, m, c, angle;
  };

  /// First and second derivative of W by c.
  static std::array<double, 2> by_cosine(const Element& element, const Sides& sides) {
    constexpr double small = 1e-2, least_sine = 1e-8;
    const double phi = sides.angle, square = phi * phi;
    if (element.rest == 0.0 && phi < small)
      return {-element.stiffness * (1.0 + square / 6.0 + 7.0 * square * square / 360.0),
              element.stiffness * (1.0 / 3.0 + 2.0 * square / 15.0 + 2.0 * square * square / 63.0)};
    const double sine = std::max(std::sin(phi), least_sine), off = phi - element.rest;
    return {-element.stiffness * off / sine,
            element.stiffness * (sine - off * sides.c) / (sine * sine * sine)};
  }

  static double energy(const Element& element, const Corners& x) {
    const double off = Sides(x).angle - element.rest;
    return 0.5 * element.stiffness * off * off;
  }
  static void gradient(const Element& element, const Corners& x, Gradient& g) {
    const Sides sides(x);
    const double slope = by_cosine(element, sides)[0];
    const Vec3 by_e = slope * sides.p, by_f = slope * sides.q;
    g.segment<3>(0) = -by_e;
    g.segment<3>(3) = by_e - by_f;
    g.segment<3>(6) = by_f;
  }
  static void hessian(const Element& element, const Corners& x, Hessian& H) {
    const Sides sides(x);
    const auto [first, second] = by_cosine(element, sides);
    const Vec3 &u = sides.u, &v = sides.v, &p = sides.p, &q = sides.q;
    const Mat3 across_u = Mat3::Identity() - u * u.transpose();
    const Mat3 across_v = Mat3::Identity() - v * v.transpose();
    const auto curvature = [&](const Vec3& unit, const Vec3& slope, const Mat3& across,
                               double length) {
      const Mat3 mixed = slope * unit.transpose();
      return Mat3(-(mixed + mixed.transpose()) / length - sides.c * across / (length * length));
    };
    const Mat3 ee = second * p * p.transpose() + first * curvature(u, p, across_u, sides.l);
    const Mat3 ff = second * q * q.transpose() + first * curvature(v, q, across_v, sides.m);
    const Mat3 ef = second * p * q.transpose() + first / (sides.l * sides.m) * across_u * across_v;
    const Mat3 fe = ef.transpose();
    // e = b - a and f = c - b
    H << ee, ef - ee, -ef, fe - ee, ee - ef - fe + ff, ef - ff, -fe, fe - ff, ff;
  }
};

struct HingeKernel {
  using Element = BendHinge;
  using Corners = Stencil<4>::Corners;
  using Gradient = Stencil<4>::Gradient;
  using Hessian = Stencil<4>::Hessian;
  using Rows = Eigen::Matrix<double, 3, 12>;
  using Row = Eigen::Matrix<double, 1, 12>;

  struct Shape {
    explicit Shape(const Corners& x)
        : e(x.col(1) - x.col(0)), to{x.col(2) - x.col(0), x.col(3) - x.col(0)} {
      length = e.norm();
      area = {e.cross(to[0]), to[1].cross(e)};
      angle = std::atan2(e.dot(area[0].cross(area[1])) / length, area[0].dot(area[1]));
      for (std::size_t side = 0; side < 2; ++side) {
        foot[side] = to[side].dot(e) / (length * length);
        slope[side] = -length / area[side].squaredNorm() * area[side];
      }
    }
    Gradient gradient() const {
      Gradient g;
      g.segment<3>(0) = -(1.0 - foot[0]) * slope[0] - (1.0 - foot[1]) * slope[1];
      g.segment<3>(3) = -foot[0] * slope[0] - foot[1] * slope[1];
      g.segment<3>(6) = slope[0];
      g.segment<3>(9) = slope[1];
      return g;
    }
    Vec3 e;
    std::array<Vec3, 2> to;  ///< from the beginning of the edge to the opposite corners
    std::array<Vec3, 2> area;
    double length, angle;
    std::array<double, 2> foot;  ///< of the heights on the edge, 0 to 1 along it
    std::array<Vec3, 2> slope;   ///< change of the angle with the opposite corners
  };

  /// By the shorter way around.
  static double off_rest(const Element& element, const Shape& shape) {
    return std::remainder(shape.angle - element.rest, 2.0 * std::numbers::pi);
  }

  static double energy(const Element& element, const Corners& x) {
    const double off = off_rest(element, Shape(x));
    return 0.5 * element.stiffness * off * off;
  }
  static void gradient(const Element& element, const Corners& x, Gradient& g) {
    const Shape shape(x);
    g = element.stiffness * off_rest(element, shape) * shape.gradient();
  }
  static void hessian(const Element& element, const Corners& x, Hessian& H) {
    const Shape shape(x);
    std::array<Rows, 2> bend;
    std::array<Row, 2> shift;
    for (std::size_t side = 0; side < 2; ++side) {
      bend[side] = slope_change(shape, side);
      shift[side] = foot_change(shape, side);
    }
    const auto& [a, b] = shape.foot;
    const Rows feet = shape.slope[0] * shift[0] + shape.slope[1] * shift[1];
    H.topRows<3>() = -(1.0 - a) * bend[0] - (1.0 - b) * bend[1] + feet;
    H.middleRows<3>(3) = -a * bend[0] - b * bend[1] - feet;
    H.middleRows<3>(6) = bend[0];
    H.middleRows<3>(9) = bend[1];
    H *= element.stiffness * off_rest(element, shape);
    const Gradient g = shape.gradient();
    H += element.stiffness * g * g.transpose();
  }
  /// Without the change of the slopes, as of an angle that is linear in the positions.
  static bool definite_hessian(const Element& element, const Corners& x, Hessian& H) {
    const Shape shape(x);
    const Gradient g = shape.gradient();
    H = element.stiffness * g * g.transpose();
    return off_rest(element, shape) != 0.0;
  }

 private:
  /// Derivative of slope[side] by all corners.
  static Rows slope_change(const Shape& shape, std::size_t side) {
    const double sign = side == 0 ? 1.0 : -1.0;
    const Vec3& N = shape.area[side];
    const double square = N.squaredNorm();
    const Mat3 turned =
        -shape.length / square * (Mat3::Identity() - 2.0 / square * N * N.transpose());
    const Mat3 by_edge = -sign * turned * cross_matrix(shape.to[side]) -
                         N * shape.e.transpose() / (square * shape.length);
    const Mat3 by_corner = sign * turned * cross_matrix(shape.e);
    Rows rows = Rows::Zero();
    rows.leftCols<3>() = -by_edge - by_corner;
    rows.middleCols<3>(3) = by_edge;
    rows.middleCols<3>(6 + 3 * static_cast<Index>(side)) = by_corner;
    return rows;
  }
  static Row foot_change(const Shape& shape, std::size_t side) {
    const double square = shape.length * shape.length;
    const Vec3 by_edge = (shape.to[side] - 2.0 * shape.foot[side] * shape.e) / square;
    const Vec3 by_corner = shape.e / square;
    Row row = Row::Zero();
    row.leftCols<3>() = -(by_edge + by_corner).transpose();
    row.middleCols<3>(3) = by_edge.transpose();
    row.middleCols<3>(6 + 3 * static_cast<Index>(side)) = by_corner.transpose();
    return row;
  }
};

/// W = 1/2 x^T H x.
template <int N>
struct QuadraticKernel {
  using Corners = typename Stencil<N>::Corners;
  using Gradient = typename Stencil<N>::Gradient;
  using Hessian = typename Stencil<N>::Hessian;

  struct Element {
    std::array<int, N> vertices;
    Hessian H;
  };

  static double energy(const Element& element, const Corners& x) {
    Gradient g;
    gradient(element, x, g);
    return 0.5 * g.dot(Eigen::Map<const Gradient>(x.data()));
  }
  static void gradient(const Element& element, const Corners& x, Gradient& g) {
    g = element.H * Eigen::Map<const Gradient>(x.data());
  }
  static void hessian(const Element& element, const Corners&, Hessian& H) { H = element.H; }
};

template <class Kernel, int N>
std::unique_ptr<ElementSet> about_rest(const std::vector<typename Kernel::Element>& elements,
                                       std::span<const Vec3> rest, std::span<const int> parts) {
  using Quadratic = QuadraticKernel<N>;
  std::vector<typename Quadratic::Element> constant;
  for (const auto& element : elements) {
    typename Kernel::Corners x;
    for (int k = 0; k < N; ++k)
      x.col(k) = rest[static_cast<std::size_t>(element.vertices[static_cast<std::size_t>(k)])];
    constant.push_back({element.vertices, Quadratic::Hessian::Zero()});
    Kernel::hessian(element, x, constant.back().H);
  }
  return std::make_unique<StencilSet<Quadratic>>(
      PartedElements<typename Quadratic::Element>(std::move(constant), parts));
}

}  // namespace

double turning_angle(const std::array<Vec3, 3>& chain) {
  AngleKernel::Corners x;
  x << chain[0], chain[1], chain[2];
  return AngleKernel::Sides(x).angle;
}

double hinge_angle(const std::array<Vec3, 4>& corners) {
  HingeKernel::Corners x;
  x << corners[0], corners[1], corners[2], corners[3];
  return HingeKernel::Shape(x).angle;
}

std::unique_ptr<ElementSet> make_bend_angles(std::vector<BendAngle> elements,
                                             std::span<const int> parts) {
  return std::make_unique<StencilSet<AngleKernel>>(
      PartedElements<BendAngle>(std::move(elements), parts));
}

std::unique_ptr<ElementSet> make_bend_hinges(std::vector<BendHinge> elements,
                                             std::span<const int> parts) {
  return std::make_unique<StencilSet<HingeKernel>>(
      PartedElements<BendHinge>(std::move(elements), parts));
}

std::unique_ptr<ElementSet> make_angles_about_rest(const std::vector<BendAngle>& elements,
                                                   std::span<const Vec3> rest,
                                                   std::span<const int> parts) {
  return about_rest<AngleKernel, 3>(elements, rest, parts);
}

std::unique_ptr<ElementSet> make_hinges_about_rest(const std::vector<BendHinge>& elements,
                                                   std::span<const Vec3> rest,
                                                   std::span<const int> parts) {
  return about_rest<HingeKernel, 4>(elements, rest, parts);
}

}  // namespace sinew::physics
