// SPDX-License-Identifier: Apache-2.0
#include <sinew/physics/terms/mass_terms.hpp>

namespace sinew::physics {
namespace {

using dynamics::LedgerKind;

class GravityTerm final : public Term {
 public:
  GravityTerm(const Vec3& gravity, const Vec& masses, const Numbering& numbering)
      : weight_(numbering.num_vertices()), is_free_(static_cast<std::size_t>(masses.size())) {
    for (int vertex = 0; vertex < numbering.num_vertices(); ++vertex) {
      weight_.vector(vertex) = masses[vertex] * gravity;
      is_free_[static_cast<std::size_t>(vertex)] = numbering.is_free(vertex);
    }
  }

  TermTraits traits() const override {
    return {.force = TermForce::potential,
            .row = {"gravity", LedgerKind::stored_up_to_constant},
            .couples = false};
  }
  double energy(const Configuration& at, TermWork&) const override {
    double sum = 0.0;
    for (int vertex = 0; vertex < weight_.num_vertices(); ++vertex)
      if (is_free_[static_cast<std::size_t>(vertex)])
        sum -= weight_.vector(vertex).dot(at.x.vector(vertex));
    return sum;
  }
  void add_force(const Configuration&, TermWork&, PaddedField& f) const override {
    for (int vertex = 0; vertex < weight_.num_vertices(); ++vertex)
      f.vector(vertex) += weight_.vector(vertex);
  }

 private:
  PaddedField weight_;  // [N]
  std::vector<char> is_free_;
};

class MassDampingTerm final : public Term {
 public:
  explicit MassDampingTerm(TetMass damping) : damping_(std::move(damping)) {}

  TermTraits traits() const override {
    return {.force = TermForce::linear_damping,
            .row = {"damping", LedgerKind::loss_rate},
            .uses_velocity = true,
            .couples = !damping_.is_lumped()};
  }
  void add_force(const Configuration& at, TermWork&, PaddedField& f) const override {
    damping_.add_product(-1.0, at.v, f);
  }
  Index add_tangent(const Configuration&, dynamics::Definiteness, TermWork&,
                    const TangentOut& out) const override {
    if (out.D)
      damping_.for_each_block(
          [&](int a, int b, double value) { out.D->add(a, b, value * Mat3::Identity()); });
    return 0;
  }
  std::vector<VertexPair> pairs() const override { return damping_.pairs(); }

 private:
  TetMass damping_;
};

}  // namespace

std::unique_ptr<Term> make_gravity_term(const Vec3& gravity, const Vec& masses,
                                        const Numbering& numbering) {
  return std::make_unique<GravityTerm>(gravity, masses, numbering);
}

std::unique_ptr<Term> make_mass_damping_term(TetMass damping) {
  return std::make_unique<MassDampingTerm>(std::move(damping));
}

}  // namespace sinew::physics
