// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <sinew/output/publish/line_plot.hpp>

namespace sinew::cli {

/// The range of h omega that damping is shown over.
inline constexpr double lowest_h_omega = 0.01, highest_h_omega = 100.0;
inline constexpr int points_per_decade = 40;

/// d / omega against h omega of a method on q'' + omega^2 q = 0; throws InputError with the nearest
/// name if there is no such method.
output::Curve damping_curve(const std::string& method);

}  // namespace sinew::cli
