// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <sinew/output/publish/pictures.hpp>

#include "commands.hpp"
#include "program/exit_codes.hpp"

namespace sinew::cli {

void add_render(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string directory, file;
    output::PictureOptions options;
    bool quiet = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("render", "draw pictures and films of a run, without a browser");
  command->footer(
      "Example: sinew render runs/twisted-bar-be -o bar.png\n"
      "         sinew render runs/twisted-bar-be -o bar.mp4 --colour von_mises");
  output::PictureOptions& options = arguments->options;
  command->add_option("directory", arguments->directory, "run directory")->required();
  command->add_option("-o,--output", arguments->file, ".png, or .gif and .mp4 with ffmpeg")
      ->required();
  command->add_option("--colour", options.colour_by,
                      "by speed, displacement, von_mises or energy_density");
  command->add_option("--time", options.time, "one instant instead of four [s]");
  command->add_option("--width", options.width, "[pixels]")->check(CLI::Range(16, 8192));
  command->add_option("--height", options.height, "[pixels]")->check(CLI::Range(16, 8192));
  command->add_option("--speed", options.speed, "of films, against real time")
      ->check(CLI::PositiveNumber);
  command->add_flag("--dark", options.is_dark, "dark background");
  command->add_flag("!--no-ground", options.has_ground, "leave out the ground");
  command->add_flag("--quiet", arguments->quiet, "no progress");
  command->callback([arguments, &exit_code] {
    if (!arguments->quiet)
      arguments->options.on_frame = [](std::size_t done, std::size_t of) {
        if (done % 20 == 0 || done == of) fmt::print(stderr, "frame {} of {}\n", done, of);
      };
    const core::Executor executor(0);
    output::write_pictures(output::RunReader(arguments->directory), arguments->file,
                           arguments->options, executor);
    fmt::print("written     {}\n", arguments->file);
    exit_code = exit_done;
  });
}

}  // namespace sinew::cli
