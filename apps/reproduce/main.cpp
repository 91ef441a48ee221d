// SPDX-License-Identifier: Apache-2.0
// sinew-reproduce: tables and figures of the papers, started by `sinew reproduce`.
#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>

#include "program/exit_codes.hpp"
#include "program/guarded_main.hpp"
#include "program/parse_arguments.hpp"
#include "record_files.hpp"
#include "reproduction.hpp"

namespace sinew::cli {
namespace {

using Folder = std::filesystem::path;

void print_list() {
  std::size_t widest = 0;
  for (const Target& target : targets()) widest = std::max(widest, target.name.size());
  for (const Target& target : targets())
    fmt::print("{:<{}}  {} ({})\n", target.name, widest, target.summary, target.paper);
  fmt::print("{:<{}}  all of these, and one page about them\n", "all", widest);
  fmt::print("{:<{}}  the page alone, from what a folder has\n", "page", widest);
}

/// reproduction.md, of what the folder has.
void write_page(const Folder& folder) {
  std::vector<Record> records;
  std::vector<std::string> missing;
  for (const Target& target : targets()) {
    if (std::filesystem::exists(folder / target.name / "verdict.json"))
      records.push_back(read_record(folder / target.name));
    else
      missing.push_back(target.name);
  }
  if (records.empty())
    throw InputError({.file = folder.string(),
                      .what = "has no results",
                      .hint = "`sinew reproduce all -o FOLDER` makes them"});
  core::write_atomically(folder / "reproduction.md", page_of(records, missing));
  fmt::print("read        {}\n", (folder / "reproduction.md").string());
}

/// What cannot be finished does not keep the others from being made.
ExitCode reproduce_all(const Folder& folder, Scale scale) {
  std::vector<std::string> unfinished;
  for (const Target& target : targets()) {
    try {
      reproduce(target, folder / target.name, scale);
    } catch (const std::exception& error) {
      fmt::print(stderr, "error: {} did not finish: {}\n", target.name, error.what());
      unfinished.push_back(target.name);
    }
    fmt::print("\n");
  }
  write_page(folder);
  for (const std::string& name : unfinished) fmt::print("unfinished  {}\n", name);
  return unfinished.empty() ? exit_done : exit_internal_error;
}

int run(int argc, char** argv) {
  CLI::App app{"A table or figure of the papers, rerun; without a name, what there is.",
               "sinew reproduce"};
  app.footer("Example: sinew reproduce exp-fig5 --quick -o fig5");
  std::string name, folder;
  bool is_quick = false, is_full = false;
  app.add_option("target", name, "what to rerun; 'all'; 'page'");
  app.add_option("-o,--output", folder, "folder; the name of the target, or reproduction");
  CLI::Option* quick = app.add_flag("--quick", is_quick, "smaller or shorter, about a minute");
  app.add_flag("--full", is_full, "the paper's size (default)")->excludes(quick);
  if (const auto ended = parse_arguments(app, argc, argv)) return *ended;
  if (name.empty()) {
    print_list();
    return exit_done;
  }
  const Scale scale = is_quick ? Scale::quick : Scale::full;
  const bool is_group = name == "all" || name == "page";
  if (folder.empty()) folder = is_group ? "reproduction" : name;
  if (name == "all") return reproduce_all(folder, scale);
  if (name == "page")
    write_page(folder);
  else
    reproduce(find_target(name), folder, scale);
  return exit_done;
}

}  // namespace
}  // namespace sinew::cli

int main(int argc, char** argv) {
  return sinew::cli::guarded_main(argc, argv, sinew::cli::run);
}
