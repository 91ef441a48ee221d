// SPDX-License-Identifier: Apache-2.0
// What acts on a body from outside, as data. Vertices are numbered through all bodies, as the user
// counts them.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <vector>

#include <sinew/core/expression.hpp>

namespace sinew::physics {

using VectorFormula = std::array<core::Expression, 3>;

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

/// A force that keeps its direction: factor_k value(rest_k, t) on vertex k.
struct VertexLoad {
  std::vector<int> vertices;
  std::vector<double> factors;                 ///< shares of a force [-], or masses [kg]
  std::shared_ptr<const VectorFormula> value;  ///< [N] or [m/s^2]
  TimeWindow window;
  Envelope envelope = Envelope::constant;
};

/// A pressure that follows the faces; formulas are evaluated where the face was at rest.
struct PressureLoad {
  std::vector<std::array<int, 3>> faces;             ///< counter-clockwise seen from outside
  std::shared_ptr<const core::Expression> pressure;  ///< positive pushes inwards [Pa]
  TimeWindow window;
};

/// Drag on the faces that the air hits: p = drag * density/2 * (normal relative speed)^2.
struct WindLoad {
  std::vector<std::array<int, 3>> faces;          ///< counter-clockwise seen from outside
  std::shared_ptr<const VectorFormula> velocity;  ///< of the air, where the face is now [m/s]
  double density = 1.2;                           ///< of the air [kg/m^3]
  double drag = 1.0;                              ///< coefficient [-]
  TimeWindow window;
};

}  // namespace sinew::physics
