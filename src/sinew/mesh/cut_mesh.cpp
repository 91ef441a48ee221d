// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <sinew/core/error.hpp>
#include <sinew/mesh/cut_mesh.hpp>
#include <sinew/mesh/faces.hpp>
#include <sinew/mesh/validate.hpp>

namespace sinew::mesh {
namespace {

/// Numbers that are joined pair by pair.
class Groups {
 public:
  explicit Groups(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  /// The smallest of a group.
  std::size_t of(std::size_t k) {
    while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
    return k;
  }
  void join(std::size_t a, std::size_t b) {
    a = of(a), b = of(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

/// An edge that is to get a vertex.
struct SplitEdge {
  Edge ends{};  ///< ascending
  double weight = 0.0;

  bool operator<(const SplitEdge& other) const { return ends < other.ends; }
};

Triangle sorted(Triangle face) {
  std::sort(face.begin(), face.end());
  return face;
}

/// Volume over longest edge cubed, as validation looks at it.
bool is_degenerate(const std::array<Vec3, 4>& x) {
  constexpr double room = 4.0;  // what is rounded differently later stays valid
  double longest = 0.0;
  for (const auto& [a, b] : tet_edges)
    longest = std::max(
        longest, (x[static_cast<std::size_t>(a)] - x[static_cast<std::size_t>(b)]).squaredNorm());
  return !(signed_volume(x) > room * degenerate_volume_ratio * longest * std::sqrt(longest));
}

class Cutter {
 public:
  Cutter(const TetMesh& mesh, const CutSurface& surface)
      : mesh_(mesh), surface_(surface), num_old_(mesh.vertices.size()), on_(num_old_, 0) {
    SINEW_ASSERT(surface.sides.size() == num_old_ && surface.places.size() == num_old_,
                 "every vertex needs a side and a place");
    for (std::size_t v = 0; v < num_old_; ++v) on_[v] = surface.sides[v] == 0.0 ? 1 : 0;
    find_crossed();
  }

  /// Without this nothing happens.
  bool touches_anything() {
    find_edges();
    return !edges_.empty() || std::find(on_.begin(), on_.end(), 1) != on_.end();
  }

  CutReport cut(TetMesh& mesh) {
    do find_edges();
    while (!split_edges());
    CutReport report;
    for (const SplitEdge& edge : edges_) report.added.push_back({edge.ends, edge.weight});
    std::vector<char> is_changed(vertices_.size(), 0);
    for (std::size_t t = 0; t < tets_.size(); ++t)
      if (is_part_[t])
        for (const int vertex : tets_[t]) is_changed[static_cast<std::size_t>(vertex)] = 1;
    const std::vector<Triangle> opened = find_opened();
    report.num_opened = static_cast<int>(opened.size());
    separate(opened, report.added, is_changed);
    mesh.vertices = std::move(vertices_);
    mesh.tets = std::move(tets_);
    if (!mesh.regions.empty()) {
      std::vector<int> regions;
      regions.reserve(parents_.size());
      for (const int parent : parents_)
        regions.push_back(mesh.regions[static_cast<std::size_t>(parent)]);
      mesh.regions = std::move(regions);
    }
    report.parents = std::move(parents_);
    report.is_changed = std::move(is_changed);
    return report;
  }

 private:
  double side(int vertex) const {
    const auto v = static_cast<std::size_t>(vertex);
    return on_[v] ? 0.0 : surface_.sides[v];
  }
  bool crosses(int a, int b) const {
    const double s = side(a), t = side(b);
    return (s < 0.0 && t > 0.0) || (s > 0.0 && t < 0.0);
  }

  bool may_open(std::size_t tet) const {
    return surface_.may_open.empty() || surface_.may_open[tet] != 0;
  }

  /// Tets that reach from one side to the other.
  void find_crossed() {
    for (std::size_t t = 0; t < mesh_.tets.size(); ++t) {
      bool below = false, above = false;
      for (const int vertex : mesh_.tets[t]) {
        below = below || side(vertex) < 0.0;
        above = above || side(vertex) > 0.0;
      }
      if (below && above) crossed_.push_back(t);
    }
  }

  /// Vertices that the surface passes closely are on it; what crosses it then is split.
  void find_edges() {
    const double snap = std::max(surface_.snap, CutSurface::least_snap);
    edges_.clear();
    std::vector<int> near;
    for (const std::size_t t : crossed_) {
      if (!may_open(t)) continue;
      for (const auto& [i, j] : tet_edges) {
        const Tet& tet = mesh_.tets[t];
        const auto [a, b] =
            std::minmax({tet[static_cast<std::size_t>(i)], tet[static_cast<std::size_t>(j)]});
        if (!crosses(a, b)) continue;
        const double from = side(a), to = side(b);
        const double weight = from / (from - to);
        const Vec3 place = between(surface_.places[static_cast<std::size_t>(a)],
                                   surface_.places[static_cast<std::size_t>(b)], weight);
        if (surface_.is_open && !surface_.is_open(place)) continue;
        if (weight < snap) near.push_back(a);
        if (weight > 1.0 - snap) near.push_back(b);
        edges_.push_back({{a, b}, weight});
      }
    }
    for (const int vertex : near) on_[static_cast<std::size_t>(vertex)] = 1;
    std::sort(edges_.begin(), edges_.end());
    const auto is_same = [](const SplitEdge& a, const SplitEdge& b) { return a.ends == b.ends; };
    edges_.erase(std::unique(edges_.begin(), edges_.end(), is_same), edges_.end());
    std::erase_if(edges_, [this](const SplitEdge& e) { return !crosses(e.ends[0], e.ends[1]); });
  }

  /// Puts vertices on the edges. False: a part would have no volume, and a vertex near it is on the
  /// surface from now on.
  bool split_edges() {
    vertices_ = mesh_.vertices;
    places_.assign(surface_.places.begin(), surface_.places.end());
    const auto add = [&](std::vector<Vec3>& x, const SplitEdge& edge) {
      x.push_back(between(x[static_cast<std::size_t>(edge.ends[0])],
                          x[static_cast<std::size_t>(edge.ends[1])], edge.weight));
    };
    for (const SplitEdge& edge : edges_) {
      add(vertices_, edge);
      add(places_, edge);
    }
    on_.resize(num_old_);
    on_.resize(vertices_.size(), 1);
    return make_tets();
  }

  bool make_tets() {
    tets_.clear();
    parents_.clear();
    is_part_.clear();
    bool is_sound = true;
    std::size_t next = 0;  // of the crossed ones, which ascend
    std::vector<Tet> parts;
    std::vector<std::size_t> split;
    for (std::size_t t = 0; t < mesh_.tets.size(); ++t) {
      parts.assign(1, mesh_.tets[t]);
      if (next < crossed_.size() && crossed_[next] == t) {
        ++next;
        find_split(mesh_.tets[t], split);
        for (const std::size_t e : split) split_in_two(e, parts);
        if (parts.size() > 1 && std::any_of(parts.begin(), parts.end(), [this](const Tet& part) {
              return is_degenerate(corners_of(part));
            })) {
          snap_nearest(split);
          is_sound = false;
        }
      }
      for (const Tet& part : parts) {
        tets_.push_back(part);
        parents_.push_back(static_cast<int>(t));
        is_part_.push_back(parts.size() > 1 ? 1 : 0);
      }
    }
    return is_sound;
  }

  std::array<Vec3, 4> corners_of(const Tet& tet) const {
    std::array<Vec3, 4> x;
    for (std::size_t k = 0; k < 4; ++k) x[k] = vertices_[static_cast<std::size_t>(tet[k])];
    return x;
  }

  /// Numbers of the edges of a tet that are split, ascending: all tets around an edge take turns
  /// alike, so that the parts of two of them fit together.
  void find_split(const Tet& tet, std::vector<std::size_t>& split) const {
    split.clear();
    for (const auto& [i, j] : tet_edges) {
      const auto [a, b] =
          std::minmax({tet[static_cast<std::size_t>(i)], tet[static_cast<std::size_t>(j)]});
      const auto found = std::lower_bound(edges_.begin(), edges_.end(), SplitEdge{.ends = {a, b}});
      if (found != edges_.end() && found->ends == Edge{a, b})
        split.push_back(static_cast<std::size_t>(found - edges_.begin()));
    }
    std::sort(split.begin(), split.end());
  }

  void split_in_two(std::size_t edge, std::vector<Tet>& parts) const {
    const auto& [a, b] = edges_[edge].ends;
    const int middle = static_cast<int>(num_old_ + edge);
    for (std::size_t k = 0, count = parts.size(); k < count; ++k) {
      Tet& part = parts[k];
      const auto at_a = std::find(part.begin(), part.end(), a);
      const auto at_b = std::find(part.begin(), part.end(), b);
      if (at_a == part.end() || at_b == part.end()) continue;
      Tet other = part;
      other[static_cast<std::size_t>(at_a - part.begin())] = middle;
      *at_b = middle;
      parts.push_back(other);
    }
  }

  void snap_nearest(const std::vector<std::size_t>& split) {
    const auto distance = [&](std::size_t e) {
      return std::min(edges_[e].weight, 1.0 - edges_[e].weight);
    };
    const std::size_t nearest =
        *std::min_element(split.begin(), split.end(),
                          [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
    const SplitEdge& edge = edges_[nearest];
    on_[static_cast<std::size_t>(edge.ends[edge.weight < 0.5 ? 0 : 1])] = 1;
  }

  /// +1, -1, or 0 for a tet that still reaches from one side to the other.
  int side_of(const Tet& tet) const {
    bool below = false, above = false;
    double sum = 0.0;
    for (const int vertex : tet) {
      const auto v = static_cast<std::size_t>(vertex);
      if (v >= num_old_) continue;
      below = below || side(vertex) < 0.0;
      above = above || side(vertex) > 0.0;
      sum += surface_.sides[v];
    }
    if (below && above) return 0;
    if (below || above) return above ? 1 : -1;
    return sum < 0.0 ? -1 : 1;  // it lies in the surface as a whole
  }

  /// Faces between the sides, ascending.
  std::vector<Triangle> find_opened() const {
    struct Side {
      Triangle face;
      int side;
    };
    std::vector<Side> faces;
    for (std::size_t t = 0; t < tets_.size(); ++t) {
      if (!may_open(static_cast<std::size_t>(parents_[t]))) continue;
      const Tet& tet = tets_[t];
      const auto is_on = [&](int vertex) { return on_[static_cast<std::size_t>(vertex)] != 0; };
      if (std::count_if(tet.begin(), tet.end(), is_on) < 3) continue;
      for (const auto& corners : tet_faces) {
        Triangle face;
        for (std::size_t k = 0; k < 3; ++k) face[k] = tet[static_cast<std::size_t>(corners[k])];
        if (std::all_of(face.begin(), face.end(), is_on))
          faces.push_back({sorted(face), side_of(tet)});
      }
    }
    std::sort(faces.begin(), faces.end(),
              [](const Side& a, const Side& b) { return a.face < b.face; });
    std::vector<Triangle> opened;
    for (std::size_t k = 0; k + 1 < faces.size(); ++k)
      if (faces[k].face == faces[k + 1].face && faces[k].side * faces[k + 1].side < 0 &&
          is_open(faces[k].face))
        opened.push_back(faces[k].face);
    return opened;
  }

  bool is_open(const Triangle& face) const {
    if (!surface_.is_open) return true;
    Vec3 centre = Vec3::Zero();
    for (const int vertex : face) centre += places_[static_cast<std::size_t>(vertex)] / 3.0;
    return surface_.is_open(centre);
  }

  /// Copies vertices so that tets on both sides of opened faces have none in common.
  void separate(const std::vector<Triangle>& opened, std::vector<AddedVertex>& added,
                std::vector<char>& is_changed) {
    std::vector<int> at_cut;
    for (const Triangle& face : opened) at_cut.insert(at_cut.end(), face.begin(), face.end());
    std::sort(at_cut.begin(), at_cut.end());
    at_cut.erase(std::unique(at_cut.begin(), at_cut.end()), at_cut.end());
    std::vector<int> place_of(vertices_.size(), -1);
    for (std::size_t k = 0; k < at_cut.size(); ++k)
      place_of[static_cast<std::size_t>(at_cut[k])] = static_cast<int>(k);
    std::vector<std::vector<std::size_t>> around(at_cut.size());
    for (std::size_t t = 0; t < tets_.size(); ++t)
      for (const int vertex : tets_[t])
        if (const int k = place_of[static_cast<std::size_t>(vertex)]; k >= 0)
          around[static_cast<std::size_t>(k)].push_back(t);
    struct Exchange {
      std::size_t tet;
      int from, to;
    };
    std::vector<Exchange> exchanges;  // made at the end: faces are compared by their numbers
    for (std::size_t k = 0; k < at_cut.size(); ++k) {
      const std::vector<std::size_t> group = groups_around(at_cut[k], around[k], opened);
      std::vector<std::pair<std::size_t, int>> copies;  // of other groups than the first
      for (std::size_t i = 0; i < group.size(); ++i) {
        if (group[i] == 0) continue;
        const auto known = std::find_if(copies.begin(), copies.end(),
                                        [&](const auto& copy) { return copy.first == group[i]; });
        int number = 0;
        if (known == copies.end()) {
          number = static_cast<int>(vertices_.size());
          vertices_.emplace_back(vertices_[static_cast<std::size_t>(at_cut[k])]);
          added.push_back({{at_cut[k], at_cut[k]}, 0.0});
          copies.emplace_back(group[i], number);
        } else {
          number = known->second;
        }
        exchanges.push_back({around[k][i], at_cut[k], number});
      }
      if (!copies.empty()) is_changed[static_cast<std::size_t>(at_cut[k])] = 1;
    }
    is_changed.resize(vertices_.size(), 1);
    for (const Exchange& exchange : exchanges)
      std::replace(tets_[exchange.tet].begin(), tets_[exchange.tet].end(), exchange.from,
                   exchange.to);
  }

  /// Of the tets around a vertex: which hang together by faces at it that are not opened.
  std::vector<std::size_t> groups_around(int vertex, const std::vector<std::size_t>& tets,
                                         const std::vector<Triangle>& opened) const {
    std::vector<std::pair<Triangle, std::size_t>> faces;
    for (std::size_t i = 0; i < tets.size(); ++i)
      for (const auto& corners : tet_faces) {
        Triangle face;
        for (std::size_t k = 0; k < 3; ++k)
          face[k] = tets_[tets[i]][static_cast<std::size_t>(corners[k])];
        if (std::find(face.begin(), face.end(), vertex) != face.end())
          faces.emplace_back(sorted(face), i);
      }
    std::sort(faces.begin(), faces.end());
    Groups groups(tets.size());
    for (std::size_t k = 0; k + 1 < faces.size(); ++k)
      if (faces[k].first == faces[k + 1].first &&
          !std::binary_search(opened.begin(), opened.end(), faces[k].first))
        groups.join(faces[k].second, faces[k + 1].second);
    std::vector<std::size_t> group(tets.size());
    for (std::size_t i = 0; i < tets.size(); ++i) group[i] = groups.of(i);
    return group;
  }

  const TetMesh& mesh_;
  const CutSurface& surface_;
  std::size_t num_old_;
  std::vector<char> on_;              // per vertex: the surface goes through it
  std::vector<std::size_t> crossed_;  // tets, ascending
  std::vector<SplitEdge> edges_;      // ascending
  // what comes of it
  std::vector<Vec3> vertices_, places_;
  std::vector<Tet> tets_;
  std::vector<int> parents_;
  std::vector<char> is_part_;
};

}  // namespace

bool meets(const TetMesh& mesh, const CutSurface& surface) {
  if (!Cutter(mesh, surface).touches_anything()) return false;
  TetMesh copy = mesh;
  return cut_mesh(copy, surface).changed_anything();
}

CutReport cut_mesh(TetMesh& mesh, const CutSurface& surface) {
  return Cutter(mesh, surface).cut(mesh);
}

std::vector<int> pieces_of(const TetMesh& mesh) {
  Groups groups(mesh.tets.size());
  const std::vector<TetFace> faces = sorted_faces(mesh.tets);
  for (std::size_t k = 0; k + 1 < faces.size(); ++k)
    if (faces[k].vertices == faces[k + 1].vertices)
      groups.join(static_cast<std::size_t>(faces[k].tet),
                  static_cast<std::size_t>(faces[k + 1].tet));
  std::vector<int> pieces(mesh.tets.size(), -1);
  int count = 0;
  for (std::size_t t = 0; t < pieces.size(); ++t) {
    const std::size_t first = groups.of(t);
    pieces[t] = first == t ? count++ : pieces[first];
  }
  return pieces;
}

}  // namespace sinew::mesh
