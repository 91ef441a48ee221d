// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/core/profile.hpp>
#include <sinew/la/solvers/linear_solver.hpp>
#include <sinew/output/publish/writers.hpp>
#include <sinew/output/record/energy_writer.hpp>
#include <sinew/output/record/manifest_writer.hpp>
#include <sinew/output/record/probe_writer.hpp>
#include <sinew/output/record/steps_writer.hpp>
#include <sinew/output/record/vtu_writer.hpp>
#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/compile/up_direction.hpp>
#include <sinew/scene/format/scene_writer.hpp>
#include <sinew/study/run.hpp>

namespace sinew::study {
namespace {

/// Refuses to go on with another problem than the run was started with. Only what does not change
/// the motion may differ: how far to go, what to write, how many threads.
void require_same_problem(const scene::SceneSpec& scene, const std::filesystem::path& directory,
                          const scene::Catalog& catalog) {
  const auto essence = [&](const scene::SceneSpec& spec) {
    auto json = nlohmann::json::parse(scene::to_json(resolved(spec), catalog));
    json.erase("output");
    json.erase("threads");
    json.erase("description");
    json.erase("up");
    json["time"].erase("end");
    return json;
  };
  const auto changes =
      nlohmann::json::diff(essence(scene_of_run(directory, {}, catalog)), essence(scene));
  if (changes.empty()) return;
  throw InputError({.file = directory.string(),
                    .where = changes[0]["path"].get<std::string>(),
                    .what = "this differs from the scene that the run was made with",
                    .hint = "resume without changes, or start a new run with -o"});
}

/// Seconds that setting up took the earlier parts of a run.
double earlier_setup(const std::filesystem::path& manifest) {
  const auto json = nlohmann::json::parse(core::read_file(manifest));
  return json.value("/seconds/setup"_json_pointer, 0.0);
}

struct Writers {
  std::vector<std::unique_ptr<sim::Observer>> all;
  output::VtuWriter* frames = nullptr;  ///< one of them, if it was asked for
};

Writers make_writers(const scene::SceneSpec& scene, const RunOptions& options,
                     const output::RunDirectory& directory, const scene::CompiledScene& compiled,
                     const scene::Catalog& catalog, double setup_seconds) {
  Writers result;
  auto& writers = result.all;
  writers.push_back(std::make_unique<output::EnergyWriter>(directory, options.resume));
  writers.push_back(std::make_unique<output::StepsWriter>(directory, options.resume));
  if (!compiled.probes.empty())
    writers.push_back(
        std::make_unique<output::ProbeWriter>(directory, compiled.probes, options.resume));
  if (options.frames) {
    auto frames = std::make_unique<output::VtuWriter>(directory, options.resume, options.publish);
    result.frames = frames.get();
    writers.push_back(std::move(frames));
  }
  // last, so that a manifest that says "finished" speaks of files that are there
  writers.push_back(std::make_unique<output::ManifestWriter>(
      directory, output::RunInfo{.scene_json = scene::to_json(resolved(scene), catalog),
                                 .integrator = scene.integrator.name,
                                 .options = compiled.integrator_options,
                                 .solver = scene.integrator.solver,
                                 .blas = std::string(la::blas_name()),
                                 .dt = scene.time.dt,
                                 .threads = compiled.executor->num_threads(),
                                 .setup_seconds = setup_seconds,
                                 .up = scene::up_direction(scene, catalog),
                                 .units = &core::unit_system(scene.units),
                                 .notes = options.notes}));
  return result;
}

std::vector<output::WriterEntry> exports_of(const scene::SceneSpec& scene,
                                            const scene::Catalog& catalog) {
  std::vector<output::WriterEntry> chosen;
  for (const output::WriterEntry& writer : catalog.writers())
    for (const std::string& format : scene.output.format)
      if (writer.name == format) chosen.push_back(writer);
  return chosen;
}

}  // namespace

scene::SceneSpec resolved(scene::SceneSpec scene) {
  for (scene::BodySpec& body : scene.bodies)
    if (!body.mesh.file.empty())
      body.mesh.file =
          std::filesystem::absolute(std::filesystem::path(scene.directory) / body.mesh.file)
              .lexically_normal()
              .string();
  return scene;
}

scene::SceneSpec scene_of_run(const std::filesystem::path& directory,
                              const std::vector<scene::Override>& overrides,
                              const scene::Catalog& catalog) {
  const std::filesystem::path manifest =
      output::RunDirectory::open(directory).file("manifest.json");
  const auto json = nlohmann::ordered_json::parse(core::read_file(manifest));
  return scene::parse_scene(json.at("scene").dump(), manifest.string(), overrides, catalog);
}

sim::RunSummary run_scene(const scene::SceneSpec& scene, const RunOptions& options,
                          const scene::Catalog& catalog) {
  const core::Stopwatch setup;
  const bool writes = !options.directory.empty();
  if (writes && !options.resume)
    output::RunDirectory::require_usable(options.directory, options.replace);
  scene::CompiledScene compiled = scene::compile(scene, catalog, options.on_settling);
  if (options.on_warning)
    for (const Problem& warning : compiled.warnings) options.on_warning(warning);
  sim::Simulation& simulation = *compiled.simulation;
  simulation.set_stop(options.stop_requested);
  simulation.set_interrupt(options.interrupted, *compiled.executor);
  Writers writers;
  if (writes) {
    const output::RunDirectory directory =
        options.resume ? output::RunDirectory::open_to_continue(options.directory)
                       : output::RunDirectory::create(options.directory, options.replace);
    double earlier_setup_seconds = 0.0;
    if (options.resume) {
      require_same_problem(scene, options.directory, catalog);
      simulation.resume(sim::load_checkpoint(directory.checkpoint()));
      earlier_setup_seconds = earlier_setup(directory.file("manifest.json"));
    }
    writers = make_writers(scene, options, directory, compiled, catalog,
                           earlier_setup_seconds + setup.seconds());
    simulation.set_checkpoints(
        options.checkpoint_every,
        [folder = directory.checkpoint(), frames = writers.frames](const sim::Checkpoint& point) {
          if (frames) frames->flush();  // a resumed run relies on them
          sim::save_checkpoint(folder, point);
        });
  }
  for (const auto& writer : writers.all) simulation.add_observer(*writer);
  for (sim::Observer* observer : options.observers) simulation.add_observer(*observer);
  sim::RunSummary summary = simulation.run();
  if (writes && options.publish)
    output::publish(options.directory, exports_of(scene, catalog), *compiled.executor,
                    writers.frames ? writers.frames->take_surface() : std::nullopt);
  return summary;
}

}  // namespace sinew::study
