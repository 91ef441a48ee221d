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

/// Pieces of the mesh that share no vertex, by union-find with path halving.
int count_components(const TetMesh& mesh) {
  std::vector<int> parent(mesh.vertices.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const Tet& tet : mesh.tets)
    for (int i = 1; i < 4; ++i) parent[root(tet[i])] = root(tet[0]);
  std::vector<bool> is_counted(mesh.vertices.size(), false);
  int count = 0;
  for (const Tet& tet : mesh.tets) {
    const int piece = root(tet[0]);
    if (!is_counted[piece]) ++count;
    is_counted[piece] = true;
  }
  return count;
}

Spread edge_lengths(const TetMesh& mesh) {
  std::vector<std::array<int, 2>> edges;
  edges.reserve(6 * mesh.tets.size());
  for (const Tet& tet : mesh.tets)
    for (const auto& [i, j] : tet_edges)
      edges.push_back({std::min(tet[i], tet[j]), std::max(tet[i], tet[j])});
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
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
    region.volume += signed_volume(mesh, i);
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
  report.num_surface_triangles = extract_surface(mesh).num_triangles();
  report.num_components = count_components(mesh);
  report.regions = summarize_regions(mesh);
  report.box = bounding_box(mesh);
  for (const RegionSummary& region : report.regions) report.volume += region.volume;
  report.edge_length = edge_lengths(mesh);
  measure_shapes(mesh, report);
  return report;
}

std::string QualityReport::to_text() const {
  std::string text;
  const auto row = [&](std::string_view label, const std::string& value) {
    text += fmt::format("{:<18}{}\n", label, value);
  };
  const auto point = [](const Vec3& x) {
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]);
  };
  row("vertices", fmt::format("{}", num_vertices));
  row("tets", fmt::format("{}", num_tets));
  row("surface triangles", fmt::format("{}", num_surface_triangles));
  row("components", fmt::format("{}", num_components));
  row("bounding box", fmt::format("{} to {} m", point(box.low), point(box.high)));
  row("size", fmt::format("{} m", point(box.size())));
  row("volume", fmt::format("{:.6g} m^3", volume));
  row("edge length", fmt::format("min {:.4g}, mean {:.4g}, max {:.4g} m", edge_length.min,
                                 edge_length.mean, edge_length.max));
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
