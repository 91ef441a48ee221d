// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <cmath>

#include <sinew/core/error.hpp>
#include <sinew/dynamics/dynamical_system.hpp>

namespace sinew::dynamics {
namespace {

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> counter{0};
  return ++counter;
}

}  // namespace

DynamicalSystem::DynamicalSystem() : id_(next_id()) {}

std::unique_ptr<Workspace> DynamicalSystem::make_workspace() const {
  return std::make_unique<Workspace>();
}

std::unique_ptr<Linearization> DynamicalSystem::make_linearization() const {
  auto result = std::make_unique<AssembledLinearization>(
      mass(), damping_kind() != DampingKind::none, executor());
  result->system_id = id();
  return result;
}

void DynamicalSystem::linearize(const State& state, const LinearizeOptions& options,
                                Workspace& workspace, Linearization& out, Vec* force) const {
  auto* assembled = dynamic_cast<AssembledLinearization*>(&out);
  SINEW_ASSERT(assembled != nullptr && out.system_id == id(),
               "linearize() needs an object made by make_linearization() of this system");
  const bool is_new = assembled->adopt(pattern(state, workspace));
  assembled->K().set_zero();
  la::SymmetricMatrix* D = assembled->D();
  // a constant D is written once per pattern
  if (D && !is_new && damping_kind() == DampingKind::constant) D = nullptr;
  if (D) D->set_zero();
  if (force) force->resize(num_dofs());
  out.report = {};
  if (options.stiffness == Stiffness::secant)
    assemble_secant(state, options, workspace, *assembled, D, force);
  else
    assemble(state, options, workspace, assembled->K(), D, force, out.report);
}

void DynamicalSystem::assemble_secant(const State& state, const LinearizeOptions& options,
                                      Workspace& workspace, AssembledLinearization& out,
                                      la::SymmetricMatrix* D, Vec* f) const {
  State between = state;
  if (!rest_positions(between.q)) {
    assemble(state, options, workspace, out.K(), D, f, out.report);
    return;
  }
  const Vec rest = between.q;
  // Gauss, exact for tangents of degree 5 in the displacement
  const double offset = 0.5 * std::sqrt(0.6);
  const std::array<std::pair<double, double>, 3> nodes{
      {{0.5 - offset, 5.0 / 18.0}, {0.5, 8.0 / 18.0}, {0.5 + offset, 5.0 / 18.0}}};
  for (const auto& [place, weight] : nodes) {
    between.q = rest + place * (state.q - rest);
    la::SymmetricMatrix& part = out.scratch();
    assemble(between, options, workspace, part, nullptr, nullptr, out.report);
    out.K().add_scaled(weight, part);
  }
  if (D || f) assemble(state, options, workspace, out.scratch(), D, f, out.report);
  out.report.stiffness = Stiffness::secant;
}

void DynamicalSystem::force_rate(const State& state, double dt, Workspace& workspace,
                                 VecOut rate) const {
  Vec now(num_dofs());
  force(state, workspace, now);
  State later = state;
  later.t += dt;
  force(later, workspace, rate);
  rate = (rate - now) / dt;
}

std::vector<LedgerEntry> DynamicalSystem::ledger_entries() const {
  return {{"potential", LedgerKind::stored}};
}

void DynamicalSystem::evaluate_ledger(const State& state, Workspace& workspace,
                                      std::span<double> values) const {
  values[0] = potential(state, workspace);
}

const Geometry& DynamicalSystem::geometry() const {
  static const Geometry none;
  return none;
}

std::shared_ptr<const la::BlockPattern> DynamicalSystem::pattern(const State&, Workspace&) const {
  SINEW_ASSERT(false, "this system offers no tangent: implement pattern() and assemble()");
  return nullptr;
}

void DynamicalSystem::assemble(const State&, const LinearizeOptions&, Workspace&,
                               la::SymmetricMatrix&, la::SymmetricMatrix*, Vec*,
                               LinearizeReport&) const {
  SINEW_ASSERT(false, "this system offers no tangent: implement pattern() and assemble()");
}

}  // namespace sinew::dynamics
