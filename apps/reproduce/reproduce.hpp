// SPDX-License-Identifier: Apache-2.0
// Figures and tables of the papers, computed again and judged.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace sinew::cli {

struct Reproduction {
  std::string_view name;
  std::string_view summary;
  /// Writes its files into the folder and prints what it found. True: the paper's statement holds.
  bool (*run)(const std::filesystem::path& directory, bool quick);
};

std::span<const Reproduction> reproductions();

bool reproduce_exp_fig5(const std::filesystem::path& directory, bool quick);
bool reproduce_imex_figures(const std::filesystem::path& directory, bool quick);
bool reproduce_siere_fig5(const std::filesystem::path& directory, bool quick);
bool reproduce_siere_fig7(const std::filesystem::path& directory, bool quick);
bool reproduce_siere_fig9(const std::filesystem::path& directory, bool quick);
bool reproduce_survey_fig6(const std::filesystem::path& directory, bool quick);

}  // namespace sinew::cli
