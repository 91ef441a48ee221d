// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/physics/terms/applied_forces.hpp>

namespace sinew::physics {
namespace {

class AppliedForcesTerm final : public Term {
 public:
  AppliedForcesTerm(std::shared_ptr<const std::vector<Vec3>> forces, const Numbering& numbering)
      : forces_(std::move(forces)), numbering_(numbering) {}

  TermTraits traits() const override {
    return {.force = TermForce::potential,
            .row = {"external", dynamics::LedgerKind::supply_rate},
            .couples = false,
            .changes_between_steps = true};
  }

  double energy(const Configuration& at, TermWork&) const override {
    double sum = 0.0;
    for_each_force([&](int vertex, const Vec3& force) {
      if (numbering_.is_free(vertex)) sum += at.x.vector(vertex).dot(force);
    });
    return -sum;
  }

  void add_force(const Configuration&, TermWork&, PaddedField& f) const override {
    for_each_force([&](int vertex, const Vec3& force) { f.vector(vertex) += force; });
  }

 private:
  /// Vertices that are one bear the sum of their forces.
  template <class Use>
  void for_each_force(const Use& use) const {
    const auto count =
        std::min(forces_->size(), static_cast<std::size_t>(numbering_.num_user_vertices()));
    for (std::size_t user = 0; user < count; ++user)
      use(numbering_.internal(static_cast<int>(user)), (*forces_)[user]);
  }

  std::shared_ptr<const std::vector<Vec3>> forces_;
  const Numbering& numbering_;
};

}  // namespace

TermFactory AppliedForces::term() const {
  return [forces = forces_](const TermSite& site) {
    std::vector<std::unique_ptr<Term>> terms;
    terms.push_back(std::make_unique<AppliedForcesTerm>(forces, site.numbering));
    return terms;
  };
}

}  // namespace sinew::physics
