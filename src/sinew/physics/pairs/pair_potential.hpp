// SPDX-License-Identifier: Apache-2.0
// Energies of pairs of particles that depend on their distance alone. A potential is a struct with
//   double cutoff() const;                                       no force beyond it [m]
//   PairValue evaluate(int kind, int other, double r) const;     r below the cutoff
// where kinds number the particles' species from 0. make_pair_term() compiles the loops for it.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <sinew/physics/numbering.hpp>
#include <sinew/physics/term.hpp>

namespace sinew::physics {

/// phi(r) and its derivatives [J], [N], [N/m]
struct PairValue {
  double energy = 0.0, slope = 0.0, curvature = 0.0;
};

/// From 1 to 0 between two distances, with two continuous derivatives:
/// S = 1 - 10 u^3 + 15 u^4 - 6 u^5, u = (r - from)/(to - from).
struct Switch {
  double from = 0.0, to = 0.0;

  PairValue apply(const PairValue& phi, double r) const {
    if (r <= from) return phi;
    const double width = to - from, u = (r - from) / width;
    const double s = 1.0 + u * u * u * (-10.0 + u * (15.0 - 6.0 * u));
    const double s1 = u * u * (-30.0 + u * (60.0 - 30.0 * u)) / width;
    const double s2 = u * (-60.0 + u * (180.0 - 120.0 * u)) / (width * width);
    return {phi.energy * s, phi.slope * s + phi.energy * s1,
            phi.curvature * s + 2.0 * phi.slope * s1 + phi.energy * s2};
  }
};

/// 4 depth ((size/r)^12 - (size/r)^6), switched off between two distances. Between different kinds
/// sizes are averaged, depths by the geometric mean (Lorentz, Berthelot).
class LennardJones {
 public:
  struct Kind {
    double depth = 0.0;  ///< [J]
    double size = 0.0;   ///< where the energy is zero [m]
  };
  LennardJones(const std::vector<Kind>& kinds, const Switch& end);

  double cutoff() const { return end_.to; }
  PairValue evaluate(int kind, int other, double r) const;

 private:
  struct Mixed {
    double depth, size_squared;
  };
  std::size_t num_kinds_;
  std::vector<Mixed> mixed_;
  Switch end_;
};

/// A cubic spline through values at distances, the same for all kinds; switched off as well.
class TabulatedPotential {
 public:
  /// Ascending distances [m] and energies [J], at least four. Below the first distance the spline
  /// goes on as the parabola it ends with.
  TabulatedPotential(std::vector<double> distances, std::vector<double> energies,
                     const Switch& end);

  double cutoff() const { return end_.to; }
  PairValue evaluate(int kind, int other, double r) const;

 private:
  std::vector<double> r_, value_, second_;
  Switch end_;
};

/// Which particles and how they are found.
struct PairSpec {
  std::vector<int> vertices;                 ///< in the internal order
  std::vector<int> kinds;                    ///< one per vertex of these
  std::vector<std::array<int, 2>> excluded;  ///< pairs that do not act, ascending ends
  double energy_scale = 0.0;                 ///< [J]
  bool direct = false;                       ///< look at all pairs: slow, and obviously right
};

std::unique_ptr<Term> make_pair_term(LennardJones potential, PairSpec spec);
std::unique_ptr<Term> make_pair_term(TabulatedPotential potential, PairSpec spec);

}  // namespace sinew::physics
