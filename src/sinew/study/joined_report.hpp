// SPDX-License-Identifier: Apache-2.0
// Runs that are there already, shown together: what `sinew compare DIR DIR...` does, for programs.
// Results of other programs become runs by output::import_series.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sinew/core/unit_system.hpp>
#include <sinew/output/publish/report.hpp>
#include <sinew/output/record/run_distance.hpp>
#include <sinew/scene/catalog.hpp>

namespace sinew::study {

struct JoinedRun {
  std::string name;  ///< in legends, unless there are parameters
  std::filesystem::path directory;
  std::vector<output::ReportParameter> parameters{};  ///< of a sweep
};

/// Names of runs by the part of their paths in which they differ.
std::vector<JoinedRun> named_by_difference(const std::vector<std::filesystem::path>& directories);

/// What the numbers of all of them mean. Throws InputError where they do not mean the same.
const core::UnitSystem& shared_units(const std::vector<JoinedRun>& runs);

/// Distances of finished runs to one of them, and a sentence for each that has none or not of all
/// times.
struct MeasuredRuns {
  output::ReportErrors errors;
  std::vector<output::RunDistance> distances;  ///< of the rows
  std::vector<std::string> notes;
};
MeasuredRuns measure_against(const JoinedRun& reference, const std::vector<JoinedRun>& runs);

/// Writes what shows all of them together into the directory, as far as this build can:
/// report.html, preview.png, energies.svg, and work-precision.svg where there are errors. Runs of
/// other scenes, meshes and lengths may stand beside each other.
void write_joined_report(const std::filesystem::path& directory, const std::string& title,
                         const std::vector<JoinedRun>& runs,
                         const std::optional<output::ReportErrors>& errors = std::nullopt,
                         const scene::Catalog& catalog = scene::builtin_catalog());

}  // namespace sinew::study
