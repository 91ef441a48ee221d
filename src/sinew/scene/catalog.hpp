// SPDX-License-Identifier: Apache-2.0
// Everything that a scene can name: the built-in tables, and what a program adds to them. Whoever
// reads, describes or compiles a scene takes one.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/core/expression.hpp>
#include <sinew/core/place_function.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/la/solvers/linear_solver.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/output/publish/writers.hpp>
#include <sinew/physics/laws/registry.hpp>
#include <sinew/physics/materials/registry.hpp>
#include <sinew/physics/term_entry.hpp>

namespace sinew::scene {

class Catalog {
 public:
  /// The built-in tables.
  Catalog();
  Catalog(const Catalog&) = delete;  // compiled scenes point to its entries
  Catalog& operator=(const Catalog&) = delete;

  /// Throw InputError if the name is taken.
  void add(physics::MaterialEntry material);
  void add(physics::SpringLawEntry law);
  void add(integrators::IntegratorEntry integrator);
  void add(physics::TermEntry term);
  void add(la::SolverEntry solver);
  void add(mesh::GeneratorEntry generator);
  void add(output::WriterEntry writer);
  /// Named in place of a formula: "NAME", or "NAME.x", "NAME.y" and "NAME.z" of one with three
  /// components. It must have a name that is no formula.
  void add(core::PlaceFunction function);

  const std::deque<physics::MaterialEntry>& materials() const { return materials_; }
  const std::deque<physics::SpringLawEntry>& spring_laws() const { return spring_laws_; }
  const std::deque<integrators::IntegratorEntry>& integrators() const { return integrators_; }
  const std::deque<physics::TermEntry>& terms() const { return terms_; }
  const std::deque<la::SolverEntry>& solvers() const { return solvers_; }
  const std::deque<mesh::GeneratorEntry>& generators() const { return generators_; }
  const std::deque<output::WriterEntry>& writers() const { return writers_; }

  // nullptr when there is no such entry
  const physics::MaterialEntry* find_material(std::string_view name) const;
  const physics::SpringLawEntry* find_spring_law(std::string_view name) const;
  const integrators::IntegratorEntry* find_integrator(std::string_view name) const;
  const physics::TermEntry* find_term(std::string_view name) const;

  /// A formula, or the function of that name. Throws core::FormulaError.
  core::Expression expression(const std::string& text) const;

  std::vector<std::string> material_names() const;
  std::vector<std::string> integrator_names() const;

 private:
  std::deque<physics::MaterialEntry> materials_;
  std::deque<physics::SpringLawEntry> spring_laws_;
  std::deque<integrators::IntegratorEntry> integrators_;
  std::deque<physics::TermEntry> terms_;
  std::deque<la::SolverEntry> solvers_;
  std::deque<mesh::GeneratorEntry> generators_;
  std::deque<output::WriterEntry> writers_;
  std::deque<std::shared_ptr<core::PlaceFunctionCache>> functions_;
};

/// The built-in tables alone.
const Catalog& builtin_catalog();

}  // namespace sinew::scene
