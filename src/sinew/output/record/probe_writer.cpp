// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include <sinew/dynamics/capabilities/observables.hpp>
#include <sinew/output/record/probe_writer.hpp>

namespace sinew::output {

void ProbeWriter::on_start(const sim::FrameView& view) {
  std::string header = "t";
  for (const Probe& probe : probes_)
    for (const char* suffix : {"x", "y", "z", "vx", "vy", "vz"})
      header += fmt::format(",{}_{}", probe.name, suffix);
  if (resume_) {
    // rows carry the exact time they were written at
    const double now = view.state.t;
    if (writes_) file_.emplace(path_, header, [now](double t) { return t <= now; });
  } else {
    if (writes_) file_.emplace(path_, header);
    write_row(view);
  }
}

void ProbeWriter::on_step(const sim::FrameView& view, const sim::StepRecord& record) {
  if (record.report.status == integrators::StepStatus::accepted) write_row(view);
}

void ProbeWriter::on_finish(const sim::FrameView&, const sim::RunSummary&) {
  if (file_) file_->commit();
}

void ProbeWriter::write_row(const sim::FrameView& view) {
  const dynamics::Observables& shown = dynamics::observables_of(view.system);
  position_.resize(3 * shown.geometry().num_points);
  velocity_.resize(position_.size());
  shown.evaluate_field("position", view.state, view.workspace, position_);
  shown.evaluate_field("velocity", view.state, view.workspace, velocity_);
  std::string row = fmt::format("{}", view.state.t);
  for (const Probe& probe : probes_)
    for (const Vec* field : {&position_, &velocity_}) {
      Eigen::Vector4d sum(0.0, 0.0, 0.0, static_cast<double>(probe.points.size()));
      for (const int point : probe.points)
        sum.head<3>() += 3 * point < field->size() ? Vec3(field->segment<3>(3 * point))
                                                   : Vec3::Constant(std::nan(""));
      if (add_up_) add_up_({sum.data(), 4});
      const Vec3 mean = sum.head<3>() / sum[3];
      row += fmt::format(",{},{},{}", mean[0], mean[1], mean[2]);
    }
  if (file_) file_->write(row);
}

}  // namespace sinew::output
