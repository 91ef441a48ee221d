// SPDX-License-Identifier: Apache-2.0
// Moving pairs of features, random and malicious, and a judgement of geometry::free_part on them.
#pragma once

#include <map>
#include <random>
#include <string>

#include <sinew/geometry/closest.hpp>

namespace sinew::test {

struct CollisionCase {
  std::string family;
  geometry::Feature kind;
  geometry::Corners from, to;  ///< corners that the kind has not are no numbers
  double contact = -1.0;       ///< they touch exactly at this time, if not before; -1: not known
  bool is_generic = false;     ///< nothing about it is special or small
};

/// Numbers as hexadecimal floats, so that the case can be had again.
std::string description(const CollisionCase& c);

class CollisionCases {
 public:
  explicit CollisionCases(unsigned seed) : random_(seed) {}

  /// Families and kinds take turns.
  CollisionCase next();

 private:
  using Corners = geometry::Corners;
  using Feature = geometry::Feature;

  double uniform(double low, double high);
  int integer(int low, int high);
  Vec3 lattice_vector(int most);
  Corners random_corners(double size);
  Corners touching(Feature kind, bool is_degenerate);
  void move_away(Feature kind, Corners& x, double gap);
  void shake(Corners& x);
  void transform(CollisionCase& c);

  void random_ways(CollisionCase& c);
  void long_ways(CollisionCase& c);
  void known_contact(CollisionCase& c);
  void known_contact_of_degenerate(CollisionCase& c);
  void near_known_contact(CollisionCase& c);
  void within_a_plane(CollisionCase& c);
  void staying_parallel(CollisionCase& c);
  void without_extent(CollisionCase& c);
  void tiny_gap(CollisionCase& c);
  void sliding(CollisionCase& c);
  void turning(CollisionCase& c);
  void flat_pass(CollisionCase& c);

  std::mt19937_64 random_;
  int count_ = 0;
};

/// What was seen of the cases that were judged.
struct CollisionTally {
  long cases = 0, touch_at_start = 0, whole_way = 0, none_of_it = 0, known_contacts = 0;
  long rounded = 0;        ///< judged as well with their rounded places
  long generic_hits = 0;   ///< generic, with a contact
  long generic_short = 0;  ///< of these, answers below 0.8 of its time, with kept = 0.01
  std::map<std::string, long> far_short;  ///< per family: ended neither near nor small
};

/// Empty, or what is wrong with the answer to a case.
std::string fault_of(const CollisionCase& c, CollisionTally& tally);

}  // namespace sinew::test
