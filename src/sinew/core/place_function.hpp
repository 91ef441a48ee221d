// SPDX-License-Identifier: Apache-2.0
// A function of places and time that a program gives where a formula could be written.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <sinew/core/types.hpp>

namespace sinew::core {

struct PlaceFunction {
  std::string name;
  int components = 1;  ///< 1, or 3 of a vector
  bool depends_on_time = true;
  bool depends_on_position = true;
  /// For many places at once: component k at places[p] goes to values[components * p + k]. Called
  /// by one thread at a time. What it throws ends the run.
  std::function<void(std::span<const Vec3> places, double t, std::span<double> values)> evaluate;
};

/// Evaluates a function; remembers the last places and time, since components are asked for one
/// after another.
class PlaceFunctionCache {
 public:
  explicit PlaceFunctionCache(PlaceFunction function) : function_(std::move(function)) {}

  const PlaceFunction& function() const { return function_; }
  /// One component at every place. Safe to call from several threads.
  void evaluate(int component, std::span<const Vec3> places, double t, std::span<double> values);

 private:
  PlaceFunction function_;
  std::mutex mutex_;
  std::vector<Vec3> places_;
  double t_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> values_;
};

}  // namespace sinew::core
