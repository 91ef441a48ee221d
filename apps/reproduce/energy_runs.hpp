// SPDX-License-Identifier: Apache-2.0
// One scene under several methods, for the figures of the papers that show energies over time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sinew/scene/format/scene_reader.hpp>

namespace sinew::cli {

struct EnergyRun {
  std::string label;
  std::filesystem::path directory;        ///< what it wrote: a run without frames
  std::vector<double> t, total, elastic;  ///< at the start and after every step [s], [J]
  std::string failure{};                  ///< why it ended early; empty: it did not
  long redone = 0;                        ///< steps that the guard made again

  bool finished() const { return failure.empty(); }
  /// The first step after which the energy was more than ten times that of the start, or which
  /// failed; 0: none.
  long blown_up() const;
};

/// Runs a built-in scene into a folder of `directory` and prints a line about it.
EnergyRun run_for_energy(const std::filesystem::path& directory, const std::string& label,
                         const std::string& scene, const std::vector<scene::Override>& changes);

enum class EnergyKind { total, elastic };

/// NAME.csv and NAME.svg.
void write_energies(const std::filesystem::path& directory, const std::string& name,
                    const std::string& title, EnergyKind kind, const std::vector<EnergyRun>& runs);

/// A statement of a paper, and whether the runs bear it out.
struct Claim {
  std::string text;
  bool holds = false;
};

/// report.html of all runs, with the claim on top.
void write_report(const std::filesystem::path& directory, const std::string& title,
                  const Claim& claim, const std::vector<EnergyRun>& runs);

}  // namespace sinew::cli
