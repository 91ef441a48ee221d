// SPDX-License-Identifier: Apache-2.0
// Holds the same vertices for every step.
#pragma once

#include <utility>
#include <vector>

#include <sinew/physics/term.hpp>

namespace sinew::test {

class Grip final : public physics::Term {
 public:
  explicit Grip(std::vector<int> vertices) : vertices_(std::move(vertices)) {}

  physics::TermTraits traits() const override {
    return {.force = physics::TermForce::potential, .couples = false, .holds_vertices = true};
  }
  void add_force(const physics::Configuration&, physics::TermWork&,
                 physics::PaddedField&) const override {}
  void begin_step(const physics::Configuration&, double, physics::TermWork&,
                  physics::HeldVertices& held) const override {
    for (const int vertex : vertices_) held.hold(vertex);
  }

 private:
  std::vector<int> vertices_;
};

}  // namespace sinew::test
