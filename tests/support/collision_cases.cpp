// SPDX-License-Identifier: Apache-2.0
#include "support/collision_cases.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <sinew/geometry/continuous_collision.hpp>

#include "support/exact_collision.hpp"
#include "support/exact_distance.hpp"

namespace sinew::test {

using geometry::Corners;
using geometry::Feature;

namespace {

constexpr std::array<const char*, 4> kind_names{"point_point", "point_edge", "point_triangle",
                                                "edge_edge"};

int corners_of(Feature kind) {
  return kind == Feature::point_point ? 2 : kind == Feature::point_edge ? 3 : 4;
}

int corners_of_first(Feature kind) {
  return kind == Feature::edge_edge ? 2 : 1;
}

std::string hex(const Corners& x, int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += fmt::format("    {:a}, {:a}, {:a}\n", x(0, i), x(1, i), x(2, i));
  return text;
}

}  // namespace

std::string description(const CollisionCase& c) {
  const int count = corners_of(c.kind);
  return fmt::format("{} of family '{}', contact at {}\n  from\n{}  to\n{}",
                     kind_names[std::size_t(c.kind)], c.family, c.contact, hex(c.from, count),
                     hex(c.to, count));
}

double CollisionCases::uniform(double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random_);
}

int CollisionCases::integer(int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random_);
}

Vec3 CollisionCases::lattice_vector(int most) {
  return Vec3(integer(-most, most), integer(-most, most), integer(-most, most));
}

Corners CollisionCases::random_corners(double size) {
  return Corners::NullaryExpr([&](Index, Index) { return uniform(-size, size); });
}

/// Features on the lattice that have at least one point in common: anywhere, often at corners.
Corners CollisionCases::touching(Feature kind, bool is_degenerate) {
  Corners x = Corners::Zero();
  const auto eighths = [&](int most) {
    return integer(0, 2) == 0 ? (integer(0, 1) == 0 ? 0 : most) : integer(0, most);
  };
  const Vec3 a = 8.0 * lattice_vector(8), u = lattice_vector(8);
  Vec3 v = lattice_vector(8);
  if (is_degenerate) v = integer(-2, 2) * u;
  const int i = eighths(8), j = eighths(8 - i), k = eighths(8);
  switch (kind) {
    case Feature::point_point:
      x.col(0) = x.col(1) = a;
      break;
    case Feature::point_edge:
      x.col(1) = a;
      x.col(2) = a + 8.0 * u;
      x.col(0) = a + i * u;
      break;
    case Feature::point_triangle:
      x.col(1) = a;
      x.col(2) = a + 8.0 * u;
      x.col(3) = a + 8.0 * v;
      x.col(0) = a + i * u + j * v;
      break;
    default:
      x.col(0) = a;
      x.col(1) = a + 8.0 * u;
      x.col(2) = a + i * u - k * v;
      x.col(3) = x.col(2) + 8.0 * v;
  }
  return x;
}

