// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/core/profile.hpp>
#include <sinew/la/linear_solver.hpp>
#include <sinew/output/energy_writer.hpp>
#include <sinew/output/manifest_writer.hpp>
#include <sinew/output/probe_writer.hpp>
#include <sinew/output/steps_writer.hpp>
#include <sinew/output/vtu_writer.hpp>
#include <sinew/output/writers.hpp>
#include <sinew/scene/compile.hpp>
#include <sinew/scene/run.hpp>
#include <sinew/scene/scene_writer.hpp>

namespace sinew::scene {
namespace {

/// Refuses to go on with another problem than the run was started with. Only what does not change
/// the motion may differ: how far to go, what to write, how many threads.
void require_same_problem(const SceneSpec& scene, const std::filesystem::path& directory) {
  const auto essence = [](const SceneSpec& spec) {
    auto json = nlohmann::json::parse(to_json(resolved(spec)));
    json.erase("output");
    json.erase("threads");
    json.erase("description");
    json["time"].erase("end");
    return json;
  };
  const auto changes = nlohmann::json::diff(essence(scene_of_run(directory)), essence(scene));
  if (changes.empty()) return;
  throw InputError({.file = directory.string(),
                    .where = changes[0]["path"].get<std::string>(),
                    .what = "this differs from the scene that the run was made with",
                    .hint = "resume without changes, or start a new run with -o"});
}

std::vector<std::unique_ptr<sim::Observer>> make_writers(const SceneSpec& scene,
                                                         const RunOptions& options,
                                                         const output::RunDirectory& directory,
                                                         const CompiledScene& compiled,
                                                         double setup_seconds) {
  std::vector<std::unique_ptr<sim::Observer>> writers;
  writers.push_back(std::make_unique<output::EnergyWriter>(directory, options.resume));
  writers.push_back(std::make_unique<output::StepsWriter>(directory, options.resume));
  if (!compiled.probes.empty())
    writers.push_back(
        std::make_unique<output::ProbeWriter>(directory, compiled.probes, options.resume));
  if (options.frames)
    writers.push_back(std::make_unique<output::VtuWriter>(directory, options.resume));
  // last, so that a manifest that says "finished" speaks of files that are there
  writers.push_back(std::make_unique<output::ManifestWriter>(
      directory, output::RunInfo{.scene_json = to_json(resolved(scene)),
                                 .integrator = scene.integrator.name,
                                 .options = compiled.integrator_options,
                                 .solver = scene.integrator.solver,
                                 .blas = std::string(la::blas_name()),
                                 .dt = scene.time.dt,
                                 .threads = compiled.executor->num_threads(),
                                 .setup_seconds = setup_seconds}));
  return writers;
}

}  // namespace

SceneSpec resolved(SceneSpec scene) {
  for (BodySpec& body : scene.bodies)
    if (!body.mesh.file.empty())
      body.mesh.file =
          std::filesystem::absolute(std::filesystem::path(scene.directory) / body.mesh.file)
              .lexically_normal()
              .string();
  return scene;
}

SceneSpec scene_of_run(const std::filesystem::path& directory,
                       const std::vector<Override>& overrides) {
  const std::filesystem::path manifest =
      output::RunDirectory::open(directory).file("manifest.json");
  const auto json = nlohmann::ordered_json::parse(core::read_file(manifest));
  return parse_scene(json.at("scene").dump(), manifest.string(), overrides);
}

sim::RunSummary run_scene(const SceneSpec& scene, const RunOptions& options) {
  const core::Stopwatch setup;
  const bool writes = !options.directory.empty();
  if (writes && !options.resume) output::RunDirectory::require_usable(options.directory);
  CompiledScene compiled = compile(scene);
  if (options.on_warning)
    for (const Problem& warning : compiled.warnings) options.on_warning(warning);
  sim::Simulation& simulation = *compiled.simulation;
  simulation.set_stop(options.stop_requested);
  std::vector<std::unique_ptr<sim::Observer>> writers;
  if (writes) {
    const output::RunDirectory directory = options.resume
                                               ? output::RunDirectory::open(options.directory)
                                               : output::RunDirectory::create(options.directory);
    if (options.resume) {
      require_same_problem(scene, options.directory);
      simulation.resume(sim::load_checkpoint(directory.checkpoint()));
    }
    writers = make_writers(scene, options, directory, compiled, setup.seconds());
    simulation.set_checkpoints(options.checkpoint_every,
                               [folder = directory.checkpoint()](const sim::Checkpoint& point) {
                                 sim::save_checkpoint(folder, point);
                               });
  }
  for (const auto& writer : writers) simulation.add_observer(*writer);
  for (sim::Observer* observer : options.observers) simulation.add_observer(*observer);
  sim::RunSummary summary = simulation.run();
  if (writes && options.publish)
    output::publish(options.directory, scene.output.format, *compiled.executor);
  return summary;
}

}  // namespace sinew::scene
