// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <sinew/output/run_directory.hpp>
#include <sinew/sim/observer.hpp>

namespace sinew::output {

/// frames/frame_NNNNNN.vtu (appended binary, zlib) and frames.pvd, the series for ParaView.
class VtuWriter final : public sim::Observer {
 public:
  VtuWriter(const RunDirectory& directory, bool resume);

  void on_frame(const sim::FrameView& view) override;

 private:
  void write_series() const;

  struct Frame {
    std::string file;
    double t;
  };

  RunDirectory directory_;
  bool resume_;
  std::vector<Frame> frames_;
};

/// One frame as the bytes of a .vtu file, with every field the system publishes.
std::string vtu_bytes(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                      dynamics::Workspace& workspace);

}  // namespace sinew::output
