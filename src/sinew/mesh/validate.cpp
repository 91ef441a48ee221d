// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include <sinew/mesh/faces.hpp>
#include <sinew/mesh/validate.hpp>

namespace sinew::mesh {
namespace {

enum class TetShape { good, inverted, degenerate };

TetShape shape_of(const std::array<Vec3, 4>& corners) {
  double longest_squared = 0.0;
  for (const auto& [i, j] : tet_edges)
    longest_squared = std::max(longest_squared, (corners[i] - corners[j]).squaredNorm());
  const double threshold = degenerate_volume_ratio * longest_squared * std::sqrt(longest_squared);
  const double volume = signed_volume(corners);
  if (volume > threshold) return TetShape::good;
  return volume < -threshold ? TetShape::inverted : TetShape::degenerate;
}

bool indices_in_range(const TetMesh& mesh, const Tet& tet) {
  return std::all_of(tet.begin(), tet.end(),
                     [&](int vertex) { return vertex >= 0 && vertex < mesh.num_vertices(); });
}

bool has_repeated_vertex(const Tet& tet) {
  return std::any_of(tet_edges.begin(), tet_edges.end(),
                     [&](const auto& edge) { return tet[edge[0]] == tet[edge[1]]; });
}

bool all_finite(const std::array<Vec3, 4>& corners) {
  return std::all_of(corners.begin(), corners.end(), [](const Vec3& x) { return x.allFinite(); });
}

std::vector<bool> used_vertices(const TetMesh& mesh) {
  std::vector<bool> is_used(mesh.vertices.size(), false);
  for (const Tet& tet : mesh.tets)
    for (const int vertex : tet)
      if (vertex >= 0 && vertex < mesh.num_vertices()) is_used[vertex] = true;
  return is_used;
}

std::string tet_label(int tet) {
  return fmt::format("tet {} (counting from 0)", tet);
}
std::string vertex_label(int vertex) {
  return fmt::format("vertex {} (counting from 0)", vertex);
}

std::string tet_corners(const Tet& tet) {
  return fmt::format("({}, {}, {}, {})", tet[0], tet[1], tet[2], tet[3]);
}

/// Collects problems, of each kind the first few and a count of the others.
class Findings {
 public:
  explicit Findings(std::string_view name) : name_(name) {}

  void begin_kind(std::string plural) {
    end_kind();
    plural_ = std::move(plural);
    count_ = 0;
  }

  void add(std::string where, std::string what, std::string hint) {
    if (++count_ <= max_listed)
      problems_.push_back({name_, std::move(where), std::move(what), std::move(hint)});
  }

  std::vector<Problem> take() {
    end_kind();
    return std::move(problems_);
  }

 private:
  static constexpr int max_listed = 10;  // enough to see a pattern, few enough to read

  void end_kind() {
    if (count_ > max_listed)
      problems_.push_back(
          {name_, "", fmt::format("... and {} more {}", count_ - max_listed, plural_), ""});
    count_ = 0;
  }

