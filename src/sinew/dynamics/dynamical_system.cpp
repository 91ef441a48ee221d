// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <cmath>

#include <sinew/core/error.hpp>
#include <sinew/dynamics/capabilities/material_frame.hpp>
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
      mass(), traits().damping != DampingKind::none, executor());
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
  if (D && !is_new && traits().damping == DampingKind::constant) D = nullptr;
  if (D && (is_new || out.report.is_damped)) D->set_zero();
  if (force) force->resize(num_dofs());
  out.report = {};
  const MaterialFrame* frame = capabilities().frame;
  if (options.stiffness == Stiffness::secant && frame)
    assemble_secant(state, options, workspace, *frame, *assembled, D, force);
  else
    assemble(state, options, workspace, assembled->K(), D, force, out.report);
}

void DynamicalSystem::assemble_secant(const State& state, const LinearizeOptions& options,
                                      Workspace& workspace, const MaterialFrame& frame,
                                      AssembledLinearization& out, la::SymmetricMatrix* D,
                                      Vec* f) const {
  State between = state;
  frame.rest_positions(between.q);
  const Vec rest = between.q;
  // Gauss, exact for tangents of degree 5 in the displacement
  const double offset = 0.5 * std::sqrt(0.6);
  const std::array<std::pair<double, double>, 3> nodes{
      {{0.5 - offset, 5.0 / 18.0}, {0.5, 8.0 / 18.0}, {0.5 + offset, 5.0 / 18.0}}};
  for (const auto& [place, weight] : nodes) {
    between.q = rest + place * (state.q - rest);
    la::SymmetricMatrix& part = out.scratch();
    assemble(between, {.definiteness = options.definiteness, .is_part_of_mean = true}, workspace,
             part, nullptr, nullptr, out.report);
    out.K().add_scaled(weight, part);
  }
  if (D || f)
    assemble(state, {.definiteness = options.definiteness, .damping = options.damping}, workspace,
             out.scratch(), D, f, out.report);
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
