// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include <fmt/format.h>

#include <sinew/core/expression.hpp>
#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/shapes/combine.hpp>
#include <sinew/mesh/shapes/distances.hpp>
#include <sinew/mesh/shapes/shape.hpp>

namespace sinew::mesh {
namespace {

BoundingBox box_around(const Vec3& centre, const Vec3& half) {
  return {centre - half, centre + half};
}

void require_rounding(const std::string& where, double rounding, double smallest_size) {
  if (!(rounding >= 0.0 && 2.0 * rounding <= smallest_size))
    reject_parameter(where + "/rounding", fmt::format("{} m does not fit", rounding),
                     "it may be half the smallest extent at most");
}

Solid make_sphere(const ShapePart& part, const std::string& where) {
  require_positive(where + "/radius", part.radius);
  return {[c = part.center, r = part.radius](const Vec3& x) { return (x - c).norm() - r; },
          box_around(part.center, Vec3::Constant(part.radius)), 1.0};
}

/// A chain of capsules whose radius changes evenly along it.
Solid make_path(const ShapePart& part, const std::vector<Vec3>& points, const std::string& where) {
  require_positive(where + "/radius", part.radius);
  const double end_radius = part.end_radius.value_or(part.radius);
  if (part.end_radius) require_positive(where + "/end_radius", end_radius);
  double length = 0.0, done = 0.0;
  for (std::size_t k = 1; k < points.size(); ++k) {
    length += (points[k] - points[k - 1]).norm();
    if (points[k] == points[k - 1])
      reject_parameter(where, "two of its ends are at the same place", "use a sphere");
  }
  if (std::abs(part.radius - end_radius) >= length)
    reject_parameter(where + "/end_radius", "one end is inside of the other", "use a sphere");
  std::vector<Member> members;
  for (std::size_t k = 1; k < points.size(); ++k) {
    const Vec3 &a = points[k - 1], &b = points[k];
    const auto radius_at = [&](double s) {
      return part.radius + s / length * (end_radius - part.radius);
    };
    const double first = radius_at(done);
    done += (b - a).norm();
    const double last = radius_at(done);
    const BoundingBox box{(a.array() - first).min(b.array() - last),
                          (a.array() + first).max(b.array() + last)};
    members.push_back(
        {{[=](const Vec3& x) { return capsule_distance(x, a, b, first, last); }, box, 1.0}});
  }
  return combined(std::move(members));
}

Solid make_box_part(const ShapePart& part, const std::string& where) {
  for (int k = 0; k < 3; ++k) require_positive(fmt::format("{}/size/{}", where, k), part.size[k]);
  require_rounding(where, part.rounding, part.size.minCoeff());
  return {[c = part.center, s = part.size, r = part.rounding](const Vec3& x) {
            return box_distance(x - c, s, r);
          },
          box_around(part.center, 0.5 * part.size), 1.0};
}

Solid make_cylinder_part(const ShapePart& part, const std::string& where) {
  require_positive(where + "/radius", part.radius);
  const double length = (part.to - part.from).norm();
  if (length == 0.0) reject_parameter(where + "/to", "the cylinder has no length", "move an end");
  require_rounding(where, part.rounding, std::min(length, 2.0 * part.radius));
  const Vec3 axis = (part.to - part.from) / length;
  const Vec3 half = part.radius * (1.0 - axis.array().square()).max(0.0).sqrt();
  return {[part](const Vec3& x) {
            return cylinder_distance(x, part.from, part.to, part.radius, part.rounding);
          },
          {part.from.cwiseMin(part.to) - half, part.from.cwiseMax(part.to) + half},
          1.0};
}

Solid make_torus_part(const ShapePart& part, const std::string& where) {
  require_positive(where + "/major_radius", part.major_radius);
  require_positive(where + "/minor_radius", part.minor_radius);
  const double reach = part.major_radius + part.minor_radius;
  return {[R = part.major_radius, r = part.minor_radius](const Vec3& x) {
            return torus_distance(x, R, r);
          },
          box_around(Vec3::Zero(), Vec3(reach, reach, part.minor_radius)), 1.0};
}

Solid make_band(const ShapePart& part, const std::string& where) {
  for (const auto& [key, value] :
       {std::pair("radius", part.radius), {"width", part.width}, {"thickness", part.thickness}})
    require_positive(fmt::format("{}/{}", where, key), value);
  const double across = 0.5 * std::hypot(part.width, part.thickness);
  if (across >= part.radius)
    reject_parameter(where + "/width", "the band would reach through the axis",
                     "make it narrower than twice the radius");
  const double reach = part.radius + across;
  return {[part](const Vec3& x) {
            return band_distance(x, part.radius, part.width, part.thickness, part.half_turns);
          },
          box_around(Vec3::Zero(), Vec3(reach, reach, across))};
}

Solid make_lattice(const ShapePart& part, const std::string& where) {
  require_positive(where + "/cell", part.cell);
  require_positive(where + "/thickness", part.thickness);
  const auto solid = [&](double (*distance)(const Vec3&, double, double), double slope) {
    return Solid{
        [distance, c = part.cell, t = part.thickness](const Vec3& x) { return distance(x, c, t); },
        endless_box(), slope};
  };
  if (part.lattice == "honeycomb") return solid(honeycomb_distance, 1.0);
  if (part.lattice == "gyroid") return solid(gyroid_distance, 2.0);
  return solid(bars_distance, 1.0);
}

Solid make_formula(const ShapePart& part, const std::string& where) {
  std::shared_ptr<const core::Expression> formula;
  try {
    formula = std::make_shared<core::Expression>(part.formula);
  } catch (const core::FormulaError& error) {
    reject_parameter(where + "/formula", error.what(),
                     error.hint().empty() ? "write it in x, y and z" : error.hint());
  }
  if (formula->depends_on_time())
    reject_parameter(where + "/formula", "it depends on t", "meshes are made before time begins");
  const BoundingBox box{part.within[0].cwiseMin(part.within[1]),
                        part.within[0].cwiseMax(part.within[1])};
  const Vec3 centre = 0.5 * (box.low + box.high), size = box.size();
  return {[formula, centre, size](const Vec3& x) {
            return std::max((*formula)(x, 0.0), box_distance(x - centre, size, 0.0));
          },
          box};
}

class ShapeMaker {
 public:
  /// Copies may be of what is known.
  explicit ShapeMaker(std::map<std::string, Solid> known) : known_(std::move(known)) {}

