// SPDX-License-Identifier: Apache-2.0
// The surface of a run over time, as pictures and other programs want it: vertices on the boundary
// only, and quantities of cells averaged to them. Bars without a volume get thin tubes, open at
// their ends, where others meet them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <sinew/mesh/io/vtu.hpp>
#include <sinew/output/record/run_reader.hpp>

namespace sinew::output {

/// One scalar per surface vertex and frame.
struct SurfaceField {
  std::string name, unit;
  std::vector<std::vector<float>> values;  ///< per frame
};

/// Vectors at some vertices of the surface: those that are not zero.
struct SurfaceArrows {
  struct Arrow {
    std::uint32_t vertex = 0;
    std::array<float, 3> vector{};
  };
  std::string name, unit;
  std::vector<std::vector<Arrow>> arrows;  ///< per frame
};

/// What may be among the fields, where a run has it.
std::vector<std::string> surface_field_names();

/// Frames, one after another, that share their triangles. A run has one chapter unless edits cut,
/// break or remove something.
struct SurfaceChapter {
  std::size_t first = 0;  ///< number of its first frame
  std::size_t num_vertices = 0;
  std::vector<std::array<int, 3>> triangles;  ///< counter-clockwise seen from outside
  /// Obstacles come last: so many vertices and triangles are before theirs.
  std::size_t num_body_vertices = 0, num_body_triangles = 0;

  bool has_obstacles() const { return num_body_triangles < triangles.size(); }
};

struct SurfaceFrames {
  std::vector<SurfaceChapter> chapters;       ///< in the order of time
  std::vector<double> times;                  ///< [s]
  std::vector<std::vector<float>> positions;  ///< per frame: x, y, z of each vertex [m]
  std::vector<SurfaceField> fields;
  std::vector<SurfaceArrows> arrows;

  const SurfaceChapter& chapter_of(std::size_t frame) const;
  /// One past the last frame of a chapter, by its number.
  std::size_t end_of(std::size_t chapter) const;
  /// Smallest and largest coordinates over all frames, but not further from the first one with a
  /// vertex than twenty times its size: a run that blew up can still be looked at.
  std::array<std::array<float, 3>, 2> bounds() const;
  /// What a picture should show: the bodies, and of obstacles what is near them.
  std::array<std::array<float, 3>, 2> focus() const;

 private:
  std::array<std::array<float, 3>, 2> bounds_of(bool with_obstacles) const;
};

/// How the surface lies in the bodies.
struct SurfaceSkin {
  struct Tube {
    std::array<int, 2> ends{};
    double radius = 0.0;         ///< [m]
    Vec3 across = Vec3::Zero();  ///< unit vector that is carried along from frame to frame
  };

  std::vector<int> vertices;  ///< of the bodies, for each of the surface
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::vector<int>> cells;  ///< around each surface vertex
  std::vector<Tube> tubes;
  std::size_t first_tube = 0;  ///< vertex: for each, the ring of both ends
  std::size_t num_body_vertices = 0, num_body_triangles = 0;  ///< those of obstacles come after
};

/// Takes in frame after frame.
class SurfaceBuilder {
 public:
  using Radii = std::map<int, double>;  ///< of the tubes of each body, by its number [m]

  explicit SurfaceBuilder(bool with_fields);

  /// The arrays that are looked at.
  const std::set<std::string>& arrays() const { return arrays_; }
  /// `with_cells` gives the same frame with its cells; asked where they are new.
  void add(double t, const mesh::io::VtuFields& frame,
           const std::function<mesh::io::VtuFields()>& with_cells);
  /// Once.
  SurfaceFrames finish();

 private:
  /// Unless the change was inside and the surface is what it was.
  void begin_chapter();
  void add_fields(const mesh::io::VtuFields& frame);
  void add_arrows(const mesh::io::VtuFields& frame);

  std::set<std::string> arrays_;
  std::uint64_t cells_code_ = 0;
  SurfaceSkin skin_;
  Radii radii_;
  SurfaceFrames frames_;
};

struct SurfaceOptions {
  bool with_fields = true;
  /// Which frames; all of them when empty.
  std::function<bool(std::size_t frame)> wants{};
};

/// Empty without frames. Throws InputError for a frame that cannot be read.
SurfaceFrames read_surface_frames(const RunReader& run, const SurfaceOptions& options = {});

}  // namespace sinew::output
