// SPDX-License-Identifier: Apache-2.0
// The processes of a test program, and a catalog with their solvers.
#pragma once

#include <sinew/petsc/processes.hpp>
#include <sinew/scene/catalog.hpp>

namespace sinew::petsc {

const Processes& processes();
const scene::Catalog& catalog();

}  // namespace sinew::petsc
