// SPDX-License-Identifier: Apache-2.0
// Frames of a run that processes share: every process writes the cells it answers for as a piece,
// the first one what names them, and the surface of all for reports and pictures.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <sinew/output/record/frame_series.hpp>
#include <sinew/output/record/vtu_frame.hpp>
#include <sinew/petsc/shared_system.hpp>
#include <sinew/sim/observer.hpp>

namespace sinew::petsc {

/// frames/frame_NNNNNN.pvtu with its pieces frame_NNNNNN_pK.vtu, named in frames.pvd; and
/// frames/surface_NNNNNN.vtu, named in surface.pvd.
class SharedFrames final : public sim::Observer {
 public:
  /// Surfaces of more triangles are not gathered.
  static constexpr double most_triangles = 4e6;

  SharedFrames(const Processes& processes, const la::Reducer& reducer,
               const output::RunDirectory& directory, bool resume);

  void on_start(const sim::FrameView& view) override;
  void on_frame(const sim::FrameView& view) override;
  void on_finish(const sim::FrameView&, const sim::RunSummary&) override {}

  bool has_surface() const { return has_surface_; }

 private:
  void find_surface(const SharedSystem& system);
  output::VtuFrame surface_of(const SharedSystem& system, const sim::FrameView& view,
                              const output::VtuFrame& piece) const;
  void join_surfaces(const output::VtuFrame& own, const std::string& file);
  std::string index_of_pieces(const std::vector<dynamics::FieldInfo>& fields,
                              const std::string& stem) const;

  const Processes& processes_;
  const la::Reducer& reducer_;
  output::RunDirectory directory_;
  bool resume_;
  output::VtuFrameTaker taker_;
  output::VtuPacker packer_, surface_packer_;
  std::vector<output::SeriesEntry> frames_, surfaces_;  // of the first process
  bool has_surface_ = false;
  // of the own part of the surface: vertices and cells of the part, triangles of these vertices
  std::vector<int> vertices_, cells_;
  std::shared_ptr<dynamics::Geometry> geometry_;
  // of all parts, on the first process
  std::vector<std::vector<int>> places_;  // per process and vertex of its surface
  std::shared_ptr<dynamics::Geometry> joined_;
};

}  // namespace sinew::petsc
