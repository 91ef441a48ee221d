// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include <sinew/core/axis.hpp>
#include <sinew/core/error.hpp>
#include <sinew/output/publish/pictures.hpp>

#include "commands.hpp"
#include "program/exit_codes.hpp"
#include "scene_arguments.hpp"

namespace sinew::cli {
namespace {

struct RenderArguments {
  std::string directory, file, camera, target, up, range = "auto", size;
  output::PictureOptions options;
  bool quiet = false;
};

/// `count` numbers with that character between them; none if the text is something else.
std::vector<double> numbers_in(const std::string& text, char between, std::size_t count) {
  std::vector<double> numbers;
  std::istringstream stream(text);
  double number = 0.0;
  while (numbers.size() < count && stream >> number && std::isfinite(number)) {
    numbers.push_back(number);
    if (numbers.size() < count && stream.get() != between) return {};
  }
  stream >> std::ws;
  return numbers.size() == count && stream.eof() ? numbers : std::vector<double>{};
}

std::optional<Vec3> vector_in(const std::string& text) {
  const std::vector<double> numbers = numbers_in(text, ',', 3);
  if (numbers.empty()) return std::nullopt;
  return Vec3(numbers[0], numbers[1], numbers[2]);
}

[[noreturn]] void refuse(const char* option, const std::string& text, const char* hint) {
  throw InputError(
      {.where = option, .what = fmt::format("'{}' is not known here", text), .hint = hint});
}

void read_view(const RenderArguments& given, output::PictureOptions& options) {
  options.eye = vector_in(given.camera);
  if (!options.eye && given.camera.find_first_of(",0123456789") != std::string::npos)
    refuse("--camera", given.camera,
           "a place has three numbers, as in --camera=4,-3,2; or a view such as front");
  if (!options.eye && !given.camera.empty()) options.view = given.camera;
  if (!given.target.empty()) {
    options.target = vector_in(given.target);
    if (!options.target) refuse("--look-at", given.target, "a place, such as 0,0,0.5");
  }
  if (given.up.empty()) return;
  options.up = core::axis_direction(given.up);
  if (!options.up) options.up = vector_in(given.up);
  if (!options.up || options.up->isZero(0.0))
    refuse("--up", given.up, "an axis, as in --up y or --up=-z, or a direction such as 0,1,0");
}

void read_range_and_size(const RenderArguments& given, output::PictureOptions& options) {
  if (given.range != "auto") {
    const std::vector<double> range = numbers_in(given.range, ',', 2);
    if (range.empty()) refuse("--range", given.range, "two numbers, such as 0,2.5, or auto");
    options.range = {range[0], range[1]};
  }
  if (given.size.empty()) return;
  constexpr double least = 16, most = 8192;
  const std::vector<double> size = numbers_in(given.size, 'x', 2);
  for (const double side : size)
    if (!(side >= least && side <= most)) refuse("--size", given.size, "16 to 8192 pixels each");
  if (size.empty()) refuse("--size", given.size, "width and height, such as 1280x720");
  options.width = static_cast<int>(size[0]);
  options.height = static_cast<int>(size[1]);
}

void draw(RenderArguments& given) {
  output::PictureOptions& options = given.options;
  read_view(given, options);
  read_range_and_size(given, options);
  if (!given.quiet)
    options.on_frame = [](std::size_t done, std::size_t of) {
      if (done % 20 == 0 || done == of) fmt::print(stderr, "frame {} of {}\n", done, of);
    };
  const core::Executor executor(0);
  output::write_pictures(output::RunReader(given.directory), given.file, options, executor);
  fmt::print("written     {}\n", given.file);
}

}  // namespace

void add_render(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<RenderArguments>();
  CLI::App* command =
      app.add_subcommand("render", "draw pictures and films of a run, without a browser");
  command->footer(
      "Example: sinew render runs/twisted-bar-be -o bar.png\n"
      "         sinew render runs/twisted-bar-be -o bar.gif --draft\n"
      "         sinew render runs/twisted-bar-be -o bar.mp4 --colour von_mises --camera front");
  output::PictureOptions& options = arguments->options;
  command->add_option("directory", arguments->directory, "run directory")->required();
  command->add_option("-o,--output", arguments->file, ".png, .gif, or .mp4 with ffmpeg")
      ->required();
  command
      ->add_option("--colour", options.colour_by,
                   "auto (what moves), none, speed, displacement, von_mises, energy_density, ...")
      ->capture_default_str();
  command->add_option("--range", arguments->range, "of the colours: LOW,HIGH, or auto")
      ->capture_default_str();
  command->add_option("--camera", arguments->camera,
                      "iso, front, back, side, left, top, bottom, or a place X,Y,Z [m]");
  command->add_option("--look-at", arguments->target, "a place X,Y,Z; the middle of it all [m]");
  command->add_option("--up", arguments->up, "an axis or X,Y,Z; that of the run");
  command->add_option("--time", options.time, "one instant instead of four [s]")->check(any_time());
  command->add_option("--size", arguments->size, "WIDTHxHEIGHT [pixels]");
  command->add_option("--speed", options.speed, "of films, against real time")
      ->check(positive_number());
  command->add_option("--fps", options.fps, "of films: pictures per second; those of the run")
      ->check(positive_number());
  command->add_flag("--draft", options.is_draft, "quick: half the size, no shadows");
  command->add_flag("--dark", options.is_dark, "dark background");
  command->add_flag("!--no-ground", options.has_ground, "leave out the ground");
  command->add_flag("--quiet", arguments->quiet, "no progress");
  command->callback([arguments, &exit_code] {
    draw(*arguments);
    exit_code = exit_done;
  });
}

}  // namespace sinew::cli
