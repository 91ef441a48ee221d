// SPDX-License-Identifier: Apache-2.0
// Flanks, tips and the bottoms of gaps all bulge away from the material; the hollow corners between
// flanks and bottoms are points of the mesh. Straight pieces between points of the outline
// therefore stay inside of it, and gears whose true outlines do not overlap do not overlap either.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/generators/cross_section.hpp>

namespace sinew::mesh {
namespace {

/// Part of a tooth outside of the pitch circle; the rest is deeper by the usual quarter, so that
/// tips do not touch the bottoms of gaps.
constexpr double addendum_ratio = 4.0 / 9.0;

class GearOutline {
 public:
  explicit GearOutline(const GearSettings& settings)
      : pitch_radius_(settings.radius),
        pressure_angle_(settings.pressure_angle * std::numbers::pi / 180.0),
        base_radius_(settings.radius * std::cos(pressure_angle_)),
        pitch_angle_(2.0 * std::numbers::pi / settings.teeth),
        half_tooth_(0.25 * pitch_angle_ - 0.25 * settings.backlash / settings.radius),
        addendum_(addendum_ratio * settings.tooth_height),
        dedendum_(settings.tooth_height - addendum_) {}

  double tip() const { return pitch_radius_ + addendum_; }
  double root() const { return pitch_radius_ - dedendum_; }
  double pitch_angle() const { return pitch_angle_; }

  /// Half the angle that a tooth takes on the circle of this radius; below the base circle, where
  /// there is no involute, flanks are straight towards the axis.
  double half_tooth(double radius) const {
    const double angle = radius > base_radius_ ? std::acos(base_radius_ / radius) : 0.0;
    return half_tooth_ + involute(pressure_angle_) - involute(angle);
  }

  /// The highest tooth that even a straight rack can pass: beyond, tips cut into the roots.
  double highest_tooth() const {
    return pitch_radius_ * std::pow(std::sin(pressure_angle_), 2) / addendum_ratio;
  }

 private:
  static double involute(double angle) { return std::tan(angle) - angle; }

  double pitch_radius_;
  double pressure_angle_;
  double base_radius_;
  double pitch_angle_;  ///< from tooth to tooth
  double half_tooth_;   ///< on the pitch circle
  double addendum_;
  double dedendum_;
};

void check_gear_counts(const GearSettings& settings) {
  require_at_least("/teeth", settings.teeth, 4);
  require_count("/cells", settings.cells);
  require_count("/layers", settings.layers);
  require_count("/tooth_layers", settings.tooth_layers);
  require_count("/axial_cells", settings.axial_cells);
  const double per_tooth = settings.cells * (2.0 * settings.layers + settings.tooth_layers);
  require_affordable("/cells", per_tooth * settings.teeth * settings.axial_cells);
}

void check_gear_lengths(const GearSettings& settings) {
  require_positive("/radius", settings.radius);
  require_positive("/thickness", settings.thickness);
  require_positive("/bore", settings.bore);
  require_positive("/tooth_height", settings.tooth_height);
  if (!(settings.pressure_angle >= 5.0 && settings.pressure_angle <= 40.0))
    reject_parameter("/pressure_angle",
                     fmt::format("{} is no usable pressure angle", settings.pressure_angle),
                     "give an angle between 5 and 40 degrees; 20 is usual");
  const double half_pitch = std::numbers::pi * settings.radius / settings.teeth;
  if (!(settings.backlash >= 0.0 && settings.backlash < half_pitch))
    reject_parameter(
        "/backlash", fmt::format("{} m of play leave no teeth", settings.backlash),
        fmt::format("give at least 0 and clearly less than half the pitch, {:.6g} m", half_pitch));
}

void check_gear_teeth(const GearSettings& settings, const GearOutline& outline) {
  if (settings.tooth_height > outline.highest_tooth())
    reject_parameter("/tooth_height", "the teeth of another gear would cut into the roots",
                     fmt::format("make it at most {:.6g} m, or the pressure angle larger",
                                 outline.highest_tooth()));
  if (outline.half_tooth(outline.tip()) <= 0.0)
    reject_parameter("/tooth_height", "the flanks of a tooth meet before its tip",
                     "make the teeth lower, fewer, or the pressure angle smaller");
  if (2.0 * outline.half_tooth(outline.root()) >= outline.pitch_angle())
    reject_parameter("/tooth_height", "neighbouring teeth grow together at the root",
                     "make the teeth lower, fewer, or the pressure angle smaller");
  if (settings.bore >= outline.root())
    reject_parameter("/bore", "the hole reaches the roots of the teeth",
                     fmt::format("make it clearly smaller than {:.6g} m", outline.root()));
}

/// Columns go around: `cells` of them across each tooth, then as many across the gap behind it.
/// Rows go outwards; those beyond the roots have points on teeth only.
class GearSection {
 public:
  GearSection(const GearSettings& settings, const GearOutline& outline)
      : settings_(settings), outline_(outline), columns_(2 * settings.cells * settings.teeth) {
    for (int row = 0; row <= rows(); ++row) add_row(row);
    for (int row = 0; row < rows(); ++row)
      for (int column = 0; column < columns_; ++column)
        if (row < settings.layers || column % (2 * settings.cells) < settings.cells)
          section_.add_cell({number(row, column), number(row + 1, column), number(row, column + 1),
                             number(row + 1, column + 1)},
                            row + column);
  }

