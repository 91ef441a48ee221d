// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <sinew/output/publish/ticks.hpp>

namespace sinew::output {

std::vector<double> round_ticks(double low, double high, int most) {
  if (!std::isfinite(low) || !std::isfinite(high) || !(high > low)) return {};
  const double raw = (high - low) / most, power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10.0 * power;
  for (const double digit : {5.0, 2.0, 1.0})
    if (digit * power >= raw) step = digit * power;
  std::vector<double> ticks;
  ticks.reserve(static_cast<std::size_t>(most) + 1);
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
    ticks.push_back(k == 0.0 ? 0.0 : k * step);
  return ticks;
}

std::vector<double> logarithmic_ticks(double low, double high, int most) {
  if (!(low > 0.0) || !std::isfinite(high) || !(high > low)) return {};
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::ceil(std::log10(high)));
  const auto ticks_of = [&](const std::vector<double>& digits, int stride) {
    std::vector<double> ticks;
    for (int power = first; power <= last; ++power)
      for (const double digit : digits) {
        const double tick = digit * std::pow(10.0, power);
        if (power % stride == 0 && tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9))
          ticks.push_back(tick);
      }
    return ticks;
  };
  const auto fits = [&](const std::vector<double>& ticks) {
    return ticks.size() <= static_cast<std::size_t>(most);
  };
  std::vector<double> ticks = ticks_of({1.0, 2.0, 5.0}, 1);
  if (!fits(ticks)) ticks = ticks_of({1.0}, 1);
  for (int stride = 2; !fits(ticks); ++stride) ticks = ticks_of({1.0}, stride);
  // less than one decade may hold none of them
  return ticks.size() < 2 ? round_ticks(low, high, most / 2) : ticks;
}

std::string tick_label(double tick) {
  // more digits than ticks have, fewer than rounding errors need
  constexpr int digits = 12;
  const double size = std::abs(tick);
  if (size == 0.0 || (size >= 1e-4 && size < 1e6)) return fmt::format("{:.{}g}", tick, digits);
  std::string text = fmt::format("{:.{}e}", tick, digits - 1);
  const std::size_t at = text.find('e');
  std::string mantissa = text.substr(0, at);
  mantissa.erase(mantissa.find_last_not_of('0') + 1);
  if (mantissa.back() == '.') mantissa.pop_back();
  return fmt::format("{}e{}", mantissa, std::stoi(text.substr(at + 1)));
}

Scale scale_for(double largest, const std::string& unit) {
  struct Prefix {
    double factor;
    const char* name;
  };
  constexpr std::array prefixes{Prefix{1e9, "G"}, Prefix{1e6, "M"}, Prefix{1e3, "k"},
                                Prefix{1.0, ""}, Prefix{1e-3, "m"}};
  // kilometres are no unit of motion here, and units of molecules have their prefixes already
  const bool is_length = unit == "m" || unit == "m/s";
  if (!(largest > 0.0) || !(is_length || unit == "Pa" || unit == "N" || unit == "J/m^3"))
    return {1.0, unit};
  for (const Prefix& prefix : prefixes)
    if (largest >= 0.999 * prefix.factor && (prefix.factor <= 1.0 || !is_length))
      return {prefix.factor, prefix.name + unit};
  return {prefixes.back().factor, prefixes.back().name + unit};
}

}  // namespace sinew::output
