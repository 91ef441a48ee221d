// SPDX-License-Identifier: Apache-2.0
// The lowest modes by ere, everything else by sbdf2:
//   u1 = u0 + U e + (I - P) (u_sbdf2 - u0).
// Order 2, one factorisation.
//
// The variant "as-printed" is formula (22) of the survey, which puts the same average of G over the
// step into a formula that wants its value at the end. Its modal part is z1 = z0 + (z0 - z_-1 +
// 2 e)/3, of first order, with a root of size sqrt(1 + (h omega)^2) for slow modes: it grows.
#include <sinew/integrators/implicit/sbdf2.hpp>
#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/hybrid_method.hpp>

namespace sinew::integrators {
namespace {

class Sbdf2ereAsPrinted final : public HybridMethod {
 public:
  Sbdf2ereAsPrinted(const ModalSettings& settings, const Services& services)
      : HybridMethod(
            [](const AddSolver& add_solver) { return std::make_unique<Sbdf2Step>(add_solver()); },
            settings, services) {}

 private:
  void finish(StepContext& step, const dynamics::State& now, dynamics::State& next) override {
    const TwoStepHistory& history = static_cast<const Sbdf2Step&>(*step_).history();
    if (history.is_empty()) return HybridMethod::finish(step, now, next);
    modal_.replace(step, bdf2_increment_as_printed(step, modal_, history, now), now, next);
  }
};

}  // namespace

IntegratorEntry sbdf2ere() {
  IntegratorEntry entry =
      hybrid_entry({.name = "sbdf2ere",
                    .title = "semi-implicit BDF2, lowest modes by ere",
                    .equation = "u1 = u0 + U e + (I - P) (u_sbdf2 - u0)",
                    .order = 2,
                    .multistep = true,
                    .keeps_linear_momentum = true,
                    .cost = "1 force, 1 tangent, 1 factorisation, modes + guard vectors + 1 solves",
                    .reference = "ascher2022"},
                   {as_printed_option("(22)")});
  entry.make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
    const ModalSettings settings = modal_settings(options);
    if (options.text("variant") == "as-printed")
      return std::make_unique<Sbdf2ereAsPrinted>(settings, services);
    return std::make_unique<HybridMethod>(
        [](const SemiImplicitMethod::AddSolver& add_solver) {
          return std::make_unique<Sbdf2Step>(add_solver());
        },
        settings, services);
  };
  return entry;
}

}  // namespace sinew::integrators
