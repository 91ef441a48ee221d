// SPDX-License-Identifier: Apache-2.0
// Contact of vertices with smooth surfaces around other parts (smooth_surface.hpp) instead of their
// triangles, and friction of it with the loads of the beginning of a step.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <sinew/physics/contact/contact_law.hpp>
#include <sinew/physics/contact/contact_surface.hpp>
#include <sinew/physics/contact/friction_law.hpp>
#include <sinew/physics/term.hpp>

namespace sinew::physics {

/// Pairs of parts that are closed: those can meet by smooth surfaces.
std::vector<std::array<int, 2>> smooth_pairs(const std::vector<ContactPart>& parts,
                                             const ContactRules& rules);

/// `pairs`: from smooth_pairs(). Every vertex of one part meets the surface of the other, if that
/// is closed. The law must be a penalty.
std::vector<std::unique_ptr<Term>> make_smooth_contact_terms(
    std::shared_ptr<const ContactSurface> surface, const std::vector<std::array<int, 2>>& pairs,
    const ContactLaw& law, std::optional<FrictionTable> friction = {});

}  // namespace sinew::physics
