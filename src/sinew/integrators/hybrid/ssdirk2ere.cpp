// SPDX-License-Identifier: Apache-2.0
// The lowest modes by ere, everything else by ssdirk2:
//   u1 = u0 + U e + (I - P) (u_ssdirk2 - u0).
// Order 2, one factorisation; of the hybrid methods the one that loses least beyond the modes.
#include <sinew/integrators/implicit/ssdirk2.hpp>
#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/hybrid_method.hpp>

namespace sinew::integrators {

IntegratorEntry ssdirk2ere() {
  IntegratorEntry entry = hybrid_entry(
      {.name = "ssdirk2ere",
       .title = "ssdirk2, lowest modes by ere",
       .equation = "u1 = u0 + U e + (I - P) (u_ssdirk2 - u0)",
       .order = 2,
       .keeps_linear_momentum = true,
       .cost = "2 forces, 1 tangent, 1 factorisation, modes + guard vectors + 2 solves",
       .reference = "ascher2022"});
  entry.make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
    return std::make_unique<HybridMethod>(make_ssdirk2_step, modal_settings(options), services);
  };
  return entry;
}

}  // namespace sinew::integrators
