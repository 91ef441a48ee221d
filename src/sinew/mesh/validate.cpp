// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>

#include <Eigen/LU>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sinew/mesh/faces.hpp>
#include <sinew/mesh/quadratic.hpp>
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

template <std::size_t N>
bool indices_in_range(const TetMesh& mesh, const std::array<int, N>& corners) {
  return std::all_of(corners.begin(), corners.end(),
                     [&](int vertex) { return vertex >= 0 && vertex < mesh.num_vertices(); });
}

template <std::size_t N>
bool has_repeated_vertex(std::array<int, N> corners) {
  std::sort(corners.begin(), corners.end());
  return std::adjacent_find(corners.begin(), corners.end()) != corners.end();
}

bool all_finite(const std::array<Vec3, 4>& corners) {
  return std::all_of(corners.begin(), corners.end(), [](const Vec3& x) { return x.allFinite(); });
}

std::vector<bool> used_vertices(const TetMesh& mesh) {
  std::vector<bool> is_used(mesh.vertices.size(), false);
  const auto mark = [&](const auto& elements) {
    for (const auto& corners : elements)
      for (const int vertex : corners)
        if (vertex >= 0 && vertex < mesh.num_vertices()) is_used[vertex] = true;
  };
  mark(mesh.tets);
  mark(mesh.middles);
  if (!mesh.tets.empty()) return is_used;
  mark(mesh.triangles);
  mark(mesh.bars);
  return is_used;
}

/// Whether vertices that nothing uses are free particles: atoms, or all if none is connected.
bool may_be_free(const TetMesh& mesh) {
  const bool is_connected = !mesh.triangles.empty() || !mesh.bars.empty();
  return is_made_of_particles(mesh) && (!mesh.species.empty() || !is_connected);
}

/// How messages call elements of N corners, or the middle vertices of tets.
template <std::size_t N>
struct Wording {
  std::string_view singular = N == 3 ? "triangle" : N == 2 ? "bar" : "tet";
  std::string_view number = N == 6 ? "six" : N == 4 ? "four" : N == 3 ? "three" : "two";
  std::string_view vertices = N == 6 ? "middle vertices" : "corners";
};

std::string label(std::string_view singular, std::size_t number) {
  return fmt::format("{} {} (counting from 0)", singular, number);
}
std::string tet_label(int tet) {
  return label("tet", static_cast<std::size_t>(tet));
}
std::string vertex_label(int vertex) {
  return label("vertex", static_cast<std::size_t>(vertex));
}

template <std::size_t N>
std::string corner_list(const std::array<int, N>& corners) {
  return fmt::format("({})", fmt::join(corners, ", "));
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
  if (mesh.tets.empty() && !is_made_of_particles(mesh))
    findings.add("", "the mesh has no tetrahedra",
                 "mesh the volume, not only the surface (Gmsh: gmsh -3), and save all elements; "
                 "particles need triangles, bars or masses");
  if (mesh.regions.size() != mesh.tets.size())
    findings.add("",
                 fmt::format("there are {} region numbers for {} tets", mesh.regions.size(),
                             mesh.tets.size()),
                 "give one region number per tet");
  if (mesh.is_quadratic() && mesh.middles.size() != mesh.tets.size())
    findings.add("",
                 fmt::format("{} of {} tets have vertices on their edges", mesh.middles.size(),
                             mesh.tets.size()),
                 "export all elements with ten nodes, or all with four");
  if (!mesh.tets.empty()) return;
  const auto require_one_each = [&](std::size_t count, std::string_view what, std::size_t expected,
                                    std::string_view owners) {
    if (count != 0 && count != expected)
      findings.add("", fmt::format("there are {} {} for {} {}", count, what, expected, owners),
                   "give one for each, or none");
  };
  require_one_each(mesh.masses.size(), "masses", mesh.vertices.size(), "vertices");
  require_one_each(mesh.species.size(), "chemical symbols", mesh.vertices.size(), "vertices");
  require_one_each(mesh.bar_regions.size(), "region numbers", mesh.bars.size(), "bars");
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

/// The elements whose corners are different existing vertices; only these are looked at further.
template <std::size_t N>
std::vector<int> check_indices(const TetMesh& mesh, const std::vector<std::array<int, N>>& elements,
                               Findings& findings) {
  const Wording<N> words;
  std::vector<int> sound;
  findings.begin_kind(fmt::format("{}s with indices out of range", words.singular));
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (indices_in_range(mesh, elements[i])) {
      sound.push_back(static_cast<int>(i));
    } else {
      findings.add(label(words.singular, i),
                   fmt::format("{} {} must lie in 0..{}", words.vertices, corner_list(elements[i]),
                               mesh.num_vertices() - 1),
                   "check whether the indices count from 0 or from 1");
    }
  }
  findings.begin_kind(fmt::format("{}s with repeated vertices", words.singular));
  std::erase_if(sound, [&](int i) {
    if (!has_repeated_vertex(elements[i])) return false;
    findings.add(label(words.singular, static_cast<std::size_t>(i)),
                 fmt::format("{} {} are not {} different vertices", words.vertices,
                             corner_list(elements[i]), words.number),
                 fmt::format("remove the collapsed {} in the mesher", words.singular));
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
                               corner_list(mesh.tets[i]), signed_volume(positions)),
                   "--repair turns inverted tets around");
  }
  findings.begin_kind("degenerate tets");
  for (const int i : degenerate)
    findings.add(tet_label(i),
                 fmt::format("degenerate: corners {} are flat to within rounding",
                             corner_list(mesh.tets[i])),
                 "improve the mesh in the mesher (Gmsh: -optimize_netgen); --repair leaves it");
}

