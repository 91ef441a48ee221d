// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdio>
#include <ctime>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/core/profile.hpp>
#include <sinew/la/solvers/linear_solver.hpp>
#include <sinew/output/publish/writers.hpp>
#include <sinew/output/record/energy_writer.hpp>
#include <sinew/output/record/manifest_writer.hpp>
#include <sinew/output/record/probe_writer.hpp>
#include <sinew/output/record/steps_writer.hpp>
#include <sinew/petsc/scene_part.hpp>
#include <sinew/petsc/shared_checkpoint.hpp>
#include <sinew/petsc/shared_frames.hpp>
#include <sinew/petsc/shared_run.hpp>
#include <sinew/petsc/solvers.hpp>
#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/compile/up_direction.hpp>
#include <sinew/scene/format/scene_writer.hpp>

namespace sinew::petsc {
namespace {

/// Counts what the processes have and use; the first one knows of all.
class Census final : public sim::Observer {
 public:
  explicit Census(const Processes& processes) : processes_(processes) {}

  void on_start(const sim::FrameView& view) override { take(view); }
  void on_finish(const sim::FrameView& view, const sim::RunSummary&) override { take(view); }
  const std::vector<output::ProcessRecord>& records() const { return records_; }

 private:
  void take(const sim::FrameView& view) {
    const auto& system = dynamic_cast<const SharedSystem&>(view.system);
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    const output::ProcessRecord own{
        .dofs = system.num_dofs(),
        .elements = static_cast<Index>(dynamics::observables_of(system).geometry().types.size()),
        .ghosts = system.nodes().num_all() - system.nodes().num_owned(),
        .memory_mb = static_cast<double>(use.ru_maxrss) / 1024.0,
        .cpu_seconds = static_cast<double>(std::clock()) / CLOCKS_PER_SEC,
        .received_mb = system.nodes().bytes() / 1e6};
    std::vector<std::vector<output::ProcessRecord>> lists(
        static_cast<std::size_t>(processes_.count()));
    lists[0].push_back(own);
    records_.clear();
    for (const auto& list : all_to_all(processes_, lists))
      records_.insert(records_.end(), list.begin(), list.end());
  }

