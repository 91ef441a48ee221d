// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/registry.hpp>

namespace sinew::integrators {
namespace {

constexpr std::array<std::string_view, 3> definiteness_names{"exact", "psd-clamp", "psd-abs"};

dynamics::Definiteness definiteness_of(std::string_view name) {
  const auto* found = std::find(definiteness_names.begin(), definiteness_names.end(), name);
  SINEW_ASSERT(found != definiteness_names.end(), "there is no such tangent policy");
  return static_cast<dynamics::Definiteness>(found - definiteness_names.begin());
}

}  // namespace

IntegratorEntry with_common_options(IntegratorEntry entry) {
  const auto standard = static_cast<std::size_t>(entry.traits.definiteness);
  entry.options.push_back(
      {.name = "tangent",
       .summary = "negative curvature of single elements: kept (exact), set to zero (psd-clamp) or "
                  "turned positive (psd-abs); explicit methods use no tangent",
       .default_value = std::string(definiteness_names.at(standard)),
       .choices = {definiteness_names.begin(), definiteness_names.end()}});
  entry.options.push_back(
      {.name = "guard",
       .summary =
           "a step that fails, gains energy or inverts elements is redone with the projected "
           "tangent, then by si, then by be, and halved if all of these fail (ladder); or it is "
           "only halved if it fails, and the run fails when it has ten times the energy it can "
           "have (watch); or the run continues then too, and says so (off)",
       .default_value = std::string(entry.traits.guarded ? "ladder" : "watch"),
       .choices = {"ladder", "watch", "off"}});
  return entry;
}

std::span<const IntegratorEntry> integrators() {
  static const std::vector<IntegratorEntry> table = [] {
    std::vector<IntegratorEntry> rows;
    for (IntegratorEntry (*row)() : {explicit_euler,
                                     symplectic_euler,
                                     verlet,
                                     rk4,
                                     si,
                                     be,
                                     implicit_midpoint,
                                     trapezoidal,
                                     bdf2,
                                     sbdf2,
                                     tr_bdf2,
                                     str_sbdf2,
                                     sdirk2,
                                     ssdirk2,
                                     newmark,
                                     generalized_alpha,
                                     hht,
                                     v_imex,
                                     imex,
                                     ere,
                                     exprb42,
                                     pexprb43,
                                     eti,
                                     neti,
                                     ceti,
                                     siere,
                                     beere,
                                     bdf2ere,
                                     sbdf2ere,
                                     str_sbdf2ere,
                                     tr_bdf2ere,
                                     ssdirk2ere,
                                     blend})
      rows.push_back(with_common_options(row()));
    return rows;
  }();
  return table;
}

const IntegratorEntry* find_integrator(std::string_view name) {
  for (const IntegratorEntry& entry : integrators())
    if (entry.traits.name == name) return &entry;
  return nullptr;
}

const IntegratorEntry& method_of(Rung rung) {
  for (const IntegratorEntry& entry : integrators())
    if (entry.traits.serves_as == rung) return entry;
  throw InternalError("no method serves as this rung of the guard");
}

std::string_view family_of(const Traits& traits) {
  if (traits.is_implicit) return traits.is_exponential ? "hybrid" : "implicit";
  return traits.is_exponential ? "exponential" : "explicit";
}

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const IntegratorEntry& entry : integrators()) names.emplace_back(entry.traits.name);
  return names;
}

std::unique_ptr<Integrator> make_integrator(std::string_view name, const Services& services) {
  const IntegratorEntry* entry = find_integrator(name);
  if (!entry)
    throw InputError({.what = fmt::format("there is no integrator '{}'", name),
                      .hint = core::suggestion(name, integrator_names())});
  return make_integrator(*entry, Options(entry->options), services);
}

std::unique_ptr<Integrator> make_integrator(const IntegratorEntry& entry, const Options& options,
                                            const Services& services) {
  std::unique_ptr<Integrator> integrator = entry.make(options, services);
  integrator->set_definiteness(definiteness_of(options.text("tangent")));
  return integrator;
}

}  // namespace sinew::integrators
