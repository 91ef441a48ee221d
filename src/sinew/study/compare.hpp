// SPDX-License-Identifier: Apache-2.0
// One scene under several methods and step sizes: what `sinew compare` does, for programs.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sinew/core/unit_system.hpp>
#include <sinew/study/batch.hpp>

namespace sinew::study {

/// The fine run that errors are measured against.
struct ReferenceOptions {
  std::string integrator = "tr-bdf2";
  double dt = 0.0;  ///< 0: a sixteenth of the smallest step compared [s]
};

struct ComparedRun;

struct CompareOptions {
  std::filesystem::path directory;       ///< one folder per run goes in here, and the report
  bool replace = false;                  ///< an earlier comparison in `directory` makes room
  bool publish = true;                   ///< make reports and pictures, of all and of each
  std::vector<std::string> integrators;  ///< at least one
  std::vector<double> steps;             ///< dt of the runs; empty: that of the scene [s]
  std::optional<ReferenceOptions> reference{};
  std::function<bool()> interrupted{};
  std::function<void(const ComparedRun&)> on_ended{};  ///< told one at a time
  /// Told after every step of any run, one at a time, about all of them.
  std::function<void(const std::vector<BatchProgress>&)> on_progress{};
};

struct ComparedRun {
  std::string name;  ///< of its folder
  std::string integrator;
  double dt = 0.0;              ///< [s]
  sim::RunSummary summary;      ///< of the run, also where it failed or was stopped
  double reached = 0.0;         ///< simulated time at its end [s]
  double energy_final = 0.0;    ///< [J]
  double numerical_loss = 0.0;  ///< largest by size, negative: gained [J]
  std::optional<double> error;  ///< to the reference, root-mean-square [m]
};

struct ComparisonResult {
  std::vector<ComparedRun> runs;
  std::optional<ComparedRun> reference;  ///< errors are measured only if it finished
};

/// How a run ended, with the time it reached if that is not the end.
std::string ending_text(const ComparedRun& run, const core::UnitSystem& units);

/// Throws InputError if `directory` exists and is neither empty nor an earlier comparison that may
/// be replaced.
void require_usable_for_comparison(const std::filesystem::path& directory, bool may_replace);

/// Runs as many at a time as there are cores, each on one thread, then writes what shows all of
/// them: report.html, preview.png, plots and compare.csv. Options of the scene's method are kept
/// where the other methods have them too.
ComparisonResult compare(const scene::SceneSpec& scene, const CompareOptions& options,
                         const scene::Catalog& catalog = scene::builtin_catalog());

}  // namespace sinew::study
