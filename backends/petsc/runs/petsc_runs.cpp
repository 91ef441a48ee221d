// SPDX-License-Identifier: Apache-2.0
// What `sinew run` does when it is started as several processes.
#include <sinew/petsc/shared_run.hpp>
#include <sinew/petsc/solvers.hpp>

#include "program/exit_codes.hpp"
#include "sinew/shared_runs.hpp"

namespace sinew::cli {
namespace {

class PetscRuns final : public SharedRuns {
 public:
  PetscRuns() {
    for (const la::SolverEntry& solver : petsc::shared_solvers()) catalog_.add(solver);
  }

  bool is_first() const override { return processes_.is_first(); }
  const scene::Catalog& catalog() const override { return catalog_; }
  int together(const std::function<int()>& work) const override {
    return petsc::together(processes_, exit_internal_error, work);
  }
  sim::RunSummary run(const scene::SceneSpec& scene,
                      const study::RunOptions& options) const override {
    return petsc::run_scene(processes_, scene, options, catalog_, exit_internal_error);
  }

 private:
  petsc::Processes processes_;
  scene::Catalog catalog_;
};

}  // namespace

std::unique_ptr<SharedRuns> start_shared_runs() {
  if (!petsc::is_started_by_launcher()) return nullptr;
  return std::make_unique<PetscRuns>();
}

}  // namespace sinew::cli
