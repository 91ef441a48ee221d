// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/quadratic.hpp>
#include <sinew/mesh/quality.hpp>
#include <sinew/mesh/surface.hpp>

namespace sinew::mesh {
namespace {

/// Outward area vectors (normal times area) of the faces opposite each corner.
std::array<Vec3, 4> face_areas(const std::array<Vec3, 4>& x) {
  std::array<Vec3, 4> areas;
  for (int i = 0; i < 4; ++i) {
    const auto& [a, b, c] = tet_faces[i];
    areas[i] = 0.5 * (x[b] - x[a]).cross(x[c] - x[a]);
  }
  return areas;
}

/// Pieces of the mesh that share no vertex, by union-find with path halving. A vertex that nothing
/// uses is a piece only if it is a particle.
int count_components(const TetMesh& mesh, const std::vector<Edge>& edges) {
  std::vector<int> parent(mesh.vertices.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::vector<bool> is_used(mesh.vertices.size(), is_made_of_particles(mesh));
  for (const auto& [a, b] : edges) {
    parent[root(b)] = root(a);
    is_used[a] = is_used[b] = true;
  }
  int count = 0;
  for (int i = 0; i < mesh.num_vertices(); ++i)
    if (is_used[i] && parent[i] == i) ++count;
  return count;
}

Spread edge_lengths(const TetMesh& mesh, const std::vector<Edge>& edges) {
  if (edges.empty()) return {};
  Spread lengths{std::numeric_limits<double>::infinity(), 0.0, 0.0};
  for (const auto& [i, j] : edges) {
    const double length = (mesh.vertices[i] - mesh.vertices[j]).norm();
    lengths.min = std::min(lengths.min, length);
    lengths.max = std::max(lengths.max, length);
    lengths.mean += length / static_cast<double>(edges.size());
  }
  return lengths;
}

std::vector<RegionSummary> summarize_regions(const TetMesh& mesh) {
  std::map<int, RegionSummary> by_number;
  for (int i = 0; i < mesh.num_tets(); ++i) {
    RegionSummary& region = by_number[mesh.regions[i]];
    ++region.num_tets;
    region.volume += tet_volume(mesh, i);
  }
  std::vector<RegionSummary> regions;
  for (auto& [number, region] : by_number) {
    region.number = number;
    const auto name = mesh.region_names.find(number);
    if (name != mesh.region_names.end()) region.name = name->second;
    regions.push_back(std::move(region));
  }
  return regions;
}

void measure_shapes(const TetMesh& mesh, QualityReport& report) {
  if (mesh.tets.empty()) return;
  report.radius_ratio = {std::numeric_limits<double>::infinity(), 0.0, 0.0};
  report.min_dihedral = 180.0;
  for (int i = 0; i < mesh.num_tets(); ++i) {
    const std::array<Vec3, 4> positions = corners(mesh, i);
    const double ratio = radius_ratio(positions);
    if (ratio < report.radius_ratio.min) {
      report.radius_ratio.min = ratio;
      report.worst_tet = i;
    }
    report.radius_ratio.max = std::max(report.radius_ratio.max, ratio);
    report.radius_ratio.mean += ratio / mesh.num_tets();
    for (const double angle : dihedral_angles(positions)) {
      report.min_dihedral = std::min(report.min_dihedral, angle);
      report.max_dihedral = std::max(report.max_dihedral, angle);
    }
  }
}

void add_row(std::string& text, std::string_view label, std::string_view value) {
  text += fmt::format("{:<18}{}\n", label, value);
}

void add_box(std::string& text, const BoundingBox& box, std::string_view unit) {
  const auto point = [](const Vec3& x) {
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]);
  };
  add_row(text, "bounding box", fmt::format("{} to {} {}", point(box.low), point(box.high), unit));
  add_row(text, "size", fmt::format("{} {}", point(box.size()), unit));
}

std::string spread_text(const Spread& spread, std::string_view unit) {
  return fmt::format("min {:.4g}, mean {:.4g}, max {:.4g} {}", spread.min, spread.mean, spread.max,
                     unit);
}

std::string particles_to_text(const QualityReport& report) {
  const bool has_atoms = !report.num_atoms.empty();
  const bool has_triangles = report.num_triangles > 0;
  const std::string_view unit = has_atoms ? "nm" : "m";
  std::string text;
  add_row(text, has_atoms ? "atoms" : "particles", fmt::format("{}", report.num_vertices));
  if (has_triangles) add_row(text, "triangles", fmt::format("{}", report.num_triangles));
  add_row(text, has_atoms ? "bonds" : "bars", fmt::format("{}", report.num_bars));
  add_row(text, "components", fmt::format("{}", report.num_components));
  add_box(text, report.box, unit);
  if (report.edge_length.max > 0.0)
    add_row(text,
            has_triangles ? "edge length"
            : has_atoms   ? "bond length"
                          : "bar length",
            spread_text(report.edge_length, unit));
  if (report.mass > 0.0)
    add_row(text, "mass", fmt::format("{:.6g} {}", report.mass, has_atoms ? "u" : "kg"));
  for (const auto& [symbol, count] : report.num_atoms)
    add_row(text, fmt::format("element {}", symbol), fmt::format("{}", count));
  return text;
}

}  // namespace

