// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {

/// Every method, in the order of the documentation.
std::span<const IntegratorEntry> integrators();

/// nullptr when there is no such method.
const IntegratorEntry* find_integrator(std::string_view name);

/// With the options that every method has; for rows that are not in the table.
IntegratorEntry with_common_options(IntegratorEntry entry);

/// The method that a rung of the guard stands for.
const IntegratorEntry& method_of(Rung rung);

std::vector<std::string> integrator_names();

/// What kind of method it is: explicit, implicit, exponential, or hybrid, which is both of the
/// latter.
std::string_view family_of(const Traits& traits);

/// A method with all of its options given.
std::unique_ptr<Integrator> make_integrator(const IntegratorEntry& entry, const Options& options,
                                            const Services& services);

/// A method with its default options; throws InputError with the nearest name if it is unknown.
std::unique_ptr<Integrator> make_integrator(std::string_view name,
                                            const Services& services = default_services());

}  // namespace sinew::integrators
