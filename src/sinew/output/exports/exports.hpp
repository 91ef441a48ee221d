// SPDX-License-Identifier: Apache-2.0
// A finished run in the formats of other programs. Each function reads frames and writes into the
// run directory, whole files or none.
#pragma once

#include <sinew/output/record/run_reader.hpp>
#include <sinew/output/record/surface_frames.hpp>

namespace sinew::output {

/// animation.glb: the surface with one morph target per frame, played by an animation; one node for
/// each chapter.
void write_gltf(const RunReader& run, const SurfaceFrames& surface);
/// obj/frame_000000.obj, ...: the surface of each frame as text.
void write_obj_sequence(const RunReader& run, const SurfaceFrames& surface);
/// ply/frame_000000.ply, ...: the surface of each frame with its fields, binary.
void write_ply_sequence(const RunReader& run, const SurfaceFrames& surface);
/// animation.usda: a mesh whose points, and where needed faces, change with time.
void write_usda(const RunReader& run, const SurfaceFrames& surface);
/// frames.npz: times, positions, velocities of all vertices, and the tets, for NumPy; one set of
/// arrays for each time the cells have changed.
void write_npz(const RunReader& run, const SurfaceFrames& surface);

}  // namespace sinew::output
