// SPDX-License-Identifier: Apache-2.0
#include "bindings.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace sinew::python;
  module.doc() = "The library itself. Use the package sinew, which is made of this.";
  bind_core(module);
  bind_mesh(module);
  bind_dynamics(module);
  bind_scene(module);
  bind_physics(module);
  bind_integrators(module);
  bind_output(module);
  bind_sim(module);
  bind_study(module);
}
