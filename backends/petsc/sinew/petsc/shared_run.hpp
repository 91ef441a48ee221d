// SPDX-License-Identifier: Apache-2.0
// A scene from beginning to end on several processes: study::run_scene() with everything shared.
#pragma once

#include <functional>

#include <sinew/petsc/processes.hpp>
#include <sinew/scene/catalog.hpp>
#include <sinew/study/run.hpp>

namespace sinew::petsc {

/// Work of all processes. What it throws as InputError comes out on the first one, with the
/// problems of all; on others an InputError without any. Anything else, and anything that only some
/// processes throw, ends all of them with a message and the exit code.
int together(const Processes& processes, int exit_code, const std::function<int()>& work);

/// Called on all processes. Options that concern what is printed may differ between them. Throws
/// InputError on all processes; what fails on the way ends them with the exit code.
sim::RunSummary run_scene(const Processes& processes, const scene::SceneSpec& scene,
                          const study::RunOptions& options, const scene::Catalog& catalog,
                          int exit_code);

}  // namespace sinew::petsc
