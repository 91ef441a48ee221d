// SPDX-License-Identifier: Apache-2.0
// How far two runs are apart. Points are paired by number where the bodies were the same at rest,
// else by place, so that runs of other programs, and of meshes that share only some vertices, can
// be compared.
#pragma once

#include <optional>
#include <string>

#include <sinew/output/record/run_reader.hpp>

namespace sinew::output {

struct RunDistance {
  /// Root-mean-square over the points and the frame times that both have, the start left out [m].
  std::optional<double> value;
  std::string why_not{};              ///< there is none
  std::size_t points = 0, times = 0;  ///< it is a mean over so many
  double until = 0.0, end = 0.0;      ///< the last of these times, and of all frames of both [s]
};

RunDistance distance_between(const RunReader& run, const RunReader& reference);

}  // namespace sinew::output
