// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/physics/contact/friction_term.hpp>
#include <sinew/physics/contact/smooth_contact.hpp>
#include <sinew/physics/contact/smooth_search.hpp>
#include <sinew/physics/contact/vertex_values.hpp>

namespace sinew::physics {
namespace {

/// Of both terms: they ask for the same contacts.
struct SmoothScratch final : FrictionScratch {
  SmoothSearch::Memory memory;
  std::vector<SmoothContact> rubbing_contacts;  ///< one per pair that rubs

  static SmoothScratch& of(TermWork& work) { return static_cast<SmoothScratch&>(*work.own); }
};

class SmoothContactTerm final : public Term {
 public:
  SmoothContactTerm(std::shared_ptr<const SmoothSearch> search, const ContactLaw& law)
      : search_(std::move(search)), law_(law) {}

  TermTraits traits() const override {
    return {.force = TermForce::potential,
            .row = {"contact", dynamics::LedgerKind::stored},
            .has_moving_pairs = !law_.is_explicit,
            .is_contact = true,
            .has_exact_stiffness = !law_.is_explicit,
            .keeps_linear_momentum = true,
            .keeps_angular_momentum = true};
  }
  std::unique_ptr<TermScratch> make_scratch() const override {
    return std::make_unique<SmoothScratch>();
  }

  double energy(const Configuration& at, TermWork& work) const override {
    double sum = 0.0;
    for (const SmoothContact& contact : contacts(at, work)) sum += law_.at(contact.gap).energy;
    return sum;
  }

  void add_force(const Configuration& at, TermWork& work, PaddedField& f) const override {
    for (const SmoothContact& contact : contacts(at, work)) {
      const double push = -law_.at(contact.gap).slope;
      const SmoothPoint& point = contact.point;
      for (std::size_t k = 0; k < point.vertices.size(); ++k)
        f.vector(point.vertices[k]) += push * point.gradient.segment<3>(3 * Index(k));
    }
  }

  /// The definite one is without the curvature of the surface.
  Index add_tangent(const Configuration& at, dynamics::Definiteness definiteness, TermWork& work,
                    const TangentOut& out) const override {
    if (!out.K || law_.is_explicit) return 0;
    const std::vector<SmoothContact>& list = contacts(at, work);
    const bool is_exact = definiteness == dynamics::Definiteness::exact;
    // so many matrices at a time
    constexpr Index batch = 256, per_piece = 8;
    std::vector<Mat> hessians(static_cast<std::size_t>(std::min(batch, std::ssize(list))));
    for (Index first = 0; first < std::ssize(list); first += batch) {
      const Index count = std::min(batch, std::ssize(list) - first);
      work.executor.for_ranges(count, per_piece, [&](Index begin, Index end) {
        for (Index k = begin; k < end; ++k) {
          const SmoothContact& contact = list[static_cast<std::size_t>(first + k)];
          const GapEnergy W = law_.at(contact.gap);
          const Vec& g = contact.point.gradient;
          Mat& H = hessians[static_cast<std::size_t>(k)];
          H.noalias() = (W.curvature * g) * g.transpose();
          if (is_exact) H += W.slope * contact.surface->hessian(contact.point, at.x);
        }
      });
      for (Index k = 0; k < count; ++k) {
        const Mat& H = hessians[static_cast<std::size_t>(k)];
        add_blocks(
            list[static_cast<std::size_t>(first + k)].point.vertices,
            [&](std::size_t a, std::size_t b) {
              return Mat3(H.block<3, 3>(3 * Index(a), 3 * Index(b)));
            },
            *out.K);
      }
    }
    return is_exact ? 0 : std::ssize(list);
  }

  void moving_pairs(const Configuration& at, TermWork& work,
                    std::vector<VertexPair>& pairs) const override {
    if (law_.is_explicit) return;
    for (const SmoothContact& contact : contacts(at, work))
      add_vertex_pairs(contact.point.vertices, pairs);
  }

  dynamics::Admissibility admissibility(const Configuration& at, TermWork& work) const override {
    return admissibility_of(contacts(at, work));
  }

  std::vector<dynamics::FieldInfo> fields() const override {
    return {{"contact_force", dynamics::FieldSite::per_point, 3}};
  }
  void evaluate_field(std::string_view name, const Configuration& at, TermWork& work,
                      VecOut values) const override {
    if (name == "contact_force") put_force(*this, at, work, search_->numbering(), values);
  }

 private:
  const std::vector<SmoothContact>& contacts(const Configuration& at, TermWork& work) const {
    return search_->contacts(at.x, work.executor, SmoothScratch::of(work).memory);
  }

  std::shared_ptr<const SmoothSearch> search_;
  ContactLaw law_;
};

class SmoothFriction final : public FrictionTerm {
 public:
  SmoothFriction(std::shared_ptr<const SmoothSearch> search, const ContactLaw& law,
                 FrictionTable table, const Term& contact)
      : search_(std::move(search)), law_(law), table_(std::move(table)), contact_(contact) {}

  const Term* shares_scratch_of() const override { return &contact_; }

 private:
  const Numbering& numbering() const override { return search_->numbering(); }

  void find_rubbing(const Configuration& at, TermWork& work,
                    std::vector<Rubbing>& rubbing) const override {
    SmoothScratch& scratch = SmoothScratch::of(work);
    std::vector<SmoothContact>& kept = scratch.rubbing_contacts;
    kept.clear();
    for (const SmoothContact& contact : search_->contacts(at.x, work.executor, scratch.memory)) {
      const FrictionLaw& law = table_(contact.parts[0], contact.parts[1]);
      const double load = -law_.at(contact.gap).slope * contact.point.gradient.head<3>().norm();
      if (!(load > 0.0) || !(law.sticking > 0.0)) continue;
      kept.push_back(contact);
      rubbing.push_back(
          {.across = across_normal(contact.point.normal()), .load = load, .law = &law});
    }
    for (std::size_t k = 0; k < kept.size(); ++k) {
      rubbing[k].vertices = kept[k].point.vertices;
      rubbing[k].weights = kept[k].point.weights;
    }
  }

  std::shared_ptr<const SmoothSearch> search_;
  ContactLaw law_;
  FrictionTable table_;
  const Term& contact_;
};

}  // namespace

std::vector<std::array<int, 2>> smooth_pairs(const std::vector<ContactPart>& parts,
                                             const ContactRules& rules) {
  std::vector<std::array<int, 2>> pairs;
  const auto part = [&](int k) -> const ContactPart& { return parts[static_cast<std::size_t>(k)]; };
  const int count = static_cast<int>(parts.size());
  for (int a = 0; a < count; ++a)
    for (int b = a + 1; b < count; ++b) {
      if (part(a).is_closed && part(b).is_closed && rules.meet(parts, a, b))
        pairs.push_back({a, b});
    }
  return pairs;
}

std::vector<std::unique_ptr<Term>> make_smooth_contact_terms(
    std::shared_ptr<const ContactSurface> surface, const std::vector<std::array<int, 2>>& pairs,
    const ContactLaw& law, std::optional<FrictionTable> friction) {
  const auto search = std::make_shared<const SmoothSearch>(std::move(surface), pairs, law.distance);
  std::vector<std::unique_ptr<Term>> terms;
  terms.push_back(std::make_unique<SmoothContactTerm>(search, law));
  if (friction)
    terms.push_back(
        std::make_unique<SmoothFriction>(search, law, std::move(*friction), *terms.front()));
  return terms;
}

}  // namespace sinew::physics
