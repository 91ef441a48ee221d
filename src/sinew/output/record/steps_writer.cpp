// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <sinew/output/record/steps_writer.hpp>

namespace sinew::output {

void StepsWriter::on_start(const sim::FrameView& view) {
  static constexpr auto header =
      "step,t,dt,status,newton,matvecs,krylov,factorizations,modes_iterations,rung,projected,"
      "contacts,min_distance,seconds,inverted,regularised,kernel,modes,modes_refused,modes_"
      "residual,largest_strain";
  if (resume_) {
    const double last = static_cast<double>(view.step);
    file_.emplace(path_, header, [last](double step) { return step <= last; });
  } else {
    file_.emplace(path_, header);
  }
}

void StepsWriter::on_step(const sim::FrameView& view, const sim::StepRecord& record) {
  const integrators::StepReport& report = record.report;
  const core::Counts& counts = report.profile.counts;
  const integrators::ModalReport modes = report.modes.value_or(integrators::ModalReport{});
  const bool accepted = report.status == integrators::StepStatus::accepted;
  // a rejected attempt carries the number of the step it tried to be
  file_->write(fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{},{:.6g},{},{},{},{},{},{:.3g},{:.6g}",
      accepted ? view.step : view.step + 1, record.t, record.dt,
      integrators::to_string(report.status), counts.newton, counts.matvecs, counts.krylov,
      counts.factorizations, counts.modes_iterations, static_cast<int>(report.rung),
      report.projected, record.admissibility.contacts, record.admissibility.min_distance,
      record.seconds, record.admissibility.inverted_elements, report.regularised,
      report.phi ? la::to_string(report.phi->kernel) : std::string_view("none"), modes.used,
      modes.refused, modes.residual, record.admissibility.largest_strain));
}

void StepsWriter::on_finish(const sim::FrameView&, const sim::RunSummary&) {
  file_->commit();
}

}  // namespace sinew::output