  const Processes& processes_;
  std::vector<output::ProcessRecord> records_;
};

/// Throws on all processes what the first one throws.
template <class Work>
void on_first(const Processes& processes, const Work& work) {
  std::optional<InputError> failure;
  if (processes.is_first()) {
    try {
      work();
    } catch (const InputError& error) {
      failure = error;
    }
  }
  const bool has_failed = !processes.from_first(failure ? "failed" : "").empty();
  if (failure) throw InputError(*failure);
  if (has_failed) throw InputError(std::vector<Problem>{});
}

/// As run_scene() of one process writes it; only what may change is left out.
std::string essence(const scene::SceneSpec& scene, const scene::Catalog& catalog) {
  auto json = nlohmann::json::parse(scene::to_json(study::resolved(scene), catalog));
  for (const char* key : {"output", "threads", "description", "up"}) json.erase(key);
  json["time"].erase("end");
  return json.dump();
}

scene::SceneSpec for_processes(scene::SceneSpec scene) {
  if (scene.integrator.solver.empty() || scene.integrator.solver == "auto")
    scene.integrator.solver = shared_solvers().front().name;
  if (scene.threads == 0) scene.threads = 1;  // processes take the cores
  return scene;
}

[[noreturn]] void end_all(const Processes& processes, const std::exception& error, int exit_code) {
  fmt::print(stderr, "error on process {}: {}\n", processes.rank(), error.what());
  std::fflush(stderr);
  processes.abort(exit_code);
}

/// On the first process, each once.
std::vector<Problem> problems_of_all(const Processes& processes,
                                     const std::vector<Problem>& problems) {
  auto json = nlohmann::json::array();
  for (const Problem& problem : problems)
    json.push_back({problem.file, problem.where, problem.what, problem.hint});
  std::set<std::string> said;
  std::vector<Problem> all;
  for (const std::string& text : processes.to_first(json.dump()))
    for (const auto& entry : nlohmann::json::parse(text))
      if (said.insert(entry[1].get<std::string>() + entry[2].get<std::string>()).second)
        all.push_back({.file = entry[0], .where = entry[1], .what = entry[2], .hint = entry[3]});
  return all;
}

}  // namespace

int together(const Processes& processes, int exit_code, const std::function<int()>& work) {
  std::vector<Problem> problems;
  try {
    return work();
  } catch (const InputError& error) {
    problems = error.problems();
  } catch (const std::exception& error) {
    end_all(processes, error, exit_code);
  }
  const auto print = [&](const std::string& text) { fmt::print(stderr, "error: {}\n", text); };
  // all should be here soon
  MPI_Request meeting;
  MPI_Ibarrier(processes.comm(), &meeting);
  int have_met = 0;
  constexpr int patience = 200;
  for (int k = 0; k < patience && !have_met; ++k) {
    MPI_Test(&meeting, &have_met, MPI_STATUS_IGNORE);
    if (!have_met) std::this_thread::sleep_for(std::chrono::milliseconds(25));
  }
  if (!have_met) {
    for (const Problem& problem : problems) print(problem.to_string());
    std::fflush(stderr);
    processes.abort(exit_code);
  }
  throw InputError(problems_of_all(processes, problems));
}

namespace {

/// The first process makes the directory, or looks whether a run there may go on.
void prepare_directory(const Processes& processes, const scene::SceneSpec& scene,
                       const study::RunOptions& options, const scene::Catalog& catalog) {
  on_first(processes, [&] {
    if (!options.resume) {
      output::RunDirectory::create(options.directory, options.replace);
      return;
    }
    const scene::SceneSpec before =
        for_processes(study::scene_of_run(options.directory, {}, catalog));
    if (essence(scene, catalog) != essence(before, catalog))
      throw InputError({.file = options.directory.string(),
                        .what = "this scene differs from the one that the run was made with",
                        .hint = "resume without changes, or start a new run with -o"});
    output::RunDirectory::open_to_continue(options.directory);
  });
}

using Writers = std::vector<std::unique_ptr<sim::Observer>>;

/// In the order in which they are to be told. Most of them are the first process's alone.
Writers make_writers(const Processes& processes, const la::Reducer& reducer,
                     const scene::CompiledScene& compiled, const study::RunOptions& options,
                     output::RunInfo info) {
  const output::RunDirectory directory = output::RunDirectory::at(options.directory);
  Writers writers;
  auto census = std::make_unique<Census>(processes);
  info.processes = [&records = census->records()] { return records; };
  writers.push_back(std::move(census));
  if (!compiled.probes.empty())
    writers.push_back(std::make_unique<output::ProbeWriter>(
        directory, compiled.probes, options.resume,
        [&reducer](std::span<double> sums) { reducer.add_up(sums); }, processes.is_first()));
  if (options.frames)
    writers.push_back(
        std::make_unique<SharedFrames>(processes, reducer, directory, options.resume));
  if (!processes.is_first()) return writers;
  writers.push_back(std::make_unique<output::EnergyWriter>(directory, options.resume));
  writers.push_back(std::make_unique<output::StepsWriter>(directory, options.resume));
  // last, so that a manifest that says "finished" speaks of files that are there
  writers.push_back(std::make_unique<output::ManifestWriter>(directory, std::move(info)));
  return writers;
}

void publish(const scene::SceneSpec& scene, const study::RunOptions& options,
             const scene::Catalog& catalog, const core::Executor& executor) {
  std::vector<output::WriterEntry> exports;
  for (const output::WriterEntry& writer : catalog.writers())
    for (const std::string& format : scene.output.format)
      if (writer.name == format) exports.push_back(writer);
  output::publish(options.directory, exports, executor, std::nullopt);
}

}  // namespace

sim::RunSummary run_scene(const Processes& processes, const scene::SceneSpec& asked,
                          const study::RunOptions& options, const scene::Catalog& catalog,
                          int exit_code) {
  const core::Stopwatch setup;
  if (const std::vector<Problem> problems = not_shared_yet(asked); !problems.empty())
    throw InputError(problems);
  const bool writes = !options.directory.empty();
  on_first(processes, [&] {
    if (writes && !options.resume)
      output::RunDirectory::require_usable(options.directory, options.replace);
  });
  const ProcessReducer reducer(processes);
  const scene::SceneSpec scene = for_processes(asked);
  set_solver_options(scene.integrator.petsc);
  const ScenePart part(processes, reducer, scene, catalog);
  scene::CompiledScene compiled = scene::compile(part.scene(), catalog, {}, {}, &part);
  for (const Problem& warning : problems_of_all(processes, compiled.warnings))
    if (options.on_warning) options.on_warning(warning);
  sim::Simulation& simulation = *compiled.simulation;
  const auto& system = dynamic_cast<const SharedSystem&>(simulation.system());
  simulation.set_stop([&options] {
    return (options.stop_requested && options.stop_requested()) ||
           (options.interrupted && options.interrupted());
  });
  Writers writers;
  if (writes) {
    prepare_directory(processes, scene, options, catalog);
    const std::filesystem::path checkpoints =
        output::RunDirectory::at(options.directory).checkpoint();
    if (options.resume) simulation.resume(load_shared(processes, reducer, checkpoints, system));
    writers = make_writers(processes, reducer, compiled, options,
                           {.scene_json = scene::to_json(study::resolved(asked), catalog),
                            .integrator = scene.integrator.name,
                            .options = compiled.integrator_options,
                            .solver = scene.integrator.solver,
                            .blas = std::string(la::blas_name()),
                            .dt = scene.time.dt,
                            .threads = scene.threads,
                            .setup_seconds = setup.seconds(),
                            .up = scene::up_direction(scene, catalog),
                            .units = &core::unit_system(scene.units),
                            .notes = options.notes});
    simulation.set_checkpoints(options.checkpoint_every,
                               [&processes, &system, checkpoints](const sim::Checkpoint& point) {
                                 save_shared(processes, checkpoints, system, point);
                               });
  }
  for (const auto& writer : writers) simulation.add_observer(*writer);
  for (sim::Observer* observer : options.observers) simulation.add_observer(*observer);
  sim::RunSummary summary;
  try {
    summary = simulation.run();
  } catch (const std::exception& error) {
    // at once: solvers that processes share are taken down by all of them together
    end_all(processes, error, exit_code);
  }
  processes.wait_for_all();
  if (writes && options.publish && processes.is_first())
    publish(scene, options, catalog, *compiled.executor);
  return summary;
}

}  // namespace sinew::petsc
