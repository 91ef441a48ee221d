// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include <sinew/mesh/stuffing/stencils.hpp>

namespace sinew::mesh {
namespace {

using Visit = std::function<void(const std::array<CutCorner, 4>&)>;

CutCorner whole(const LatticePoint& p) {
  return {p, p};
}

bool is_long(const LatticePoint& p, const LatticePoint& q) {
  return ((p[0] ^ q[0]) & 1) == 0;
}

/// Two corners a and b of a face are inside, the third one is outside: whether the quadrilateral
/// that is left is divided from a to the cut of b, and not from b to the cut of a. The diagonal
/// ends at the cut of a long edge if there is one; else the ends of the long edge tell, as both
/// tets see them.
bool divides_from_first(const LatticePoint& a, const LatticePoint& b, const LatticePoint& outside) {
  if (is_long(a, outside)) return false;
  if (is_long(b, outside)) return true;
  return is_even(a);
}

struct Prism {
  /// Two triangles; first[k] is joined to second[k].
  std::array<CutCorner, 3> first, second;
  /// Whether the quadrilateral between k and k + 1 is divided from first[k] to second[k + 1].
  std::array<bool, 3> from_first;
};

/// Three tets. The diagonals must not run around the prism; then two of them meet at a vertex, and
/// the tets are those from there to the triangles that it does not touch.
void visit_prism(const Prism& prism, const Visit& visit) {
  const auto& [a, b, from_first] = prism;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t next = (k + 1) % 3, last = (k + 2) % 3;
    const bool onward = from_first[k], backward = from_first[last];
    if (onward == backward) continue;  // the diagonals at k: one ends at a[k], one at b[k]
    const auto& here = onward ? a : b;
    const auto& there = onward ? b : a;
    const CutCorner& apex = here[k];
    visit({apex, there[0], there[1], there[2]});
    const bool other = from_first[next] == onward;  // from here[next] to there[last]
    if (other) {
      visit({apex, here[next], there[last], there[next]});
      visit({apex, here[next], there[last], here[last]});
    } else {
      visit({apex, here[last], there[next], there[last]});
      visit({apex, here[last], there[next], here[next]});
    }
    return;
  }
}

}  // namespace

void cut_lattice_tet(const LatticeTet& tet, const std::array<Side, 4>& sides, const Visit& visit) {
  std::array<LatticePoint, 4> in{}, out{}, on{};
  std::size_t num_in = 0, num_out = 0, num_on = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    if (sides[k] == Side::inside) in[num_in++] = tet[k];
    if (sides[k] == Side::outside) out[num_out++] = tet[k];
    if (sides[k] == Side::on_surface) on[num_on++] = tet[k];
  }
  if (num_in == 0) return;
  if (num_out == 0) return visit({whole(tet[0]), whole(tet[1]), whole(tet[2]), whole(tet[3])});
  const auto cut = [&](std::size_t i, std::size_t o) { return CutCorner{in[i], out[o]}; };
  if (num_in == 1) {
    std::array<CutCorner, 4> corners{whole(in[0])};
    std::size_t at = 1;
    for (std::size_t k = 0; k < num_out; ++k) corners[at++] = cut(0, k);
    for (std::size_t k = 0; k < num_on; ++k) corners[at++] = whole(on[k]);
    return visit(corners);
  }
  if (num_in == 2 && num_out == 1) {
    const bool from_first = divides_from_first(in[0], in[1], out[0]);
    const CutCorner start = whole(in[from_first ? 0 : 1]);
    const CutCorner end = cut(from_first ? 1 : 0, 0);
    visit({whole(on[0]), start, end, whole(in[from_first ? 1 : 0])});
    return visit({whole(on[0]), start, end, cut(from_first ? 0 : 1, 0)});
  }
  if (num_in == 3) {
    Prism prism;
    for (std::size_t k = 0; k < 3; ++k) {
      prism.first[k] = whole(in[k]);
      prism.second[k] = cut(k, 0);
      prism.from_first[k] = divides_from_first(in[k], in[(k + 1) % 3], out[0]);
    }
    return visit_prism(prism, visit);
  }
  // two inside, two outside: the third diagonal is in the surface
  Prism prism{.first = {whole(in[0]), cut(0, 0), cut(0, 1)},
              .second = {whole(in[1]), cut(1, 0), cut(1, 1)},
              .from_first = {}};
  prism.from_first[0] = divides_from_first(in[0], in[1], out[0]);
  const bool to_second = divides_from_first(in[0], in[1], out[1]);
  prism.from_first[2] = !to_second;  // counted from the last to the first
  // between the cuts of short edges only, either would do; otherwise it joins those of long ones
  prism.from_first[1] = prism.from_first[0] == to_second ? true : !prism.from_first[0];
  visit_prism(prism, visit);
}

}  // namespace sinew::mesh
