// SPDX-License-Identifier: Apache-2.0
// Runs that several processes share, as `mpirun -n 4 sinew run SCENE` starts them. A build without
// PETSc has single_process.cpp for it, one with PETSc backends/petsc/runs.
#pragma once

#include <functional>
#include <memory>

#include <sinew/scene/catalog.hpp>
#include <sinew/study/run.hpp>

namespace sinew::cli {

class SharedRuns {
 public:
  virtual ~SharedRuns() = default;

  /// Whether this process is the one that prints.
  virtual bool is_first() const = 0;
  /// With the solvers for shared matrices.
  virtual const scene::Catalog& catalog() const = 0;
  /// Work of all processes; mistakes that they find come out on the first one, as an InputError.
  virtual int together(const std::function<int()>& work) const = 0;
  virtual sim::RunSummary run(const scene::SceneSpec& scene,
                              const study::RunOptions& options) const = 0;
};

/// nullptr: this process is the only one. Throws InputError where it is not, and this build has
/// nothing for that.
std::unique_ptr<SharedRuns> start_shared_runs();

}  // namespace sinew::cli