double radius_ratio(const std::array<Vec3, 4>& corners) {
  const Vec3 u = corners[1] - corners[0];
  const Vec3 v = corners[2] - corners[0];
  const Vec3 w = corners[3] - corners[0];
  const double six_volume = u.cross(v).dot(w);

  // r_in = 3 V / area; r_circ = |to_center| / |2 six_volume|
  double area = 0.0;
  for (const Vec3& face : face_areas(corners)) area += face.norm();
  const Vec3 to_center =
      u.squaredNorm() * v.cross(w) + v.squaredNorm() * w.cross(u) + w.squaredNorm() * u.cross(v);
  const double divisor = area * to_center.norm();
  return divisor > 0.0 ? 3.0 * six_volume * std::abs(six_volume) / divisor : 0.0;
}

std::array<double, 6> dihedral_angles(const std::array<Vec3, 4>& corners) {
  const std::array<Vec3, 4> areas = face_areas(corners);
  std::array<double, 6> angles{};
  for (int e = 0; e < 6; ++e) {
    // the edge (i, j) lies in the faces opposite the other two corners, and edge 5 - e joins those
    const auto& [k, l] = tet_edges[5 - e];
    const double sine = areas[k].cross(areas[l]).norm();
    const double cosine = -areas[k].dot(areas[l]);
    angles[e] = std::atan2(sine, cosine) * 180.0 / std::numbers::pi;
  }
  return angles;
}

QualityReport assess_quality(const TetMesh& mesh) {
  SINEW_ASSERT(mesh.regions.size() == mesh.tets.size(), "one region number per tet");
  QualityReport report;
  report.num_vertices = mesh.num_vertices();
  report.num_tets = mesh.num_tets();
  report.is_quadratic = mesh.is_quadratic();
  report.num_surface_triangles = extract_surface(mesh).num_triangles();
  report.is_made_of_particles = is_made_of_particles(mesh);
  report.num_triangles = static_cast<int>(mesh.triangles.size());
  report.num_bars = static_cast<int>(mesh.bars.size());
  const std::vector<Edge> edges = edges_of(mesh);
  report.num_components = count_components(mesh, edges);
  report.regions = summarize_regions(mesh);
  report.box = bounding_box(mesh);
  for (const RegionSummary& region : report.regions) report.volume += region.volume;
  report.edge_length = edge_lengths(mesh, edges);
  measure_shapes(mesh, report);
  report.mass = std::accumulate(mesh.masses.begin(), mesh.masses.end(), 0.0);
  for (const std::string& symbol : mesh.species) ++report.num_atoms[symbol];
  return report;
}

std::string QualityReport::to_text() const {
  if (is_made_of_particles) return particles_to_text(*this);
  std::string text;
  const auto row = [&](std::string_view label, const std::string& value) {
    add_row(text, label, value);
  };
  row("vertices", fmt::format("{}", num_vertices));
  row("tets", fmt::format("{}{}", num_tets, is_quadratic ? " with ten nodes" : ""));
  row("surface triangles", fmt::format("{}", num_surface_triangles));
  row("components", fmt::format("{}", num_components));
  add_box(text, box, "m");
  row("volume", fmt::format("{:.6g} m^3", volume));
  row("edge length", spread_text(edge_length, "m"));
  std::string ratio =
      fmt::format("min {:.4f}, mean {:.4f} (1 = regular)", radius_ratio.min, radius_ratio.mean);
  if (worst_tet >= 0) ratio += fmt::format("; worst is tet {} (counting from 0)", worst_tet);
  row("radius ratio", ratio);
  row("dihedral angle", fmt::format("min {:.2f}, max {:.2f} deg", min_dihedral, max_dihedral));
  for (const RegionSummary& region : regions) {
    const std::string label = region.name.empty() ? "" : fmt::format(" \"{}\"", region.name);
    row(fmt::format("region {}", region.number),
        fmt::format("{} tets, {:.6g} m^3{}", region.num_tets, region.volume, label));
  }
  return text;
}

}  // namespace sinew::mesh
