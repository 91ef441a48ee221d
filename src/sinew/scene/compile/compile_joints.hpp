// SPDX-License-Identifier: Apache-2.0
// What acts between bodies: attachments, and interactions of all pairs of particles.
#pragma once

#include <string>
#include <vector>

#include <sinew/physics/bodies.hpp>
#include <sinew/scene/compile/compile_loads.hpp>
#include <sinew/scene/compile/diagnostics.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::scene {

/// Adds the attachments of a scene to a specification whose bodies are complete.
void compile_attachments(const std::vector<AttachmentSpec>& attachments,
                         const FindVertices& find_vertices, physics::BodiesSpec& spec,
                         Diagnostics& diagnostics);

/// Adds its interactions. Files are relative to `directory`.
void compile_interactions(const std::vector<InteractionSpec>& interactions,
                          const std::string& directory, physics::BodiesSpec& spec,
                          Diagnostics& diagnostics);

}  // namespace sinew::scene
