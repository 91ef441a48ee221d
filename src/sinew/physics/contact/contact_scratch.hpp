// SPDX-License-Identifier: Apache-2.0
// What contact and friction work with, both of them: they ask for the same contacts.
#pragma once

#include <sinew/physics/contact/contact_search.hpp>
#include <sinew/physics/contact/contact_term.hpp>
#include <sinew/physics/contact/friction_law.hpp>
#include <sinew/physics/contact/pair_blocks.hpp>

namespace sinew::physics {

/// A pair that rubs.
struct Rubbing {
  Contact contact;
  Mat3 across = Mat3::Zero();  ///< takes the part along the normal out
  double load = 0.0;           ///< normal force [N]
  const FrictionLaw* law = nullptr;

  const ContactPair& pair() const { return contact.pair; }
  double weight(int corner) const { return contact.closest.weights[corner]; }
  /// Sum of the corners' vectors with these weights.
  Vec3 sum(const geometry::Weights& weights, const PaddedField& v) const {
    Vec3 u = Vec3::Zero();
    for (int k = 0; k < num_corners(pair()); ++k)
      u += weights[k] * v.vector(pair().vertices[static_cast<std::size_t>(k)]);
    return u;
  }
  Vec3 sliding(const PaddedField& v) const { return across * sum(contact.closest.weights, v); }
  /// Force against sliding with this velocity [N].
  Vec3 pull(const Vec3& u) const { return load * law->per_speed(u.norm()) * u; }
  /// Lost in a step that slides this far [J].
  double lost(const Vec3& way, double dt) const {
    const double speed = way.norm() / dt;
    return dt * load * law->at(speed).force * speed;
  }
};

struct ContactScratch final : TermScratch {
  ContactSearch::Memory memory;
  std::vector<Contact> springs;  ///< that were set at the beginning of the step
  bool are_set = false;
  std::vector<PairGradient> gradients;
  std::vector<PairHessian> hessians;
  std::vector<Rubbing> rubbing;  ///< of the step, or of the last configuration
  bool is_rubbing_frozen = false;

  static ContactScratch& of(TermWork& work) { return static_cast<ContactScratch&>(*work.own); }
};

/// `contact`: the term that makes the scratch.
std::unique_ptr<Term> make_friction_term(std::shared_ptr<const ContactSearch> search,
                                         const ContactLaw& law, Friction friction,
                                         const Term& contact);

}  // namespace sinew::physics
