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

struct ReportRun {
  std::string name;  ///< in legends
  const RunReader* run = nullptr;
  const SurfaceFrames* surface = nullptr;  ///< of the same run; empty without frames
};

/// One row of a comparison with a reference.
struct ErrorRow {
  std::string integrator;
  double dt = 0.0;              ///< [s]
  std::optional<double> error;  ///< root-mean-square distance [m]; empty: there is none
  double seconds = 0.0;         ///< wall time without output
  std::string status{};         ///< of the run, as its manifest says it
};

struct ReportErrors {
  std::string reference;
  std::vector<ErrorRow> rows;
};

/// Whether this build has the page.
bool has_report_page();

/// The whole file.
std::string report_html(const std::string& title, const std::vector<ReportRun>& runs,
                        const std::optional<ReportErrors>& errors = std::nullopt);

}  // namespace sinew::output
