// SPDX-License-Identifier: Apache-2.0
// What goes through each other already, before anything moves.
#pragma once

#include <memory>
#include <vector>

#include <sinew/physics/contact/contact_surface.hpp>
#include <sinew/physics/elements/padded_field.hpp>

namespace sinew::physics {

struct Overlap {
  std::array<int, 2> parts{};
  std::array<std::vector<int>, 2> vertices{};  ///< of both features, in the internal order
};

/// Features that touch or are closer than their thickness, and edges that go through triangles; at
/// most `most` of them. What does so at rest within one body does not count: it never meets.
std::vector<Overlap> find_overlaps(const std::shared_ptr<const ContactSurface>& held,
                                   const PaddedField& x, std::size_t most);

}  // namespace sinew::physics
