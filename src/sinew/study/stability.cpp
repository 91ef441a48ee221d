// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include <sinew/core/profile.hpp>
#include <sinew/dynamics/explicit_stability.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/compile/solver_choice.hpp>
#include <sinew/study/stability.hpp>

namespace sinew::study {
namespace {

/// What the steps of a scene look like about one state.
class Steps {
 public:
  Steps(const physics::TermSystem& system, const dynamics::State& state)
      : elements_(system.element_nodes()), linearization_(system.make_linearization()) {
    const Vec* mass = system.mass().diagonal_only();
    if (!mass)
      throw InputError(Problem{.what = "explicit steps of single elements need a lumped mass",
                               .hint = "use \"mass\": \"lumped\" for all bodies"});
    mass_ = *mass;
    const auto workspace = system.make_workspace();
    system.linearize(state, {.definiteness = dynamics::Definiteness::psd_clamp}, *workspace,
                     *linearization_);
  }

  const dynamics::ElementNodes& elements() const { return elements_; }
  int num_nodes() const { return static_cast<int>(mass_.size() / 3); }

  /// Of steps of this length.
  dynamics::ExplicitStability at(double dt) {
    const la::LinearOperator& S = linearization_->combine(0.0, 2.0 * dt, dt * dt);
    return {*S.assembled(), mass_, elements_};
  }

  /// The step at which value(its stability) is the limit; it grows with the step.
  template <class Value>
  double limit(const Value& value) {
    // without damping it grows with the square
    const auto next = [&](double dt) {
      return dt * std::sqrt(dynamics::explicit_limit / value(at(dt)));
    };
    double dt = next(1.0);
    if (!linearization_->damping()) return dt;
    double low = 0.0, high = dt;
    for (int k = 0; k < 40 && high - low > 1e-3 * high; ++k) {
      dt = low == 0.0 ? std::min(0.99 * high, next(high)) : 0.5 * (low + high);
      (value(at(dt)) < dynamics::explicit_limit ? low : high) = dt;
    }
    return low;
  }

 private:
  dynamics::ElementNodes elements_;
  std::unique_ptr<dynamics::Linearization> linearization_;
  Vec mass_;
};

/// The least time of a step, once factors are there.
double step_seconds(scene::SceneSpec scene, const char* method, double dt,
                    const scene::Catalog& catalog) {
  constexpr int warm_up = 3, steps = 12;
  scene.integrator = scene::IntegratorSpec{.name = method,
                                           .solver = scene.integrator.solver,
                                           .factor = scene.integrator.factor,
                                           .solver_tolerance = scene.integrator.solver_tolerance};
  const scene::CompiledScene compiled = scene::compile(scene, catalog);
  const auto made = integrators::make_integrator(
      *catalog.find_integrator(method),
      integrators::Options(catalog.find_integrator(method)->options),
      scene::linear_solvers(scene.integrator, catalog, *compiled.reducer));
  const auto workspace = compiled.system().make_workspace();
  dynamics::State state = compiled.simulation->state();
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < warm_up + steps; ++k) {
    const core::Stopwatch watch;
    if (made->step(compiled.system(), *workspace, dt, state).status !=
        integrators::StepStatus::accepted)
      break;
    if (k >= warm_up) least = std::min(least, watch.seconds());
  }
  return least;
}

}  // namespace

SceneStability find_scene_stability(const scene::SceneSpec& scene, const scene::Catalog& catalog) {
  const scene::CompiledScene compiled = scene::compile(scene, catalog);
  Steps steps(compiled.system(), compiled.simulation->state());
  const dynamics::ElementNodes& elements = steps.elements();
  if (elements.size() == 0)
    throw InputError(Problem{.what = "nothing in this scene limits explicit steps",
                             .hint = "elements with free nodes do"});
  SceneStability result{.elements = elements.size(), .nodes = steps.num_nodes()};
  const std::vector<char> all(static_cast<std::size_t>(result.nodes), 1);
  result.explicit_limit = steps.limit(
      [&](const dynamics::ExplicitStability& stability) { return stability.largest(all).value; });
  if (!std::isfinite(result.explicit_limit))
    throw InputError(
        Problem{.what = "nothing in this scene limits explicit steps at its start",
                .hint = "nothing is stiff there: springs without tension turn freely"});
  result.element_limit = steps.limit([&](const dynamics::ExplicitStability& stability) {
    const core::Stopwatch watch;
    const std::vector<double> values = stability.element_values();
    result.microseconds_per_element = 1e6 * watch.seconds() / result.elements;
    return *std::max_element(values.begin(), values.end());
  });
  result.explicit_seconds =
      step_seconds(scene, "symplectic-euler", 0.5 * result.explicit_limit, catalog);
  result.implicit_seconds = step_seconds(scene, "si", 5.0 * result.explicit_limit, catalog);
  for (const double factor : {1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0, 70.0,
                              100.0, 200.0, 500.0, 1000.0}) {
    StabilityRow row{.dt = factor * result.explicit_limit};
    const dynamics::ExplicitStability stability = steps.at(row.dt);
    const std::vector<double> values = stability.element_values();
    row.elements = static_cast<int>(std::count_if(values.begin(), values.end(), [](double value) {
      return value >= dynamics::explicit_limit;
    }));
    const std::vector<char> is_implicit = stability.implicit_nodes();
    row.nodes = static_cast<int>(std::count(is_implicit.begin(), is_implicit.end(), 1));
    for (int e = 0; e < elements.size(); ++e) {
      const auto nodes = elements.of(e);
      const auto solves = [&](int node) {
        return is_implicit[static_cast<std::size_t>(node)] != 0;
      };
      row.touched_elements += std::any_of(nodes.begin(), nodes.end(), solves);
      row.explicit_elements += !std::all_of(nodes.begin(), nodes.end(), solves);
    }
    const double step = (result.explicit_seconds * row.explicit_elements +
                         result.implicit_seconds * row.touched_elements) /
                        result.elements;
    row.over_explicit = factor * result.explicit_seconds / step;
    row.over_implicit = result.implicit_seconds / step;
    result.rows.push_back(row);
    if (row.nodes == result.nodes) break;
  }
  return result;
}

}  // namespace sinew::study
