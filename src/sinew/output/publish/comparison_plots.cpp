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

Curve& curve_of(const ErrorRow& row, std::vector<Curve>& curves) {
  const auto known = std::ranges::find(curves, row.curve, &Curve::name);
  if (known != curves.end()) return *known;
  const auto* method = integrators::find_integrator(row.curve);
  const std::string family =
      method ? fmt::format("{} methods", integrators::family_of(method->traits)) : "";
  return curves.emplace_back(Curve{.name = row.curve, .x = {}, .y = {}, .family = family});
}

/// Why a row cannot be drawn on logarithmic axes; empty: it can.
std::string why_no_point(const ErrorRow& row) {
  if (!row.error) return row.status == "finished" ? "no error" : row.status;
  if (!(*row.error > 0.0)) return "error 0";
  return row.work_seconds().value_or(0.0) > 0.0 ? "" : "no time";
}

}  // namespace

std::string energy_plots(const std::string& title, std::span<const EnergyRow> runs,
                         const core::UnitSystem& units) {
  std::vector<Columns> tables;
  tables.reserve(runs.size());
  for (const EnergyRow& run : runs) tables.push_back(columns_of(run.table));
  const bool are_many = runs.size() > most_curves;
  std::vector<LinePlot> plots;
  for (const char* term : {"total", "kinetic", "elastic", "gravity", "contact"}) {
    LinePlot plot{
        .title = fmt::format("{}: {} energy", title, term),
        .x_label = fmt::format("t [{}]", units.unit("s")),
        .y_label = fmt::format("energy, from its value at the start [{}]", units.unit("J")),
        .fits_families = true};
    plot.curves.reserve(runs.size());
    for (std::size_t k = 0; k < runs.size(); ++k) {
      plot.curves.push_back(change_of(term, runs[k], tables[k]));
      plot.curves.back().style = k;
    }
    if (std::all_of(plot.curves.begin(), plot.curves.end(), is_empty)) continue;
    fit_axes(plot);
    plots.push_back(std::move(plot));
    if (are_many) break;
  }
  return plots.empty() ? "" : to_svg(plots);
}

std::string work_precision_plot(const std::string& title, const ReportErrors& errors,
                                std::span<const std::string> runs, const core::UnitSystem& units) {
  LinePlot plot{.title = fmt::format("{}: error against {}", title, errors.reference),
                .x_label = "time without output [s]",
                .y_label = fmt::format("error [{}]", units.unit("m")),
                .logarithmic_x = true,
                .logarithmic_y = true,
                .marks_points = true};
  for (const ErrorRow& row : errors.rows) {
    Curve& curve = curve_of(row, plot.curves);
    const auto run = static_cast<std::size_t>(std::ranges::find(runs, row.run) - runs.begin());
    curve.style = std::min(curve.style.value_or(run), run);
    const std::string missing = why_no_point(row);
    if (missing.empty()) {
      curve.x.push_back(*row.work_seconds());
      curve.y.push_back(*row.error);
    } else {
      const std::string step =
          row.dt ? fmt::format(" with dt = {:.3g} {}", *row.dt, units.unit("s")) : "";
      curve.remark += fmt::format("{}{}{}", curve.remark.empty() ? "(" : "; ", missing, step);
    }
  }
  for (Curve& curve : plot.curves)
    if (!curve.remark.empty()) curve.remark += ")";
  if (std::ranges::all_of(plot.curves, [](const Curve& curve) { return curve.x.empty(); }))
    return "";
  fit_axes(plot);
  return to_svg(plot);
}

}  // namespace sinew::output
