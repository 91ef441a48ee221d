// SPDX-License-Identifier: Apache-2.0
// Line plots of several runs of one scene.
#pragma once

#include <span>
#include <string>

#include <sinew/output/publish/report.hpp>

namespace sinew::output {

struct EnergyRow {
  std::string name;
  std::string family;  ///< of its method
  std::string table;   ///< energy.csv
};

/// Stored and kinetic energies over time, each from its value at the start; one plot per term that
/// any run has, or where there are many runs of their sum alone. Empty without rows.
std::string energy_plots(const std::string& title, std::span<const EnergyRow> runs,
                         const core::UnitSystem& units);

/// Error against time without output. A curve has the look that the first of its runs has among
/// `runs` in the plots of energies; what has no point is named with the reason. Empty without
/// errors.
std::string work_precision_plot(const std::string& title, const ReportErrors& errors,
                                std::span<const std::string> runs, const core::UnitSystem& units);

}  // namespace sinew::output
