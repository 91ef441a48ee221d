// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include <Eigen/Geometry>

#include <sinew/core/error.hpp>
#include <sinew/mesh/io/vtu.hpp>
#include <sinew/mesh/surface.hpp>
#include <sinew/output/record/surface_frames.hpp>

namespace sinew::output {
namespace {

// Bars of a truss or a chain are seen as thin tubes. Four sides make them visible from everywhere;
// reports hold the vertices of every frame, so more would cost more than they show.
constexpr int tube_sides = 4;
// of the mean length of the bars of a body
constexpr double tube_radius = 0.04;

struct Tube {
  std::array<int, 2> ends{};
  double radius = 0.0;         ///< [m]
  Vec3 across = Vec3::Zero();  ///< unit vector that is carried along from frame to frame
};

/// How the surface lies in the bodies.
struct Skin {
  std::vector<int> vertices;  ///< of the bodies, for each of the surface
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::vector<int>> cells;  ///< around each surface vertex
  std::vector<Tube> tubes;  ///< their vertices are the last: for each, the ring of both ends
};

void add_boundary(const mesh::io::VtuFields& first, Skin& skin) {
  mesh::TetMesh mesh;
  mesh.vertices = first.points;
  mesh.tets = first.tets;
  std::vector<int> number(mesh.vertices.size(), -1);
  for (const mesh::Triangle& triangle : mesh::extract_surface(mesh).triangles) {
    std::array<int, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      int& own = number[static_cast<std::size_t>(triangle[k])];
      if (own < 0) {
        own = static_cast<int>(skin.vertices.size());
        skin.vertices.push_back(triangle[k]);
      }
      corners[k] = own;
    }
    skin.triangles.push_back(corners);
  }
  skin.cells.resize(skin.vertices.size());
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (const int vertex : mesh.tets[t])
      if (const int own = number[static_cast<std::size_t>(vertex)]; own >= 0)
        skin.cells[static_cast<std::size_t>(own)].push_back(first.tet_cells[t]);
}

/// Radius of the tubes of each body, by its number.
std::map<int, double> tube_radii(const mesh::io::VtuFields& first, const std::vector<int>& body) {
  std::map<int, double> sum, count;
  for (std::size_t k = 0; k < first.lines.size(); ++k) {
    const auto& [a, b] = first.lines[k];
    sum[body[k]] +=
        (first.points[static_cast<std::size_t>(a)] - first.points[static_cast<std::size_t>(b)])
            .norm();
    count[body[k]] += 1.0;
  }
  for (auto& [number, value] : sum) value *= tube_radius / count[number];
  return sum;
}

void add_tubes(const mesh::io::VtuFields& first, Skin& skin) {
  std::vector<int> body(first.lines.size(), 0);
  if (const auto found = first.cell_data.find("body"); found != first.cell_data.end())
    for (std::size_t k = 0; k < body.size(); ++k)
      body[k] = static_cast<int>(found->second[static_cast<std::size_t>(first.line_cells[k])]);
  const std::map<int, double> radii = tube_radii(first, body);
  for (std::size_t k = 0; k < first.lines.size(); ++k) {
    const int start = static_cast<int>(skin.vertices.size());
    skin.tubes.push_back({.ends = first.lines[k], .radius = radii.at(body[k])});
    for (const int end : first.lines[k])
      for (int side = 0; side < tube_sides; ++side) {
        skin.vertices.push_back(end);
        skin.cells.push_back({first.line_cells[k]});
      }
    for (int side = 0; side < tube_sides; ++side) {
      const int next = (side + 1) % tube_sides;
      const int a = start + side, b = start + next;
      skin.triangles.push_back({a, b, b + tube_sides});
      skin.triangles.push_back({a, b + tube_sides, a + tube_sides});
    }
  }
}

Skin skin_of(const mesh::io::VtuFields& first) {
  Skin skin;
  add_boundary(first, skin);
  add_tubes(first, skin);
  return skin;
}

/// Moves the vertices of the tubes from the axes outwards.
void widen_tubes(Skin& skin, std::vector<float>& positions) {
  std::size_t k = positions.size() - 3 * 2 * tube_sides * skin.tubes.size();
  for (Tube& tube : skin.tubes) {
    const auto point = [&](std::size_t end) {
      const float* x = &positions[k + end * 3 * tube_sides];
      return Vec3(x[0], x[1], x[2]);
    };
    const Vec3 along = (point(1) - point(0)).normalized();
    Vec3 across = tube.across - along * along.dot(tube.across);
    // at the beginning, or turned by a right angle since: any direction, away from the axis
    if (across.squaredNorm() < 1e-6) across = along.unitOrthogonal();
    if (across.allFinite()) tube.across = across.normalized();
    const Vec3 third = along.cross(tube.across);
    for (int end = 0; end < 2; ++end)
      for (int side = 0; side < tube_sides; ++side, k += 3) {
        const double angle = 2.0 * std::numbers::pi * side / tube_sides;
        const Vec3 offset = tube.radius * (std::cos(angle) * tube.across + std::sin(angle) * third);
        for (int axis = 0; axis < 3; ++axis)
          positions[k + static_cast<std::size_t>(axis)] += static_cast<float>(offset[axis]);
      }
  }
}

std::vector<float> length_of(const std::vector<double>& vectors, const Skin& skin) {
  std::vector<float> result;
  for (const int vertex : skin.vertices) {
    const std::size_t k = 3 * static_cast<std::size_t>(vertex);
    result.push_back(static_cast<float>(std::hypot(vectors[k], vectors[k + 1], vectors[k + 2])));
  }
  return result;
}

std::vector<float> mean_of_cells(const std::vector<double>& cells, const Skin& skin) {
  std::vector<float> result;
  for (const std::vector<int>& around : skin.cells) {
    double sum = 0.0;
    for (const int cell : around) sum += cells[static_cast<std::size_t>(cell)];
    result.push_back(static_cast<float>(sum / static_cast<double>(around.size())));
  }
  return result;
}

struct FieldSource {
  const char *name, *unit, *array;
  bool is_per_cell;
};

constexpr FieldSource field_sources[] = {
    {"speed", "m/s", "velocity", false},
    {"displacement", "m", "displacement", false},
    {"von_mises", "Pa", "von_mises", true},
    {"energy_density", "J/m^3", "energy_density", true},
};

}  // namespace

