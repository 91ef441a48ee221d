// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/core/error.hpp>
#include <sinew/core/place_function.hpp>

namespace sinew::core {

void PlaceFunctionCache::evaluate(int component, std::span<const Vec3> places, double t,
                                  std::span<double> values) {
  SINEW_ASSERT(component >= 0 && component < function_.components, "there is no such component");
  SINEW_ASSERT(places.size() == values.size(), "one value per place");
  const auto count = static_cast<std::size_t>(function_.components);
  const std::lock_guard lock(mutex_);
  if (t != t_ || !std::equal(places.begin(), places.end(), places_.begin(), places_.end())) {
    t_ = std::numeric_limits<double>::quiet_NaN();  // in case the function throws
    places_.assign(places.begin(), places.end());
    values_.resize(count * places.size());
    function_.evaluate(places, t, values_);
    t_ = t;
  }
  for (std::size_t p = 0; p < places.size(); ++p)
    values[p] = values_[count * p + static_cast<std::size_t>(component)];
}

}  // namespace sinew::core
