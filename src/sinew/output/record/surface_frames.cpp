// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

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
// of the mean length of the bars of a body, but not thinner than this part of its size: ropes of
// many short bars would be too thin to see
constexpr double tube_radius = 0.04, thinnest_tube = 0.003;

using Skin = SurfaceSkin;

/// Adds surfaces to a skin, each of their vertices once.
class BoundaryBuilder {
 public:
  BoundaryBuilder(const mesh::io::VtuFields& frame, Skin& skin)
      : frame_(frame), skin_(skin), number_(frame.points.size(), -1) {}

  /// The boundary of tets, and surfaces that are bodies themselves.
  void add_bodies() {
    mesh::TetMesh mesh;
    mesh.tets = frame_.tets;
    for (const mesh::Triangle& triangle : mesh::extract_surface(mesh).triangles) add(triangle);
    const mesh::TetMesh quadratic = mesh::quadratic_mesh(frame_.quadratic_tets);
    for (const mesh::Triangle& triangle : mesh::extract_surface(quadratic).triangles) add(triangle);
    for_each_triangle(false, [&](const mesh::Triangle& triangle, int) { add(triangle); });
    skin_.cells.resize(skin_.vertices.size());
    for (std::size_t c = 0; c < frame_.tets.size(); ++c)
      add_cell(frame_.tets[c], frame_.tet_cells[c]);
    for (std::size_t c = 0; c < frame_.quadratic_tets.size(); ++c)
      add_cell(frame_.quadratic_tets[c], frame_.quadratic_tet_cells[c]);
    for_each_triangle(false,
                      [&](const mesh::Triangle& triangle, int cell) { add_cell(triangle, cell); });
  }

  void add_obstacles() {
    for_each_triangle(true, [&](const mesh::Triangle& triangle, int) { add(triangle); });
    skin_.cells.resize(skin_.vertices.size());
    for_each_triangle(true,
                      [&](const mesh::Triangle& triangle, int cell) { add_cell(triangle, cell); });
  }

 private:
  template <class Use>
  void for_each_triangle(bool of_obstacles, const Use& use) const {
    const auto labels = frame_.cell_data.find("obstacle");
    for (std::size_t c = 0; c < frame_.triangles.size(); ++c) {
      const int cell = frame_.triangle_cells[c];
      const bool is_obstacle =
          labels != frame_.cell_data.end() && labels->second[static_cast<std::size_t>(cell)] != 0.0;
      if (is_obstacle == of_obstacles) use(frame_.triangles[c], cell);
    }
  }

  void add(const mesh::Triangle& triangle) {
    std::array<int, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      int& own = number_[static_cast<std::size_t>(triangle[k])];
      if (own < 0) {
        own = static_cast<int>(skin_.vertices.size());
        skin_.vertices.push_back(triangle[k]);
      }
      corners[k] = own;
    }
    skin_.triangles.push_back(corners);
  }

  template <class Cell>
  void add_cell(const Cell& vertices, int cell) {
    for (const int vertex : vertices)
      if (const int own = number_[static_cast<std::size_t>(vertex)]; own >= 0)
        skin_.cells[static_cast<std::size_t>(own)].push_back(cell);
  }

  const mesh::io::VtuFields& frame_;
  Skin& skin_;
  std::vector<int> number_;  // of each vertex in the skin; -1: not there
};

using Radii = SurfaceBuilder::Radii;

/// Adds those of bodies that are not among them yet: tubes are not to grow with what they show.
void add_radii(const mesh::io::VtuFields& frame, const std::vector<int>& body, Radii& radii) {
  Radii sum, count;
  std::map<int, Eigen::AlignedBox3d> box;
  for (std::size_t k = 0; k < frame.lines.size(); ++k) {
    const Vec3& a = frame.points[static_cast<std::size_t>(frame.lines[k][0])];
    const Vec3& b = frame.points[static_cast<std::size_t>(frame.lines[k][1])];
    sum[body[k]] += (a - b).norm();
    count[body[k]] += 1.0;
    box[body[k]].extend(a).extend(b);
  }
  for (const auto& [number, length] : sum)
    radii.emplace(number, std::max(length * tube_radius / count[number],
                                   thinnest_tube * box[number].diagonal().norm()));
}

/// The body of each line.
std::vector<int> bodies_of(const mesh::io::VtuFields& frame) {
  std::vector<int> body(frame.lines.size(), 0);
  if (const auto found = frame.cell_data.find("body"); found != frame.cell_data.end())
    for (std::size_t k = 0; k < body.size(); ++k)
      body[k] = static_cast<int>(found->second[static_cast<std::size_t>(frame.line_cells[k])]);
  return body;
}

