// SPDX-License-Identifier: Apache-2.0
// Built-in scenes under one method after another: what most figures and tables are made of.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sinew/core/profile.hpp>
#include <sinew/core/types.hpp>
#include <sinew/output/publish/line_plot.hpp>
#include <sinew/scene/format/scene_reader.hpp>

#include "reproduction.hpp"

namespace sinew::cli {

using Changes = std::vector<scene::Override>;
Changes operator+(Changes first, const Changes& more);

/// The scene; in a trial a small one in its place, whatever it is.
std::string scene_for(const Reproduction& reproduction, const std::string& scene);

struct SceneRun {
  std::string label;
  std::filesystem::path directory;  ///< what it wrote: a run without frames
  /// At the start and after every step [s], [J]; stored energies are named as the scene's terms
  /// are.
  std::vector<double> t, total, kinetic;
  std::vector<std::vector<double>> stored;
  std::vector<std::string> stored_names;
  std::string failure{};  ///< why it ended early; empty: it did not
  /// The first step that failed, or after which there was ten times the energy that the run began
  /// with and that came in; 0: none.
  long blown_up = 0;
  bool was_cut = false;  ///< it was stopped because it took too long
  long redone = 0;       ///< steps that the guard made again
  long steps = 0;
  double cpu_seconds = 0.0;  ///< of all threads, without set-up: little touched by other work
  double first_step = 0.0;   ///< the part of it until the first step was accepted
  core::Profile profile;
  Vec begin, end;  ///< positions of all dofs [m]

  /// Its end, or where it was cut.
  bool finished() const { return failure.empty(); }
  bool is_stable() const { return blown_up == 0; }
  double lost() const { return total.front() - total.back(); }
  /// What so many steps cost if those after the first, which prepares much, cost as they did here.
  double cpu_for(long count) const;
  /// One of the stored energies by name; throws InternalError where there is none.
  const std::vector<double>& energy(const std::string& name) const;
  /// All that is stored: elastic and of loads.
  std::vector<double> potential() const;
};

struct RunRequest {
  std::string label;
  std::string scene;
  Changes changes{};
  double most_seconds =
      0.0;  ///< of all processors, after which it is stopped, within a step too; 0: never
};

/// Runs it into a folder of the reproduction and prints a line about it.
SceneRun run_scene_for(const Reproduction& reproduction, const RunRequest& request);

/// A bare method: no guard, no halving, no frames.
Changes bare(const std::string& method, const Changes& more = {});
Changes with_modes(int count);
/// The paper's SI: one Newton step of backward Euler from q0 + h v0, as its public code shows.
Changes predicted();

enum class EnergyKind { total, elastic, potential };

/// NAME.csv and NAME.svg: energies over time, from their value at the start. A curve that blows up
/// ends there.
void write_energies(Reproduction& reproduction, const std::string& name, const std::string& title,
                    EnergyKind kind, const std::vector<SceneRun>& runs);

/// report.html of all runs, with the statement on top.
void write_report(Reproduction& reproduction, const std::string& title,
                  const std::vector<SceneRun>& runs);

/// "4464 J", "0.1166 J".
std::string joules(double energy);
/// "0.0123 s", "79367 s".
std::string seconds_text(double seconds);
/// "1e8 Pa", "1.6e4 Pa".
std::string pascals(double modulus);

}  // namespace sinew::cli
