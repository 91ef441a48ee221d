// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/core/error.hpp>
#include <sinew/physics/nodal_stress.hpp>
#include <sinew/physics/term_observables.hpp>

namespace sinew::physics {
namespace {

constexpr const char* nodal_cauchy_stress = "nodal_cauchy_stress";
constexpr const char* nodal_von_mises = "nodal_von_mises";

}  // namespace

TermObservables::TermObservables(const TermSum& sum, dynamics::Geometry geometry,
                                 std::vector<CellLabel> labels)
    : sum_(sum), geometry_(std::move(geometry)), labels_(std::move(labels)) {
  using enum dynamics::FieldSite;
  fields_ = {{"position", per_point, 3},
             {"velocity", per_point, 3},
             {"displacement", per_point, 3},
             {"force", per_point, 3}};
  const auto add = [&](const dynamics::FieldInfo& field) {
    const bool is_known =
        std::any_of(fields_.begin(), fields_.end(),
                    [&](const dynamics::FieldInfo& known) { return known.name == field.name; });
    if (!is_known) fields_.push_back(field);
  };
  for (const TermSum::Entry& entry : sum_.terms())
    for (const dynamics::FieldInfo& field : entry.term->fields()) add(field);
  if (has_nodal_stress(geometry_)) {
    add({nodal_cauchy_stress, per_point, 6});
    add({nodal_von_mises, per_point, 1});
  }
  for (const CellLabel& label : labels_) add({label.name, per_cell, 1});
}

void TermObservables::net_force(const dynamics::State& state, TermWorkspace& work) const {
  sum_.load_positions(state, work);
  sum_.load_velocities_if_used(state, work);
  work.f.set_zero();
  sum_.add_forces(
      state, [](const TermTraits&) { return true; }, work, work.f);
  sum_.add_inertial_load(work, work.f);
}

void TermObservables::evaluate_field(std::string_view name, const dynamics::State& state,
                                     dynamics::Workspace& workspace, VecOut values) const {
  TermWorkspace& work = sum_.own(workspace);
  const Numbering& numbering = sum_.numbering();
  const auto per_vertex = [&](const auto& value) {
    for (int user = 0; user < numbering.num_user_vertices(); ++user)
      values.segment<3>(3 * user) = value(numbering.internal(user));
  };
  if (name == "position") {
    sum_.load_positions(state, work);
    per_vertex([&](int k) { return Vec3(work.x.vector(k)); });
    return;
  }
  if (name == "velocity") {
    sum_.load_velocities(state, work);
    per_vertex([&](int k) { return Vec3(work.v.vector(k)); });
    return;
  }
  if (name == "displacement") {
    sum_.load_positions(state, work);
    per_vertex([&](int k) { return Vec3(work.x.vector(k) - numbering.rest(k)); });
    return;
  }
  if (name == "force") {
    net_force(state, work);
    per_vertex([&](int k) { return Vec3(work.f.vector(k)); });
    return;
  }
  for (const CellLabel& label : labels_)
    if (label.name == name) {
      for (std::size_t cell = 0; cell < label.values.size(); ++cell)
        values[static_cast<Index>(cell)] = label.values[cell];
      return;
    }
  SINEW_ASSERT(std::any_of(fields_.begin(), fields_.end(),
                           [&](const dynamics::FieldInfo& field) { return field.name == name; }),
               "there is no such field");
  sum_.load_positions(state, work);
  sum_.load_velocities_if_used(state, work);
  if (name == nodal_cauchy_stress || name == nodal_von_mises)
    nodal_stress(name == nodal_von_mises, state, work, values);
  else
    of_terms(name, state, work, values);
}

void TermObservables::of_terms(std::string_view name, const dynamics::State& state,
                               TermWorkspace& work, VecOut values) const {
  values.setZero();  // not every cell has every quantity
  for (std::size_t k = 0; k < sum_.terms().size(); ++k) {
    const TermSum::Entry& entry = sum_.terms()[k];
    entry.term->evaluate_field(name, sum_.at(entry, state, work), work.terms[k], values);
  }
}

void TermObservables::nodal_stress(bool von_mises, const dynamics::State& state,
                                   TermWorkspace& work, VecOut values) const {
  const auto num_cells = static_cast<Index>(geometry_.types.size());
  Vec at_corners = Vec::Zero(24 * num_cells);
  for (std::size_t k = 0; k < sum_.terms().size(); ++k) {
    const TermSum::Entry& entry = sum_.terms()[k];
    entry.term->evaluate_corner_stress(sum_.at(entry, state, work), work.terms[k], at_corners);
  }
  if (!von_mises) {
    average_stress(geometry_, sum_.numbering(), at_corners, values);
    return;
  }
  Vec of_cells(num_cells);
  of_terms("von_mises", state, work, of_cells);
  average_von_mises(geometry_, sum_.numbering(), at_corners, of_cells, values);
}

}  // namespace sinew::physics
