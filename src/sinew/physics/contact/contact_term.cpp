// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>

#include <sinew/physics/contact/contact_scratch.hpp>
#include <sinew/physics/contact/pair_energy.hpp>
#include <sinew/physics/contact/stiffening.hpp>

namespace sinew::physics {
namespace {

// Contacts that one thread deals with before it asks for more.
constexpr Index contacts_per_piece = 64;

class ContactTerm final : public Term {
 public:
  ContactTerm(std::shared_ptr<const ContactSearch> search, const ContactLaw& law)
      : search_(std::move(search)), law_(law) {}

  TermTraits traits() const override {
    return {.force = TermForce::potential,
            .row = {"contact", dynamics::LedgerKind::stored},
            .loss_row = law_.is_adaptive ? "stiffening" : "",
            .has_moving_pairs = !law_.is_explicit,
            .is_contact = true,
            .has_step_hooks = law_.form == ContactForm::spring || law_.is_adaptive,
            .limits_steps = law_.form == ContactForm::barrier,
            .has_exact_stiffness = !law_.is_explicit,
            .keeps_linear_momentum = true,
            .keeps_angular_momentum = true};
  }
  std::unique_ptr<TermScratch> make_scratch() const override {
    return std::make_unique<ContactScratch>();
  }

  /// Of an adaptive barrier: the factor of the stiffness, and the energy that its changes brought.
  Index num_internal() const override { return law_.is_adaptive ? 2 : 0; }
  void initial_internal(std::span<double> internal) const override {
    if (law_.is_adaptive) internal[0] = 1.0;
  }
  double lost(const Configuration& at, TermWork&) const override {
    return law_.is_adaptive ? -at.internal[1] : 0.0;
  }

  double energy(const Configuration& at, TermWork& work) const override {
    double sum = 0.0;
    const ContactLaw law = law_at(at);
    for (const Contact& contact : contacts(at, work)) {
      const double energy = gap_energy(contact, law).energy;
      const std::optional<EdgeFading> fading = fading_of(contact, at.x, numbering());
      sum += fading ? fading->factor() * energy : energy;
    }
    return sum;
  }

  void add_force(const Configuration& at, TermWork& work, PaddedField& f) const override {
    const std::vector<Contact>& list = contacts(at, work);
    std::vector<PairGradient>& gradients = scratch(work).gradients;
    gradients.resize(list.size());
    const ContactLaw law = law_at(at);
    work.executor.for_ranges(std::ssize(list), contacts_per_piece, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) {
        const Contact& contact = list[static_cast<std::size_t>(k)];
        gradients[static_cast<std::size_t>(k)] = gradient(contact, law, at.x);
      }
    });
    for (std::size_t k = 0; k < list.size(); ++k) add_to_vertices(list[k].pair, -gradients[k], f);
  }

