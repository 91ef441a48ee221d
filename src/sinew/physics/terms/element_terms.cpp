// SPDX-License-Identifier: Apache-2.0
#include <sinew/physics/elements/cell_fields.hpp>
#include <sinew/physics/terms/element_terms.hpp>

namespace sinew::physics {
namespace {

using dynamics::Definiteness;
using dynamics::LedgerKind;

/// What all terms of elements have in common.
class ElementTerm : public Term {
 public:
  explicit ElementTerm(std::unique_ptr<ElementSet> elements) : elements_(std::move(elements)) {}

  std::vector<VertexPair> pairs() const override { return elements_->pairs(); }
  int num_elements() const override { return elements_->num_elements(); }
  dynamics::ElementNodes element_vertices() const override { return elements_->element_vertices(); }

 protected:
  Index add_stiffness(const Configuration& at, Definiteness definiteness, TermWork& work,
                      BlockSink& sink, PaddedField* f) const {
    return elements_->add_tangent(at.x, definiteness, work.executor, sink.slots(), sink.values(),
                                  f);
  }

  std::unique_ptr<ElementSet> elements_;
};

class ElasticTerm final : public ElementTerm {
 public:
  ElasticTerm(std::unique_ptr<ElementSet> elements, double energy_scale, bool keeps_rotations)
      : ElementTerm(std::move(elements)),
        energy_scale_(energy_scale),
        keeps_rotations_(keeps_rotations) {}

  TermTraits traits() const override {
    return {.force = TermForce::potential,
            .row = {"elastic", LedgerKind::stored},
            .has_force_with_tangent = true,
            .keeps_linear_momentum = true,
            .keeps_angular_momentum = keeps_rotations_};
  }
  double energy(const Configuration& at, TermWork& work) const override {
    return elements_->energy(at.x, work.executor, work.partial);
  }
  void add_force(const Configuration& at, TermWork& work, PaddedField& f) const override {
    elements_->add_force(at.x, work.executor, f);
  }
  Index add_tangent(const Configuration& at, Definiteness definiteness, TermWork& work,
                    const TangentOut& out) const override {
    return out.K ? add_stiffness(at, definiteness, work, *out.K, out.f) : 0;
  }

  double energy_scale() const override { return energy_scale_; }
  dynamics::Admissibility admissibility(const Configuration& at, TermWork& work) const override {
    return {.inverted_elements = elements_->count_inverted(at.x, work.executor, work.partial),
            .largest_strain = elements_->largest_strain(at.x, work.executor, work.partial)};
  }
  void add_gradients(const Configuration& at, TermWork& work, std::span<Mat3> sums) const override {
    elements_->add_gradients(at.x, work.executor, sums);
  }
  std::vector<dynamics::FieldInfo> fields() const override {
    return cell_fields(elements_->quantities());
  }
  void evaluate_field(std::string_view name, const Configuration& at, TermWork& work,
                      VecOut values) const override {
    if (const auto quantity = find_quantity(name, elements_->quantities()))
      elements_->evaluate_cells(at.x, *quantity, work.executor, values);
  }
  void evaluate_corner_stress(const Configuration& at, TermWork& work,
                              VecOut values) const override {
    elements_->evaluate_corner_stress(at.x, work.executor, values);
  }

  std::unique_ptr<Term> restricted_to(std::span<const int> elements) const override {
    return std::make_unique<ElasticTerm>(elements_->restricted_to(elements), energy_scale_,
                                         keeps_rotations_);
  }

 private:
  double energy_scale_;
  bool keeps_rotations_;
};

class RestDampingTerm final : public ElementTerm {
 public:
  using ElementTerm::ElementTerm;

  TermTraits traits() const override {
    return {.force = TermForce::linear_damping,
            .row = {"damping", LedgerKind::loss_rate},
            .uses_velocity = true,
            .keeps_linear_momentum = true};
  }
  void add_force(const Configuration& at, TermWork& work, PaddedField& f) const override {
    elements_->add_force(at.v, work.executor, f);
  }
  Index add_tangent(const Configuration& at, Definiteness, TermWork& work,
                    const TangentOut& out) const override {
    if (out.D) add_stiffness(at, Definiteness::psd_clamp, work, *out.D, nullptr);
    return 0;
  }
  std::unique_ptr<Term> restricted_to(std::span<const int> elements) const override {
    return std::make_unique<RestDampingTerm>(elements_->restricted_to(elements));
  }
};

class CurrentDampingTerm final : public ElementTerm {
 public:
  using ElementTerm::ElementTerm;

  TermTraits traits() const override {
    return {.force = TermForce::general,
            .row = {"damping", LedgerKind::loss_rate},
            .uses_velocity = true,
            .has_exact_stiffness = false,
            .keeps_linear_momentum = true};
  }
  void add_force(const Configuration& at, TermWork& work, PaddedField& f) const override {
    elements_->add_definite_product(at.x, at.v, work.executor, f);
  }
  Index add_tangent(const Configuration& at, Definiteness, TermWork& work,
                    const TangentOut& out) const override {
    if (out.D) add_stiffness(at, Definiteness::psd_clamp, work, *out.D, nullptr);
    return 0;
  }
  std::unique_ptr<Term> restricted_to(std::span<const int> elements) const override {
    return std::make_unique<CurrentDampingTerm>(elements_->restricted_to(elements));
  }
};

}  // namespace

std::unique_ptr<Term> make_elastic_term(std::unique_ptr<ElementSet> elements, double energy_scale,
                                        bool keeps_rotations) {
  return std::make_unique<ElasticTerm>(std::move(elements), energy_scale, keeps_rotations);
}

std::unique_ptr<Term> make_rest_damping_term(std::unique_ptr<ElementSet> elements) {
  return std::make_unique<RestDampingTerm>(std::move(elements));
}

std::unique_ptr<Term> make_current_damping_term(std::unique_ptr<ElementSet> elements) {
  return std::make_unique<CurrentDampingTerm>(std::move(elements));
}

}  // namespace sinew::physics