  std::string name_;
  std::string plural_;
  int count_ = 0;
  std::vector<Problem> problems_;
};

void check_sizes(const TetMesh& mesh, Findings& findings) {
  findings.begin_kind("missing parts");
  if (mesh.vertices.empty())
    findings.add("", "the mesh has no vertices", "export the mesh with its nodes");
  if (mesh.tets.empty())
    findings.add("", "the mesh has no tetrahedra",
                 "mesh the volume, not only the surface (Gmsh: gmsh -3), and save all elements");
  if (mesh.regions.size() != mesh.tets.size())
    findings.add("",
                 fmt::format("there are {} region numbers for {} tets", mesh.regions.size(),
                             mesh.tets.size()),
                 "give one region number per tet");
}

void check_coordinates(const TetMesh& mesh, Findings& findings) {
  findings.begin_kind("vertices with non-finite coordinates");
  for (int i = 0; i < mesh.num_vertices(); ++i) {
    const Vec3& x = mesh.vertices[i];
    if (!x.allFinite())
      findings.add(vertex_label(i),
                   fmt::format("a coordinate is not finite: ({}, {}, {})", x[0], x[1], x[2]),
                   "export the mesh again; NaN or inf cannot be repaired");
  }
}

/// The tets whose corners are four different existing vertices; only these are looked at further.
std::vector<int> check_indices(const TetMesh& mesh, Findings& findings) {
  std::vector<int> sound;
  findings.begin_kind("tets with indices out of range");
  for (int i = 0; i < mesh.num_tets(); ++i) {
    if (indices_in_range(mesh, mesh.tets[i])) {
      sound.push_back(i);
    } else {
      findings.add(tet_label(i),
                   fmt::format("corners {} must lie in 0..{}", tet_corners(mesh.tets[i]),
                               mesh.num_vertices() - 1),
                   "check whether the indices count from 0 or from 1");
    }
  }
  findings.begin_kind("tets with repeated vertices");
  std::erase_if(sound, [&](int i) {
    if (!has_repeated_vertex(mesh.tets[i])) return false;
    findings.add(
        tet_label(i),
        fmt::format("corners {} are not four different vertices", tet_corners(mesh.tets[i])),
        "remove the collapsed tet in the mesher");
    return true;
  });
  return sound;
}

void check_shapes(const TetMesh& mesh, const std::vector<int>& tets, Findings& findings) {
  std::vector<int> degenerate;
  findings.begin_kind("inverted tets");
  for (const int i : tets) {
    const std::array<Vec3, 4> positions = corners(mesh, i);
    if (!all_finite(positions)) continue;
    const TetShape shape = shape_of(positions);
    if (shape == TetShape::degenerate) degenerate.push_back(i);
    if (shape == TetShape::inverted)
      findings.add(tet_label(i),
                   fmt::format("inverted: corners {} enclose the volume {:.4g} m^3",
                               tet_corners(mesh.tets[i]), signed_volume(positions)),
                   "--repair turns inverted tets around");
  }
  findings.begin_kind("degenerate tets");
  for (const int i : degenerate)
    findings.add(tet_label(i),
                 fmt::format("degenerate: corners {} are flat to within rounding",
                             tet_corners(mesh.tets[i])),
                 "improve the mesh in the mesher (Gmsh: -optimize_netgen); --repair leaves it");
}

void check_vertices(const TetMesh& mesh, Findings& findings) {
  const std::vector<bool> is_used = used_vertices(mesh);
  findings.begin_kind("unused vertices");
  for (int i = 0; i < mesh.num_vertices(); ++i)
    if (!is_used[i])
      findings.add(vertex_label(i), "no tet uses this vertex", "--repair removes unused vertices");

  // equal positions are neighbours once sorted
  std::vector<int> order;
  for (int i = 0; i < mesh.num_vertices(); ++i)
    if (is_used[i] && mesh.vertices[i].allFinite()) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const Vec3 &x = mesh.vertices[a], &y = mesh.vertices[b];
    return std::tie(x[0], x[1], x[2], a) < std::tie(y[0], y[1], y[2], b);
  });
  findings.begin_kind("coincident vertices");
  for (std::size_t i = 1; i < order.size(); ++i) {
    const Vec3& x = mesh.vertices[order[i]];
    if (x == mesh.vertices[order[i - 1]])
      findings.add(
          fmt::format("vertices {} and {} (counting from 0)", order[i - 1], order[i]),
          fmt::format("both lie at ({}, {}, {}), so the body is torn there", x[0], x[1], x[2]),
          "merge coincident vertices in the mesher (Gmsh: Coherence Mesh)");
  }
}

