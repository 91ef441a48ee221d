// SPDX-License-Identifier: Apache-2.0
// The row of each spring law, from its own source file.
#pragma once

#include <sinew/physics/laws/registry.hpp>

namespace sinew::physics {

SpringLawEntry linear_spring_entry();
SpringLawEntry cubic_spring_entry();
SpringLawEntry repulsive_spring_entry();

}  // namespace sinew::physics
