// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../scene_runs.hpp"

namespace sinew::cli {

/// The scene of the human body of section 4.4.
inline constexpr const char* body_scene = "human-body";
/// What a reader should know about it.
inline constexpr const char* body_remark =
    "The body is a stand-in of the paper's size: a soft layer on a fixed inner surface.";

}  // namespace sinew::cli
