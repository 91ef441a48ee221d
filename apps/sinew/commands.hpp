// SPDX-License-Identifier: Apache-2.0
// Each command adds itself to the program: its options, its example, and what to do when it is
// chosen.
#pragma once

#include <CLI/CLI.hpp>

namespace sinew::cli {

/// `exit_code` is what the program returns after the chosen command ran.
void add_run(CLI::App& app, int& exit_code);
void add_validate(CLI::App& app, int& exit_code);
void add_list(CLI::App& app, int& exit_code);
void add_info(CLI::App& app, int& exit_code);
void add_mesh(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_render(CLI::App& app, int& exit_code);
void add_view(CLI::App& app, int& exit_code);
void add_modes(CLI::App& app, int& exit_code);
void add_damping(CLI::App& app, int& exit_code);
void add_static(CLI::App& app, int& exit_code);
void add_stiffen(CLI::App& app, int& exit_code);
/// A command that is a program of its own, sinew-NAME, in the folder of this one.
void add_sibling(CLI::App& app, int& exit_code, const std::string& name,
                 const std::string& summary);

}  // namespace sinew::cli
