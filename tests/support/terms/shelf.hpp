// SPDX-License-Identifier: Apache-2.0
// Contact by projection and by holding, in its simplest form: a vertex that ends a step below the
// shelf is put on it with no velocity, stays there for the steps that follow, and leaves a count of
// its landings as an internal variable.
#pragma once

#include <sinew/physics/term.hpp>

namespace sinew::test {

class Shelf final : public physics::Term {
 public:
  Shelf(int axis, double place, int num_vertices)
      : axis_(axis), place_(place), num_vertices_(num_vertices) {}

  physics::TermTraits traits() const override {
    return {.force = physics::TermForce::potential,
            .row = {"shelf", dynamics::LedgerKind::stored},
            .couples = false,
            .has_step_hooks = true,
            .holds_vertices = true};
  }
  void add_force(const physics::Configuration&, physics::TermWork&,
                 physics::PaddedField&) const override {}

  Index num_internal() const override { return num_vertices_; }
  void begin_step(const physics::Configuration& at, double, physics::TermWork&,
                  physics::HeldVertices& held) const override {
    for (int vertex = 0; vertex < num_vertices_; ++vertex)
      if (at.internal[static_cast<std::size_t>(vertex)] > 0.0) held.hold(vertex);
  }
  void end_step(const physics::Configuration&, physics::StepEnd& after,
                physics::TermWork&) const override {
    for (int vertex = 0; vertex < num_vertices_; ++vertex)
      if (after.x.vector(vertex)[axis_] < place_) {
        after.x.vector(vertex)[axis_] = place_;
        after.v.vector(vertex).setZero();
        after.internal[static_cast<std::size_t>(vertex)] += 1.0;
      }
  }

 private:
  int axis_;
  double place_;
  int num_vertices_;
};

}  // namespace sinew::test