/// Takes the first feature away, in any direction.
void CollisionCases::move_away(Feature kind, Corners& x, double gap) {
  const Vec3 direction(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
  for (int i = 0; i < corners_of_first(kind); ++i) x.col(i) += gap * direction;
}

/// Some coordinates, by an ulp.
void CollisionCases::shake(Corners& x) {
  for (double& value : x.reshaped())
    if (const int side = integer(-2, 2); std::abs(side) == 1)
      value = std::nextafter(value, side * 1e300);
}

void CollisionCases::random_ways(CollisionCase& c) {
  c.from = random_corners(1.0);
  c.to = c.from + random_corners(std::exp(uniform(-3, 2)));
  c.is_generic = true;
}

void CollisionCases::long_ways(CollisionCase& c) {
  c.from = random_corners(1.0);
  c.to = c.from;
  // through the other feature, and far beyond
  const Vec3 way = std::pow(10.0, uniform(0, 8)) * (c.from.col(1) - c.from.col(0));
  for (int i = 0; i < corners_of_first(c.kind); ++i) c.to.col(i) += way;
  c.to += random_corners(0.1);
}

void CollisionCases::known_contact(CollisionCase& c) {
  const Corners at = touching(c.kind, false);
  c.from = at;
  for (int i = 0; i < 4; ++i) c.from.col(i) += lattice_vector(16);
  const int doublings = integer(0, 4);
  c.contact = std::ldexp(1.0, -doublings);
  c.to = c.from + (at - c.from) * std::ldexp(1.0, doublings);
}

void CollisionCases::known_contact_of_degenerate(CollisionCase& c) {
  const Corners at = touching(c.kind, true);
  c.from = at;
  for (int i = 0; i < 4; ++i) c.from.col(i) += lattice_vector(2);
  c.contact = 0.5;
  c.to = c.from + (at - c.from) * 2.0;
}

void CollisionCases::near_known_contact(CollisionCase& c) {
  known_contact(c);
  c.contact = -1.0;
  if (integer(0, 1) == 0) shake(c.from);
  shake(c.to);
}

void CollisionCases::within_a_plane(CollisionCase& c) {
  const Vec3 u = lattice_vector(4), v = lattice_vector(4), origin = lattice_vector(8);
  for (Corners* x : {&c.from, &c.to})
    for (int i = 0; i < 4; ++i) x->col(i) = origin + integer(-16, 16) * u + integer(-16, 16) * v;
  if (integer(0, 1) == 0) {
    // the plane itself moves
    const Vec3 way = lattice_vector(8);
    for (int i = 0; i < 4; ++i) c.to.col(i) += way;
  }
}

void CollisionCases::staying_parallel(CollisionCase& c) {
  const Vec3 u = lattice_vector(8), u_end = integer(0, 1) == 0 ? u : lattice_vector(8);
  for (int i = 0; i < 4; ++i) {
    const bool is_second = i >= corners_of_first(c.kind);
    const Vec3 start = is_second ? Vec3(0, 0, 0) : Vec3(lattice_vector(16));
    c.from.col(i) = start;
    c.to.col(i) = is_second ? Vec3(lattice_vector(4)) : Vec3(start - 2.0 * start);
  }
  if (c.kind == Feature::edge_edge) {
    c.from.col(1) = c.from.col(0) + u;
    c.to.col(1) = c.to.col(0) + u_end;
  }
  const int a = corners_of_first(c.kind);
  for (int k = 1; a + k < 4; ++k) {
    const int factor = integer(-3, 3);
    c.from.col(a + k) = c.from.col(a) + factor * u;
    c.to.col(a + k) = c.to.col(a) + factor * u_end;
  }
}

void CollisionCases::without_extent(CollisionCase& c) {
  c.from = random_corners(1.0);
  c.to = random_corners(1.0);
  for (Corners* x : {&c.from, &c.to}) {
    if (c.kind == Feature::edge_edge && integer(0, 1) == 0) x->col(1) = x->col(0);
    if (integer(0, 1) == 0) x->col(3) = x->col(2);
    if (c.kind == Feature::point_triangle) x->col(3) = 0.5 * (x->col(1) + x->col(2));
  }
}

void CollisionCases::tiny_gap(CollisionCase& c) {
  c.from = touching(c.kind, integer(0, 3) == 0);
  move_away(c.kind, c.from, std::pow(10.0, -uniform(1, 16)));
  c.to = c.from + random_corners(std::pow(10.0, uniform(-6, 2)));
}

void CollisionCases::sliding(CollisionCase& c) {
  c.from = random_corners(1.0);
  c.from.row(2).setZero();
  const double gap = std::pow(10.0, -uniform(1, 14));
  c.to = c.from;
  const Vec3 way(uniform(-10, 10), uniform(-10, 10), integer(0, 2) * uniform(-2, 2) * gap);
  for (int i = 0; i < corners_of_first(c.kind); ++i) {
    c.from(2, i) += gap;
    c.to.col(i) = c.from.col(i) + way;
  }
}

/// Features turn about their middles, much faster than they approach.
void CollisionCases::turning(CollisionCase& c) {
  c.from = random_corners(1.0);
  c.to = -c.from + random_corners(0.1);
  const Vec3 apart(0, 0, uniform(0.5, 3)), approach = uniform(-0.5, 1.5) * apart;
  for (int i = 0; i < corners_of_first(c.kind); ++i) {
    c.from.col(i) += apart;
    c.to.col(i) += apart - approach;
  }
}

/// Two features that lie in one plane go through each other and leave it at other times.
void CollisionCases::flat_pass(CollisionCase& c) {
  c.from = random_corners(1.0);
  c.to = random_corners(1.0);
  for (int i = 0; i < 4; ++i) {
    c.from(2, i) = integer(-2, 2) * std::pow(2.0, -integer(0, 30));
    c.to(2, i) = integer(0, 1) == 0 ? -c.from(2, i) : 0.0;
  }
}

/// Far from the origin, tiny, or huge.
void CollisionCases::transform(CollisionCase& c) {
  const int choice = integer(0, 9);
  if (choice > 3) return;
  c.is_generic = false;
  if (choice == 0) {
    const double scale = std::ldexp(1.0, integer(-300, 300));
    c.from *= scale;
    c.to *= scale;
    return;
  }
  c.contact = -1.0;  // rounding moves it
  const Vec3 far = std::pow(10.0, uniform(0, 10)) * Vec3(uniform(-1, 1), uniform(-1, 1), 1.0);
  for (int i = 0; i < 4; ++i) {
    c.from.col(i) += far;
    c.to.col(i) += far;
  }
  if (choice == 1) return;
  const double scale = std::pow(10.0, uniform(-3, 3));
  c.from *= scale;
  c.to *= scale;
}

CollisionCase CollisionCases::next() {
  struct Family {
    const char* name;
    void (CollisionCases::*make)(CollisionCase&);
  };
  static constexpr std::array<Family, 12> families{{
      {"random ways", &CollisionCases::random_ways},
      {"long ways", &CollisionCases::long_ways},
      {"known contact", &CollisionCases::known_contact},
      {"known contact of degenerate features", &CollisionCases::known_contact_of_degenerate},
      {"near a known contact", &CollisionCases::near_known_contact},
      {"within a plane", &CollisionCases::within_a_plane},
      {"staying parallel", &CollisionCases::staying_parallel},
      {"without extent", &CollisionCases::without_extent},
      {"tiny gap", &CollisionCases::tiny_gap},
      {"sliding", &CollisionCases::sliding},
      {"turning", &CollisionCases::turning},
      {"flat pass", &CollisionCases::flat_pass},
  }};
  static constexpr std::array<Feature, 8> kinds{
      Feature::point_triangle, Feature::edge_edge, Feature::point_edge,     Feature::edge_edge,
      Feature::point_triangle, Feature::edge_edge, Feature::point_triangle, Feature::point_point};
  const Family& family = families[std::size_t(count_) % families.size()];
  CollisionCase c;
  c.family = family.name;
  c.kind = kinds[std::size_t(count_) / families.size() % kinds.size()];
  ++count_;
  (this->*family.make)(c);
  transform(c);
  for (int i = corners_of(c.kind); i < 4; ++i)
    c.from.col(i) = c.to.col(i) = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  return c;
}

namespace {

/// Places as a step of a simulation would compute them.
Corners rounded_places(const CollisionCase& c, double part) {
  return c.from + part * (c.to - c.from);
}

double largest_coordinate(const CollisionCase& c) {
  const int count = corners_of(c.kind);
  return std::max(c.from.leftCols(count).cwiseAbs().maxCoeff(),
                  c.to.leftCols(count).cwiseAbs().maxCoeff());
}

std::string fault_of_rounded(const CollisionCase& c, double part, CollisionTally& tally) {
  ++tally.rounded;
  for (const double share : {1.0, 0.7}) {
    const Corners there = rounded_places(c, share * part);
    if (exactly_touch(c.kind, c.from, there, 1.0))
      return fmt::format("rounded places at {:a} of {:a} touch", share, part);
  }
  return "";
}

/// Where an answer below 1 leaves much of the gap: allowed, but it should be rare.
void count_if_far_short(const CollisionCase& c, double part, double gap, CollisionTally& tally) {
  const double left = exact_distance(c.kind, rounded_places(c, part));
  if (left > 0.2 * gap + 1e-14 * largest_coordinate(c)) ++tally.far_short[c.family];
}

/// An answer is at least 0.8 of the time of contact, unless features come near before that. A
/// hundredth is kept here: a tenth of the gap can be much of the time where approach slows down.
std::string fault_of_size(const CollisionCase& c, double gap, CollisionTally& tally) {
  constexpr double kept = 0.01;
  const double part = geometry::free_part(c.kind, c.from, c.to, 0.0, kept);
  if (part == 1.0 || !exactly_touch(c.kind, c.from, c.to, 1.0)) return "";
  ++tally.generic_hits;
  if (exactly_touch(c.kind, c.from, c.to, std::min(1.0, part / 0.8))) return "";
  ++tally.generic_short;
  const double left = exact_distance(c.kind, rounded_places(c, part));
  if (left < 1.3 * kept * gap) return "";
  return fmt::format("{:a} is too little: {} of the gap is left", part, left / gap);
}

}  // namespace

std::string fault_of(const CollisionCase& c, CollisionTally& tally) {
  const double part = geometry::free_part(c.kind, c.from, c.to);
  ++tally.cases;
  if (!(part >= 0.0 && part <= 1.0)) return fmt::format("{} is no part", part);
  if (part == 1.0) ++tally.whole_way;
  if (part == 0.0) ++tally.none_of_it;
  if (c.contact >= 0.0) {
    ++tally.known_contacts;
    if (!exactly_touch(c.kind, c.from, c.to, c.contact)) return "the judge is wrong";
    if (part >= c.contact) return fmt::format("{:a} is beyond the contact", part);
  }
  if (exactly_touch(c.kind, c.from, c.to, 0.0)) {
    ++tally.touch_at_start;
    return part == 0.0 ? "" : fmt::format("{:a} from a contact", part);
  }
  if (exactly_touch(c.kind, c.from, c.to, part)) return fmt::format("they touch within {:a}", part);
  const double gap = exact_distance(c.kind, c.from);
  if (part < 1.0) count_if_far_short(c, part, gap, tally);
  if (c.is_generic)
    if (std::string fault = fault_of_size(c, gap, tally); !fault.empty()) return fault;
  if (part == 0.0 || gap < 1e-14 * largest_coordinate(c)) return "";
  return fault_of_rounded(c, part, tally);
}

}  // namespace sinew::test
