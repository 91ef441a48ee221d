// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/output/record/vtu_writer.hpp>

namespace sinew::output {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_waiting_bytes = std::size_t(256) << 20;
// of a run that is watched: more often would mean writing a long list again and again [s]
constexpr double series_interval = 0.2;

}  // namespace

std::string vtu_bytes(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                      dynamics::Workspace& workspace, std::optional<double> time) {
  return VtuPacker().pack(VtuFrameTaker().take(system, state, workspace, time));
}

VtuWriter::VtuWriter(const RunDirectory& directory, bool resume, bool keeps_surface)
    : directory_(directory), resume_(resume), background_(most_waiting_bytes) {
  if (keeps_surface && !resume) surface_.emplace(true);
  const fs::path series = directory.file("frames.pvd");
  if (!resume_ || !fs::exists(series)) return;
  // the frames of the run that is being continued
  for (const FrameFile& frame : read_series(series))
    frames_.push_back({frame.path.filename().string(), frame.t});
}

VtuWriter::~VtuWriter() {
  try {
    flush();
  } catch (...) {  // whoever wanted to know has asked
  }
}

void VtuWriter::on_start(const sim::FrameView& view) {
  if (!resume_) return;
  // frames after the checkpoint are about to be written again; the one at the end of a run that is
  // made longer is none of its frames any more
  const double last = view.last_frame_time;
  if (std::erase_if(frames_, [last](const SeriesEntry& entry) { return !(entry.t <= last); }) > 0)
    is_series_old_ = true;
}

void VtuWriter::on_frame(const sim::FrameView& view) {
  const auto frame =
      std::make_shared<const VtuFrame>(taker_.take(view.system, view.state, view.workspace));
  background_.add(frame->bytes(), [this, frame] { write(*frame); });
}

void VtuWriter::write(const VtuFrame& frame) {
  fs::create_directories(directory_.frames());
  frames_.push_back({fmt::format("frame_{:06}.vtu", frames_.size()), frame.t});
  core::write_atomically(directory_.frames() / frames_.back().file, packer_.pack(frame));
  is_series_old_ = true;
  if (frames_.size() == 1 || since_series_.seconds() > series_interval) write_series_now();
  if (surface_)
    surface_->add(frame.t, read_back(frame, false), [&] { return read_back(frame, true); });
}

void VtuWriter::write_series_now() {
  if (!std::exchange(is_series_old_, false)) return;
  write_series(directory_, frames_);
  since_series_ = {};
}

void VtuWriter::flush() {
  background_.add(0, [this] { write_series_now(); });
  background_.finish();
}

std::optional<SurfaceFrames> VtuWriter::take_surface() {
  flush();
  if (!surface_) return std::nullopt;
  SurfaceFrames frames = surface_->finish();
  surface_.reset();
  return frames;
}

}  // namespace sinew::output
