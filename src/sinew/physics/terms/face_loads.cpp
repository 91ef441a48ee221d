// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <sinew/physics/terms/face_loads.hpp>

namespace sinew::physics {
namespace {

/// Corner pairs of a face in the order of its slots.
constexpr std::array<std::array<int, 2>, 6> face_pairs{
    {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}};

/// 1/2 (x_1 - x_0) x (x_2 - x_0): the normal times the area.
Vec3 area_vector(const std::array<int, 3>& vertices, const PaddedField& x) {
  const Vec3 origin = x.vector(vertices[0]);
  return 0.5 * Vec3(x.vector(vertices[1]) - origin).cross(Vec3(x.vector(vertices[2]) - origin));
}

Vec3 mean(const std::array<int, 3>& vertices, const PaddedField& field) {
  return (field.vector(vertices[0]) + field.vector(vertices[1]) + field.vector(vertices[2])) / 3.0;
}

Mat3 cross_matrix(const Vec3& w) {
  Mat3 result;
  result << 0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0;
  return result;
}

struct Face {
  std::array<int, 3> vertices;  ///< internal, outward order
  Vec3 centre = Vec3::Zero();   ///< at rest [m]
};

/// What acts on one face: a pressure, and how it grows with the speed of the face along n.
struct Action {
  double pressure = 0.0;  ///< [Pa]
  double damping = 0.0;   ///< -d pressure / d (v.n) with the sign of D [Pa s/m]
};

/// Faces under a pressure that `Kind` knows.
template <class Kind>
class FaceTerm final : public Term {
 public:
  FaceTerm(const std::vector<std::array<int, 3>>& faces, Kind kind, const Numbering& numbering)
      : kind_(std::move(kind)) {
    for (const std::array<int, 3>& user : faces) {
      Face& face = faces_.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) {
        face.vertices[k] = numbering.internal(user[k]);
        face.centre += numbering.rest(face.vertices[k]) / 3.0;
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
    kind_.for_each_action(faces_, at, [&](const Face& face, const Action& action) {
      const Vec3 force = -action.pressure / 3.0 * area_vector(face.vertices, at.x);
      for (const int vertex : face.vertices) f.vector(vertex) += force;
    });
  }

  Index add_tangent(const Configuration& at, dynamics::Definiteness definiteness, TermWork&,
                    const TangentOut& out) const override {
    BlockSink* K = definiteness == dynamics::Definiteness::exact ? out.K : nullptr;
    const Face* first = faces_.data();
    kind_.for_each_action(faces_, at, [&](const Face& face, const Action& action) {
      const Vec3 area = area_vector(face.vertices, at.x);
      std::array<Vec3, 3> g;
      for (std::size_t k = 0; k < 3; ++k)
        g[k] = at.x.vector(face.vertices[(k + 2) % 3]) - at.x.vector(face.vertices[(k + 1) % 3]);
      const Mat3 damping = action.damping / (9.0 * area.norm()) * area * area.transpose();
      for (std::size_t p = 0; p < face_pairs.size(); ++p) {
        const auto a = static_cast<std::size_t>(face_pairs[p][0]);
        const auto b = static_cast<std::size_t>(face_pairs[p][1]);
        const std::size_t pair = static_cast<std::size_t>(&face - first) * face_pairs.size() + p;
        const bool is_mirrored = face.vertices[a] > face.vertices[b];
        if (K && a != b)
          K->add_to_pair(pair, action.pressure / 12.0 * cross_matrix(g[b] - g[a]), is_mirrored);
        if (out.D && action.damping > 0.0) out.D->add_to_pair(pair, damping, is_mirrored);
      }
    });
    return 0;
  }

  std::vector<VertexPair> pairs() const override {
    std::vector<VertexPair> pairs;
    for (const Face& face : faces_)
      for (const auto& pair : face_pairs) {
        const int a = face.vertices[static_cast<std::size_t>(pair[0])];
        const int b = face.vertices[static_cast<std::size_t>(pair[1])];
        pairs.push_back({std::min(a, b), std::max(a, b)});
      }
    return pairs;
  }

 private:
  std::vector<Face> faces_;
  Kind kind_;
};

struct GivenPressure {
  static constexpr bool uses_velocity = false;
  std::shared_ptr<const core::Expression> pressure;
  TimeWindow window;

  bool depends_on_time() const { return window.is_bounded() || pressure->depends_on_time(); }

  template <class Use>
  void for_each_action(std::span<const Face> faces, const Configuration& at, const Use& use) const {
    if (!window.contains(at.t)) return;
    const bool is_uniform = !pressure->depends_on_position();
    const double uniform = is_uniform ? (*pressure)(Vec3::Zero(), at.t) : 0.0;
    for (const Face& face : faces)
      use(face, Action{is_uniform ? uniform : (*pressure)(face.centre, at.t), 0.0});
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

  template <class Use>
  void for_each_action(std::span<const Face> faces, const Configuration& at, const Use& use) const {
    if (!window.contains(at.t)) return;
    const VectorAtTime air(*velocity, at.t);
    for (const Face& face : faces) use(face, action_on(face, air, at));
  }

  Action action_on(const Face& face, const VectorAtTime& air, const Configuration& at) const {
    const Vec3 normal = area_vector(face.vertices, at.x).normalized();
    const double speed =
        Vec3(air(mean(face.vertices, at.x)) - mean(face.vertices, at.v)).dot(normal);
    if (speed >= 0.0 && !is_two_sided) return {};
    return {-0.5 * strength * speed * std::abs(speed), strength * std::abs(speed)};
  }
};

}  // namespace

std::unique_ptr<Term> make_pressure_term(const PressureLoad& load, const Numbering& numbering) {
  return std::make_unique<FaceTerm<GivenPressure>>(
      load.faces, GivenPressure{load.pressure, load.window}, numbering);
}

std::unique_ptr<Term> make_wind_term(const WindLoad& load, const Numbering& numbering) {
  return std::make_unique<FaceTerm<Wind>>(
      load.faces, Wind{load.velocity, load.drag * load.density, load.is_two_sided, load.window},
      numbering);
}

}  // namespace sinew::physics
