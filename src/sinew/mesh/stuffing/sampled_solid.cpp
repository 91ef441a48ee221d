// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/stuffing/sampled_solid.hpp>

namespace sinew::mesh {
namespace {

/// A point moves onto the surface if that cuts one of its edges within this part of its length.
/// With this pair the least angle of the stencils is largest: smaller ones leave thinner pieces,
/// larger ones flatter tets whose corners have all moved.
constexpr double long_share = 0.24999, short_share = 0.41189;

/// Accuracy of cuts as a part of the edge: far below what the angles notice.
constexpr double cut_accuracy = 1e-5;

double share_of(std::size_t step) {
  return step < num_long_steps ? long_share : short_share;
}

}  // namespace

SampledSolid::SampledSolid(const Solid& solid, const Lattice& lattice)
    : solid_(solid),
      lattice_(lattice),
      sides_(lattice.num_points(), Side::outside),
      values_(lattice.num_points(), 0.0F) {
  int size = 2;
  while (size < 2 * std::max({lattice.cells()[0], lattice.cells()[1], lattice.cells()[2]}))
    size *= 2;
  sample({0, 0, 0}, size);
  find_cuts();
  move_points();
}

double SampledSolid::value_at(const Vec3& x) const {
  const double value = solid_.phi(x);
  if (!std::isfinite(value))
    reject_parameter("/phi",
                     fmt::format("its value at ({}, {}, {}) is not finite", x[0], x[1], x[2]),
                     "phi must be a finite number everywhere in the box");
  return value;
}

void SampledSolid::sample_point(const LatticePoint& p) {
  if (!lattice_.contains(p)) return;
  const double value = value_at(lattice_.position(p));
  values_[lattice_.index(p)] = static_cast<float>(value);
  sides_[lattice_.index(p)] =
      value < 0.0 ? Side::inside : (value > 0.0 ? Side::outside : Side::on_surface);
}

/// Points from `low` up to, and without, low + size.
void SampledSolid::sample(const LatticePoint& low, int size) {
  if (!lattice_.contains(low)) return;
  if (size == 2) {
    sample_point(low);
    sample_point(low + LatticePoint{1, 1, 1});
    return;
  }
  const int half = size / 2;
  if (std::isfinite(solid_.slope)) {
    // one cell more than the block: neighbours are on the same side as well
    const double reach = (0.5 * size + 2.0) * 0.5 * lattice_.size() * std::sqrt(3.0);
    const double value = value_at(lattice_.position(low + LatticePoint{half, half, half}));
    if (std::abs(value) > reach * solid_.slope) {
      if (value > 0.0) return;
      LatticePoint p;
      for (p[2] = low[2]; p[2] < low[2] + size; ++p[2])
        for (p[1] = low[1] + (p[2] & 1); p[1] < low[1] + size; p[1] += 2)
          for (p[0] = low[0] + (p[2] & 1); p[0] < low[0] + size; p[0] += 2)
            if (lattice_.contains(p)) sides_[lattice_.index(p)] = Side::inside;
      return;
    }
  }
  for (int bits = 0; bits < 8; ++bits)
    sample(low + LatticePoint{half * (bits & 1), half * (bits >> 1 & 1), half * (bits >> 2)}, half);
}

std::int64_t SampledSolid::edge_key(const LatticePoint& p, std::size_t step) const {
  // every edge from the end where its step is of even number
  const LatticePoint from = step % 2 == 0 ? p : p + lattice_steps[step];
  return lattice_.index(from) * (num_lattice_steps / 2) + static_cast<std::int64_t>(step / 2);
}

/// Regula falsi in the form of Illinois: robust as bisection, and faster where phi is smooth.
double SampledSolid::find_cut(const LatticePoint& inside, const LatticePoint& outside) const {
  const Vec3 from = lattice_.position(inside), to = lattice_.position(outside);
  double low = 0.0, high = 1.0, low_value = values_[lattice_.index(inside)],
         high_value = values_[lattice_.index(outside)];
  if (!(low_value < high_value)) return 0.5;  // both passed over: phi is steeper than it says
  int last = 0;
  for (int k = 0; k < 60 && high - low > cut_accuracy; ++k) {
    const double part = low + (high - low) * low_value / (low_value - high_value);
    const double value = value_at(from + part * (to - from));
    if (std::abs(value) <= cut_accuracy * (high_value - low_value)) return part;
    const int side = value < 0.0 ? -1 : 1;
    if (side < 0) {
      low = part;
      low_value = value;
      if (last == side) high_value *= 0.5;
    } else {
      high = part;
      high_value = value;
      if (last == side) low_value *= 0.5;
    }
    last = side;
  }
  return 0.5 * (low + high);
}

void SampledSolid::find_cuts() {
  for (std::int64_t index = 0; index < lattice_.num_points(); ++index) {
    if (sides_[index] != Side::inside) continue;
    const LatticePoint p = lattice_.point(index);
    for (std::size_t step = 0; step < num_lattice_steps; ++step) {
      const LatticePoint other = p + lattice_steps[step];
      if (lattice_.contains(other) && side(other) == Side::outside)
        cuts_[edge_key(p, step)] = find_cut(p, other);
    }
  }
}

void SampledSolid::move_points() {
  for (std::int64_t index = 0; index < lattice_.num_points(); ++index) {
    if (sides_[index] == Side::on_surface) continue;
    const LatticePoint p = lattice_.point(index);
    const Side other_side = sides_[index] == Side::inside ? Side::outside : Side::inside;
    double nearest = INFINITY;
    Vec3 cut = Vec3::Zero();
    for (std::size_t step = 0; step < num_lattice_steps; ++step) {
      const LatticePoint other = p + lattice_steps[step];
      if (!lattice_.contains(other) || side(other) != other_side) continue;
      const double from_inside = cuts_.at(edge_key(p, step));
      const double part = other_side == Side::outside ? from_inside : 1.0 - from_inside;
      const Vec3 way = part * (lattice_.position(other) - lattice_.position(p));
      if (part >= share_of(step) || way.norm() >= nearest) continue;
      nearest = way.norm();
      cut = lattice_.position(p) + way;
    }
    if (nearest == INFINITY) continue;
    sides_[index] = Side::on_surface;
    moved_[index] = cut;
  }
}

Vec3 SampledSolid::position(const LatticePoint& p) const {
  const auto found = moved_.find(lattice_.index(p));
  return found == moved_.end() ? lattice_.position(p) : found->second;
}

Vec3 SampledSolid::cut(const LatticePoint& inside, const LatticePoint& outside) const {
  const LatticePoint way{outside[0] - inside[0], outside[1] - inside[1], outside[2] - inside[2]};
  const auto step = static_cast<std::size_t>(
      std::find(lattice_steps.begin(), lattice_steps.end(), way) - lattice_steps.begin());
  const double part = cuts_.at(edge_key(inside, step));
  return (1.0 - part) * lattice_.position(inside) + part * lattice_.position(outside);
}

std::vector<char> SampledSolid::cells_with(bool inside) const {
  std::vector<char> marks(lattice_.num_cells(), 0);
  const auto& n = lattice_.cells();
  LatticePoint centre;
  for (centre[2] = 1; centre[2] < 2 * n[2]; centre[2] += 2)
    for (centre[1] = 1; centre[1] < 2 * n[1]; centre[1] += 2)
      for (centre[0] = 1; centre[0] < 2 * n[0]; centre[0] += 2) {
        char& mark = marks[lattice_.cell_index(centre)];
        mark = (side(centre) == Side::inside) == inside;
        for (std::size_t step = num_long_steps; step < num_lattice_steps && !mark; ++step)
          mark = (side(centre + lattice_steps[step]) == Side::inside) == inside;
      }
  return marks;
}

void SampledSolid::add_to_inside(const LatticePoint& p) {
  sides_[lattice_.index(p)] = Side::inside;
  moved_.erase(lattice_.index(p));
  for (std::size_t step = 0; step < num_lattice_steps; ++step) cuts_[edge_key(p, step)] = 0.5;
}

}  // namespace sinew::mesh
