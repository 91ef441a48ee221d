// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <sinew/physics/terms/face_loads.hpp>

namespace sinew::physics {
namespace {

/// A point of a face where the integral over it is evaluated.
template <std::size_t nodes>
struct FacePoint {
  std::array<double, nodes> N;                  ///< shape functions
  std::array<std::array<double, 2>, nodes> dN;  ///< their slopes along the sides 01 and 02
  double weight;                                ///< of the area of the triangle (0,0) (1,0) (0,1)
};

/// Exact: the normal times the area is constant on a flat face, of degree 2 on a curved one.
template <std::size_t nodes>
std::span<const FacePoint<nodes>> face_points();

template <>
std::span<const FacePoint<3>> face_points<3>() {
  constexpr double third = 1.0 / 3.0;
  static constexpr std::array<FacePoint<3>, 1> points{
      {{{third, third, third}, {{{-1.0, -1.0}, {1.0, 0.0}, {0.0, 1.0}}}, 0.5}}};
  return points;
}

/// Shape functions of the corners l (2 l - 1) and of the sides 4 l l', at (l_1, l_2).
FacePoint<6> curved_point(double l1, double l2, double weight) {
  const double l0 = 1.0 - l1 - l2;
  return {{l0 * (2.0 * l0 - 1.0), l1 * (2.0 * l1 - 1.0), l2 * (2.0 * l2 - 1.0), 4.0 * l0 * l1,
           4.0 * l1 * l2, 4.0 * l2 * l0},
          {{{1.0 - 4.0 * l0, 1.0 - 4.0 * l0},
            {4.0 * l1 - 1.0, 0.0},
            {0.0, 4.0 * l2 - 1.0},
            {4.0 * (l0 - l1), -4.0 * l1},
            {4.0 * l2, 4.0 * l1},
            {-4.0 * l2, 4.0 * (l0 - l2)}}},
          0.5 * weight};
}

/// Six points, for polynomials of degree 4 (Dunavant 1985).
template <>
std::span<const FacePoint<6>> face_points<6>() {
  static const std::array<FacePoint<6>, 6> points = [] {
    constexpr double a = 0.44594849091596488632, a_weight = 0.22338158967801146570;
    constexpr double b = 0.09157621350977074346, b_weight = 0.10995174365532186764;
    return std::array<FacePoint<6>, 6>{curved_point(a, a, a_weight),
                                       curved_point(a, 1.0 - 2.0 * a, a_weight),
                                       curved_point(1.0 - 2.0 * a, a, a_weight),
                                       curved_point(b, b, b_weight),
                                       curved_point(b, 1.0 - 2.0 * b, b_weight),
                                       curved_point(1.0 - 2.0 * b, b, b_weight)};
  }();
  return points;
}

template <std::size_t nodes>
Vec3 at_point(const FacePoint<nodes>& point, const std::array<int, nodes>& vertices,
              const PaddedField& field) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < nodes; ++k) sum += point.N[k] * field.vector(vertices[k]);
  return sum;
}

/// The slope of the positions along a side.
template <std::size_t nodes>
Vec3 along(const FacePoint<nodes>& point, std::size_t side, const std::array<int, nodes>& vertices,
           const PaddedField& x) {
  const Vec3 origin = x.vector(vertices[0]);  // a face far from the origin loses no digits
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 1; k < nodes; ++k)
    sum += point.dN[k][side] * Vec3(x.vector(vertices[k]) - origin);
  return sum;
}

Mat3 cross_matrix(const Vec3& w) {
  Mat3 result;
  result << 0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0;
  return result;
}

/// What acts at a point of a face: a pressure, and how it grows with the speed of the face along n.
struct Action {
  double pressure = 0.0;  ///< [Pa]
  double damping = 0.0;   ///< -d pressure / d (v.n) with the sign of D [Pa s/m]
};

/// Faces of three or six vertices under a pressure that `Kind` knows.
template <class Kind, std::size_t nodes>
class FaceTerm final : public Term {
 public:
  FaceTerm(const std::vector<std::array<int, nodes>>& faces, Kind kind, const Numbering& numbering)
      : kind_(std::move(kind)) {
    const auto points = face_points<nodes>();
    for (const std::array<int, nodes>& user : faces) {
      std::array<int, nodes>& face = faces_.emplace_back();
      for (std::size_t k = 0; k < nodes; ++k) face[k] = numbering.internal(user[k]);
      for (const FacePoint<nodes>& point : points) {
        Vec3& rest = rest_.emplace_back(Vec3::Zero());
        for (std::size_t k = 0; k < nodes; ++k) rest += point.N[k] * numbering.rest(face[k]);
      }
    }
  }

  TermTraits traits() const override {
    return {.force = TermForce::general,
            .row = {"external", dynamics::LedgerKind::supply_rate},
            .uses_velocity = Kind::uses_velocity,
            .depends_on_time = kind_.depends_on_time(),
            .has_exact_stiffness = !Kind::uses_velocity};
  }

  void add_force(const Configuration& at, TermWork&, PaddedField& f) const override {
    for_each_action(at, [&](std::size_t face, const FacePoint<nodes>& point, const Vec3& area,
                            const Action& action) {
      for (std::size_t k = 0; k < nodes; ++k)
        f.vector(faces_[face][k]) -= action.pressure * point.N[k] * area;
    });
  }

