// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include <sinew/integrators/registry.hpp>
#include <sinew/output/publish/comparison_plots.hpp>
#include <sinew/output/publish/line_plot.hpp>

namespace sinew::output {
namespace {

using Columns = std::map<std::string, std::vector<double>>;

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream stream(row);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(std::move(cell));
  return cells;
}

Columns columns_of(const std::string& table) {
  Columns columns;
  std::istringstream stream(table);
  std::string row;
  std::getline(stream, row);
  const std::vector<std::string> names = cells_of(row);
  while (std::getline(stream, row)) {
    const std::vector<std::string> cells = cells_of(row);
    for (std::size_t k = 0; k < std::min(names.size(), cells.size()); ++k)
      columns[names[k]].push_back(std::strtod(cells[k].c_str(), nullptr));
  }
  return columns;
}

/// From its value at the start, with no more points than can be seen.
Curve change_of(const std::string& term, const EnergyRow& run, const Columns& columns) {
  constexpr std::size_t most_points = 2000;
  Curve curve{.name = run.name, .x = {}, .y = {}, .family = run.family};
  const auto t = columns.find("t"), energy = columns.find(term);
  if (t == columns.end() || energy == columns.end()) return curve;
  const std::size_t rows = std::min(t->second.size(), energy->second.size());
  const std::size_t stride = rows / most_points + 1;
  for (std::size_t k = 0; k < rows; k += stride) {
    curve.x.push_back(t->second[k]);
    curve.y.push_back(energy->second[k] - energy->second.front());
  }
  return curve;
}

bool is_empty(const Curve& curve) {
  return std::all_of(curve.y.begin(), curve.y.end(), [](double value) { return value == 0.0; });
}

}  // namespace

std::string energy_plots(const std::string& title, std::span<const EnergyRow> runs) {
  std::vector<Columns> tables;
  tables.reserve(runs.size());
  for (const EnergyRow& run : runs) tables.push_back(columns_of(run.table));
  const bool are_many = runs.size() > most_curves;
  std::vector<LinePlot> plots;
  for (const char* term : {"total", "kinetic", "elastic", "gravity", "contact"}) {
    LinePlot plot{.title = fmt::format("{}: {} energy", title, term),
                  .x_label = "t [s]",
                  .y_label = "energy, from its value at the start [J]",
                  .fits_families = true};
    plot.curves.reserve(runs.size());
    for (std::size_t k = 0; k < runs.size(); ++k)
      plot.curves.push_back(change_of(term, runs[k], tables[k]));
    if (std::all_of(plot.curves.begin(), plot.curves.end(), is_empty)) continue;
    fit_axes(plot);
    plots.push_back(std::move(plot));
    if (are_many) break;
  }
  return plots.empty() ? "" : to_svg(plots);
}

std::string work_precision_plot(const std::string& title, const ReportErrors& errors) {
  LinePlot plot{.title = fmt::format("{}: error against {}", title, errors.reference),
                .x_label = "time without output [s]",
                .y_label = "error [m]",
                .logarithmic_x = true,
                .logarithmic_y = true,
                .marks_points = true};
  for (const ErrorRow& row : errors.rows) {
    const double work_seconds = row.seconds - row.output_seconds;
    if (!row.error || !(*row.error > 0.0) || !(work_seconds > 0.0)) continue;
    auto curve = std::find_if(plot.curves.begin(), plot.curves.end(),
                              [&](const Curve& known) { return known.name == row.integrator; });
    if (curve == plot.curves.end()) {
      const auto* method = integrators::find_integrator(row.integrator);
      const std::string family =
          method ? fmt::format("{} methods", integrators::family_of(method->traits)) : "";
      curve = plot.curves.insert(plot.curves.end(),
                                 {.name = row.integrator, .x = {}, .y = {}, .family = family});
    }
    curve->x.push_back(work_seconds);
    curve->y.push_back(*row.error);
  }
  if (plot.curves.empty()) return "";
  fit_axes(plot);
  return to_svg(plot);
}

}  // namespace sinew::output
