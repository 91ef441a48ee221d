// SPDX-License-Identifier: Apache-2.0
#include <sinew/dynamics/capabilities/observables.hpp>
#include <sinew/dynamics/dynamical_system.hpp>

namespace sinew::dynamics {
namespace {

class Nothing final : public Observables {
 public:
  const Geometry& geometry() const override { return empty_; }
  std::vector<FieldInfo> fields() const override { return {}; }
  void evaluate_field(std::string_view, const State&, Workspace&, VecOut) const override {}

 private:
  Geometry empty_;
};

}  // namespace

const Observables& observables_of(const DynamicalSystem& system) {
  static const Nothing nothing;
  const Observables* own = system.capabilities().observables;
  return own ? *own : nothing;
}

}  // namespace sinew::dynamics