/// What middle vertices must be for neighbours to fit together: one per edge, no corner.
void check_middles(const TetMesh& mesh, const std::vector<int>& tets, Findings& findings) {
  std::vector<bool> is_corner(mesh.vertices.size(), false);
  for (const int i : tets)
    for (const int vertex : mesh.tets[i]) is_corner[static_cast<std::size_t>(vertex)] = true;
  std::map<Edge, std::pair<int, int>> known;  // middle and the tet that said so
  findings.begin_kind("misplaced middle vertices");
  for (const int i : tets)
    for (std::size_t e = 0; e < tet_edges.size(); ++e) {
      const int a = mesh.tets[i][tet_edges[e][0]], b = mesh.tets[i][tet_edges[e][1]];
      const int middle = mesh.middles[i][e];
      const auto [first, is_new] = known.try_emplace({std::min(a, b), std::max(a, b)}, middle, i);
      if (is_corner[static_cast<std::size_t>(middle)])
        findings.add(tet_label(i),
                     fmt::format("vertex {} is in the middle of the edge ({}, {}) and the corner "
                                 "of a tet",
                                 middle, a, b),
                     "export the mesh again: ten-node tets have six vertices on their edges");
      else if (first->second.first != middle)
        findings.add(tet_label(i),
                     fmt::format("vertex {} is in the middle of the edge ({}, {}), which is vertex "
                                 "{} for tet {}",
                                 middle, a, b, first->second.first, first->second.second),
                     "merge coincident vertices in the mesher, or the file has its nodes in "
                     "another order");
    }
}

/// Whether the map from the straight tet to the curved one folds at one of its nodes, at its middle
/// or between (at the points where it is integrated).
bool is_folded(const TetMesh& mesh, int tet) {
  std::array<Vec3, num_quadratic_nodes> nodes;
  const QuadraticTet vertices = quadratic_tet(mesh, tet);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    nodes[k] = mesh.vertices[static_cast<std::size_t>(vertices[k])];
    if (!nodes[k].allFinite()) return false;  // it has its own message
  }
  const double threshold = degenerate_volume_ratio * std::abs(signed_volume(mesh, tet));
  const auto folds_at = [&](const Barycentric& l) {
    return quadratic_jacobian(nodes, l).determinant() <= threshold;
  };
  if (folds_at({0.25, 0.25, 0.25, 0.25})) return true;
  for (std::size_t i = 0; i < 4; ++i) {
    Barycentric corner{}, inside;
    corner[i] = 1.0;
    inside.fill(tet_rule_far);
    inside[i] = tet_rule_near;
    if (folds_at(corner) || folds_at(inside)) return true;
  }
  return std::any_of(tet_edges.begin(), tet_edges.end(), [&](const auto& edge) {
    Barycentric middle{};
    middle[static_cast<std::size_t>(edge[0])] = middle[static_cast<std::size_t>(edge[1])] = 0.5;
    return folds_at(middle);
  });
}

