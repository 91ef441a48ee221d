// SPDX-License-Identifier: Apache-2.0
// A body modelled from simple shapes, as plain data: a list of parts, each added to what the parts
// before it make, or taken away from it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sinew/core/types.hpp>

namespace sinew::mesh {

/// Scale, then rotate, then translate.
struct Placement {
  double scale = 1.0;
  Vec3 axis = Vec3::UnitZ();
  double degrees = 0.0;
  Vec3 translate = Vec3::Zero();  ///< [m]

  bool operator==(const Placement&) const = default;
};

/// Copies of a part: the k-th one is placed k times over.
struct Repetition {
  int count = 1;  ///< the part itself included
  Placement each{};
};

struct ShapePart {
  std::string type = "sphere";
  std::string operation = "union";  ///< or intersection, difference, mark
  double blend = 0.0;               ///< width of the fillet where it meets the others [m]
  double grow = 0.0;                ///< all around [m]
  std::string name{};               ///< for copies of it
  std::string region{};             ///< what tets become whose centre it has

  Vec3 center = Vec3::Zero();          ///< of spheres and boxes [m]
  Vec3 from = Vec3::Zero();            ///< of capsules and cylinders [m]
  Vec3 to = Vec3::UnitZ();             ///< of capsules and cylinders [m]
  std::vector<Vec3> points{};          ///< of paths [m]
  double radius = 0.5;                 ///< [m]
  std::optional<double> end_radius{};  ///< of capsules and paths [m]
  Vec3 size = Vec3::Ones();            ///< of boxes [m]
  double rounding = 0.0;               ///< of the edges of boxes and cylinders [m]
  double major_radius = 0.5;           ///< of tori [m]
  double minor_radius = 0.1;           ///< of tori [m]
  double width = 0.2;                  ///< of bands [m]
  double thickness = 0.05;             ///< of bands, and of the walls or bars of lattices [m]
  int half_turns = 1;                  ///< of bands
  std::string lattice = "bars";        ///< or honeycomb, gyroid
  double cell = 0.2;                   ///< of lattices [m]
  std::string formula{};               ///< negative inside
  std::array<Vec3, 2> within{-Vec3::Ones(), Vec3::Ones()};  ///< where the formula is looked at [m]
  std::string of{};                ///< of copies: the name of a part before
  std::vector<ShapePart> parts{};  ///< of groups

  Placement placement{};
  Repetition repeat{};
  std::optional<Vec3> mirror{};  ///< adds its image behind the plane through the origin
};

}  // namespace sinew::mesh
