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
  std::string run;                ///< its name in legends
  std::string curve;              ///< that it is a point of: its method, or a name of its own
  std::optional<double> dt{};     ///< empty: not known [s]
  std::optional<double> error{};  ///< root-mean-square distance [m]; empty: there is none
  /// Wall time, and what of it went into files and the ledger; empty: not known.
  std::optional<double> seconds{}, output_seconds{};
  std::string status{};  ///< of the run, as its manifest says it

  /// Without output.
  std::optional<double> work_seconds() const {
    if (!seconds) return std::nullopt;
    return *seconds - output_seconds.value_or(0.0);
  }
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