namespace {

using Box = std::array<std::array<float, 3>, 2>;

void extend(Box& box, const std::vector<float>& positions) {
  for (std::size_t k = 0; k < positions.size(); ++k) {
    if (!std::isfinite(positions[k])) continue;
    box[0][k % 3] = std::min(box[0][k % 3], positions[k]);
    box[1][k % 3] = std::max(box[1][k % 3], positions[k]);
  }
}

}  // namespace

std::array<std::array<float, 3>, 2> SurfaceFrames::bounds() const {
  constexpr float inf = std::numeric_limits<float>::infinity();
  Box first{{{inf, inf, inf}, {-inf, -inf, -inf}}}, box = first;
  if (positions.empty()) return {};
  extend(first, positions.front());
  for (const std::vector<float>& frame : positions) extend(box, frame);
  float size = 0.0F;
  for (std::size_t axis = 0; axis < 3; ++axis)
    size = std::max(size, first[1][axis] - first[0][axis]);
  constexpr float most = 20.0F;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    box[0][axis] = std::max(box[0][axis], first[0][axis] - most * size);
    box[1][axis] = std::min(box[1][axis], first[1][axis] + most * size);
  }
  return box;
}

SurfaceFrames read_surface_frames(const RunReader& run, const SurfaceOptions& options) {
  SurfaceFrames result;
  std::set<std::string> arrays;
  if (options.with_fields)
    for (const FieldSource& source : field_sources) arrays.insert(source.array);
  Skin skin;
  for (std::size_t f = 0; f < run.frames().size(); ++f) {
    if (options.wants && !options.wants(f)) continue;
    const FrameFile& frame = run.frames()[f];
    const bool is_first = result.times.empty();
    if (is_first) arrays.insert("body");
    const mesh::io::VtuFields fields = mesh::io::read_vtu_fields(frame.path, is_first, arrays);
    arrays.erase("body");
    if (is_first) {
      skin = skin_of(fields);
      result.triangles = skin.triangles;
    }
    std::vector<float> positions;
    for (const int vertex : skin.vertices) {
      if (static_cast<std::size_t>(vertex) >= fields.points.size())
        throw InputError({.file = frame.path.string(),
                          .what = "this frame has fewer points than the first one",
                          .hint = "the run directory is damaged; run the scene again"});
      for (const double x : fields.points[static_cast<std::size_t>(vertex)])
        positions.push_back(static_cast<float>(x));
    }
    widen_tubes(skin, positions);
    result.times.push_back(frame.t);
    result.positions.push_back(std::move(positions));
    std::size_t column = 0;
    for (const FieldSource& source : field_sources) {
      const auto& data = source.is_per_cell ? fields.cell_data : fields.point_data;
      const auto found = data.find(source.array);
      if (found == data.end()) continue;
      if (is_first) result.fields.push_back({source.name, source.unit, {}});
      if (column >= result.fields.size()) break;
      result.fields[column++].values.push_back(
          source.is_per_cell ? mean_of_cells(found->second, skin) : length_of(found->second, skin));
    }
  }
  return result;
}

}  // namespace sinew::output
