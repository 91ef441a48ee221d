// SPDX-License-Identifier: Apache-2.0
// Friction of pairs of features. Lagged: normal forces and directions are those at the beginning of
// the step. Friction is then the gradient of a convex function of velocities, R = sum of load *
// R(|u|), with u the sliding velocity of a pair, and its matrix is symmetric.
//
// Coupled: they are those of the configuration. Then there is no potential, and the derivative by
// positions (RubbingChange) is not symmetric.
#include <Eigen/LU>

#include <sinew/physics/contact/contact_scratch.hpp>
#include <sinew/physics/contact/stiffening.hpp>

namespace sinew::physics {
namespace {

/// Sum of the corners' vectors with these weights.
Vec3 sum_over(const ContactPair& pair, const geometry::Weights& weights, const PaddedField& v) {
  Vec3 u = Vec3::Zero();
  for (int k = 0; k < num_corners(pair); ++k)
    u += weights[k] * v.vector(pair.vertices[static_cast<std::size_t>(k)]);
  return u;
}

/// What a small move of the corners does to a pair: from e_k . r = 0, r the way between the
/// features and e_k = dr/ds_k, follow the places s_k, and from them weights and normal.
struct RubbingChange {
  geometry::Weights weights = geometry::Weights::Zero();
  Vec3 normal = Vec3::Zero();
  double gap = 0.0;

  RubbingChange(const Contact& contact, const PaddedField& move) {
    const geometry::Closest& c = contact.closest;
    const Vec3 n = c.normal, straight = sum_over(contact.pair, c.weights, move);
    gap = n.dot(straight);
    Vec3 across = straight - gap * n;
    const auto count = static_cast<std::size_t>(c.num_free);
    Eigen::Matrix2d metric = Eigen::Matrix2d::Identity();
    Eigen::Vector2d along = Eigen::Vector2d::Zero(), turn = along;
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t l = 0; l < count; ++l)
        metric(Index(k), Index(l)) = c.directions[k].dot(c.directions[l]);
      along[Index(k)] = c.directions[k].dot(straight);
      turn[Index(k)] = n.dot(sum_over(contact.pair, c.slopes[k], move));
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

class FeatureFriction final : public FrictionTerm {
 public:
  FeatureFriction(std::shared_ptr<const ContactSearch> search, const ContactLaw& law,
                  Friction friction, const Term& contact)
      : search_(std::move(search)),
        law_(law),
        table_(std::move(friction.coefficients)),
        is_coupled_(friction.loads == FrictionLoads::coupled),
        contact_(contact) {}

  TermTraits traits() const override {
    TermTraits traits = FrictionTerm::traits();
    if (is_coupled_) traits.force = TermForce::general;
    traits.is_unsymmetric = is_coupled_;
    return traits;
  }
  const Term* shares_scratch_of() const override { return &contact_; }
  /// Of an adaptive barrier, the factor of its stiffness after what was lost.
  Index num_internal() const override { return law_.is_adaptive ? 2 : 1; }
  void initial_internal(std::span<double> internal) const override {
    if (law_.is_adaptive) internal[1] = 1.0;
  }

  void add_unsymmetric(const Configuration& at, const PaddedField& way, TermWork& work,
                       PaddedField& y) const override {
    const std::vector<Rubbing>& pairs = rubbing_pairs(at, work);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const Rubbing& rubbing = pairs[p];
      const Contact& contact = ContactScratch::of(work).rubbing_contacts[p];
      const RubbingChange change(contact, way);
      const Vec3& n = contact.closest.normal;
      const Vec3 relative = rubbing.relative(at.v);
      const Vec3 u = rubbing.across * relative;
      const Vec3 du = rubbing.across * sum_over(contact.pair, change.weights, at.v) -
                      n.dot(relative) * change.normal - change.normal.dot(relative) * n;
      const double speed = u.norm(), ratio = rubbing.law->per_speed(speed);
      Vec3 change_of_pull =
          change_of_load(contact, change, way, at) * ratio * u + rubbing.load * ratio * du;
      if (speed > 0.0)
        change_of_pull +=
            rubbing.load * (rubbing.law->at(speed).slope - ratio) / (speed * speed) * u.dot(du) * u;
      const Vec3 pull = rubbing.pull(u);
      for (std::size_t k = 0; k < rubbing.vertices.size(); ++k)
        y.vector(rubbing.vertices[k]) +=
            change.weights[Index(k)] * pull + rubbing.weights[k] * change_of_pull;
    }
  }

  void end_step(const Configuration& before, StepEnd& after, TermWork& work) const override {
    FrictionTerm::end_step(before, after, work);
    if (law_.is_adaptive)
      after.internal[1] =
          stiffened(before.internal[1],
                    search_->contacts(after.x, work.executor, ContactScratch::of(work).memory));
  }

 private:
  bool is_lagged() const override { return !is_coupled_; }
  const Numbering& numbering() const override { return search_->surface().numbering(); }

  void find_rubbing(const Configuration& at, TermWork& work,
                    std::vector<Rubbing>& rubbing) const override {
    ContactScratch& scratch = ContactScratch::of(work);
    std::vector<Contact>& kept = scratch.rubbing_contacts;
    kept.clear();
    const ContactLaw normal_law = law_at(at);
    for (const Contact& contact : search_->contacts(at.x, work.executor, scratch.memory)) {
      const FrictionLaw& law = table_(contact.pair.parts[0], contact.pair.parts[1]);
      const double load = normal_force(contact, at.x, normal_law, numbering());
      if (!(load > 0.0) || !(law.sticking > 0.0)) continue;
      kept.push_back(contact);
      rubbing.push_back(
          {.across = across_normal(contact.closest.normal), .load = load, .law = &law});
    }
    for (std::size_t k = 0; k < kept.size(); ++k) {
      rubbing[k].vertices = corners_with_weight(kept[k].pair);
      rubbing[k].weights = std::span(kept[k].closest.weights.data(), rubbing[k].vertices.size());
    }
  }

  ContactLaw law_at(const Configuration& at) const {
    return law_.is_adaptive ? stiffened(law_, at.internal[1]) : law_;
  }

  double change_of_load(const Contact& contact, const RubbingChange& change, const PaddedField& way,
                        const Configuration& at) const {
    const GapEnergy W = gap_energy(contact, law_at(at));
    const std::optional<EdgeFading> fading = fading_of(contact, at.x, numbering());
    if (!fading) return -W.curvature * change.gap;
    const geometry::Corners moves = corners_of(contact.pair, way);
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

std::unique_ptr<Term> make_feature_friction(std::shared_ptr<const ContactSearch> search,
                                            const ContactLaw& law, Friction friction,
                                            const Term& contact) {
  return std::make_unique<FeatureFriction>(std::move(search), law, std::move(friction), contact);
}

}  // namespace sinew::physics