  ShapeFunction make(std::span<const ShapePart> parts, const std::string& where) {
    for (std::size_t k = 0; k < parts.size(); ++k) add(parts[k], fmt::format("{}/{}", where, k));
    if (members_.empty())
      reject_parameter(where, "there is nothing in it",
                       "add a part that is united with the others");
    return {combined(std::move(members_)), std::move(marks_)};
  }

 private:
  void add(const ShapePart& part, const std::string& where) {
    if (!(part.blend >= 0.0 && std::isfinite(part.blend)))
      reject_parameter(where + "/blend", fmt::format("{} m is no width", part.blend),
                       "give 0 or a width");
    require_count(where + "/repeat/count", part.repeat.count);
    require_at_most(where + "/repeat/count", part.repeat.count, 10'000, "copies");
    const Solid solid = finished(part, make_one(part, where));
    if (!part.name.empty()) known_[part.name] = solid;
    if (!part.region.empty()) marks_.push_back({solid, part.region});
    const bool is_mark = part.operation == "mark";
    if (is_mark && part.region.empty())
      reject_parameter(where + "/region", "there is nothing to mark it with",
                       "give the name of a region");
    if (is_mark) return;
    if (members_.empty() && part.operation != "union")
      reject_parameter(where + "/operation", "the first part has nothing before it",
                       "begin with a union");
    members_.push_back({solid,
                        part.operation == "difference"     ? Operation::subtract
                        : part.operation == "intersection" ? Operation::intersect
                                                           : Operation::unite,
                        part.blend});
  }

  Solid make_one(const ShapePart& part, const std::string& where) {
    if (part.type == "sphere") return make_sphere(part, where);
    if (part.type == "capsule") return make_path(part, {part.from, part.to}, where);
    if (part.type == "box") return make_box_part(part, where);
    if (part.type == "cylinder") return make_cylinder_part(part, where);
    if (part.type == "torus") return make_torus_part(part, where);
    if (part.type == "band") return make_band(part, where);
    if (part.type == "lattice") return make_lattice(part, where);
    if (part.type == "formula") return make_formula(part, where);
    if (part.type == "path") {
      if (part.points.size() < 2)
        reject_parameter(where + "/points", "a path needs two points", "list where it leads");
      return make_path(part, part.points, where);
    }
    if (part.type == "copy") {
      const auto found = known_.find(part.of);
      if (found == known_.end())
        reject_parameter(where + "/of", fmt::format("no part before is named '{}'", part.of),
                         "give the name of a part that stands above");
      return found->second;
    }
    ShapeFunction group = ShapeMaker(known_).make(part.parts, where + "/parts");
    for (ShapeFunction::Mark& mark : group.marks)
      marks_.push_back({finished(part, std::move(mark.solid)), std::move(mark.region)});
    return std::move(group.solid);
  }

  /// As a part is placed and repeated.
  static Solid finished(const ShapePart& part, Solid solid) {
    solid = grown(std::move(solid), part.grow);
    if (part.placement != Placement{}) solid = placed(solid, part.placement);
    if (part.repeat.count > 1) solid = repeated(solid, part.repeat);
    return part.mirror ? mirrored(solid, *part.mirror) : solid;
  }

  std::map<std::string, Solid> known_;
  std::vector<Member> members_;
  std::vector<ShapeFunction::Mark> marks_;
};

}  // namespace

int ShapeFunction::mark_at(const Vec3& x) const {
  for (int k = static_cast<int>(marks.size()) - 1; k >= 0; --k)
    if (marks[static_cast<std::size_t>(k)].solid.phi(x) <= 0.0) return k;
  return -1;
}

ShapeFunction make_shape_function(std::span<const ShapePart> parts) {
  ShapeFunction shape = ShapeMaker({}).make(parts, "/parts");
  if (is_endless(shape.solid.box))
    reject_parameter("/parts", "the body has no end", "intersect the lattice with a part that has");
  return shape;
}

}  // namespace sinew::mesh
