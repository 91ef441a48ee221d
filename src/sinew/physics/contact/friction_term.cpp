// SPDX-License-Identifier: Apache-2.0
// Lagged: normal forces and directions are those at the beginning of the step. Friction is then the
// gradient of a convex function of velocities, R = sum of load * R(|u|), with u the sliding
// velocity of a pair, and its matrix is symmetric.
//
// Coupled: they are those of the configuration. Then there is no potential, and the derivative by
// positions (RubbingChange) is not symmetric.
#include <algorithm>

#include <Eigen/LU>

#include <sinew/physics/contact/contact_scratch.hpp>
#include <sinew/physics/contact/stiffening.hpp>

namespace sinew::physics {
namespace {

/// What a small move of the corners does to a pair: from e_k . r = 0, r the way between the
/// features and e_k = dr/ds_k, follow the places s_k, and from them weights and normal.
struct RubbingChange {
  geometry::Weights weights = geometry::Weights::Zero();
  Vec3 normal = Vec3::Zero();
  double gap = 0.0;

  RubbingChange(const Rubbing& rubbing, const PaddedField& move) {
    const geometry::Closest& c = rubbing.contact.closest;
    const Vec3 n = c.normal, straight = rubbing.sum(c.weights, move);
    gap = n.dot(straight);
    Vec3 across = straight - gap * n;
    const auto count = static_cast<std::size_t>(c.num_free);
    Eigen::Matrix2d metric = Eigen::Matrix2d::Identity();
    Eigen::Vector2d along = Eigen::Vector2d::Zero(), turn = along;
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t l = 0; l < count; ++l)
        metric(Index(k), Index(l)) = c.directions[k].dot(c.directions[l]);
      along[Index(k)] = c.directions[k].dot(straight);
      turn[Index(k)] = n.dot(rubbing.sum(c.slopes[k], move));
    }
    const Eigen::Matrix2d inverse = metric.inverse();
    const Eigen::Vector2d places = -inverse * (along + c.distance * turn),
                          straight_part = inverse * along, tilt = inverse * turn;
    for (std::size_t k = 0; k < count; ++k) {
      weights += places[Index(k)] * c.slopes[k];
      normal -= tilt[Index(k)] * c.directions[k];
      across -= straight_part[Index(k)] * c.directions[k];
    }
    // where places are not free to follow, the way itself turns
    if (count < 2) normal += across / c.distance;
  }
};

/// What slides fast will not come to rest within a step: there the tangent is the better matrix, by
/// which friction stays what it is. What may come to rest needs the secant.
double tangent_share(double speed, const FrictionLaw& law) {
  constexpr double slow = 50.0;  // in slip speeds
  return std::clamp(speed / (slow * law.slip) - 1.0, 0.0, 1.0);
}

class FrictionTerm final : public Term {
 public:
  FrictionTerm(std::shared_ptr<const ContactSearch> search, const ContactLaw& law,
               Friction friction, const Term& contact)
      : search_(std::move(search)),
        law_(law),
        table_(std::move(friction.coefficients)),
        is_coupled_(friction.loads == FrictionLoads::coupled),
        contact_(contact) {}

  TermTraits traits() const override {
    return {.force = is_coupled_ ? TermForce::general : TermForce::dissipative,
            .row = {"friction", dynamics::LedgerKind::loss_total},
            .uses_velocity = true,
            .has_moving_pairs = true,
            .is_contact = true,
            .is_unsymmetric = is_coupled_,
            .has_step_hooks = true,
            .keeps_linear_momentum = true};
  }
  const Term* shares_scratch_of() const override { return &contact_; }
  /// What was lost so far, and of an adaptive barrier the factor of its stiffness.
  Index num_internal() const override { return law_.is_adaptive ? 2 : 1; }
  void initial_internal(std::span<double> internal) const override {
    if (law_.is_adaptive) internal[1] = 1.0;
  }

  double energy(const Configuration& at, TermWork&) const override { return at.internal[0]; }

  double dissipation(const Configuration& at, TermWork& work) const override {
    double sum = 0.0;
    for (const Rubbing& rubbing : rubbing_pairs(at, work))
      sum += rubbing.load * rubbing.law->at(rubbing.sliding(at.v).norm()).potential;
    return sum;
  }

  void add_force(const Configuration& at, TermWork& work, PaddedField& f) const override {
    for (const Rubbing& rubbing : rubbing_pairs(at, work)) {
      const Vec3 pull = rubbing.pull(rubbing.sliding(at.v));
      for (int k = 0; k < num_corners(rubbing.pair()); ++k)
        f.vector(rubbing.pair().vertices[static_cast<std::size_t>(k)]) -= rubbing.weight(k) * pull;
    }
  }

