// SPDX-License-Identifier: Apache-2.0
// Which moments of a motion tell most about it.
#pragma once

#include <span>
#include <vector>

#include <sinew/output/record/surface_frames.hpp>

namespace sinew::output {

/// Numbers of up to `count` frames of the first of these runs, ascending: the first, the last, and
/// from each equal part of the time between them the frame that looks least like those chosen
/// already and, where there are several runs, shows them most unlike the first.
std::vector<std::size_t> telling_instants(std::span<const SurfaceFrames* const> runs,
                                          std::size_t count);

/// The frame nearest to a time; there must be frames.
std::size_t frame_at(std::span<const double> times, double t);

}  // namespace sinew::output
