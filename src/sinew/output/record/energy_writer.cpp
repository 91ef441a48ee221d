// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <sinew/output/record/energy_writer.hpp>

namespace sinew::output {
namespace {

// the columns that every run has; a system's further terms follow at the end of the row
constexpr std::array stored_columns{"elastic", "gravity", "contact"};
constexpr std::array loss_columns{"damping", "friction", "plastic"};

double value_of(std::string_view name, const std::vector<std::string>& names,
                const std::vector<double>& values) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? 0.0 : values[static_cast<std::size_t>(found - names.begin())];
}

template <std::size_t N>
bool is_standard(std::string_view name, const std::array<const char*, N>& columns) {
  return std::find(columns.begin(), columns.end(), name) != columns.end();
}

}  // namespace

void EnergyWriter::on_start(const sim::FrameView& view) {
  std::string header =
      "step,t,kinetic,elastic,gravity,contact,total,external_work,damping_loss,friction_loss,"
      "plastic_loss,numerical_loss,px,py,pz,lx,ly,lz";
  for (const std::string& name : view.ledger.stored_names())
    if (!is_standard(name, stored_columns)) header += "," + name;
  for (const std::string& name : view.ledger.loss_names())
    if (!is_standard(name, loss_columns)) header += "," + name + "_loss";
  if (resume_) {
    const double last = static_cast<double>(view.step);
    file_.emplace(path_, header, [last](double step) { return step <= last; });
  } else {
    file_.emplace(path_, header);
    write_row(view);
  }
}

void EnergyWriter::on_step(const sim::FrameView& view, const sim::StepRecord& record) {
  if (record.report.status == integrators::StepStatus::accepted) write_row(view);
}

void EnergyWriter::on_finish(const sim::FrameView&, const sim::RunSummary&) {
  file_->commit();
}

void EnergyWriter::write_row(const sim::FrameView& view) {
  const sim::EnergyRecord& record = view.ledger.record();
  const auto& stored = view.ledger.stored_names();
  const auto& losses = view.ledger.loss_names();
  std::string row = fmt::format("{},{},{}", view.step, view.state.t, record.kinetic);
  for (const char* name : stored_columns)
    row += fmt::format(",{}", value_of(name, stored, record.stored));
  row += fmt::format(",{},{}", record.total, record.external_work);
  for (const char* name : loss_columns)
    row += fmt::format(",{}", value_of(name, losses, record.lost));
  row += fmt::format(",{}", record.numerical_loss);
  for (const Vec3* momentum : {&record.momentum.linear, &record.momentum.angular})
    row += fmt::format(",{},{},{}", (*momentum)[0], (*momentum)[1], (*momentum)[2]);
  for (std::size_t k = 0; k < stored.size(); ++k)
    if (!is_standard(stored[k], stored_columns)) row += fmt::format(",{}", record.stored[k]);
  for (std::size_t k = 0; k < losses.size(); ++k)
    if (!is_standard(losses[k], loss_columns)) row += fmt::format(",{}", record.lost[k]);
  file_->write(row);
}

}  // namespace sinew::output
