// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <Eigen/Geometry>

#include <sinew/geometry/box_tree.hpp>
#include <sinew/physics/contact/contact_search.hpp>
#include <sinew/physics/contact/overlaps.hpp>
#include <sinew/physics/contact/pair_blocks.hpp>

namespace sinew::physics {
namespace {

double volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return (b - a).cross(c - a).dot(d - a);
}

bool goes_through(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
  if (!(volume(a, b, c, p) * volume(a, b, c, q) < 0.0)) return false;
  const double ab = volume(p, q, a, b), bc = volume(p, q, b, c), ca = volume(p, q, c, a);
  return (ab > 0.0 && bc > 0.0 && ca > 0.0) || (ab < 0.0 && bc < 0.0 && ca < 0.0);
}

template <class At>
bool goes_through(const std::array<int, 2>& edge, const std::array<int, 3>& triangle,
                  const At& at) {
  return goes_through(at(edge[0]), at(edge[1]), at(triangle[0]), at(triangle[1]), at(triangle[2]));
}

template <std::size_t N>
geometry::BoxTree tree_over(const ContactFeatures::Of<N>& features, const PaddedField& x) {
  std::vector<geometry::Box> boxes;
  boxes.reserve(features.size());
  for (const auto& vertices : features.vertices) {
    geometry::Box box;
    for (const int vertex : vertices) box.extend(Vec3(x.vector(vertex)));
    boxes.push_back(box);
  }
  return geometry::BoxTree(boxes);
}

void add_piercing(const ContactSurface& surface, const PaddedField& x,
                  const ContactFeatures::Of<2>& edges, const ContactFeatures::Of<3>& triangles,
                  std::size_t most, std::vector<Overlap>& found) {
  const auto now = [&](int vertex) { return Vec3(x.vector(vertex)); };
  const auto at_rest = [&](int vertex) { return surface.numbering().rest(vertex); };
  for (const auto& [e, t] :
       geometry::overlapping_pairs(tree_over(edges, x), tree_over(triangles, x))) {
    if (found.size() >= most) return;
    const auto& edge = edges.vertices[static_cast<std::size_t>(e)];
    const auto& triangle = triangles.vertices[static_cast<std::size_t>(t)];
    const int a = edges.parts[static_cast<std::size_t>(e)],
              b = triangles.parts[static_cast<std::size_t>(t)];
    const bool shares = std::find_first_of(edge.begin(), edge.end(), triangle.begin(),
                                           triangle.end()) != edge.end();
    if (shares || !surface.meet(a, b) || !goes_through(edge, triangle, now)) continue;
    if (a == b && goes_through(edge, triangle, at_rest)) continue;
    found.push_back({{a, b}, {{{edge.begin(), edge.end()}, {triangle.begin(), triangle.end()}}}});
  }
}

/// How often a closed surface goes around a point: the solid angle of its triangles over that of a
/// sphere (Van Oosterom and Strackee 1983).
double winding_number(const Vec3& p, const ContactFeatures::Of<3>& triangles, int part,
                      const PaddedField& x) {
  double angle = 0.0;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    if (triangles.parts[t] != part) continue;
    const auto corner = [&](std::size_t k) { return Vec3(x.vector(triangles.vertices[t][k]) - p); };
    const Vec3 a = corner(0), b = corner(1), c = corner(2);
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    angle += 2.0 * std::atan2(a.dot(b.cross(c)),
                              la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return angle / (4.0 * std::numbers::pi);
}

/// Parts that are wholly inside a body: their surfaces do not meet. Closed obstacles are not
/// filled, a box may hold something.
void add_swallowed(const ContactSurface& surface, const PaddedField& x, std::size_t most,
                   std::vector<Overlap>& found) {
  const int count = static_cast<int>(surface.parts().size());
  for (const ContactFeatures* features : {&surface.bodies(), &surface.obstacles()}) {
    int last = -1;
    for (std::size_t k = 0; k < features->points.size() && found.size() < most; ++k) {
      const int inner = features->points.parts[k], vertex = features->points.vertices[k][0];
      if (std::exchange(last, inner) == inner) continue;  // one point of each tells
      for (int outer = 0; outer < count && found.size() < most; ++outer) {
        const ContactPart& part = surface.parts()[static_cast<std::size_t>(outer)];
        if (outer == inner || part.is_obstacle || !part.is_closed || !surface.meet(inner, outer))
          continue;
        const double winding =
            winding_number(x.vector(vertex), surface.bodies().triangles, outer, x);
        if (std::abs(winding) > 0.5) found.push_back({{inner, outer}, {{{vertex}, {}}}});
      }
    }
  }
}

}  // namespace

std::vector<Overlap> find_overlaps(const std::shared_ptr<const ContactSurface>& held,
                                   const PaddedField& x, std::size_t most) {
  const ContactSurface& surface = *held;
  std::vector<Overlap> found;
  const ContactFeatures &bodies = surface.bodies(), &obstacles = surface.obstacles();
  add_piercing(surface, x, bodies.edges, obstacles.triangles, most, found);
  add_piercing(surface, x, obstacles.edges, bodies.triangles, most, found);
  if (surface.bodies_meet()) add_piercing(surface, x, bodies.edges, bodies.triangles, most, found);
  if (found.empty()) add_swallowed(surface, x, most, found);
  // the reach may be any: only what touches is of interest
  const ContactSearch search(held, std::numeric_limits<double>::min(), Obstacles::by_features);
  ContactSearch::Memory memory;
  for (const Contact& contact : search.contacts(x, core::serial_executor(), memory)) {
    if (found.size() >= most) break;
    const int first = contact.pair.feature == geometry::Feature::edge_edge ? 2 : 1;
    const auto begin = contact.pair.vertices.begin();
    found.push_back(
        {contact.pair.parts,
         {{{begin, begin + first}, {begin + first, begin + num_corners(contact.pair)}}}});
  }
  return found;
}

}  // namespace sinew::physics
