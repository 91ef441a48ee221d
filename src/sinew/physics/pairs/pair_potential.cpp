// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <sinew/core/error.hpp>
#include <sinew/physics/pairs/pair_potential.hpp>

namespace sinew::physics {

LennardJones::LennardJones(const std::vector<Kind>& kinds, const Switch& end)
    : num_kinds_(kinds.size()), end_(end) {
  for (const Kind& a : kinds)
    for (const Kind& b : kinds) {
      const double size = 0.5 * (a.size + b.size);
      mixed_.push_back({std::sqrt(a.depth * b.depth), size * size});
    }
}

PairValue LennardJones::evaluate(int kind, int other, double r) const {
  const Mixed& pair =
      mixed_[static_cast<std::size_t>(kind) * num_kinds_ + static_cast<std::size_t>(other)];
  const double u2 = pair.size_squared / (r * r), u6 = u2 * u2 * u2, e = 4.0 * pair.depth;
  return end_.apply(
      {e * u6 * (u6 - 1.0), e * u6 * (6.0 - 12.0 * u6) / r, e * u6 * (156.0 * u6 - 42.0) / (r * r)},
      r);
}

TabulatedPotential::TabulatedPotential(std::vector<double> distances, std::vector<double> energies,
                                       const Switch& end)
    : r_(std::move(distances)), value_(std::move(energies)), second_(r_.size(), 0.0), end_(end) {
  SINEW_ASSERT(r_.size() >= 4 && r_.size() == value_.size(), "a table needs at least four rows");
  SINEW_ASSERT(std::is_sorted(r_.begin(), r_.end(), std::less_equal<>()),
               "distances of a table must ascend");
  // "not a knot": the first two and the last two pieces are one cubic each, which takes nothing
  // for granted about the ends. Elimination in the tridiagonal system of second derivatives.
  const std::size_t n = r_.size();
  const auto h = [&](std::size_t k) { return r_[k + 1] - r_[k]; };
  std::vector<double> low(n), diagonal(n), high(n), right(n);
  for (std::size_t k = 1; k + 1 < n; ++k) {
    low[k] = h(k - 1) / 6.0;
    diagonal[k] = (h(k - 1) + h(k)) / 3.0;
    high[k] = h(k) / 6.0;
    right[k] = (value_[k + 1] - value_[k]) / h(k) - (value_[k] - value_[k - 1]) / h(k - 1);
  }
  // M_0 = M_1 - h0/h1 (M_2 - M_1), likewise at the end, put into their neighbours' equations
  const double first = h(0) / h(1), last = h(n - 2) / h(n - 3);
  diagonal[1] += low[1] * (1.0 + first);
  high[1] -= low[1] * first;
  diagonal[n - 2] += high[n - 2] * (1.0 + last);
  low[n - 2] -= high[n - 2] * last;
  for (std::size_t k = 2; k + 1 < n; ++k) {
    const double factor = low[k] / diagonal[k - 1];
    diagonal[k] -= factor * high[k - 1];
    right[k] -= factor * right[k - 1];
  }
  for (std::size_t k = n - 2; k >= 1; --k)
    second_[k] = (right[k] - (k + 2 < n ? high[k] * second_[k + 1] : 0.0)) / diagonal[k];
  second_[0] = second_[1] - first * (second_[2] - second_[1]);
  second_[n - 1] = second_[n - 2] + last * (second_[n - 2] - second_[n - 3]);
}

PairValue TabulatedPotential::evaluate(int, int, double r) const {
  const auto next = std::upper_bound(r_.begin() + 1, r_.end() - 1, r);
  const auto k = static_cast<std::size_t>(next - r_.begin()) - 1;
  const double h = r_[k + 1] - r_[k];
  const double at = std::max(r, r_.front());  // below, the parabola of the first point goes on
  const double a = (r_[k + 1] - at) / h, b = (at - r_[k]) / h;
  PairValue phi{
      a * value_[k] + b * value_[k + 1] +
          ((a * a * a - a) * second_[k] + (b * b * b - b) * second_[k + 1]) * h * h / 6.0,
      (value_[k + 1] - value_[k]) / h +
          ((3.0 * b * b - 1.0) * second_[k + 1] - (3.0 * a * a - 1.0) * second_[k]) * h / 6.0,
      a * second_[k] + b * second_[k + 1]};
  if (const double below = at - r; below > 0.0) {
    phi.energy += below * (0.5 * phi.curvature * below - phi.slope);
    phi.slope -= phi.curvature * below;
  }
  return end_.apply(phi, r);
}

}  // namespace sinew::physics
