// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/bonds.hpp>

namespace sinew::mesh {
namespace {

constexpr double nm_per_angstrom = 0.1;

struct ClosePair {
  Edge atoms{};
  double distance = 0.0;  ///< [nm]
};

/// Sorts atoms into cubes as wide as the longest bond, so that partners are in neighbouring cubes.
/// Atoms without a finite position are left out.
class AtomGrid {
 public:
  AtomGrid(const std::vector<Atom>& atoms, std::string_view name) : atoms_(atoms) {
    double largest_radius = 0.0;
    Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
    for (const Atom& atom : atoms) {
      largest_radius = std::max(largest_radius, atom.element->covalent_radius);
      if (atom.position.allFinite()) low = low.cwiseMin(atom.position);
    }
    const double width = nm_per_angstrom * (2.0 * largest_radius + bond_tolerance);
    for (int i = 0; i < static_cast<int>(atoms.size()); ++i)
      if (atoms[i].position.allFinite())
        entries_.push_back({key_of((atoms[i].position - low) / width), i});
    std::sort(entries_.begin(), entries_.end());
    for (std::size_t begin = 0, end = 0; begin < entries_.size(); begin = end) {
      while (end < entries_.size() && entries_[end].first == entries_[begin].first) ++end;
      cubes_.push_back({entries_[begin].first, begin, end});
      if (end - begin > most_in_cube)
        throw InputError(
            {std::string(name), "",
             fmt::format("{} atoms lie within {:.2g} nm of each other", end - begin, width),
             "give coordinates in Angstrom"});
    }
  }

  std::vector<ClosePair> close_pairs() const {
    std::vector<ClosePair> pairs;
    for (const Cube& cube : cubes_)
      for (std::int64_t dx = -1; dx <= 1; ++dx)
        for (std::int64_t dy = -1; dy <= 1; ++dy)
          for (std::int64_t dz = -1; dz <= 1; ++dz) {
            // of two neighbours, the one with the smaller key looks at the other
            const std::int64_t other = cube.key + dx * step_x + dy * step_y + dz;
            if (other < cube.key) continue;
            const auto found = std::lower_bound(
                cubes_.begin(), cubes_.end(), other,
                [](const Cube& candidate, std::int64_t key) { return candidate.key < key; });
            if (found != cubes_.end() && found->key == other) add_pairs(cube, *found, pairs);
          }
    return pairs;
  }

 private:
  using Entry = std::pair<std::int64_t, int>;  ///< key of the cube, atom
  struct Cube {
    std::int64_t key = 0;
    std::size_t begin = 0, end = 0;  ///< among the entries
  };

  // matter has some tens
  static constexpr std::size_t most_in_cube = 1000;
  static constexpr std::int64_t step_y = std::int64_t(1) << 21, step_x = step_y << 21;

  /// Cubes beyond a million are the last one, which keeps neighbours neighbours.
  static std::int64_t key_of(const Vec3& offset) {
    const auto cell = [](double value) {
      return static_cast<std::int64_t>(std::min(value, 1e6)) + 1;
    };
    return cell(offset[0]) * step_x + cell(offset[1]) * step_y + cell(offset[2]);
  }

  void add_pairs(const Cube& first, const Cube& second, std::vector<ClosePair>& pairs) const {
    for (std::size_t i = first.begin; i < first.end; ++i)
      for (std::size_t j = first.key == second.key ? i + 1 : second.begin; j < second.end; ++j) {
        const int a = entries_[i].second, b = entries_[j].second;
        const double distance = (atoms_[a].position - atoms_[b].position).norm();
        const double reach = atoms_[a].element->covalent_radius +
                             atoms_[b].element->covalent_radius + bond_tolerance;
        if (distance > nm_per_angstrom * least_bond_length && distance < nm_per_angstrom * reach)
          pairs.push_back({{std::min(a, b), std::max(a, b)}, distance});
      }
  }

  std::span<const Atom> atoms_;
  std::vector<Entry> entries_;
  std::vector<Cube> cubes_;
};

/// What a hydrogen atom is bonded to.
struct Partner {
  int atom = -1;
  double distance = std::numeric_limits<double>::infinity();  ///< [nm]
};

}  // namespace

std::vector<Edge> find_bonds(const std::vector<Atom>& atoms, const std::vector<Edge>& known,
                             std::string_view name) {
  if (atoms.empty()) return {};
  std::vector<Edge> bonds;
  std::vector<Partner> partners(atoms.size());
  for (const auto& [a, b] : known) {
    if (a == b) continue;
    bonds.push_back({std::min(a, b), std::max(a, b)});
    partners[a] = {b, 0.0};
    partners[b] = {a, 0.0};
  }
  const std::vector<ClosePair> pairs = AtomGrid(atoms, name).close_pairs();
  for (const ClosePair& pair : pairs)
    for (const auto& [own, other] : {pair.atoms, Edge{pair.atoms[1], pair.atoms[0]}})
      if (pair.distance < partners[own].distance) partners[own] = {other, pair.distance};
  const auto may_bond = [&](int own, int other) {
    return !atoms[own].element->is_hydrogen() || partners[own].atom == other;
  };
  for (const ClosePair& pair : pairs)
    if (may_bond(pair.atoms[0], pair.atoms[1]) && may_bond(pair.atoms[1], pair.atoms[0]))
      bonds.push_back(pair.atoms);
  std::sort(bonds.begin(), bonds.end());
  bonds.erase(std::unique(bonds.begin(), bonds.end()), bonds.end());
  return bonds;
}

}  // namespace sinew::mesh
