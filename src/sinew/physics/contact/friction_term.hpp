// SPDX-License-Identifier: Apache-2.0
// What rubs against each other, and smoothed Coulomb friction of it. Contacts of all kinds come
// down to vertices with weights: their weighted sum of velocities is that of one side relative to
// the other.
#pragma once

#include <span>
#include <vector>

#include <sinew/physics/contact/friction_law.hpp>
#include <sinew/physics/term.hpp>

namespace sinew::physics {

struct Rubbing {
  std::span<const int> vertices{};
  std::span<const double> weights{};  ///< one per vertex; they add up to zero
  Mat3 across = Mat3::Zero();         ///< takes the part along the normal out
  double load = 0.0;                  ///< normal force [N]
  const FrictionLaw* law = nullptr;

  Vec3 relative(const PaddedField& v) const {
    Vec3 u = Vec3::Zero();
    for (std::size_t k = 0; k < vertices.size(); ++k) u += weights[k] * v.vector(vertices[k]);
    return u;
  }
  Vec3 sliding(const PaddedField& v) const { return across * relative(v); }
  /// Force against sliding with this velocity [N].
  Vec3 pull(const Vec3& u) const { return load * law->per_speed(u.norm()) * u; }
  /// Lost in a step that slides this far [J].
  double lost(const Vec3& way, double dt) const {
    const double speed = way.norm() / dt;
    return dt * load * law->at(speed).force * speed;
  }
};

inline Mat3 across_normal(const Vec3& n) {
  return Mat3::Identity() - n * n.transpose();
}

struct FrictionScratch : TermScratch {
  std::vector<Rubbing> rubbing;  ///< of the step, or of the last configuration
  bool is_rubbing_frozen = false;
};

/// Friction of contacts that a derived class knows. Its scratch must be a FrictionScratch.
class FrictionTerm : public Term {
 public:
  TermTraits traits() const override;
  /// What was lost so far.
  Index num_internal() const override { return 1; }
  double energy(const Configuration& at, TermWork&) const override { return at.internal[0]; }
  double dissipation(const Configuration& at, TermWork& work) const override;
  void add_force(const Configuration& at, TermWork& work, PaddedField& f) const override;
  Index add_tangent(const Configuration& at, dynamics::Definiteness definiteness, TermWork& work,
                    const TangentOut& out) const override;
  void moving_pairs(const Configuration& at, TermWork& work,
                    std::vector<VertexPair>& pairs) const override;
  void begin_step(const Configuration& at, double dt, TermWork& work, HeldVertices&) const override;
  void end_step(const Configuration& before, StepEnd& after, TermWork& work) const override;
  std::vector<dynamics::FieldInfo> fields() const override;
  void evaluate_field(std::string_view name, const Configuration& at, TermWork& work,
                      VecOut values) const override;

 protected:
  /// Those of the step, or outside of one those of this configuration.
  const std::vector<Rubbing>& rubbing_pairs(const Configuration& at, TermWork& work) const;

 private:
  /// Whether pairs and loads are those of the beginning of a step while it lasts.
  virtual bool is_lagged() const { return true; }
  /// What rubs in this configuration. What the spans point to stays until the next call.
  virtual void find_rubbing(const Configuration& at, TermWork& work,
                            std::vector<Rubbing>& rubbing) const = 0;
  virtual const Numbering& numbering() const = 0;
};

}  // namespace sinew::physics
