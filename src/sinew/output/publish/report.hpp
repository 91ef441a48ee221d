// SPDX-License-Identifier: Apache-2.0
// report.html: one file that shows one or several runs in a browser, without any network
// (docs/formats/report.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sinew/output/record/run_reader.hpp>
#include <sinew/output/record/surface_frames.hpp>

namespace sinew::output {

/// What a run of a sweep was made with.
struct ReportParameter {
  std::string name;  ///< the place in the scene
  std::string value;
};

struct ReportRun {
  std::string name;  ///< in legends
  const RunReader* run = nullptr;
  const SurfaceFrames* surface = nullptr;     ///< of the same run; empty without frames
  std::vector<ReportParameter> parameters{};  ///< of a sweep, in the order of its axes
};

/// One row of a comparison with a reference.
struct ErrorRow {
  std::string run;  ///< its name in legends
  std::string integrator;
  double dt = 0.0;              ///< [s]
  std::optional<double> error;  ///< root-mean-square distance [m]; empty: there is none
  double seconds = 0.0;         ///< wall time
  double output_seconds = 0.0;  ///< of these, for writing files and the ledger
  std::string status{};         ///< of the run, as its manifest says it
};

struct ReportErrors {
  std::string reference;
  std::vector<ErrorRow> rows;
};

/// Whether this build has the page.
bool has_report_page();

/// The whole file. `claim`: the statement that these runs test, for the top of the page; empty:
/// they test none.
std::string report_html(const std::string& title, const std::vector<ReportRun>& runs,
                        const std::optional<ReportErrors>& errors = std::nullopt,
                        const std::string& claim = {});

}  // namespace sinew::output
