// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sinew/core/background.hpp>
#include <sinew/core/profile.hpp>
#include <sinew/output/record/frame_series.hpp>
#include <sinew/output/record/surface_frames.hpp>
#include <sinew/output/record/vtu_frame.hpp>
#include <sinew/sim/observer.hpp>

namespace sinew::output {

/// frames/frame_NNNNNN.vtu (appended binary, zlib) and frames.pvd, the series for ParaView. Packed
/// and written in the background: a run waits only when 256 MB of frames wait already.
class VtuWriter final : public sim::Observer {
 public:
  /// `keeps_surface`: for surface().
  VtuWriter(const RunDirectory& directory, bool resume, bool keeps_surface = false);
  ~VtuWriter() override;

  void on_start(const sim::FrameView& view) override;
  void on_frame(const sim::FrameView& view) override;
  void on_finish(const sim::FrameView&, const sim::RunSummary&) override { flush(); }

  /// Waits until all frames are written, and named in frames.pvd. Throws where that failed.
  void flush();
  /// The surface of all frames, once, if it was kept; not of runs that were resumed.
  std::optional<SurfaceFrames> take_surface();

 private:
  void write(const VtuFrame& frame);
  void write_series_now();

  RunDirectory directory_;
  VtuFrameTaker taker_;
  bool resume_;
  // for tasks in the background only, or before them, or after flush()
  std::vector<SeriesEntry> frames_;
  bool is_series_old_ = false;
  core::Stopwatch since_series_;
  VtuPacker packer_;
  std::optional<SurfaceBuilder> surface_;

  core::Background background_;  // last: its tasks use the others
};

/// One frame as the bytes of a .vtu file, with every field the system publishes. `time` is what
/// the file says about when it is; without it that of the state.
std::string vtu_bytes(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                      dynamics::Workspace& workspace, std::optional<double> time = {});

}  // namespace sinew::output
