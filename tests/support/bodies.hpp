// SPDX-License-Identifier: Apache-2.0
// Small elastic bodies for tests.
#pragma once

#include <random>
#include <string_view>

#include <sinew/mesh/generators.hpp>
#include <sinew/physics/bodies.hpp>

namespace sinew::test {

struct BarOptions {
  std::array<double, 3> size{1.0, 0.3, 0.2};
  std::array<int, 3> cells{4, 2, 2};
  std::string_view material = "stable-neo-hookean";
  double young = 1e5;
  double poisson = 0.4;
  double density = 1000.0;
  double damping_mass = 0.0;
  double damping_stiffness = 0.0;
  physics::DampingShape damping_shape = physics::DampingShape::rest;
  bool consistent_mass = false;
  bool clamped = false;  ///< hold the vertices at x = 0
  int order = 1;         ///< of the tets; those of order 2 are curved a little
};

/// A bar whose interior vertices are shaken a little, so that no two elements are alike.
inline physics::BodiesSpec bar_spec(const BarOptions& options = {}) {
  physics::Body body;
  body.name = "bar";
  body.mesh = mesh::make_bar({.size = options.size, .cells = options.cells});
  std::mt19937 random(7);
  std::uniform_real_distribution<double> shake(-0.1, 0.1);
  const Vec3 cell(options.size[0] / options.cells[0], options.size[1] / options.cells[1],
                  options.size[2] / options.cells[2]);
  for (Vec3& x : body.mesh.vertices)
    for (int axis = 0; axis < 3; ++axis)
      if (x[axis] > 1e-9 && x[axis] < options.size[axis] - 1e-9)
        x[axis] += shake(random) * cell[axis];
  if (options.order == 2)
    body.mesh = mesh::to_second_order(std::move(body.mesh), [](const Vec3& a, const Vec3& b) {
      const Vec3 middle = 0.5 * (a + b);
      return Vec3(middle + 0.01 * std::sin(7.0 * middle[0]) * Vec3(0.0, 1.0, 1.0));
    });
  body.tets.assign(body.mesh.tets.size(),
                   {.material = physics::find_material(options.material),
                    .moduli = physics::moduli(options.young, options.poisson),
                    .density = options.density,
                    .damping_mass = options.damping_mass,
                    .damping_stiffness = options.damping_stiffness,
                    .damping_shape = options.damping_shape,
                    .consistent_mass = options.consistent_mass});
  physics::BodiesSpec spec;
  if (options.clamped)
    for (int v = 0; v < body.mesh.num_vertices(); ++v)
      if (body.mesh.vertices[v][0] < 1e-9) spec.fixed.push_back(v);
  spec.bodies.push_back(std::move(body));
  return spec;
}

/// The rest state with smooth, moderate displacements and velocities.
inline dynamics::State deformed_state(const physics::TermSystem& system, double size = 0.05,
                                      double speed = 0.5) {
  dynamics::State state = system.rest_state();
  for (Index i = 0; i < state.q.size(); i += 3) {
    const Vec3 x = state.q.segment<3>(i);
    const Vec3 u(std::sin(3 * x[0] + x[1]), std::cos(2 * x[1] - x[2]), std::sin(4 * x[2] + x[0]));
    state.q.segment<3>(i) += size * u;
    state.v.segment<3>(i) = speed * Vec3(u[1], u[2], -u[0]);
  }
  return state;
}

/// Central differences of a vector function of a vector, with a step for coordinates of size one.
template <class Function>
Mat numerical_jacobian(const Function& function, Vec x, double step = 1e-6) {
  const Vec at = function(x);
  Mat jacobian(at.size(), x.size());
  for (Index j = 0; j < x.size(); ++j) {
    const double saved = x[j];
    x[j] = saved + step;
    const Vec plus = function(x);
    x[j] = saved - step;
    const Vec minus = function(x);
    x[j] = saved;
    jacobian.col(j) = (plus - minus) / (2.0 * step);
  }
  return jacobian;
}

}  // namespace sinew::test
