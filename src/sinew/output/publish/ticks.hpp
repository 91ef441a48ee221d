// SPDX-License-Identifier: Apache-2.0
// The numbers at the axes of plots and colour bars: round ones, and written without rounding.
#pragma once

#include <string>
#include <vector>

namespace sinew::output {

/// Multiples of 1, 2 or 5 times a power of ten between the two, at most `most` + 1 of them.
std::vector<double> round_ticks(double low, double high, int most = 8);

/// The same for a logarithmic axis: 1, 2 and 5 times powers of ten where there is room, else
/// powers.
std::vector<double> logarithmic_ticks(double low, double high, int most = 15);

/// Such a number with all of its digits: 0.25, 1200, 2.5e6, 5e-5.
std::string tick_label(double tick);

/// How a quantity is best written: values are divided by the factor.
struct Scale {
  double factor = 1.0;
  std::string unit;  ///< with its prefix: MPa, mm/s
};

/// For values up to `largest` in SI units.
Scale scale_for(double largest, const std::string& unit);

}  // namespace sinew::output
