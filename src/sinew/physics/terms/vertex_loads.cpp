// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include <sinew/core/error.hpp>
#include <sinew/physics/terms/vertex_loads.hpp>

namespace sinew::physics {
namespace {

double strength(const VertexLoad& load, double t) {
  if (load.envelope == Envelope::constant) return 1.0;
  const double phase = (t - load.window.from) / (load.window.until - load.window.from);
  const double wave = std::sin(std::numbers::pi * phase);
  return wave * wave;
}

class VertexLoadsTerm final : public Term {
 public:
  VertexLoadsTerm(std::vector<VertexLoad> loads, const Numbering& numbering)
      : loads_(std::move(loads)),
        places_(loads_.size()),
        is_free_(static_cast<std::size_t>(numbering.num_vertices())) {
    for (int vertex = 0; vertex < numbering.num_vertices(); ++vertex)
      is_free_[static_cast<std::size_t>(vertex)] = numbering.is_free(vertex);
    for (std::size_t k = 0; k < loads_.size(); ++k) {
      VertexLoad& load = loads_[k];
      SINEW_ASSERT(load.vertices.size() == load.factors.size(), "one factor per vertex");
      SINEW_ASSERT(load.envelope == Envelope::constant ||
                       (std::isfinite(load.window.from) && std::isfinite(load.window.until)),
                   "a pulse has a beginning and an end");
      for (int& vertex : load.vertices) {
        vertex = numbering.internal(vertex);
        places_[k].push_back(numbering.rest(vertex));
      }
      depends_on_time_ = depends_on_time_ || load.window.is_bounded();
      for (const core::Expression& component : *load.value)
        depends_on_time_ = depends_on_time_ || component.depends_on_time();
    }
  }

  TermTraits traits() const override {
    return {.force = TermForce::potential,
            .row = {"external", dynamics::LedgerKind::supply_rate},
            .depends_on_time = depends_on_time_,
            .couples = false};
  }

  std::unique_ptr<TermScratch> make_scratch() const override {
    return std::make_unique<Loads>(static_cast<int>(is_free_.size()));
  }

  double energy(const Configuration& at, TermWork& work) const override {
    const PaddedField& load = evaluate(at.t, work);
    double sum = 0.0;
    for (int vertex = 0; vertex < load.num_vertices(); ++vertex)
      if (is_free_[static_cast<std::size_t>(vertex)])
        sum += at.x.vector(vertex).dot(load.vector(vertex));
    return -sum;
  }

  void add_force(const Configuration& at, TermWork& work, PaddedField& f) const override {
    const PaddedField& load = evaluate(at.t, work);
    for (int vertex = 0; vertex < load.num_vertices(); ++vertex)
      f.vector(vertex) += load.vector(vertex);
  }

 private:
  /// Kept for as long as the same time is asked for: formulas are slow.
  struct Loads final : TermScratch {
    explicit Loads(int num_vertices) : force(num_vertices) {}
    PaddedField force;
    std::vector<double> values;  // of one component at the vertices of one load
    double time = std::numeric_limits<double>::quiet_NaN();
  };

  const PaddedField& evaluate(double t, TermWork& work) const {
    auto& loads = static_cast<Loads&>(*work.own);
    if (loads.time == t) return loads.force;
    loads.force.set_zero();
    for (std::size_t k = 0; k < loads_.size(); ++k)
      if (loads_[k].window.contains(t)) add(loads_[k], places_[k], t, loads);
    loads.time = t;
    return loads.force;
  }

  static void add(const VertexLoad& load, std::span<const Vec3> places, double t, Loads& loads) {
    PaddedField& f = loads.force;
    const VectorFormula& value = *load.value;
    const double scale = strength(load, t);
    loads.values.resize(load.vertices.size());
    for (int axis = 0; axis < 3; ++axis) {
      const core::Expression& component = value[static_cast<std::size_t>(axis)];
      // most are the same everywhere, and formulas are slow
      if (component.depends_on_position())
        component.evaluate(places, t, loads.values);
      else
        std::fill(loads.values.begin(), loads.values.end(), component(Vec3::Zero(), t));
      for (std::size_t k = 0; k < load.vertices.size(); ++k)
        f.vector(load.vertices[k])[axis] += scale * load.factors[k] * loads.values[k];
    }
  }

  std::vector<VertexLoad> loads_;          // with internal vertex numbers
  std::vector<std::vector<Vec3>> places_;  // of their vertices at rest [m]
  std::vector<char> is_free_;
  bool depends_on_time_ = false;
};

}  // namespace

std::unique_ptr<Term> make_vertex_loads_term(std::vector<VertexLoad> loads,
                                             const Numbering& numbering) {
  return std::make_unique<VertexLoadsTerm>(std::move(loads), numbering);
}

}  // namespace sinew::physics