  Index add_tangent(const Configuration& at, dynamics::Definiteness definiteness, TermWork&,
                    const TangentOut& out) const override {
    BlockSink* K = definiteness == dynamics::Definiteness::exact ? out.K : nullptr;
    for_each_action(at, [&](std::size_t face, const FacePoint<nodes>& point, const Vec3& area,
                            const Action& action) {
      const std::array<int, nodes>& vertices = faces_[face];
      // d(area)/dx_k u = -[c_k] u, c_k from the slopes along the sides
      const Vec3 first = along(point, 0, vertices, at.x), second = along(point, 1, vertices, at.x);
      std::array<Vec3, nodes> c;
      for (std::size_t k = 0; k < nodes; ++k)
        c[k] = point.weight * (point.dN[k][0] * second - point.dN[k][1] * first);
      const Mat3 damping = action.damping / area.norm() * area * area.transpose();
      std::size_t pair = face * num_pairs;
      for (std::size_t a = 0; a < nodes; ++a)
        for (std::size_t b = a; b < nodes; ++b, ++pair) {
          const bool is_mirrored = vertices[a] > vertices[b];
          if (K && a != b)
            K->add_to_pair(
                pair, 0.5 * action.pressure * cross_matrix(point.N[b] * c[a] - point.N[a] * c[b]),
                is_mirrored);
          if (out.D && action.damping > 0.0)
            out.D->add_to_pair(pair, point.N[a] * point.N[b] * damping, is_mirrored);
        }
    });
    return 0;
  }

  std::vector<VertexPair> pairs() const override {
    std::vector<VertexPair> pairs;
    for (const std::array<int, nodes>& face : faces_)
      for (std::size_t a = 0; a < nodes; ++a)
        for (std::size_t b = a; b < nodes; ++b)
          pairs.push_back({std::min(face[a], face[b]), std::max(face[a], face[b])});
    return pairs;
  }

 private:
  static constexpr std::size_t num_pairs = nodes * (nodes + 1) / 2;

  /// use(face, point, area, action) wherever something acts.
  template <class Use>
  void for_each_action(const Configuration& at, const Use& use) const {
    if (!kind_.window.contains(at.t)) return;
    const auto action_at = kind_.prepare(rest_, at.t);
    const auto points = face_points<nodes>();
    std::size_t place = 0;
    for (std::size_t face = 0; face < faces_.size(); ++face)
      for (const FacePoint<nodes>& point : points) {
        const std::array<int, nodes>& vertices = faces_[face];
        const Vec3 area =
            point.weight * along(point, 0, vertices, at.x).cross(along(point, 1, vertices, at.x));
        const auto mean = [&](const PaddedField& field) {
          return at_point(point, vertices, field);
        };
        use(face, point, area, action_at(place++, area, at, mean));
      }
  }

  std::vector<std::array<int, nodes>> faces_;  // internal, outward order
  std::vector<Vec3> rest_;                     // of every point of every face [m]
  Kind kind_;
};

struct GivenPressure {
  static constexpr bool uses_velocity = false;
  std::shared_ptr<const core::Expression> pressure;
  TimeWindow window;

  bool depends_on_time() const { return window.is_bounded() || pressure->depends_on_time(); }

  auto prepare(std::span<const Vec3> rest, double t) const {
    std::vector<double> values(pressure->depends_on_position() ? rest.size() : 1);
    pressure->evaluate(rest.first(std::min(values.size(), rest.size())), t, values);
    return [values = std::move(values)](std::size_t place, const Vec3& /*area*/,
                                        const Configuration&, const auto& /*mean*/) {
      return Action{values.size() == 1 ? values[0] : values[place], 0.0};
    };
  }
};

struct Wind {
  static constexpr bool uses_velocity = true;
  std::shared_ptr<const VectorFormula> velocity;
  double strength = 0.0;  ///< drag * density [kg/m^3]
  bool is_two_sided = false;
  TimeWindow window;

  bool depends_on_time() const {
    return window.is_bounded() ||
           std::any_of(velocity->begin(), velocity->end(),
                       [](const core::Expression& part) { return part.depends_on_time(); });
  }

  auto prepare(std::span<const Vec3> /*rest*/, double t) const {
    return [this, air = VectorAtTime(*velocity, t)](std::size_t /*place*/, const Vec3& area,
                                                    const Configuration& at, const auto& mean) {
      const double speed = Vec3(air(mean(at.x)) - mean(at.v)).dot(area.normalized());
      if (speed >= 0.0 && !is_two_sided) return Action{};
      return Action{-0.5 * strength * speed * std::abs(speed), strength * std::abs(speed)};
    };
  }
};

template <class Kind>
std::unique_ptr<Term> make_face_term(const LoadedFaces& faces, Kind kind,
                                     const Numbering& numbering) {
  return std::visit(
      [&]<std::size_t nodes>(
          const std::vector<std::array<int, nodes>>& known) -> std::unique_ptr<Term> {
        return std::make_unique<FaceTerm<Kind, nodes>>(known, std::move(kind), numbering);
      },
      faces);
}

}  // namespace

std::unique_ptr<Term> make_pressure_term(const PressureLoad& load, const Numbering& numbering) {
  return make_face_term(load.faces, GivenPressure{load.pressure, load.window}, numbering);
}

std::unique_ptr<Term> make_wind_term(const WindLoad& load, const Numbering& numbering) {
  return make_face_term(
      load.faces, Wind{load.velocity, load.drag * load.density, load.is_two_sided, load.window},
      numbering);
}

}  // namespace sinew::physics
