// SPDX-License-Identifier: Apache-2.0
// What contact and friction work with, both of them: they ask for the same contacts.
#pragma once

#include <sinew/physics/contact/contact_search.hpp>
#include <sinew/physics/contact/contact_term.hpp>
#include <sinew/physics/contact/friction_term.hpp>
#include <sinew/physics/contact/pair_blocks.hpp>

namespace sinew::physics {

struct ContactScratch final : FrictionScratch {
  ContactSearch::Memory memory;
  std::vector<Contact> springs;  ///< that were set at the beginning of the step
  bool are_set = false;
  std::vector<PairGradient> gradients;
  std::vector<PairHessian> hessians;
  std::vector<Contact> rubbing_contacts;  ///< one per pair that rubs

  static ContactScratch& of(TermWork& work) { return static_cast<ContactScratch&>(*work.own); }
};

/// `contact`: the term that makes the scratch.
std::unique_ptr<Term> make_feature_friction(std::shared_ptr<const ContactSearch> search,
                                            const ContactLaw& law, Friction friction,
                                            const Term& contact);

}  // namespace sinew::physics