void add_tubes(const mesh::io::VtuFields& frame, const std::vector<int>& body, const Radii& radii,
               Skin& skin) {
  for (std::size_t k = 0; k < frame.lines.size(); ++k) {
    const int start = static_cast<int>(skin.vertices.size());
    skin.tubes.push_back({.ends = frame.lines[k], .radius = radii.at(body[k])});
    for (const int end : frame.lines[k])
      for (int side = 0; side < tube_sides; ++side) {
        skin.vertices.push_back(end);
        skin.cells.push_back({frame.line_cells[k]});
      }
    for (int side = 0; side < tube_sides; ++side) {
      const int next = (side + 1) % tube_sides;
      const int a = start + side, b = start + next;
      skin.triangles.push_back({a, b, b + tube_sides});
      skin.triangles.push_back({a, b + tube_sides, a + tube_sides});
    }
  }
}

/// Tubes that were there before go on as they were turned.
Skin skin_of(const mesh::io::VtuFields& frame, Radii& radii, const Skin& before) {
  Skin skin;
  BoundaryBuilder boundary(frame, skin);
  boundary.add_bodies();
  const std::vector<int> body = bodies_of(frame);
  add_radii(frame, body, radii);
  skin.first_tube = skin.vertices.size();
  add_tubes(frame, body, radii, skin);
  skin.num_body_vertices = skin.vertices.size();
  skin.num_body_triangles = skin.triangles.size();
  boundary.add_obstacles();
  std::map<std::array<int, 2>, Vec3> across;
  for (const SurfaceSkin::Tube& tube : before.tubes) across.emplace(tube.ends, tube.across);
  for (SurfaceSkin::Tube& tube : skin.tubes)
    if (const auto found = across.find(tube.ends); found != across.end())
      tube.across = found->second;
  return skin;
}

/// Moves the vertices of the tubes from the axes outwards.
void widen_tubes(Skin& skin, std::vector<float>& positions) {
  std::size_t k = 3 * skin.first_tube;
  for (SurfaceSkin::Tube& tube : skin.tubes) {
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

std::vector<float> at_vertices(const std::vector<double>& values, const Skin& skin) {
  std::vector<float> result;
  for (const int vertex : skin.vertices)
    result.push_back(static_cast<float>(values[static_cast<std::size_t>(vertex)]));
  return result;
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
  const char* at_points = nullptr;  // better than the means of cells, where a run has it
};

constexpr FieldSource field_sources[] = {
    {"speed", "m/s", "velocity", false},
    {"displacement", "m", "displacement", false},
    {"von_mises", "Pa", "von_mises", true, "nodal_von_mises"},
    {"energy_density", "J/m^3", "energy_density", true},
    {"strain", "", "strain", true},
    {"tension", "N", "tension", true},
    {"plastic_strain", "", "plastic_strain", true},
};

// drawn as arrows
constexpr const char* force_arrays[] = {"contact_force", "friction_force"};

/// The entry with this name, a new one if there is none.
template <class Entry>
Entry& named(std::vector<Entry>& entries, const std::string& name, const char* unit) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.name == name; });
  return found != entries.end() ? *found : entries.emplace_back(Entry{name, unit, {}});
}

using Box = std::array<std::array<float, 3>, 2>;

void extend(Box& box, const std::vector<float>& positions, std::size_t begin, std::size_t end) {
  for (std::size_t k = 3 * begin; k < 3 * end; ++k) {
    if (!std::isfinite(positions[k])) continue;
    box[0][k % 3] = std::min(box[0][k % 3], positions[k]);
    box[1][k % 3] = std::max(box[1][k % 3], positions[k]);
  }
}

}  // namespace

std::vector<std::string> surface_field_names() {
  std::vector<std::string> names;
  for (const FieldSource& source : field_sources) names.emplace_back(source.name);
  return names;
}

const SurfaceChapter& SurfaceFrames::chapter_of(std::size_t frame) const {
  const auto next =
      std::upper_bound(chapters.begin(), chapters.end(), frame,
                       [](std::size_t f, const SurfaceChapter& c) { return f < c.first; });
  return *std::prev(next);
}

std::size_t SurfaceFrames::end_of(std::size_t chapter) const {
  return chapter + 1 < chapters.size() ? chapters[chapter + 1].first : times.size();
}

std::array<std::array<float, 3>, 2> SurfaceFrames::bounds_of(bool with_obstacles) const {
  constexpr float inf = std::numeric_limits<float>::infinity();
  Box first{{{inf, inf, inf}, {-inf, -inf, -inf}}}, box = first;
  const auto extend_by = [&](Box& which, std::size_t frame) {
    const SurfaceChapter& chapter = chapter_of(frame);
    const std::size_t count = positions[frame].size() / 3;
    extend(which, positions[frame], 0,
           with_obstacles ? count : std::min(count, chapter.num_body_vertices));
  };
  const auto start = std::find_if(positions.begin(), positions.end(),
                                  [](const auto& frame) { return !frame.empty(); });
  if (start == positions.end()) return {};
  extend_by(first, static_cast<std::size_t>(start - positions.begin()));
  for (std::size_t f = 0; f < positions.size(); ++f) extend_by(box, f);
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

std::array<std::array<float, 3>, 2> SurfaceFrames::bounds() const {
  return bounds_of(true);
}

std::array<std::array<float, 3>, 2> SurfaceFrames::focus() const {
  constexpr float near = 0.1F;  // of the largest side
  Box box = bounds_of(false);
  const Box all = bounds_of(true);
  float size = 0.0F;
  for (std::size_t axis = 0; axis < 3; ++axis) size = std::max(size, box[1][axis] - box[0][axis]);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    box[0][axis] = std::max(all[0][axis], box[0][axis] - near * size);
    box[1][axis] = std::min(all[1][axis], box[1][axis] + near * size);
  }
  return box;
}

