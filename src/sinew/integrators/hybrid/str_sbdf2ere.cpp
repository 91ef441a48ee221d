// SPDX-License-Identifier: Apache-2.0
// The lowest modes by ere, everything else by str-sbdf2:
//   u1 = u0 + U e + (I - P) (u_str-sbdf2 - u0).
// Order 2.
//
// The variant "as-printed" is formula (26) of the survey: modes and ere enter in the second half
// only, and the modal part is z1 = zh + (zh - z0 + h phi_1(h/2 J_i) g(uh))/3, of first order and
// growing.
#include <sinew/integrators/implicit/str_sbdf2.hpp>
#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/hybrid_method.hpp>

namespace sinew::integrators {
namespace {

class StrSbdf2ereAsPrinted final : public HybridMethod {
 public:
  StrSbdf2ereAsPrinted(const ModalSettings& settings, const Services& services)
      : HybridMethod(make_str_sbdf2_step, settings, services) {}

 private:
  StepStatus observe(StepContext& step, const dynamics::State& now,
                     const StageView& view) override {
    if (view.number != 1) return StepStatus::accepted;
    const StepStatus status = modal_.update(step, view.stage, view.solver);
    if (status != StepStatus::accepted) return status;
    modal_.load(step, view.at, view.f, view.h_rate);
    first_half_.resize(modal_.modes().size(), 2);
    first_half_.col(0) = modal_.coordinates(step, view.at.q - now.q);
    first_half_.col(1) = modal_.coordinates(step, view.at.v - now.v);
    return status;
  }

  void finish(StepContext& step, const dynamics::State& now, dynamics::State& next) override {
    // h phi_1(h/2 J) g is twice the increment over half a step
    modal_.replace(step, (4.0 * first_half_ + 2.0 * modal_.exact_increment(0.5, false)) / 3.0, now,
                   next);
  }

  Mat first_half_;
};

}  // namespace

IntegratorEntry str_sbdf2ere() {
  IntegratorEntry entry =
      hybrid_entry({.name = "str-sbdf2ere",
                    .title = "semi-implicit tr-bdf2, lowest modes by ere",
                    .equation = "u1 = u0 + U e + (I - P) (u_str-sbdf2 - u0)",
                    .order = 2,
                    .keeps_linear_momentum = true,
                    .cost = "2 forces, 2 tangents, 2 factorisations, modes + guard vectors + 2 "
                            "solves",
                    .reference = "ascher2022"},
                   {as_printed_option("(26)")});
  entry.make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
    const ModalSettings settings = modal_settings(options);
    if (options.text("variant") == "as-printed")
      return std::make_unique<StrSbdf2ereAsPrinted>(settings, services);
    return std::make_unique<HybridMethod>(make_str_sbdf2_step, settings, services);
  };
  return entry;
}

}  // namespace sinew::integrators
