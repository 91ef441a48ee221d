// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include <sinew/output/publish/colour_range.hpp>

namespace sinew::output {
namespace {

std::vector<float> finite_values(std::span<const SurfaceField* const> fields) {
  std::size_t count = 0;
  for (const SurfaceField* field : fields)
    for (const std::vector<float>& frame : field->values) count += frame.size();
  std::vector<float> values;
  values.reserve(count);
  for (const SurfaceField* field : fields)
    for (const std::vector<float>& frame : field->values)
      std::copy_if(frame.begin(), frame.end(), std::back_inserter(values),
                   [](float value) { return std::isfinite(value); });
  return values;
}

/// The value below which that share of all lies.
double percentile(std::vector<float>& values, double share) {
  const auto place =
      static_cast<std::ptrdiff_t>(std::lround(share * static_cast<double>(values.size() - 1)));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

}  // namespace

ColourRange given_range(double low, double high, std::span<const SurfaceField* const> fields) {
  ColourRange range{.low = low, .high = high};
  for (const SurfaceField* field : fields)
    for (const std::vector<float>& frame : field->values)
      for (const float value : frame) {
        range.exceeds_low = range.exceeds_low || value < static_cast<float>(low);
        range.exceeds_high = range.exceeds_high || value > static_cast<float>(high);
      }
  return range;
}

ColourRange robust_range(std::span<const SurfaceField* const> fields) {
  constexpr double outermost = 0.01;
  std::vector<float> values = finite_values(fields);
  if (values.empty()) return {};
  const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
  const double least = *smallest, most = *largest;
  double low = least >= 0.0 ? 0.0 : percentile(values, outermost);
  double high = percentile(values, 1.0 - outermost);
  // nearly everything rests: the rest is all there is to see
  if (!(high > low)) {
    low = std::min(least, 0.0);
    high = most;
  }
  return given_range(low, high, fields);
}

std::string field_title(const std::string& name) {
  if (name == "von_mises") return "von Mises stress";
  std::string title = name;
  std::replace(title.begin(), title.end(), '_', ' ');
  return title;
}

const SurfaceField* find_field(const SurfaceFrames& surface, const std::string& name) {
  const auto found = std::find_if(surface.fields.begin(), surface.fields.end(),
                                  [&](const SurfaceField& field) { return field.name == name; });
  return found == surface.fields.end() ? nullptr : &*found;
}

std::string field_of_motion(std::span<const SurfaceFrames* const> surfaces) {
  for (const char* name : {"speed", "displacement"}) {
    float least = std::numeric_limits<float>::infinity(), most = -least;
    bool all_have_it = true;
    for (const SurfaceFrames* surface : surfaces) {
      if (surface->times.empty()) continue;
      const SurfaceField* field = find_field(*surface, name);
      all_have_it = all_have_it && field;
      if (!field) break;
      for (const std::vector<float>& frame : field->values)
        for (const float value : frame) {
          if (!std::isfinite(value)) continue;
          least = std::min(least, value);
          most = std::max(most, value);
        }
    }
    if (all_have_it && most - least > 1e-3F * std::abs(most)) return name;
  }
  return {};
}

}  // namespace sinew::output
