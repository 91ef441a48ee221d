// SPDX-License-Identifier: Apache-2.0
// Results of other programs as a run directory, to be drawn, looked at and compared like any other:
// frames and a manifest that says where they are from; no energies, no costs.
#pragma once

#include <filesystem>

#include <sinew/core/types.hpp>

namespace sinew::output {

/// Reads a series of .vtu files (.pvd). Where the points stay as they are, the array of
/// displacements is added to them: `displacement`, `displacements`, `disp`, `u` or `solution`, in
/// capitals or not. Throws InputError if nothing moves, and for files that cannot be read, and then
/// leaves no directory behind.
void import_series(const std::filesystem::path& pvd, const std::filesystem::path& directory,
                   bool may_replace, const Vec3& up = Vec3::UnitZ());

}  // namespace sinew::output