  const CrossSection& section() const { return section_; }

 private:
  int rows() const { return settings_.layers + settings_.tooth_layers; }

  /// Geometric from the hole to the roots, as the width of a column is.
  double radius(int row) const {
    const double root = outline_.root();
    if (row < settings_.layers)
      return settings_.bore * std::pow(root / settings_.bore, 1.0 * row / settings_.layers);
    return root + (outline_.tip() - root) * (row - settings_.layers) / settings_.tooth_layers;
  }

  bool has_point(int row, int column) const {
    return row <= settings_.layers || column % (2 * settings_.cells) <= settings_.cells;
  }

  double angle(int column, double half_tooth) const {
    const int tooth = column / (2 * settings_.cells), place = column % (2 * settings_.cells);
    const double middle = outline_.pitch_angle() * tooth;
    const double across = 1.0 * place / settings_.cells;  // a tooth is 1, then its gap
    if (across <= 1.0) return middle + half_tooth * (2.0 * across - 1.0);
    return middle + half_tooth + (outline_.pitch_angle() - 2.0 * half_tooth) * (across - 1.0);
  }

  void add_row(int row) {
    const double distance = radius(row);
    const double half_tooth = outline_.half_tooth(std::max(distance, outline_.root()));
    for (int column = 0; column < columns_; ++column) {
      numbers_.push_back(has_point(row, column) ? static_cast<int>(section_.points.size()) : -1);
      if (numbers_.back() < 0) continue;
      const double a = angle(column, half_tooth);
      section_.points.emplace_back(distance * std::cos(a), distance * std::sin(a));
    }
  }

  int number(int row, int column) const { return numbers_[row * columns_ + column % columns_]; }

  const GearSettings& settings_;
  const GearOutline& outline_;
  int columns_;
  std::vector<int> numbers_;  ///< of points by row and column, -1 where there is none
  CrossSection section_;
};

}  // namespace

TetMesh make_gear(const GearSettings& settings) {
  check_gear_counts(settings);
  check_gear_lengths(settings);
  const GearOutline outline(settings);
  check_gear_teeth(settings, outline);
  const GearSection gear(settings, outline);
  return sweep(gear.section(), settings.axial_cells, false, [&](const Vec2& point, int station) {
    return Vec3(point[0], point[1], settings.thickness * station / settings.axial_cells);
  });
}

}  // namespace sinew::mesh
