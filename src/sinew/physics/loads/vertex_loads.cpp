// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <sinew/core/error.hpp>
#include <sinew/physics/loads/vertex_loads.hpp>

namespace sinew::physics {
namespace {

double strength(const VertexLoad& load, double t) {
  if (load.envelope == Envelope::constant) return 1.0;
  const double phase = (t - load.window.from) / (load.window.until - load.window.from);
  const double wave = std::sin(std::numbers::pi * phase);
  return wave * wave;
}

}  // namespace

VertexLoads::VertexLoads(std::vector<VertexLoad> loads, std::span<const int> internal_of_user,
                         std::span<const Vec3> rest)
    : loads_(std::move(loads)), rest_(rest) {
  for (VertexLoad& load : loads_) {
    SINEW_ASSERT(load.vertices.size() == load.factors.size(), "one factor per vertex");
    SINEW_ASSERT(load.envelope == Envelope::constant ||
                     (std::isfinite(load.window.from) && std::isfinite(load.window.until)),
                 "a pulse has a beginning and an end");
    for (int& vertex : load.vertices) vertex = internal_of_user[static_cast<std::size_t>(vertex)];
    depends_on_time_ = depends_on_time_ || load.window.is_bounded();
    for (const core::Expression& component : *load.value)
      depends_on_time_ = depends_on_time_ || component.depends_on_time();
  }
}

void VertexLoads::add_force(double t, PaddedField& f) const {
  for (const VertexLoad& load : loads_) {
    if (!load.window.contains(t)) continue;
    const VectorFormula& value = *load.value;
    const double scale = strength(load, t);
    for (int axis = 0; axis < 3; ++axis) {
      const core::Expression& component = value[static_cast<std::size_t>(axis)];
      // most are the same everywhere, and formulas are slow
      const bool is_uniform = !component.depends_on_position();
      const double uniform = is_uniform ? component(Vec3::Zero(), t) : 0.0;
      for (std::size_t k = 0; k < load.vertices.size(); ++k) {
        const auto vertex = static_cast<std::size_t>(load.vertices[k]);
        const double local = is_uniform ? uniform : component(rest_[vertex], t);
        f.vector(load.vertices[k])[axis] += scale * load.factors[k] * local;
      }
    }
  }
}

}  // namespace sinew::physics