void check_curved_shapes(const TetMesh& mesh, const std::vector<int>& tets, Findings& findings) {
  findings.begin_kind("folded tets");
  for (const int i : tets)
    if (shape_of(corners(mesh, i)) == TetShape::good && is_folded(mesh, i))
      findings.add(
          tet_label(i),
          fmt::format("folded: its edges are bent so far by the middle vertices {} that "
                      "it turns inside out",
                      corner_list(mesh.middles[i])),
          "refine where the surface is curved (Gmsh: -optimize_ho), or say \"order\": 1 to "
          "use the corners alone; all tets folded means that the file has its nodes in "
          "another order");
}

void check_used_vertices(const TetMesh& mesh, const std::vector<bool>& is_used,
                         std::string_view users, Findings& findings) {
  findings.begin_kind("unused vertices");
  for (int i = 0; i < mesh.num_vertices(); ++i)
    if (!is_used[i])
      findings.add(vertex_label(i), fmt::format("no {} uses this vertex", users),
                   "--repair removes unused vertices");
}

void check_coincident_vertices(const TetMesh& mesh, const std::vector<bool>& is_used,
                               Findings& findings) {
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
          "merge coincident vertices in the mesher (Gmsh: Coherence Mesh); if it was cut there, "
          "say \"torn\": true");
  }
}

