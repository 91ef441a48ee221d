// SPDX-License-Identifier: Apache-2.0
// The surface of a run over time, as pictures and other programs want it: vertices on the boundary
// only, and quantities of cells averaged to them. Bars without a volume get thin tubes, open at
// their ends, where others meet them.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include <sinew/output/record/run_reader.hpp>

namespace sinew::output {

/// One scalar per surface vertex and frame.
struct SurfaceField {
  std::string name, unit;
  std::vector<std::vector<float>> values;  ///< per frame
};

struct SurfaceFrames {
  std::vector<std::array<int, 3>> triangles;  ///< counter-clockwise seen from outside
  std::vector<double> times;                  ///< [s]
  std::vector<std::vector<float>> positions;  ///< per frame: x, y, z of each vertex [m]
  std::vector<SurfaceField> fields;

  std::size_t num_vertices() const { return positions.empty() ? 0 : positions[0].size() / 3; }
  /// Smallest and largest coordinates over all frames, but not further from the first frame than
  /// twenty times its size: a run that blew up can still be looked at.
  std::array<std::array<float, 3>, 2> bounds() const;
};

struct SurfaceOptions {
  bool with_fields = true;
  /// Which frames; all of them when empty.
  std::function<bool(std::size_t frame)> wants{};
};

/// Empty without frames. Throws InputError for a frame that cannot be read.
SurfaceFrames read_surface_frames(const RunReader& run, const SurfaceOptions& options = {});

}  // namespace sinew::output
