// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/study/modes.hpp>

#include "commands.hpp"
#include "program/exit_codes.hpp"
#include "scene_arguments.hpp"

namespace sinew::cli {
namespace {

struct ModesArguments {
  std::string scene;
  PlaceArguments place;
  std::vector<std::string> settings;
  study::ModesOptions options;
};

void print_table(const study::SceneModes& modes, const core::UnitSystem& units) {
  fmt::print("{:>5} {:>14} {:>14} {:>14} {:>10}", "mode",
             fmt::format("frequency [{}]", units.unit("Hz")),
             fmt::format("omega [{}]", units.unit("1/s")), "eigenvalue", "residual");
  fmt::print("{}\n", modes.has_damping ? "    damping" : "");
  for (const study::ModeRow& row : modes.rows) {
    if (row.kind == study::ModeKind::rigid) continue;
    fmt::print("{:>5} {:>14.7g} {:>14.7g} {:>14.7g} {:>10.1e}", row.number, row.frequency,
               row.omega, row.lambda, row.residual);
    if (modes.has_damping) fmt::print(" {:>10.4g}", row.damping_ratio);
    if (row.kind == study::ModeKind::unstable) fmt::print("  unstable");
    fmt::print("{}\n", row.is_found ? "" : "  not converged");
  }
}

int find_modes(ModesArguments& arguments) {
  const scene::SceneSpec scene =
      scene::find_scene(arguments.scene, setting_overrides(arguments.settings));
  study::ModesOptions& options = arguments.options;
  options.directory = arguments.place.choose(scene.name + "-modes");
  options.replace = arguments.place.force;
  options.on_warning = print_warning;
  const study::SceneModes modes = study::find_scene_modes(scene, options);
  const auto& [counts, seconds] = modes.found.profile;
  const auto rigid =
      std::count_if(modes.rows.begin(), modes.rows.end(),
                    [](const study::ModeRow& row) { return row.kind == study::ModeKind::rigid; });
  fmt::print("scene       {}: {} elements, {} unknowns; {}\n", scene.name, modes.elements,
             modes.dofs, options.at_initial ? "initial state" : "rest shape");
  fmt::print("rigid       {}\n\n", rigid == 0 ? "none" : fmt::format("{} motions", rigid));
  print_table(modes, core::unit_system(scene.units));
  fmt::print(
      "\ntime        {:.3g} s (assemble {:.3g}, factorise {:.3g}, solve {:.3g}, rest {:.3g}); {} "
      "solves\n",
      modes.seconds, seconds.assemble, seconds.factorize, seconds.solve, seconds.modes,
      counts.solves);
  const auto name = [&](const char* file) { return (options.directory / file).string(); };
  fmt::print("written     {}, {}\n", name("modes.csv"), name("frames.pvd"));
  if (std::filesystem::exists(options.directory / "preview.png"))
    fmt::print("open        {}\n", name("preview.png"));
  if (modes.are_found()) return exit_done;
  fmt::print(stderr, "error: {}\n", modes.reason());
  return exit_numerical_failure;
}

}  // namespace

void add_modes(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<ModesArguments>();
  study::ModesOptions& options = arguments->options;
  CLI::App* command = app.add_subcommand("modes", "natural frequencies and shapes of a scene");
  command->footer("Example: sinew modes soft-beam -n 6 -o out/beam-modes");
  command->add_option("scene", arguments->scene, "built-in scene or JSON file")->required();
  command->add_option("-n,--count", options.count, "how many, beside the rigid ones")
      ->capture_default_str();
  add_place_options(*command, arguments->place, "runs/SCENE-modes");
  command
      ->add_option_function<std::string>(
          "--at", [&options](const std::string& at) { options.at_initial = at == "initial"; },
          "about which state: rest (default) or initial")
      ->check(CLI::IsMember({"rest", "initial"}));
  command->add_option("--frames", options.frames, "frames per mode; more than one: it swings")
      ->check(CLI::Range(1, 1000));
  add_set_option(*command, arguments->settings);
  command->callback([arguments, &exit_code] { exit_code = find_modes(*arguments); });
}

}  // namespace sinew::cli