  Index add_tangent(const Configuration& at, dynamics::Definiteness definiteness, TermWork& work,
                    const TangentOut& out) const override {
    if (!out.K || law_.is_explicit) return 0;
    const std::vector<Contact>& list = contacts(at, work);
    std::vector<PairHessian>& hessians = scratch(work).hessians;
    hessians.resize(list.size());
    std::atomic<Index> changed = 0;
    const ContactLaw law = law_at(at);
    work.executor.for_ranges(std::ssize(list), contacts_per_piece, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k)
        if (hessian(list[static_cast<std::size_t>(k)], law, at.x, definiteness,
                    hessians[static_cast<std::size_t>(k)]))
          ++changed;
    });
    for (std::size_t k = 0; k < list.size(); ++k) add_blocks(list[k].pair, hessians[k], *out.K);
    return changed;
  }

  void moving_pairs(const Configuration& at, TermWork& work,
                    std::vector<VertexPair>& pairs) const override {
    if (law_.is_explicit) return;
    for (const Contact& contact : contacts(at, work)) add_vertex_pairs(contact.pair, pairs);
  }

  void begin_step(const Configuration& at, double /*dt*/, TermWork& work,
                  HeldVertices&) const override {
    if (law_.form != ContactForm::spring) return;
    ContactScratch& own = scratch(work);
    own.are_set = false;
    own.springs = contacts(at, work);
    own.are_set = true;
  }
  void end_step(const Configuration& before, StepEnd& after, TermWork& work) const override {
    scratch(work).are_set = false;
    if (!law_.is_adaptive) return;
    const Configuration end{.x = after.x, .v = after.v, .t = after.t, .internal = before.internal};
    const double factor = stiffened(before.internal[0], contacts(end, work));
    if (factor == before.internal[0]) return;
    after.internal[0] = factor;
    after.internal[1] += (factor / before.internal[0] - 1.0) * energy(end, work);
  }

  double max_step(const Configuration& from, const Configuration& to,
                  TermWork& work) const override {
    return search_->free_part(from.x, to.x, work.executor, scratch(work).memory);
  }

  dynamics::Admissibility admissibility(const Configuration& at, TermWork& work) const override {
    return admissibility_of(contacts(at, work));
  }

  std::vector<dynamics::FieldInfo> fields() const override {
    return {{"contact_force", dynamics::FieldSite::per_point, 3}};
  }
  void evaluate_field(std::string_view name, const Configuration& at, TermWork& work,
                      VecOut values) const override {
    if (name == "contact_force") put_force(*this, at, work, numbering(), values);
  }

 private:
  static ContactScratch& scratch(TermWork& work) { return ContactScratch::of(work); }
  const Numbering& numbering() const { return search_->surface().numbering(); }

  /// Within a step, springs go on holding what they held at its beginning.
  const std::vector<Contact>& contacts(const Configuration& at, TermWork& work) const {
    ContactScratch& own = scratch(work);
    if (!own.are_set) return search_->contacts(at.x, work.executor, own.memory);
    for (Contact& spring : own.springs) follow(spring, at.x);
    return own.springs;
  }

  /// The same pair elsewhere, on the side on which it was.
  static void follow(Contact& contact, const PaddedField& x) {
    const bool was_inside = contact.closest.distance < 0.0;
    const Vec3 outwards = contact.closest.normal;
    contact.closest = geometry::closest(contact.pair.feature, corners_of(contact.pair, x));
    const bool is_turned = contact.closest.normal.dot(outwards) < 0.0;
    if (is_turned && (was_inside || contact.pair.feature == geometry::Feature::point_triangle)) {
      contact.closest.distance = -contact.closest.distance;
      contact.closest.normal = -contact.closest.normal;
    }
    contact.gap = contact.closest.distance - contact.pair.thickness;
  }

  ContactLaw law_at(const Configuration& at) const {
    return law_.is_adaptive ? stiffened(law_, at.internal[0]) : law_;
  }

  PairGradient gradient(const Contact& contact, const ContactLaw& law, const PaddedField& x) const {
    const std::optional<EdgeFading> fading = fading_of(contact, x, numbering());
    return fading ? faded_gradient(*fading, contact.closest, gap_energy(contact, law))
                  : pair_gradient(contact.closest, gap_energy(contact, law).slope);
  }

  bool hessian(const Contact& contact, const ContactLaw& law, const PaddedField& x,
               dynamics::Definiteness definiteness, PairHessian& H) const {
    const GapEnergy W = gap_energy(contact, law);
    const std::optional<EdgeFading> fading = fading_of(contact, x, numbering());
    return fading ? faded_hessian(*fading, contact.closest, W, definiteness, H)
                  : pair_hessian(contact.closest, W.slope, W.curvature, definiteness, H);
  }

  std::shared_ptr<const ContactSearch> search_;
  ContactLaw law_;
};

}  // namespace

std::vector<std::unique_ptr<Term>> make_contact_terms(std::shared_ptr<const ContactSurface> surface,
                                                      const ContactLaw& law,
                                                      std::optional<Friction> friction) {
  const auto search =
      std::make_shared<const ContactSearch>(std::move(surface), law.distance, obstacles_of(law));
  std::vector<std::unique_ptr<Term>> terms;
  terms.push_back(std::make_unique<ContactTerm>(search, law));
  if (friction)
    terms.push_back(make_feature_friction(search, law, std::move(*friction), *terms.front()));
  return terms;
}

}  // namespace sinew::physics
