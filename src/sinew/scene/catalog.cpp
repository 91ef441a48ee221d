// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/integrators/methods.hpp>
#include <sinew/scene/catalog.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::scene {
namespace {

std::string_view name_of(const auto& entry) {
  return entry.name;
}
std::string_view name_of(const integrators::IntegratorEntry& entry) {
  return entry.traits.name;
}

std::string_view name_of(const std::shared_ptr<core::PlaceFunctionCache>& entry) {
  return entry->function().name;
}

template <class Table>
auto* find(const Table& table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const auto& entry) { return name_of(entry) == name; });
  return found == table.end() ? nullptr : &*found;
}

template <class Table>
std::vector<std::string> names(const Table& table) {
  std::vector<std::string> result;
  result.reserve(table.size());
  for (const auto& entry : table) result.emplace_back(name_of(entry));
  return result;
}

template <class Table, class Entry>
void add_to(Table& table, Entry entry, std::string_view kind) {
  if (name_of(entry).empty()) throw InputError({.what = fmt::format("a {} needs a name", kind)});
  if (find(table, name_of(entry)))
    throw InputError({.what = fmt::format("there is already a {} named '{}'", kind, name_of(entry)),
                      .hint = "choose another name"});
  table.push_back(std::move(entry));
}

}  // namespace

Catalog::Catalog() {
  const auto copy = [](auto& target, const auto& table) {
    target.assign(table.begin(), table.end());
  };
  copy(materials_, physics::materials());
  copy(spring_laws_, physics::spring_laws());
  copy(integrators_, integrators::integrators());
  add(integrators::equilibrium());
  copy(solvers_, la::solvers());
  copy(generators_, mesh::generators());
  copy(writers_, output::writers());
}

void Catalog::add(physics::MaterialEntry material) {
  if (material.constants.size() > static_cast<std::size_t>(physics::max_constants))
    throw InputError({.what = fmt::format("material {} has more than {} constants of its own",
                                          material.name, physics::max_constants)});
  add_to(materials_, std::move(material), "material");
}
void Catalog::add(physics::SpringLawEntry law) {
  if (law.constants.size() > physics::max_law_constants)
    throw InputError({.what = fmt::format("spring law {} has more than {} constants", law.name,
                                          physics::max_law_constants)});
  add_to(spring_laws_, std::move(law), "spring law");
}
void Catalog::add(integrators::IntegratorEntry integrator) {
  add_to(integrators_, integrators::with_common_options(std::move(integrator)), "integrator");
}
void Catalog::add(physics::TermEntry term) {
  const auto known = builtin_load_types();
  if (std::find(known.begin(), known.end(), term.name) != known.end())
    throw InputError({.what = fmt::format("there is already a load named '{}'", term.name),
                      .hint = "choose another name"});
  const auto refuse = [&](std::string_view what) {
    throw InputError({.what = fmt::format("term {}: {}", term.name, what)});
  };
  if (!term.make) refuse("there is no function that makes it");
  std::vector<std::string> taken{"type", "body", "select", "from", "until"};
  for (const physics::TermParameter& parameter : term.parameters) {
    if (parameter.name.empty()) refuse("a parameter needs a name");
    if (std::find(taken.begin(), taken.end(), parameter.name) != taken.end())
      refuse(fmt::format("a parameter cannot be named '{}', or not twice", parameter.name));
    if (parameter.defaults.empty())
      refuse(fmt::format("the parameter {} needs a default", parameter.name));
    taken.push_back(parameter.name);
  }
  add_to(terms_, std::move(term), "term");
}
void Catalog::add(la::SolverEntry solver) {
  add_to(solvers_, solver, "solver");
}
void Catalog::add(mesh::GeneratorEntry generator) {
  add_to(generators_, std::move(generator), "generator");
}
void Catalog::add(output::WriterEntry writer) {
  add_to(writers_, writer, "writer");
}

const physics::MaterialEntry* Catalog::find_material(std::string_view name) const {
  return find(materials_, name);
}
const physics::SpringLawEntry* Catalog::find_spring_law(std::string_view name) const {
  return find(spring_laws_, name);
}
const integrators::IntegratorEntry* Catalog::find_integrator(std::string_view name) const {
  return find(integrators_, name);
}
const physics::TermEntry* Catalog::find_term(std::string_view name) const {
  return find(terms_, name);
}

void Catalog::add(core::PlaceFunction function) {
  const auto refuse = [&](std::string_view what, std::string_view hint) {
    throw InputError(
        {.what = fmt::format("function '{}': {}", function.name, what), .hint = std::string(hint)});
  };
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (!std::all_of(function.name.begin(), function.name.end(), is_letter))
    refuse("this is not a name", "letters, digits and underscores");
  if (function.components != 1 && function.components != 3)
    refuse("it has neither one component nor three", "");
  if (!function.evaluate) refuse("there is nothing that evaluates it", "");
  bool is_formula = true;
  try {
    const core::Expression known(function.name);
  } catch (const core::FormulaError&) {
    is_formula = false;
  }
  if (is_formula) refuse("its name is a formula itself", "choose another name");
  add_to(functions_, std::make_shared<core::PlaceFunctionCache>(std::move(function)), "function");
}

core::Expression Catalog::expression(const std::string& text) const {
  for (const auto& known : functions_) {
    const core::PlaceFunction& function = known->function();
    if (function.components == 1 && text == function.name) return core::Expression(known, 0, text);
    if (function.components != 3) continue;
    for (int k = 0; k < 3; ++k)
      if (text == fmt::format("{}.{}", function.name, "xyz"[k]))
        return core::Expression(known, k, text);
    if (text == function.name)
      throw core::FormulaError(fmt::format("the function '{}' has three components", text),
                               fmt::format("write {0}.x, {0}.y or {0}.z", text));
  }
  return core::Expression(text);
}

std::vector<std::string> Catalog::material_names() const {
  return names(materials_);
}
std::vector<std::string> Catalog::integrator_names() const {
  return names(integrators_);
}

const Catalog& builtin_catalog() {
  static const Catalog catalog;
  return catalog;
}

}  // namespace sinew::scene