  void add_unsymmetric(const Configuration& at, const PaddedField& way, TermWork& work,
                       PaddedField& y) const override {
    for (const Rubbing& rubbing : rubbing_pairs(at, work)) {
      const RubbingChange change(rubbing, way);
      const Vec3& n = rubbing.contact.closest.normal;
      const Vec3 relative = rubbing.sum(rubbing.contact.closest.weights, at.v);
      const Vec3 u = rubbing.across * relative;
      const Vec3 du = rubbing.across * rubbing.sum(change.weights, at.v) -
                      n.dot(relative) * change.normal - change.normal.dot(relative) * n;
      const double speed = u.norm(), ratio = rubbing.law->per_speed(speed);
      Vec3 change_of_pull =
          change_of_load(rubbing, change, way, at) * ratio * u + rubbing.load * ratio * du;
      if (speed > 0.0)
        change_of_pull +=
            rubbing.load * (rubbing.law->at(speed).slope - ratio) / (speed * speed) * u.dot(du) * u;
      const Vec3 pull = rubbing.pull(u);
      for (int k = 0; k < num_corners(rubbing.pair()); ++k)
        y.vector(rubbing.pair().vertices[static_cast<std::size_t>(k)]) +=
            change.weights[k] * pull + rubbing.weight(k) * change_of_pull;
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
              rubbing.load * rubbing.weight(a) * rubbing.weight(b) * block;
      add_blocks(rubbing.pair(), D, *out.D);
    }
    return changed;
  }

  void moving_pairs(const Configuration& at, TermWork& work,
                    std::vector<VertexPair>& pairs) const override {
    for (const Rubbing& rubbing : rubbing_pairs(at, work)) add_vertex_pairs(rubbing.pair(), pairs);
  }

  void begin_step(const Configuration& at, double /*dt*/, TermWork& work,
                  HeldVertices&) const override {
    auto& scratch = ContactScratch::of(work);
    scratch.is_rubbing_frozen = false;
    if (is_coupled_) return;
    static_cast<void>(rubbing_pairs(at, work));
    scratch.is_rubbing_frozen = true;
  }

  void end_step(const Configuration& before, StepEnd& after, TermWork& work) const override {
    const double dt = after.t - before.t;
    const auto lost = [&](const Configuration& at) {
      double sum = 0.0;
      for (const Rubbing& rubbing : rubbing_pairs(at, work))
        sum += rubbing.lost(rubbing.sliding(after.x) - rubbing.sliding(before.x), dt);
      return sum;
    };
    const Configuration end{.x = after.x, .v = after.v, .t = after.t, .internal = before.internal};
    const double with_loads_before = lost(before);
    ContactScratch::of(work).is_rubbing_frozen = false;
    after.internal[0] += is_coupled_ ? 0.5 * (with_loads_before + lost(end)) : with_loads_before;
    if (law_.is_adaptive)
      after.internal[1] =
          stiffened(before.internal[1],
                    search_->contacts(after.x, work.executor, ContactScratch::of(work).memory));
  }

  std::vector<dynamics::FieldInfo> fields() const override {
    return {{"friction_force", dynamics::FieldSite::per_point, 3}};
  }
  void evaluate_field(std::string_view name, const Configuration& at, TermWork& work,
                      VecOut values) const override {
    if (name != "friction_force") return;
    PaddedField f(at.x.num_vertices());
    add_force(at, work, f);
    put_per_user_vertex(numbering(), f, values);
  }

 private:
  const Numbering& numbering() const { return search_->surface().numbering(); }

  /// Those of the step, or outside of one those of this configuration.
  const std::vector<Rubbing>& rubbing_pairs(const Configuration& at, TermWork& work) const {
    ContactScratch& scratch = ContactScratch::of(work);
    if (scratch.is_rubbing_frozen) return scratch.rubbing;
    scratch.rubbing.clear();
    const ContactLaw normal_law = law_at(at);
    for (const Contact& contact : search_->contacts(at.x, work.executor, scratch.memory)) {
      const FrictionLaw& law = table_(contact.pair.parts[0], contact.pair.parts[1]);
      const double load = normal_force(contact, at.x, normal_law, numbering());
      if (!(load > 0.0) || !(law.sticking > 0.0)) continue;
      const Vec3& n = contact.closest.normal;
      scratch.rubbing.push_back({.contact = contact,
                                 .across = Mat3::Identity() - n * n.transpose(),
                                 .load = load,
                                 .law = &law});
    }
    return scratch.rubbing;
  }

  ContactLaw law_at(const Configuration& at) const {
    return law_.is_adaptive ? stiffened(law_, at.internal[1]) : law_;
  }

  double change_of_load(const Rubbing& rubbing, const RubbingChange& change, const PaddedField& way,
                        const Configuration& at) const {
    const GapEnergy W = gap_energy(rubbing.contact, law_at(at));
    const std::optional<EdgeFading> fading = fading_of(rubbing.contact, at.x, numbering());
    if (!fading) return -W.curvature * change.gap;
    const geometry::Corners moves = corners_of(rubbing.pair(), way);
    return -fading->factor() * W.curvature * change.gap -
           W.slope * fading->gradient().dot(moves.reshaped());
  }

  std::shared_ptr<const ContactSearch> search_;
  ContactLaw law_;
  FrictionTable table_;
  bool is_coupled_;
  const Term& contact_;
};

}  // namespace

std::unique_ptr<Term> make_friction_term(std::shared_ptr<const ContactSearch> search,
                                         const ContactLaw& law, Friction friction,
                                         const Term& contact) {
  return std::make_unique<FrictionTerm>(std::move(search), law, std::move(friction), contact);
}

}  // namespace sinew::physics
