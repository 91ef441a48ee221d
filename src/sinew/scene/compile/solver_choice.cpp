// SPDX-License-Identifier: Apache-2.0
#include <sinew/la/solvers/auto_solver.hpp>
#include <sinew/scene/compile/solver_choice.hpp>

namespace sinew::scene {
namespace {

const la::SolverEntry& chosen_solver(const IntegratorSpec& asked, const Catalog& catalog) {
  for (const la::SolverEntry& solver : catalog.solvers())
    if (solver.name == asked.solver) return solver;
  return catalog.solvers().front();
}

}  // namespace

integrators::Services direct_solvers(const IntegratorSpec& asked, const Catalog& catalog,
                                     const la::Reducer& reducer) {
  integrators::Services services = integrators::default_services();
  services.reducer = &reducer;
  const la::SolverEntry& chosen = chosen_solver(asked, catalog);
  if (chosen.is_direct || chosen.is_shared)
    services.make_linear_solver = services.make_direct_solver = chosen.make;
  return services;
}

integrators::Services linear_solvers(const IntegratorSpec& asked, const Catalog& catalog,
                                     const la::Reducer& reducer) {
  integrators::Services services = direct_solvers(asked, catalog, reducer);
  const la::SolverEntry& chosen = chosen_solver(asked, catalog);
  if (asked.factor == "lagged")
    services.make_linear_solver = [entry = chosen,
                                   tolerance = asked.solver_tolerance](const la::Reducer& sums) {
      return la::make_sequence_solver(entry, sums, {.tolerance = tolerance});
    };
  else
    services.make_linear_solver = chosen.make;
  return services;
}

}  // namespace sinew::scene
