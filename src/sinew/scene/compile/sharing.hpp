// SPDX-License-Identifier: Apache-2.0
// What one of several processes has of a scene. Each of them compiles its own part, whose meshes
// have all elements around the vertices that it owns; what is true of the whole only is asked here.
// Every process asks the same questions in the same order.
#pragma once

#include <memory>
#include <string>

#include <sinew/dynamics/dynamical_system.hpp>
#include <sinew/integrators/integrator.hpp>
#include <sinew/la/reducer.hpp>
#include <sinew/mesh/tet_mesh.hpp>
#include <sinew/physics/bodies.hpp>

namespace sinew::scene {

class Sharing {
 public:
  virtual ~Sharing() = default;

  virtual const la::Reducer& reducer() const = 0;
  /// What methods find by other means than in one process, beside the solvers.
  virtual void complete(integrators::Services&) const {}
  /// What one of the processes has to say, on all of them; empty: nobody has anything.
  virtual std::string heard(const std::string& text) const = 0;
  /// The part of a body's mesh that is here, in world coordinates.
  virtual const mesh::TetMesh& mesh_of(std::size_t body) const = 0;
  /// Whether this process owns the vertex, numbered through the parts of all bodies. One of them
  /// owns each.
  virtual bool owns(int vertex) const = 0;

  /// The system of the whole as it is seen from here; `spec` is that of the part. Its states hold
  /// what `begin`, a state of the part, has of the vertices that are owned.
  virtual std::unique_ptr<dynamics::DynamicalSystem> share(
      std::unique_ptr<physics::TermSystem> part, const physics::BodiesSpec& spec,
      dynamics::State& begin) const = 0;
};

}  // namespace sinew::scene
