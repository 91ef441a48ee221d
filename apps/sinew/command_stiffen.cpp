// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>

#include <sinew/output/record/manifest_writer.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/study/stiffness.hpp>

#include "commands.hpp"
#include "program/exit_codes.hpp"
#include "scene_arguments.hpp"

namespace sinew::cli {

namespace {

std::string why_not_found(const study::StiffnessFound& found, const core::UnitSystem& units) {
  const auto has_failed = [](const study::StiffnessTrial& trial) {
    return trial.summary.reason == sim::StopReason::failed;
  };
  const auto failed = std::ranges::count_if(found.trials, has_failed);
  if (failed > 0) {
    const auto last = std::ranges::find_if(found.trials.rbegin(), found.trials.rend(), has_failed);
    return fmt::format("no such stiffness was found: {} of {} runs failed, the last of them so: {}",
                       failed, found.trials.size(), output::reason_text(last->summary, units));
  }
  if (found.trials.back().strain == 0.0) return "nothing is strained in this scene";
  return fmt::format("no such stiffness was found in {} runs", found.trials.size());
}

}  // namespace

void add_stiffen(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string scene;
    double strain = 0.001;
    std::vector<std::string> settings;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("stiffen", "how stiff springs must be for a permissible strain");
  command->footer("Example: sinew stiffen swinging-rope --strain 0.001");
  command->add_option("scene", arguments->scene, "built-in scene or JSON file")->required();
  command->add_option("--strain", arguments->strain, "largest strain allowed, 0.001 is 0.1 %")
      ->check([](const std::string& text) {
        const double strain = std::strtod(text.c_str(), nullptr);
        return strain > 0.0 && std::isfinite(strain) ? std::string()
                                                     : "--strain must be above 0, as in 0.001";
      });
  add_set_option(*command, arguments->settings);
  command->callback([arguments, &exit_code] {
    const scene::SceneSpec scene =
        scene::find_scene(arguments->scene, setting_overrides(arguments->settings));
    fmt::print("{:>12} {:>12} {:>10} {:>10}\n", "factor", "strain", "steps", "wall [s]");
    const study::StiffnessFound found = study::find_stiffness(
        scene, {.strain = arguments->strain, .on_trial = [](const study::StiffnessTrial& trial) {
                  fmt::print("{:>12.5g} {:>10.4g} % {:>10} {:>10.3g}{}\n", trial.factor,
                             100.0 * trial.strain, trial.summary.accepted_steps,
                             trial.summary.wall_seconds,
                             trial.summary.reason == sim::StopReason::failed ? "  failed" : "");
                }});
    if (found.is_found)
      fmt::print("stiffnesses times {:.5g} keep every spring within {:.4g} %\n",
                 found.trials.back().factor, 100.0 * arguments->strain);
    else
      fmt::print(stderr, "error: {}\n", why_not_found(found, core::unit_system(scene.units)));
    exit_code = found.is_found ? exit_done : exit_numerical_failure;
  });
}

}  // namespace sinew::cli