template <std::size_t N>
void check_duplicates(const std::vector<std::array<int, N>>& elements,
                      const std::vector<int>& sound, Findings& findings) {
  const Wording<N> words;
  std::vector<std::pair<std::array<int, N>, int>> keys;
  keys.reserve(sound.size());
  for (const int i : sound) {
    std::array<int, N> key = elements[i];
    std::sort(key.begin(), key.end());
    keys.emplace_back(key, i);
  }
  std::sort(keys.begin(), keys.end());
  findings.begin_kind(fmt::format("duplicate {}s", words.singular));
  for (std::size_t i = 1; i < keys.size(); ++i)
    if (keys[i].first == keys[i - 1].first)
      findings.add(fmt::format("{}s {} and {} (counting from 0)", words.singular,
                               keys[i - 1].second, keys[i].second),
                   fmt::format("have the same {} corners", words.number),
                   fmt::format("keep one of them; Gmsh 2.2 files repeat a {} that is in several "
                               "physical groups, so put it in one group or save as 4.1",
                               words.singular));
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

/// Bars and sides of triangles that have no length, and so no direction.
template <std::size_t N>
void check_lengths(const TetMesh& mesh, const std::vector<std::array<int, N>>& elements,
                   const std::vector<int>& sound, Findings& findings) {
  const Wording<N> words;
  findings.begin_kind(fmt::format("{}s with coincident corners", words.singular));
  for (const int i : sound)
    for (std::size_t k = 0; k < (N == 2 ? 1 : N); ++k) {
      const int a = elements[i][k], b = elements[i][(k + 1) % N];
      if (mesh.vertices[a] == mesh.vertices[b])
        findings.add(label(words.singular, static_cast<std::size_t>(i)),
                     fmt::format("its corners {} and {} lie at the same place", a, b),
                     "merge coincident vertices where the mesh was made");
    }
}

void check_masses(const TetMesh& mesh, Findings& findings) {
  findings.begin_kind("unusable masses");
  for (std::size_t i = 0; i < mesh.masses.size(); ++i)
    if (!std::isfinite(mesh.masses[i]) || mesh.masses[i] <= 0.0)
      findings.add(label("vertex", i), fmt::format("its mass is {}", mesh.masses[i]),
                   "give every particle a positive mass");
}

void check_particles(const TetMesh& mesh, Findings& findings) {
  const std::vector<int> triangles = check_indices(mesh, mesh.triangles, findings);
  const std::vector<int> bars = check_indices(mesh, mesh.bars, findings);
  check_lengths(mesh, mesh.triangles, triangles, findings);
  check_lengths(mesh, mesh.bars, bars, findings);
  check_duplicates(mesh.bars, bars, findings);
  check_masses(mesh, findings);
  if (!may_be_free(mesh))
    check_used_vertices(mesh, used_vertices(mesh), "triangle or bar", findings);
}

void check_tets(const TetMesh& mesh, Torn torn, Findings& findings) {
  const std::vector<int> sound = check_indices(mesh, mesh.tets, findings);
  check_shapes(mesh, sound, findings);
  if (mesh.is_quadratic() && mesh.middles.size() == mesh.tets.size()) {
    std::vector<int> both = check_indices(mesh, mesh.middles, findings), in_order;
    std::set_intersection(sound.begin(), sound.end(), both.begin(), both.end(),
                          std::back_inserter(in_order));
    check_middles(mesh, in_order, findings);
    check_curved_shapes(mesh, in_order, findings);
  }
  const std::vector<bool> is_used = used_vertices(mesh);
  check_used_vertices(mesh, is_used, "tet", findings);
  if (torn == Torn::refused) check_coincident_vertices(mesh, is_used, findings);
  check_duplicates(mesh.tets, sound, findings);
  check_faces(mesh, sound, findings);
}

int flip_inverted_tets(TetMesh& mesh) {
  int count = 0;
  for (int i = 0; i < mesh.num_tets(); ++i) {
    if (!indices_in_range(mesh, mesh.tets[i]) || has_repeated_vertex(mesh.tets[i])) continue;
    const std::array<Vec3, 4> positions = corners(mesh, i);
    if (!all_finite(positions) || shape_of(positions) != TetShape::inverted) continue;
    std::swap(mesh.tets[i][2], mesh.tets[i][3]);
    if (mesh.middles.size() == mesh.tets.size()) {
      Middles& middles = mesh.middles[i];
      std::swap(middles[middle_between(0, 2)], middles[middle_between(0, 3)]);
      std::swap(middles[middle_between(1, 2)], middles[middle_between(1, 3)]);
    }
    ++count;
  }
  return count;
}

std::vector<int> remove_unused_vertices(TetMesh& mesh) {
  std::vector<bool> is_used = used_vertices(mesh);
  if (may_be_free(mesh)) is_used.assign(is_used.size(), true);
  std::vector<int> new_index(mesh.vertices.size(), -1);
  int count = 0;
  for (int i = 0; i < mesh.num_vertices(); ++i)
    if (is_used[i]) new_index[i] = count++;
  // an index out of range stays out of range, because the vertices only become fewer
  const auto renumber = [&](auto& elements) {
    for (auto& corners : elements)
      for (int& vertex : corners)
        if (vertex >= 0 && vertex < static_cast<int>(new_index.size())) vertex = new_index[vertex];
  };
  renumber(mesh.tets);
  renumber(mesh.middles);
  renumber(mesh.triangles);
  renumber(mesh.bars);
  // a list of another length stays one
  const auto keep_used = [&](auto& values) {
    if (values.size() != is_used.size()) return;
    for (std::size_t i = 0; i < is_used.size(); ++i)
      if (is_used[i] && new_index[i] != static_cast<int>(i))
        values[new_index[i]] = std::move(values[i]);
    values.resize(count);
  };
  keep_used(mesh.vertices);
  keep_used(mesh.masses);
  keep_used(mesh.species);
  return new_index;
}

}  // namespace

std::vector<Problem> find_problems(const TetMesh& mesh, std::string_view name, Torn torn) {
  Findings findings(name);
  check_sizes(mesh, findings);
  check_coordinates(mesh, findings);
  // a mesh of neither has had its message: that no vertex is used would only bury it
  if (!mesh.tets.empty()) check_tets(mesh, torn, findings);
  if (is_made_of_particles(mesh)) check_particles(mesh, findings);
  return findings.take();
}

void require_valid(const TetMesh& mesh, std::string_view name, Torn torn) {
  std::vector<Problem> problems = find_problems(mesh, name, torn);
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
