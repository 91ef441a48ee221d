// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/integrators/be.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/integrators/rk4.hpp>
#include <sinew/integrators/si.hpp>
#include <sinew/integrators/symplectic_euler.hpp>

namespace sinew::integrators {

std::span<const IntegratorEntry> integrators() {
  static const std::array table{
      symplectic_euler(),
      rk4(),
      si(),
      be(),
  };
  return table;
}

const IntegratorEntry* find_integrator(std::string_view name) {
  for (const IntegratorEntry& entry : integrators())
    if (entry.traits.name == name) return &entry;
  return nullptr;
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
  return entry->make(Options(entry->options), services);
}

}  // namespace sinew::integrators
