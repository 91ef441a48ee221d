// SPDX-License-Identifier: Apache-2.0
// What acts on a body from outside, as data. Vertices are numbered through all bodies, as the user
// counts them.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <variant>
#include <vector>

#include <sinew/core/expression.hpp>

namespace sinew::physics {

using VectorFormula = std::array<core::Expression, 3>;

/// At places one after another and one time; a formula without x, y, z is evaluated once.
class VectorAtTime {
 public:
  VectorAtTime(const VectorFormula& formula, double t) : formula_(formula), t_(t) {
    for (std::size_t k = 0; k < 3; ++k)
      if (!formula_[k].depends_on_position())
        constant_[static_cast<Index>(k)] = formula_[k](Vec3::Zero(), t);
  }
  Vec3 operator()(const Vec3& x) const {
    Vec3 value = constant_;
    for (std::size_t k = 0; k < 3; ++k)
      if (formula_[k].depends_on_position()) value[static_cast<Index>(k)] = formula_[k](x, t_);
    return value;
  }

 private:
  const VectorFormula& formula_;
  double t_;
  Vec3 constant_ = Vec3::Zero();
};

/// When a load acts: from <= t < until [s].
struct TimeWindow {
  double from = -std::numeric_limits<double>::infinity();
  double until = std::numeric_limits<double>::infinity();

  bool contains(double t) const { return from <= t && t < until; }
  bool is_bounded() const {
    return from > -std::numeric_limits<double>::infinity() ||
           until < std::numeric_limits<double>::infinity();
  }
};

/// How strong a load is inside its window.
enum class Envelope {
  constant,  ///< 1
  pulse,     ///< sin^2(pi (t - from)/(until - from)): smooth, with mean 1/2
};

/// Where the factors of a load come from, so that they can be found again for another mesh.
enum class LoadShares {
  given,   ///< by whoever made it
  volume,  ///< of the vertices, as a part of their sum
  mass,    ///< of the vertices, as the mass matrix has it
};

/// A force that keeps its direction: factor_k value(rest_k, t) on vertex k.
struct VertexLoad {
  std::vector<int> vertices;
  std::vector<double> factors;                 ///< shares of a force [-], or masses [kg]
  std::shared_ptr<const VectorFormula> value;  ///< [N] or [m/s^2]
  TimeWindow window;
  Envelope envelope = Envelope::constant;
  LoadShares shares = LoadShares::given;
};

/// Counter-clockwise seen from outside: flat ones by their corners, curved ones by corners and the
/// vertices on the sides 01, 12, 20 (mesh/surface.hpp).
using LoadedFaces = std::variant<std::vector<std::array<int, 3>>, std::vector<std::array<int, 6>>>;

/// A pressure that follows the faces; formulas are evaluated where the face was at rest.
struct PressureLoad {
  LoadedFaces faces;
  std::shared_ptr<const core::Expression> pressure;  ///< positive pushes inwards [Pa]
  TimeWindow window;
};

/// Drag. On faces, of those that the air hits: p = drag * density/2 * (normal relative speed)^2. On
/// bars: drag * density/2 * diameter * length * |w| w with w the relative velocity across the bar.
struct WindLoad {
  LoadedFaces faces;
  bool is_two_sided = false;  ///< of a cloth: faces are hit from either side
  std::vector<std::array<int, 2>> bars;
  double diameter = 0.0;                          ///< of the bars [m]
  std::shared_ptr<const VectorFormula> velocity;  ///< of the air, where the face is now [m/s]
  double density = 1.2;                           ///< of the air [kg/m^3]
  double drag = 1.0;                              ///< coefficient [-]
  TimeWindow window;
};

}  // namespace sinew::physics
