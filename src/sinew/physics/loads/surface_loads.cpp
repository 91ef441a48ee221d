// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <Eigen/Geometry>

#include <sinew/physics/loads/surface_loads.hpp>

namespace sinew::physics {
namespace {

/// Corner pairs of a face in the order of Face::slots.
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

/// Adds to block (row of corner a, row of corner b); the matrix keeps the upper triangle.
void add_block(const Mat3& block, int slot, bool is_mirrored, la::SymmetricMatrix& matrix) {
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> target(matrix.block(slot));
  if (is_mirrored) {
    target += block.transpose();
  } else {
    target += block;
  }
}

Mat3 cross_matrix(const Vec3& w) {
  Mat3 result;
  result << 0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0;
  return result;
}

}  // namespace

SurfaceLoads::SurfaceLoads(const std::vector<PressureLoad>& pressures,
                           const std::vector<WindLoad>& winds,
                           std::span<const int> internal_of_user, std::span<const Vec3> rest,
                           const la::BlockPattern& pattern, std::span<const int> block_of_vertex) {
  const auto make_faces = [&](const std::vector<std::array<int, 3>>& user_faces) {
    std::vector<Face> faces;
    for (const std::array<int, 3>& user : user_faces) {
      Face face;
      face.centre = Vec3::Zero();
      for (std::size_t k = 0; k < 3; ++k) {
        face.vertices[k] = internal_of_user[static_cast<std::size_t>(user[k])];
        face.centre += rest[static_cast<std::size_t>(face.vertices[k])] / 3.0;
      }
      for (std::size_t p = 0; p < face_pairs.size(); ++p) {
        const int a = block_of_vertex[static_cast<std::size_t>(
            face.vertices[static_cast<std::size_t>(face_pairs[p][0])])];
        const int b = block_of_vertex[static_cast<std::size_t>(
            face.vertices[static_cast<std::size_t>(face_pairs[p][1])])];
        face.slots[p] = a < 0 || b < 0 ? -1 : pattern.slot(std::min(a, b), std::max(a, b));
      }
      faces.push_back(face);
    }
    return faces;
  };
  for (const PressureLoad& load : pressures) {
    pressures_.push_back({make_faces(load.faces), load.pressure, load.window});
    depends_on_time_ =
        depends_on_time_ || load.window.is_bounded() || load.pressure->depends_on_time();
  }
  for (const WindLoad& load : winds) {
    winds_.push_back({make_faces(load.faces), load});
    depends_on_time_ = depends_on_time_ || load.window.is_bounded();
    for (const core::Expression& component : *load.velocity)
      depends_on_time_ = depends_on_time_ || component.depends_on_time();
  }
}

SurfaceLoads::Action SurfaceLoads::wind_on(const Wind& wind, const Face& face, const PaddedField& x,
                                           const PaddedField& v, double t) {
  const Vec3 place = mean(face.vertices, x);
  const VectorFormula& formula = *wind.load.velocity;
  const Vec3 air(formula[0](place, t), formula[1](place, t), formula[2](place, t));
  const Vec3 normal = area_vector(face.vertices, x).normalized();
  const double speed = Vec3(air - mean(face.vertices, v)).dot(normal);
  if (speed >= 0.0) return {};
  const double strength = wind.load.drag * wind.load.density;
  return {0.5 * strength * speed * speed, -strength * speed};
}

template <class Use>
void SurfaceLoads::for_each_action(const PaddedField& x, const PaddedField& v, double t,
                                   const Use& use) const {
  for (const Pressure& load : pressures_) {
    if (!load.window.contains(t)) continue;
    const bool is_uniform = !load.pressure->depends_on_position();
    const double uniform = is_uniform ? (*load.pressure)(Vec3::Zero(), t) : 0.0;
    for (const Face& face : load.faces)
      use(face, Action{is_uniform ? uniform : (*load.pressure)(face.centre, t), 0.0});
  }
  for (const Wind& wind : winds_) {
    if (!wind.load.window.contains(t)) continue;
    for (const Face& face : wind.faces) use(face, wind_on(wind, face, x, v, t));
  }
}

void SurfaceLoads::add_force(const PaddedField& x, const PaddedField& v, double t,
                             PaddedField& f) const {
  for_each_action(x, v, t, [&](const Face& face, const Action& action) {
    const Vec3 force = -action.pressure / 3.0 * area_vector(face.vertices, x);
    for (const int vertex : face.vertices) f.vector(vertex) += force;
  });
}

void SurfaceLoads::add_tangent(const PaddedField& x, const PaddedField& v, double t,
                               la::SymmetricMatrix* K, la::SymmetricMatrix* D) const {
  for_each_action(x, v, t, [&](const Face& face, const Action& action) {
    const Vec3 area = area_vector(face.vertices, x);
    std::array<Vec3, 3> g;
    for (std::size_t k = 0; k < 3; ++k)
      g[k] = x.vector(face.vertices[(k + 2) % 3]) - x.vector(face.vertices[(k + 1) % 3]);
    const Mat3 damping = action.damping / (9.0 * area.norm()) * area * area.transpose();
    for (std::size_t p = 0; p < face_pairs.size(); ++p) {
      const auto a = static_cast<std::size_t>(face_pairs[p][0]);
      const auto b = static_cast<std::size_t>(face_pairs[p][1]);
      if (face.slots[p] < 0) continue;
      // blocks of free vertices keep the internal order
      const bool is_mirrored = face.vertices[a] > face.vertices[b];
      if (K && a != b)
        add_block(action.pressure / 12.0 * cross_matrix(g[b] - g[a]), face.slots[p], is_mirrored,
                  *K);
      if (D && action.damping > 0.0) add_block(damping, face.slots[p], is_mirrored, *D);
    }
  });
}

}  // namespace sinew::physics
