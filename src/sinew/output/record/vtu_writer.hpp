// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sinew/output/record/run_directory.hpp>
#include <sinew/sim/observer.hpp>

namespace sinew::output {

struct SeriesEntry {
  std::string file;  ///< in the folder frames/
  double t = 0.0;
};

/// frames.pvd, which names the frames in the order of time.
void write_series(const RunDirectory& directory, const std::vector<SeriesEntry>& frames);

/// frames/frame_NNNNNN.vtu (appended binary, zlib) and frames.pvd, the series for ParaView.
class VtuWriter final : public sim::Observer {
 public:
  VtuWriter(const RunDirectory& directory, bool resume);

  void on_frame(const sim::FrameView& view) override;

 private:
  RunDirectory directory_;
  bool resume_;
  std::vector<SeriesEntry> frames_;
};

/// One frame as the bytes of a .vtu file, with every field the system publishes. `time` is what
/// the file says about when it is; without it that of the state.
std::string vtu_bytes(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                      dynamics::Workspace& workspace, std::optional<double> time = {});

}  // namespace sinew::output
