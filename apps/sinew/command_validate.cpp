// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/scene/format/scene_writer.hpp>

#include "commands.hpp"
#include "program/exit_codes.hpp"
#include "scene_arguments.hpp"

namespace sinew::cli {

void add_validate(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string scene;
    std::vector<std::string> settings;
    bool print = false, schema = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("validate", "say everything that is wrong with a scene, with remedies");
  command->footer("Example: sinew validate my-scene.json");
  command->add_option("scene", arguments->scene, "built-in scene or JSON file");
  add_set_option(*command, arguments->settings);
  command->add_flag("--print", arguments->print, "print the scene with every default filled in");
  command->add_flag("--schema", arguments->schema, "print the JSON schema of scene files");
  command->callback([arguments, &exit_code] {
    if (arguments->schema) {
      fmt::print("{}", scene::schema_json());
      return;
    }
    if (arguments->scene.empty())
      throw InputError(
          Problem{.what = "which scene?", .hint = "for example: sinew validate my-scene.json"});
    const scene::SceneSpec spec =
        scene::find_scene(arguments->scene, setting_overrides(arguments->settings));
    const scene::CompiledScene compiled = scene::compile(spec);
    for (const Problem& warning : compiled.warnings)
      fmt::print(arguments->print ? stderr : stdout, "warning: {}\n", warning.to_string());
    if (arguments->print) {
      fmt::print("{}", scene::to_json(spec));
    } else {
      const physics::TermSystem& system = compiled.system();
      std::string elements;
      if (compiled.num_tets > 0) elements += fmt::format(", {} tets", compiled.num_tets);
      if (compiled.num_springs > 0) elements += fmt::format(", {} springs", compiled.num_springs);
      fmt::print("{}: valid; {} vertices{}, {} unknowns, {:.0f} steps of {} {} with {}\n",
                 spec.name, system.num_vertices(), elements, system.num_dofs(),
                 spec.time.end / spec.time.dt, spec.time.dt,
                 core::unit_system(spec.units).unit("s"), spec.integrator.name);
    }
    exit_code = exit_done;
  });
}

}  // namespace sinew::cli