SurfaceBuilder::SurfaceBuilder(bool with_fields) {
  if (!with_fields) return;
  for (const FieldSource& source : field_sources) {
    arrays_.insert(source.array);
    if (source.at_points) arrays_.insert(source.at_points);
  }
  for (const char* name : force_arrays) arrays_.insert(name);
}

void SurfaceBuilder::add(double t, const mesh::io::VtuFields& frame,
                         const std::function<mesh::io::VtuFields()>& with_cells) {
  if (frames_.times.empty() || frame.cells_code != cells_code_) {
    cells_code_ = frame.cells_code;
    skin_ = skin_of(with_cells(), radii_, skin_);
    begin_chapter();
  }
  std::vector<float> positions;
  positions.reserve(3 * skin_.vertices.size());
  for (const int vertex : skin_.vertices)
    for (const double x : frame.points[static_cast<std::size_t>(vertex)])
      positions.push_back(static_cast<float>(x));
  widen_tubes(skin_, positions);
  frames_.times.push_back(t);
  frames_.positions.push_back(std::move(positions));
  add_fields(frame);
  add_arrows(frame);
}

SurfaceFrames SurfaceBuilder::finish() {
  // what some frames lack cannot be shown
  std::erase_if(frames_.fields, [&](const SurfaceField& field) {
    return field.values.size() != frames_.times.size();
  });
  std::erase_if(frames_.arrows, [&](const SurfaceArrows& arrows) {
    return arrows.arrows.size() != frames_.times.size();
  });
  return std::move(frames_);
}

void SurfaceBuilder::begin_chapter() {
  SurfaceChapter chapter{.first = frames_.times.size(),
                         .num_vertices = skin_.vertices.size(),
                         .triangles = skin_.triangles,
                         .num_body_vertices = skin_.num_body_vertices,
                         .num_body_triangles = skin_.num_body_triangles};
  if (!frames_.chapters.empty()) {
    const SurfaceChapter& last = frames_.chapters.back();
    if (last.num_vertices == chapter.num_vertices && last.triangles == chapter.triangles) return;
  }
  frames_.chapters.push_back(std::move(chapter));
}

void SurfaceBuilder::add_fields(const mesh::io::VtuFields& frame) {
  for (const FieldSource& source : field_sources) {
    if (!arrays_.contains(source.array)) continue;
    if (source.at_points && frame.point_data.contains(source.at_points)) {
      named(frames_.fields, source.name, source.unit)
          .values.push_back(at_vertices(frame.point_data.at(source.at_points), skin_));
      continue;
    }
    const auto& data = source.is_per_cell ? frame.cell_data : frame.point_data;
    const auto found = data.find(source.array);
    if (found == data.end()) continue;
    named(frames_.fields, source.name, source.unit)
        .values.push_back(source.is_per_cell ? mean_of_cells(found->second, skin_)
                                             : length_of(found->second, skin_));
  }
}

void SurfaceBuilder::add_arrows(const mesh::io::VtuFields& frame) {
  for (const char* name : force_arrays) {
    const auto found = frame.point_data.find(name);
    if (found == frame.point_data.end() || !arrays_.contains(name)) continue;
    std::vector<SurfaceArrows::Arrow> arrows;
    std::vector<char> is_done(frame.points.size(), 0);  // tubes show a vertex many times
    // on bodies; obstacles feel the same the other way round
    for (std::size_t k = 0; k < skin_.num_body_vertices; ++k) {
      const auto vertex = static_cast<std::size_t>(skin_.vertices[k]);
      if (std::exchange(is_done[vertex], 1) != 0) continue;
      const double* f = found->second.data() + 3 * vertex;
      if (f[0] == 0.0 && f[1] == 0.0 && f[2] == 0.0) continue;
      arrows.push_back(
          {static_cast<std::uint32_t>(k),
           {static_cast<float>(f[0]), static_cast<float>(f[1]), static_cast<float>(f[2])}});
    }
    named(frames_.arrows, name, "N").arrows.push_back(std::move(arrows));
  }
}

SurfaceFrames read_surface_frames(const RunReader& run, const SurfaceOptions& options) {
  SurfaceBuilder builder(options.with_fields);
  for (std::size_t f = 0; f < run.frames().size(); ++f) {
    if (options.wants && !options.wants(f)) continue;
    const FrameFile& frame = run.frames()[f];
    // only where they are new, cells are unpacked
    builder.add(frame.t, mesh::io::read_vtu_fields(frame.path, false, builder.arrays()), [&] {
      return mesh::io::read_vtu_fields(frame.path, true, {"body", "obstacle"});
    });
  }
  return builder.finish();
}

}  // namespace sinew::output
