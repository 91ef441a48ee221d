// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../scene_runs.hpp"

namespace sinew::cli {

/// The scene that stands for the human body of section 4.4: a body where there is one, else a soft
/// block of its size.
std::string body_scene();
/// What a reader should know about it.
std::string body_remark();

}  // namespace sinew::cli
