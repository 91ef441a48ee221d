// SPDX-License-Identifier: Apache-2.0
// The part of a scene that this process has: its bodies, and a scene that says the same of them as
// the whole one does.
#pragma once

#include <vector>

#include <sinew/petsc/body_share.hpp>
#include <sinew/petsc/shared_system.hpp>
#include <sinew/scene/compile/sharing.hpp>

namespace sinew::petsc {

/// What of this scene processes cannot share yet, by the place where it says so.
std::vector<Problem> not_shared_yet(const scene::SceneSpec& scene);

class ScenePart final : public scene::Sharing {
 public:
  /// Reads or makes the meshes, and divides them. Throws InputError on all processes, with problems
  /// on those that know of any.
  ScenePart(const Processes& processes, const la::Reducer& reducer, const scene::SceneSpec& scene,
            const scene::Catalog& catalog);

  /// With numbers of vertices as the part counts them; for scene::compile().
  const scene::SceneSpec& scene() const { return scene_; }

  const la::Reducer& reducer() const override { return reducer_; }
  void complete(integrators::Services& services) const override;
  std::string heard(const std::string& text) const override;
  const mesh::TetMesh& mesh_of(std::size_t body) const override { return shares_[body].mesh; }
  bool owns(int vertex) const override {
    return numbers_.owners[static_cast<std::size_t>(vertex)] == processes_.rank();
  }
  std::unique_ptr<dynamics::DynamicalSystem> share(std::unique_ptr<physics::TermSystem> part,
                                                   const physics::BodiesSpec& spec,
                                                   dynamics::State& begin) const override;

  std::int64_t all_vertices() const { return all_vertices_; }
  std::int64_t all_tets() const;

 private:
  void translate(mesh::Selection& select, const std::string& body,
                 const std::string& pointer) const;

  const Processes& processes_;
  const la::Reducer& reducer_;
  scene::SceneSpec scene_;
  std::vector<BodyShare> shares_;
  PartNumbers numbers_;
  std::int64_t all_vertices_ = 0;
};

}  // namespace sinew::petsc
