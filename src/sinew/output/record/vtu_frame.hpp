// SPDX-License-Identifier: Apache-2.0
// One frame with every field that a system publishes, taken at a moment of a run and packed later.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sinew/dynamics/capabilities/observables.hpp>
#include <sinew/dynamics/dynamical_system.hpp>
#include <sinew/mesh/io/vtu.hpp>

namespace sinew::output {

struct VtuFrame {
  struct Field {
    std::string name;
    int components = 1;
    // one of them: what moves is kept to the last bit; what is derived from it, for pictures, is
    // not
    std::vector<double> per_point;
    std::vector<float> per_cell;
  };

  double t = 0.0;  ///< [s]
  std::shared_ptr<const dynamics::Geometry> geometry;
  std::uint64_t geometry_number = 0;  ///< another one where the geometry is another
  std::vector<Field> fields;

  std::size_t bytes() const;
};

/// The geometry of frames, shared between those in which it is the same.
class VtuFrameTaker {
 public:
  /// `time` is what the frame says about when it is; without it that of the state.
  VtuFrame take(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                dynamics::Workspace& workspace, std::optional<double> time = {});

 private:
  std::shared_ptr<const dynamics::Geometry> geometry_;
  std::uint64_t number_ = 0;
};

/// Makes .vtu files of frames: appended binary data, packed by zlib's method at level 1. Arrays
/// that are what they were in the frame before are not packed again.
class VtuPacker {
 public:
  std::string pack(const VtuFrame& frame);

 private:
  struct Packed {
    std::string raw, packed;
  };
  std::map<std::string, Packed> last_;  // by the name of the array
};

/// The frame as a reader of its file would find it; `with_cells`: tets and lines as well.
mesh::io::VtuFields read_back(const VtuFrame& frame, bool with_cells);

}  // namespace sinew::output