void check_duplicate_tets(const TetMesh& mesh, const std::vector<int>& tets, Findings& findings) {
  std::vector<std::pair<Tet, int>> keys;
  keys.reserve(tets.size());
  for (const int i : tets) {
    Tet key = mesh.tets[i];
    std::sort(key.begin(), key.end());
    keys.emplace_back(key, i);
  }
  std::sort(keys.begin(), keys.end());
  findings.begin_kind("duplicate tets");
  for (std::size_t i = 1; i < keys.size(); ++i)
    if (keys[i].first == keys[i - 1].first)
      findings.add(
          fmt::format("tets {} and {} (counting from 0)", keys[i - 1].second, keys[i].second),
          "have the same four corners",
          "keep one of them; Gmsh 2.2 files repeat a tet that is in several physical "
          "groups, so put it in one group or save as 4.1");
}

void check_faces(const TetMesh& mesh, const std::vector<int>& tets, Findings& findings) {
  std::vector<Tet> sound;
  sound.reserve(tets.size());
  for (const int i : tets) sound.push_back(mesh.tets[i]);
  const std::vector<TetFace> faces = sorted_faces(sound);
  findings.begin_kind("faces shared by more than two tets");
  for (std::size_t begin = 0, end = 0; begin < faces.size(); begin = end) {
    const Triangle& face = faces[begin].vertices;
    while (end < faces.size() && faces[end].vertices == face) ++end;
    if (end - begin > 2)
      findings.add(tet_label(tets[faces[begin].tet]),
                   fmt::format("the face ({}, {}, {}) is shared by {} tets", face[0], face[1],
                               face[2], end - begin),
                   "a face has at most two sides; remove overlapping tets in the mesher");
  }
}

int flip_inverted_tets(TetMesh& mesh) {
  int count = 0;
  for (int i = 0; i < mesh.num_tets(); ++i) {
    if (!indices_in_range(mesh, mesh.tets[i]) || has_repeated_vertex(mesh.tets[i])) continue;
    const std::array<Vec3, 4> positions = corners(mesh, i);
    if (!all_finite(positions) || shape_of(positions) != TetShape::inverted) continue;
    std::swap(mesh.tets[i][2], mesh.tets[i][3]);
    ++count;
  }
  return count;
}

std::vector<int> remove_unused_vertices(TetMesh& mesh) {
  const std::vector<bool> is_used = used_vertices(mesh);
  std::vector<int> new_index(mesh.vertices.size(), -1);
  int count = 0;
  for (int i = 0; i < mesh.num_vertices(); ++i) {
    if (!is_used[i]) continue;
    mesh.vertices[count] = mesh.vertices[i];
    new_index[i] = count++;
  }
  // an index out of range stays out of range, because the vertices only become fewer
  const int old_count = mesh.num_vertices();
  for (Tet& tet : mesh.tets)
    for (int& vertex : tet)
      if (vertex >= 0 && vertex < old_count) vertex = new_index[vertex];
  mesh.vertices.resize(count);
  return new_index;
}

}  // namespace

std::vector<Problem> find_problems(const TetMesh& mesh, std::string_view name) {
  Findings findings(name);
  check_sizes(mesh, findings);
  check_coordinates(mesh, findings);
  const std::vector<int> sound = check_indices(mesh, findings);
  check_shapes(mesh, sound, findings);
  // without any tet every vertex is unused, which would only bury the real problem
  if (!mesh.tets.empty()) check_vertices(mesh, findings);
  check_duplicate_tets(mesh, sound, findings);
  check_faces(mesh, sound, findings);
  return findings.take();
}

void require_valid(const TetMesh& mesh, std::string_view name) {
  std::vector<Problem> problems = find_problems(mesh, name);
  if (!problems.empty()) throw InputError(std::move(problems));
}

std::string RepairReport::to_text() const {
  if (!changed_anything()) return "nothing to repair";
  return fmt::format("turned {} inverted tets around, removed {} unused vertices", num_flipped_tets,
                     num_removed_vertices);
}

RepairReport repair(TetMesh& mesh) {
  RepairReport report;
  report.num_flipped_tets = flip_inverted_tets(mesh);
  const int old_count = mesh.num_vertices();
  report.vertex_map = remove_unused_vertices(mesh);
  report.num_removed_vertices = old_count - mesh.num_vertices();
  return report;
}

}  // namespace sinew::mesh
