// SPDX-License-Identifier: Apache-2.0
// The row of each material, from its own source file.
#pragma once

#include <sinew/physics/materials/registry.hpp>

namespace sinew::physics {

MaterialEntry stable_neo_hookean_entry();
MaterialEntry neo_hookean_entry();
MaterialEntry isochoric_neo_hookean_entry();
MaterialEntry stvk_entry();
MaterialEntry mooney_rivlin_entry();
MaterialEntry arap_entry();
MaterialEntry corotated_entry();
MaterialEntry fixed_corotated_entry();
MaterialEntry linear_entry();

}  // namespace sinew::physics
