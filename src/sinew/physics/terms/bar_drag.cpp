// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/physics/terms/bar_drag.hpp>

namespace sinew::physics {
namespace {

class BarDragTerm final : public Term {
 public:
  BarDragTerm(const WindLoad& load, const Numbering& numbering)
      : velocity_(load.velocity),
        strength_(0.5 * load.drag * load.density * load.diameter),
        window_(load.window) {
    for (const auto& [a, b] : load.bars) {
      const int first = numbering.internal(a), second = numbering.internal(b);
      bars_.push_back({std::min(first, second), std::max(first, second)});
    }
  }

  TermTraits traits() const override {
    const bool changes = std::any_of(velocity_->begin(), velocity_->end(),
                                     [](const auto& part) { return part.depends_on_time(); });
    return {.force = TermForce::general,
            .row = {"external", dynamics::LedgerKind::supply_rate},
            .uses_velocity = true,
            .depends_on_time = changes || window_.is_bounded(),
            .has_exact_stiffness = false};
  }

  void add_force(const Configuration& at, TermWork&, PaddedField& f) const override {
    if (!window_.contains(at.t)) return;
    const VectorAtTime air(*velocity_, at.t);
    for (const VertexPair& bar : bars_) {
      const Flow flow(bar, air, at);
      const Vec3 half = 0.5 * strength_ * flow.length * flow.across.norm() * flow.across;
      for (const int vertex : bar) f.vector(vertex) += half;
    }
  }

  Index add_tangent(const Configuration& at, dynamics::Definiteness, TermWork&,
                    const TangentOut& out) const override {
    if (!out.D || !window_.contains(at.t)) return 0;
    const VectorAtTime air(*velocity_, at.t);
    for (std::size_t k = 0; k < bars_.size(); ++k) {
      const Flow flow(bars_[k], air, at);
      const double speed = flow.across.norm();
      if (speed == 0.0) continue;
      const Mat3 block = 0.25 * strength_ * flow.length *
                         (speed * (Mat3::Identity() - flow.along * flow.along.transpose()) +
                          flow.across * flow.across.transpose() / speed);
      for (std::size_t pair = 0; pair < 3; ++pair) out.D->add_to_pair(3 * k + pair, block, false);
    }
    return 0;
  }

  std::vector<VertexPair> pairs() const override {
    std::vector<VertexPair> pairs;
    for (const auto& [a, b] : bars_) pairs.insert(pairs.end(), {{a, a}, {a, b}, {b, b}});
    return pairs;
  }

 private:
  struct Flow {
    Flow(const VertexPair& bar, const VectorAtTime& air, const Configuration& at) {
      const Vec3 e = at.x.vector(bar[1]) - at.x.vector(bar[0]);
      const Vec3 place = 0.5 * (at.x.vector(bar[0]) + at.x.vector(bar[1]));
      const Vec3 relative = air(place) - 0.5 * (at.v.vector(bar[0]) + at.v.vector(bar[1]));
      length = e.norm();
      along = length > 0.0 ? Vec3(e / length) : Vec3(Vec3::Zero());
      across = relative - along * along.dot(relative);
    }
    Vec3 along, across;
    double length;
  };

  std::vector<VertexPair> bars_;
  std::shared_ptr<const VectorFormula> velocity_;
  double strength_;  // drag * density/2 * diameter [kg/m^2]
  TimeWindow window_;
};

}  // namespace

std::unique_ptr<Term> make_bar_drag_term(const WindLoad& load, const Numbering& numbering) {
  return std::make_unique<BarDragTerm>(load, numbering);
}

}  // namespace sinew::physics
