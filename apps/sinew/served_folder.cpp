// SPDX-License-Identifier: Apache-2.0
#include "served_folder.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

#include <sinew/core/path_check.hpp>

namespace sinew::cli {

namespace fs = std::filesystem;

std::optional<fs::path> ServedFolder::find(std::string_view name) const {
  const fs::path relative(name);
  if (relative.empty() || relative.is_absolute() || core::find_path_problem(relative))
    return std::nullopt;
  std::error_code error;
  const fs::path place = fs::canonical(root_ / relative, error);
  if (error || !fs::is_regular_file(place, error)) return std::nullopt;
  const auto [end_of_root, rest] =
      std::mismatch(root_.begin(), root_.end(), place.begin(), place.end());
  if (end_of_root != root_.end()) return std::nullopt;
  return place;
}

bool is_own_host(std::string_view host, int port) {
  std::string lower(host);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::string suffix = ":" + std::to_string(port);
  constexpr int default_port = 80;  // browsers leave it out
  return std::ranges::any_of(
      std::array<std::string, 3>{"127.0.0.1", "localhost", "[::1]"}, [&](const std::string& name) {
        return lower == name + suffix || (port == default_port && lower == name);
      });
}

std::string_view content_type(const fs::path& file) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> types{
      {{".html", "text/html; charset=utf-8"},
       {".csv", "text/csv; charset=utf-8"},
       {".json", "application/json"},
       {".png", "image/png"},
       {".svg", "image/svg+xml"},
       {".pvd", "application/xml"},
       {".glb", "model/gltf-binary"},
       {".obj", "text/plain; charset=utf-8"},
       {".usda", "text/plain; charset=utf-8"}}};
  const std::string extension = file.extension().string();
  for (const auto& [known, type] : types)
    if (extension == known) return type;
  return "application/octet-stream";
}

}  // namespace sinew::cli
