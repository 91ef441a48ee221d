// SPDX-License-Identifier: Apache-2.0
// What a scene may say and is unlikely to mean: lengths in mm, flat tets, a surface for a solid, an
// end before the first step.
#pragma once

#include <string>

#include <sinew/physics/body.hpp>
#include <sinew/scene/compile/diagnostics.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::scene {

/// A solid whose mesh has no tets: an error that says how it may get some.
void refuse_hollow(const mesh::TetMesh& mesh, const std::string& pointer, Diagnostics& diagnostics);

/// Of a solid whose mesh and material are known.
void check_solid(const physics::Body& body, const std::string& pointer, Diagnostics& diagnostics);

/// A vertex and a selection at once: an error.
void check_probe(const ProbeSpec& probe, const std::string& pointer, Diagnostics& diagnostics);

/// Numbers of steps, and an end that is no step away.
void check_times(const SceneSpec& scene, Diagnostics& diagnostics);

}  // namespace sinew::scene
