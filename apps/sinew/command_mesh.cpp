// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/io/mesh_format.hpp>
#include <sinew/mesh/quality.hpp>

#include "commands.hpp"
#include "program/exit_codes.hpp"

namespace sinew::cli {
namespace {

mesh::TetMesh load(const std::string& file, bool repair) {
  mesh::RepairReport report;
  mesh::TetMesh mesh = mesh::load_mesh(file, {.repair = repair}, &report);
  if (report.changed_anything()) fmt::print(stderr, "{}: {}\n", file, report.to_text());
  return mesh;
}

}  // namespace

void add_mesh(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string input, output;
    bool repair = false;
  };
  CLI::App* command = app.add_subcommand("mesh", "the mesh doctor");
  command->require_subcommand(1);
  command->footer("Example: sinew mesh info bunny.msh");

  auto info = std::make_shared<Arguments>();
  CLI::App* info_command = command->add_subcommand("info", "size, quality and what is wrong");
  info_command->footer("Example: sinew mesh info bunny.msh --repair");
  info_command->add_option("file", info->input, "mesh file")->required();
  info_command->add_flag("--repair", info->repair, "turn inverted tets, drop unused vertices");
  info_command->callback([info, &exit_code] {
    fmt::print("{}", mesh::assess_quality(load(info->input, info->repair)).to_text());
    exit_code = exit_done;
  });

  auto convert = std::make_shared<Arguments>();
  CLI::App* convert_command = command->add_subcommand("convert", "from one format to another");
  convert_command->footer("Example: sinew mesh convert bunny.msh bunny.vtu");
  convert_command->add_option("input", convert->input, "mesh file")->required();
  convert_command->add_option("output", convert->output, "file to write")->required();
  convert_command->add_flag("--repair", convert->repair,
                            "turn inverted tets, drop unused vertices");
  convert_command->callback([convert, &exit_code] {
    mesh::write_mesh(convert->output, load(convert->input, convert->repair));
    fmt::print("{}\n", convert->output);
    exit_code = exit_done;
  });
}

}  // namespace sinew::cli
