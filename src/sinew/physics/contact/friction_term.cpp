// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/physics/contact/friction_term.hpp>
#include <sinew/physics/contact/vertex_values.hpp>

namespace sinew::physics {
namespace {

FrictionScratch& friction_scratch(TermWork& work) {
  return static_cast<FrictionScratch&>(*work.own);
}

/// What slides fast will not come to rest within a step: there the tangent is the better matrix, by
/// which friction stays what it is. What may come to rest needs the secant.
double tangent_share(double speed, const FrictionLaw& law) {
  constexpr double slow = 50.0;  // in slip speeds
  return std::clamp(speed / (slow * law.slip) - 1.0, 0.0, 1.0);
}

}  // namespace

TermTraits FrictionTerm::traits() const {
  return {.force = TermForce::dissipative,
          .row = {"friction", dynamics::LedgerKind::loss_total},
          .uses_velocity = true,
          .has_moving_pairs = true,
          .is_contact = true,
          .has_step_hooks = true,
          .keeps_linear_momentum = true};
}

const std::vector<Rubbing>& FrictionTerm::rubbing_pairs(const Configuration& at,
                                                        TermWork& work) const {
  FrictionScratch& scratch = friction_scratch(work);
  if (scratch.is_rubbing_frozen) return scratch.rubbing;
  scratch.rubbing.clear();
  find_rubbing(at, work, scratch.rubbing);
  return scratch.rubbing;
}

double FrictionTerm::dissipation(const Configuration& at, TermWork& work) const {
  double sum = 0.0;
  for (const Rubbing& rubbing : rubbing_pairs(at, work))
    sum += rubbing.load * rubbing.law->at(rubbing.sliding(at.v).norm()).potential;
  return sum;
}

void FrictionTerm::add_force(const Configuration& at, TermWork& work, PaddedField& f) const {
  for (const Rubbing& rubbing : rubbing_pairs(at, work)) {
    const Vec3 pull = rubbing.pull(rubbing.sliding(at.v));
    for (std::size_t k = 0; k < rubbing.vertices.size(); ++k)
      f.vector(rubbing.vertices[k]) -= rubbing.weights[k] * pull;
  }
}

Index FrictionTerm::add_tangent(const Configuration& at, dynamics::Definiteness definiteness,
                                TermWork& work, const TangentOut& out) const {
  if (!out.D) return 0;
  Index changed = 0;
  for (const Rubbing& rubbing : rubbing_pairs(at, work)) {
    const Vec3 u = rubbing.sliding(at.v);
    const double speed = u.norm(), ratio = rubbing.law->per_speed(speed);
    Mat3 block = ratio * rubbing.across;
    const double share =
        out.damping == dynamics::Damping::tangent ? 1.0 : tangent_share(speed, *rubbing.law);
    if (share > 0.0 && speed > 0.0) {
      double slope = rubbing.law->at(speed).slope;
      if (slope < 0.0 && definiteness != dynamics::Definiteness::exact) {
        slope = definiteness == dynamics::Definiteness::psd_abs ? -slope : 0.0;
        ++changed;
      }
      block += share * (slope - ratio) / (speed * speed) * u * u.transpose();
    }
    const std::span<const double> weights = rubbing.weights;
    add_blocks(
        rubbing.vertices,
        [&](std::size_t a, std::size_t b) {
          return Mat3(rubbing.load * weights[a] * weights[b] * block);
        },
        *out.D);
  }
  return changed;
}

void FrictionTerm::moving_pairs(const Configuration& at, TermWork& work,
                                std::vector<VertexPair>& pairs) const {
  for (const Rubbing& rubbing : rubbing_pairs(at, work)) add_vertex_pairs(rubbing.vertices, pairs);
}

void FrictionTerm::begin_step(const Configuration& at, double /*dt*/, TermWork& work,
                              HeldVertices&) const {
  FrictionScratch& scratch = friction_scratch(work);
  scratch.is_rubbing_frozen = false;
  if (!is_lagged()) return;
  static_cast<void>(rubbing_pairs(at, work));
  scratch.is_rubbing_frozen = true;
}

void FrictionTerm::end_step(const Configuration& before, StepEnd& after, TermWork& work) const {
  const double dt = after.t - before.t;
  const auto lost = [&](const Configuration& at) {
    double sum = 0.0;
    for (const Rubbing& rubbing : rubbing_pairs(at, work))
      sum += rubbing.lost(rubbing.sliding(after.x) - rubbing.sliding(before.x), dt);
    return sum;
  };
  const Configuration end{.x = after.x, .v = after.v, .t = after.t, .internal = before.internal};
  const double with_loads_before = lost(before);
  friction_scratch(work).is_rubbing_frozen = false;
  after.internal[0] += is_lagged() ? with_loads_before : 0.5 * (with_loads_before + lost(end));
}

std::vector<dynamics::FieldInfo> FrictionTerm::fields() const {
  return {{"friction_force", dynamics::FieldSite::per_point, 3}};
}

void FrictionTerm::evaluate_field(std::string_view name, const Configuration& at, TermWork& work,
                                  VecOut values) const {
  if (name == "friction_force") put_force(*this, at, work, numbering(), values);
}

}  // namespace sinew::physics
