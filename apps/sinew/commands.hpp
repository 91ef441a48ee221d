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
/// A command of `mesh`.
void add_tetrahedralize(CLI::App& mesh, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_render(CLI::App& app, int& exit_code);
void add_view(CLI::App& app, int& exit_code);
void add_modes(CLI::App& app, int& exit_code);
void add_damping(CLI::App& app, int& exit_code);
void add_sweep(CLI::App& app, int& exit_code);
void add_static(CLI::App& app, int& exit_code);
void add_stiffen(CLI::App& app, int& exit_code);
void add_help(CLI::App& app, int& exit_code);
void add_completion(CLI::App& app, int& exit_code);
void add_man(CLI::App& app, int& exit_code);
/// These two are programs of their own, sinew-NAME, in the folder of this one.
void add_bench(CLI::App& app, int& exit_code);
void add_reproduce(CLI::App& app, int& exit_code);

/// Becomes the program of one of them; returns only by an exception.
void start_sibling(const std::string& name, const std::vector<std::string>& arguments);

/// What `sinew list` lists, and the names in one of these lists.
std::vector<std::string> list_kinds();
std::vector<std::string> listed_names(const std::string& kind);

}  // namespace sinew::cli
