// SPDX-License-Identifier: Apache-2.0
// Normal forces and directions are those at the beginning of the step: friction is then the
// gradient of a convex function of velocities, R = sum of load * R(|u|), with u the sliding
// velocity of a pair, and its matrix is symmetric.
#include <algorithm>

#include <sinew/physics/contact/contact_term.hpp>
#include <sinew/physics/contact/pair_blocks.hpp>

namespace sinew::physics {
namespace {

/// A pair that rubs.
struct Rubbing {
  ContactPair pair;
  geometry::Weights weights{};
  Mat3 across = Mat3::Zero();  ///< takes the part along the normal out
  double load = 0.0;           ///< normal force [N]
  const FrictionLaw* law = nullptr;

  Vec3 sliding(const PaddedField& v) const {
    Vec3 u = Vec3::Zero();
    for (int k = 0; k < num_corners(pair); ++k)
      u += weights[k] * v.vector(pair.vertices[static_cast<std::size_t>(k)]);
    return across * u;
  }
};

/// What slides fast will not come to rest within a step: there the tangent is the better matrix, by
/// which friction stays what it is. What may come to rest needs the secant.
double tangent_share(double speed, const FrictionLaw& law) {
  constexpr double slow = 50.0;  // in slip speeds
  return std::clamp(speed / (slow * law.slip) - 1.0, 0.0, 1.0);
}

struct FrictionScratch final : TermScratch {
  ContactSearch::Memory memory;
  std::vector<Rubbing> pairs;
  bool is_frozen = false;
};

class FrictionTerm final : public Term {
 public:
  FrictionTerm(std::shared_ptr<const ContactSurface> surface, const ContactLaw& law,
               FrictionTable table)
      : surface_(std::move(surface)),
        law_(law),
        search_(*surface_, law.distance, obstacles_of(law)),
        table_(std::move(table)) {}

  TermTraits traits() const override {
    return {.force = TermForce::dissipative,
            .row = {"friction", dynamics::LedgerKind::loss_total},
            .uses_velocity = true,
            .has_moving_pairs = true,
            .is_contact = true,
            .has_step_hooks = true,
            .keeps_linear_momentum = true};
  }
  std::unique_ptr<TermScratch> make_scratch() const override {
    return std::make_unique<FrictionScratch>();
  }
  Index num_internal() const override { return 1; }

  /// What was lost so far.
  double energy(const Configuration& at, TermWork&) const override { return at.internal[0]; }

  double dissipation(const Configuration& at, TermWork& work) const override {
    double sum = 0.0;
    for (const Rubbing& rubbing : rubbing_pairs(at, work))
      sum += rubbing.load * rubbing.law->at(rubbing.sliding(at.v).norm()).potential;
    return sum;
  }

  void add_force(const Configuration& at, TermWork& work, PaddedField& f) const override {
    for (const Rubbing& rubbing : rubbing_pairs(at, work)) {
      const Vec3 u = rubbing.sliding(at.v);
      const Vec3 pull = rubbing.load * rubbing.law->per_speed(u.norm()) * u;
      for (int k = 0; k < num_corners(rubbing.pair); ++k)
        f.vector(rubbing.pair.vertices[static_cast<std::size_t>(k)]) -= rubbing.weights[k] * pull;
    }
  }

  Index add_tangent(const Configuration& at, dynamics::Definiteness definiteness, TermWork& work,
                    const TangentOut& out) const override {
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
      PairHessian D;
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
          D.block<3, 3>(3 * a, 3 * b) =
              rubbing.load * rubbing.weights[a] * rubbing.weights[b] * block;
      add_blocks(rubbing.pair, D, *out.D);
    }
    return changed;
  }

  void moving_pairs(const Configuration& at, TermWork& work,
                    std::vector<VertexPair>& pairs) const override {
    for (const Rubbing& rubbing : rubbing_pairs(at, work)) add_vertex_pairs(rubbing.pair, pairs);
  }

  void begin_step(const Configuration& at, double /*dt*/, TermWork& work,
                  HeldVertices&) const override {
    auto& scratch = own(work);
    scratch.is_frozen = false;
    static_cast<void>(rubbing_pairs(at, work));
    scratch.is_frozen = true;
  }

  void end_step(const Configuration& before, StepEnd& after, TermWork& work) const override {
    auto& scratch = own(work);
    const double dt = after.t - before.t;
    for (const Rubbing& rubbing : rubbing_pairs(before, work)) {
      const double speed = (rubbing.sliding(after.x) - rubbing.sliding(before.x)).norm() / dt;
      after.internal[0] += dt * rubbing.load * rubbing.law->at(speed).force * speed;
    }
    scratch.is_frozen = false;
  }

  std::vector<dynamics::FieldInfo> fields() const override {
    return {{"friction_force", dynamics::FieldSite::per_point, 3}};
  }
  void evaluate_field(std::string_view name, const Configuration& at, TermWork& work,
                      VecOut values) const override {
    if (name != "friction_force") return;
    PaddedField f(at.x.num_vertices());
    add_force(at, work, f);
    put_per_user_vertex(surface_->numbering(), f, values);
  }

 private:
  static FrictionScratch& own(TermWork& work) { return static_cast<FrictionScratch&>(*work.own); }

  /// Those of the step, or outside of one those of this configuration.
  const std::vector<Rubbing>& rubbing_pairs(const Configuration& at, TermWork& work) const {
    FrictionScratch& scratch = own(work);
    if (scratch.is_frozen) return scratch.pairs;
    scratch.pairs.clear();
    for (const Contact& contact : search_.contacts(at.x, work.executor, scratch.memory)) {
      const FrictionLaw& law = table_(contact.pair.parts[0], contact.pair.parts[1]);
      const double load = normal_force(contact, at.x, law_, surface_->numbering());
      if (!(load > 0.0) || !(law.sticking > 0.0)) continue;
      const Vec3& n = contact.closest.normal;
      scratch.pairs.push_back({.pair = contact.pair,
                               .weights = contact.closest.weights,
                               .across = Mat3::Identity() - n * n.transpose(),
                               .load = load,
                               .law = &law});
    }
    return scratch.pairs;
  }

  std::shared_ptr<const ContactSurface> surface_;
  ContactLaw law_;
  ContactSearch search_;
  FrictionTable table_;
};

}  // namespace

std::unique_ptr<Term> make_friction_term(std::shared_ptr<const ContactSurface> surface,
                                         const ContactLaw& law, FrictionTable coefficients) {
  return std::make_unique<FrictionTerm>(std::move(surface), law, std::move(coefficients));
}

}  // namespace sinew::physics
