// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/core/types.hpp>
#include <sinew/core/unit_system.hpp>
#include <sinew/integrators/options.hpp>
#include <sinew/output/record/run_directory.hpp>
#include <sinew/sim/observer.hpp>

namespace sinew::output {

/// One of several processes that share a run.
struct ProcessRecord {
  Index dofs = 0, elements = 0;  ///< that it owns and answers for
  Index ghosts = 0;              ///< nodes of others that it keeps up to date
  double memory_mb = 0.0;        ///< most that it has used
  double cpu_seconds = 0.0;
  double received_mb = 0.0;  ///< by exchanges with neighbours
};

/// What only the composition root knows about a run.
struct RunInfo {
  std::string scene_json;  ///< fully resolved
  std::string integrator;
  integrators::Options options;
  std::string solver;
  std::string blas;
  double dt = 0.0;
  int threads = 1;
  double setup_seconds = 0.0;
  Vec3 up = Vec3::UnitZ();  ///< in pictures, a unit vector
  std::string reason{};     ///< how it ended, where the summary cannot say
  const core::UnitSystem* units = &core::si_units();
  /// What health_notes() cannot know, asked at the end.
  std::function<std::vector<std::string>()> notes{};
  /// Of all processes; without it there is one.
  std::function<std::vector<ProcessRecord>()> processes{};
};

/// manifest.json: "running" from the start, the whole story at the end.
class ManifestWriter final : public sim::Observer {
 public:
  ManifestWriter(const RunDirectory& directory, RunInfo info)
      : path_(directory.file("manifest.json")), info_(std::move(info)) {}

  void on_start(const sim::FrameView& view) override;
  void on_edit(const sim::FrameView& view, bool memory_kept) override;
  void on_finish(const sim::FrameView& view, const sim::RunSummary& summary) override;

 private:
  void write(const sim::FrameView& view, const sim::RunSummary& summary, bool finished) const;

  /// What an edit made of the system.
  struct EditRecord {
    double t = 0.0;  ///< [s]
    Index dofs = 0;
    std::size_t elements = 0;
    bool memory_kept = false;
  };

  std::filesystem::path path_;
  RunInfo info_;
  std::vector<EditRecord> edits_;  // since the run was started or resumed
};

/// How a run ended, in a word: finished, failed or stopped.
std::string_view status_text(const sim::RunSummary& summary);

/// Why a run ended, as a sentence with a remedy where one is needed.
std::string reason_text(const sim::RunSummary& summary,
                        const core::UnitSystem& units = core::si_units());

/// How many steps the guard redid, and how; for runs with such steps.
std::string guard_text(const sim::RunSummary& summary);

/// What a reader of the results must know, a sentence each; nothing about a sound run.
std::vector<std::string> health_notes(const sim::RunSummary& summary,
                                      const core::UnitSystem& units = core::si_units());

}  // namespace sinew::output
