// SPDX-License-Identifier: Apache-2.0
// Contact without forces, of vertices of bodies with obstacles: what a step did is corrected, or
// vertices are held while it lasts. What that takes of the kinetic energy is booked.
#include <algorithm>

#include <sinew/physics/contact/contact_term.hpp>
#include <sinew/physics/contact/vertex_values.hpp>

namespace sinew::physics {
namespace {

struct KinematicScratch final : TermScratch {
  ObstacleDistance::Memory memory;
  std::vector<Contact> contacts;
};

class KinematicContact final : public Term {
 public:
  KinematicContact(std::shared_ptr<const ContactSurface> surface, const KinematicLaw& law,
                   const Vec& masses)
      : surface_(std::move(surface)), law_(law), distance_(*surface_), masses_(masses) {}

  TermTraits traits() const override {
    return {.force = TermForce::potential,
            .row = {"contact", dynamics::LedgerKind::stored},
            .loss_row = "impact",
            .has_step_hooks = true,
            .holds_vertices = law_.form == KinematicForm::hold};
  }
  std::unique_ptr<TermScratch> make_scratch() const override {
    return std::make_unique<KinematicScratch>();
  }
  Index num_internal() const override { return 1; }
  double lost(const Configuration& at, TermWork&) const override { return at.internal[0]; }
  void add_force(const Configuration&, TermWork&, PaddedField&) const override {}

  void begin_step(const Configuration& at, double /*dt*/, TermWork& work,
                  HeldVertices& held) const override {
    if (law_.form != KinematicForm::hold) return;
    for (const Contact& contact : find(at.x, work)) {
      const int vertex = contact.pair.vertices[0];
      const Vec3& n = contact.closest.normal;
      // those that others pull away may go
      const bool is_pressed = n.dot(held.force(vertex)) < 0.0;
      if (is_pressed || n.dot(at.v.vector(vertex)) < 0.0) held.hold(vertex);
    }
  }

  void end_step(const Configuration& before, StepEnd& after, TermWork& work) const override {
    double& lost = after.internal[0];
    switch (law_.form) {
      case KinematicForm::hold:
        for (const Contact& contact : find(before.x, work)) {
          const int vertex = contact.pair.vertices[0];
          // one that stayed where it was was held
          if (after.x.vector(vertex) == before.x.vector(vertex))
            lost += 0.5 * masses_[vertex] * before.v.vector(vertex).squaredNorm();
        }
        break;
      case KinematicForm::projection:
        for (const Contact& contact : find(after.x, work)) {
          const int vertex = contact.pair.vertices[0];
          after.x.vector(vertex) -= contact.gap * contact.closest.normal;
          stop(contact, after, lost);
        }
        break;
      case KinematicForm::velocity:
        for (const Contact& contact : find(before.x, work)) {
          const int vertex = contact.pair.vertices[0];
          const Vec3& n = contact.closest.normal;
          const Vec3 way = after.x.vector(vertex) - before.x.vector(vertex);
          if (const double inwards = n.dot(way); inwards < 0.0)
            after.x.vector(vertex) -= inwards * n;
          stop(contact, after, lost);
        }
        break;
    }
  }

  dynamics::Admissibility admissibility(const Configuration& at, TermWork& work) const override {
    return admissibility_of(find(at.x, work));
  }

 private:
  const std::vector<Contact>& find(const PaddedField& x, TermWork& work) const {
    auto& scratch = static_cast<KinematicScratch&>(*work.own);
    scratch.contacts.clear();
    distance_.add_contacts(x, law_.distance, work.executor, scratch.memory, scratch.contacts);
    return scratch.contacts;
  }

  /// Takes away the velocity towards the obstacle and a part of that along it.
  void stop(const Contact& contact, StepEnd& after, double& lost) const {
    const int vertex = contact.pair.vertices[0];
    const Vec3& n = contact.closest.normal;
    Vec3 of_obstacle = Vec3::Zero();
    for (int k = 1; k < 4; ++k)
      of_obstacle -= contact.closest.weights[k] *
                     after.v.vector(contact.pair.vertices[static_cast<std::size_t>(k)]);
    const Vec3 relative = after.v.vector(vertex) - of_obstacle;
    const double inwards = n.dot(relative);
    if (!(inwards < 0.0)) return;
    const Vec3 along = relative - inwards * n;
    const double before = after.v.vector(vertex).squaredNorm();
    after.v.vector(vertex) = of_obstacle + (1.0 - law_.reduction) * along;
    lost += 0.5 * masses_[vertex] * (before - after.v.vector(vertex).squaredNorm());
  }

  std::shared_ptr<const ContactSurface> surface_;
  KinematicLaw law_;
  ObstacleDistance distance_;
  Vec masses_;
};

}  // namespace

std::unique_ptr<Term> make_kinematic_contact(std::shared_ptr<const ContactSurface> surface,
                                             const KinematicLaw& law, const Vec& masses) {
  return std::make_unique<KinematicContact>(std::move(surface), law, masses);
}

}  // namespace sinew::physics
