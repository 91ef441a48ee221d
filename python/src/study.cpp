// SPDX-License-Identifier: Apache-2.0
// What the commands do, with data as the result.
#include <sinew/physics/term_system.hpp>
#include <sinew/scene/format/scene_writer.hpp>
#include <sinew/study/compare.hpp>
#include <sinew/study/modes.hpp>
#include <sinew/study/run.hpp>
#include <sinew/study/static.hpp>
#include <sinew/study/sweep.hpp>

#include "bindings.hpp"

namespace sinew::python {
namespace {

using Catalog = std::shared_ptr<scene::Catalog>;

/// What an observer written in Python may look at while it is told something.
struct View {
  const sim::FrameView* view;

  const sim::FrameView& get() const {
    if (!view) throw std::runtime_error("a view is for the length of the call that it came with");
    return *view;
  }
};

/// Tells an object of Python's, which has some of the functions of an observer.
class PythonObserver final : public sim::Observer {
 public:
  /// With the lock held; what it has is looked up once.
  explicit PythonObserver(py::object own) : own_(std::move(own)) {
    has_step_ = py::hasattr(own_, "on_step");
    has_frame_ = py::hasattr(own_, "on_frame");
  }
  ~PythonObserver() override {
    const py::gil_scoped_acquire lock;
    own_ = py::object();
  }

  void on_start(const sim::FrameView& view) override { tell("on_start", view); }
  void on_step(const sim::FrameView& view, const sim::StepRecord& record) override {
    if (has_step_ && record.report.status == integrators::StepStatus::accepted)
      tell("on_step", view);
  }
  void on_frame(const sim::FrameView& view) override {
    if (has_frame_) tell("on_frame", view);
  }
  void on_edit(const sim::FrameView& view, bool) override { tell("on_edit", view); }
  void on_finish(const sim::FrameView& view, const sim::RunSummary&) override {
    tell("on_finish", view);
  }

 private:
  void tell(const char* what, const sim::FrameView& view) {
    const py::gil_scoped_acquire lock;
    if (!py::hasattr(own_, what)) return;
    auto shown = std::make_shared<View>(View{&view});
    own_.attr(what)(shown);
    shown->view = nullptr;  // whoever kept it finds out
  }

  py::object own_;
  bool has_step_ = false, has_frame_ = false;
};

/// Tells a function how far a run is, ten times a second at most.
class ProgressObserver final : public sim::Observer {
 public:
  explicit ProgressObserver(const py::function& tell) : tell_(tell) {}
  void on_step(const sim::FrameView& view, const sim::StepRecord&) override {
    if (told_.seconds() < 0.1) return;
    told_ = {};
    say(view);
  }
  void on_finish(const sim::FrameView& view, const sim::RunSummary&) override { say(view); }

 private:
  void say(const sim::FrameView& view) const {
    const py::gil_scoped_acquire lock;
    tell_(view.state.t, view.step);
  }
  const py::function& tell_;  // belongs to whoever waits for the run
  core::Stopwatch told_;
};

py::tuple as_tuple(const Problem& problem) {
  return py::make_tuple(problem.file, problem.where, problem.what, problem.hint);
}

py::list run(const scene::SceneSpec& scene, const Catalog& catalog,
             const std::filesystem::path& directory, bool frames, bool publish, bool resume,
             bool replace, const std::vector<py::object>& observers,
             const std::optional<py::function>& progress) {
  std::vector<Problem> warnings;
  std::vector<std::unique_ptr<sim::Observer>> all;
  for (const py::object& own : observers) all.push_back(std::make_unique<PythonObserver>(own));
  if (progress) all.push_back(std::make_unique<ProgressObserver>(*progress));
  study::RunOptions options{
      .directory = directory,
      .frames = frames,
      .publish = publish,
      .resume = resume,
      .replace = replace,
      .on_warning = [&](const Problem& problem) { warnings.push_back(problem); }};
  for (const auto& observer : all) options.observers.push_back(observer.get());
  with_signals([&](const std::function<bool()>& interrupted) {
    options.stop_requested = options.interrupted = interrupted;
    return study::run_scene(scene, options, *catalog);
  });
  py::list result;
  for (const Problem& problem : warnings) result.append(as_tuple(problem));
  return result;
}

Vec3 position_of(const View& view, int vertex) {
  const auto* system = dynamic_cast<const physics::TermSystem*>(&view.get().system);
  if (!system || vertex < 0 || vertex >= system->num_vertices())
    throw py::index_error("there is no such vertex");
  return system->vertex_position(vertex, view.get().state);
}

py::dict as_dict(const study::ComparedRun& run, const core::UnitSystem& units) {
  py::dict result;
  result["name"] = run.name;
  result["integrator"] = run.integrator;
  result["dt"] = run.dt;
  result["status"] = study::ending_text(run, units);
  result["finished"] = run.summary.reason == sim::StopReason::reached_end;
  result["reached"] = run.reached;
  result["steps"] = run.summary.accepted_steps;
  result["rejected"] = run.summary.rejected_steps;
  result["seconds"] = run.summary.wall_seconds;
  result["factorizations"] = run.summary.profile.counts.factorizations;
  result["solves"] = run.summary.profile.counts.solves;
  result["force"] = run.summary.profile.counts.force;
  result["energy_final"] = run.energy_final;
  result["numerical_loss"] = run.numerical_loss;
  result["error"] = run.error ? py::object(py::float_(*run.error)) : py::none();
  return result;
}

/// (runs, reference or None).
py::tuple compare(const scene::SceneSpec& scene, const Catalog& catalog,
                  const std::filesystem::path& directory, bool replace, bool publish,
                  const std::vector<std::string>& integrators, const std::vector<double>& steps,
                  bool with_reference, const std::string& reference, double reference_dt) {
  study::CompareOptions options{.directory = directory,
                                .replace = replace,
                                .publish = publish,
                                .integrators = integrators,
                                .steps = steps};
  if (with_reference) options.reference = {.integrator = reference, .dt = reference_dt};
  const study::ComparisonResult found = with_signals([&](const std::function<bool()>& interrupted) {
    options.interrupted = interrupted;
    return study::compare(scene, options, *catalog);
  });
  const core::UnitSystem& units = core::unit_system(scene.units);
  py::list runs;
  for (const study::ComparedRun& run : found.runs) runs.append(as_dict(run, units));
  const py::object fine =
      found.reference ? py::object(as_dict(*found.reference, units)) : py::none();
  return py::make_tuple(runs, fine);
}

/// (folder, values, status, reason) of every run.
py::list sweep(const std::string& text, const std::string& source, const std::string& folder,
               const Catalog& catalog, const std::filesystem::path& directory, bool replace,
               bool publish,
               const std::vector<std::pair<std::string, std::vector<std::string>>>& axes,
               unsigned at_once) {
  study::SweepOptions options{
      .directory = directory, .replace = replace, .publish = publish, .at_once = at_once};
  for (const auto& [path, values] : axes) options.axes.push_back({path, values});
  const study::SceneMaker make = [&](const std::vector<scene::Override>& changes) {
    scene::SceneSpec spec = scene::parse_scene(text, source, changes, *catalog);
    spec.directory = folder;
    return spec;
  };
  const std::vector<study::SweptRun> runs =
      with_signals([&](const std::function<bool()>& interrupted) {
        options.interrupted = interrupted;
        return study::sweep(make, options, *catalog);
      });
  py::list result;
  for (const study::SweptRun& run : runs)
    result.append(py::make_tuple(run.name, run.values, run.status, run.reason));
  return result;
}

/// {reached, largest_displacement, unstable_from, jumped_at}.
py::dict find_static(const scene::SceneSpec& scene, const Catalog& catalog,
                     const std::filesystem::path& directory, bool replace, bool publish,
                     int load_steps) {
  study::StaticOptions options{
      .load_steps = load_steps,
      .run = {.directory = directory, .publish = publish, .replace = replace}};
  const study::StaticResult found = with_signals([&](const std::function<bool()>& interrupted) {
    options.run.stop_requested = options.run.interrupted = interrupted;
    return study::find_static(scene, options, *catalog);
  });
  py::dict result;
  result["reached"] = found.reached;
  result["largest_displacement"] = found.largest_displacement;
  result["unstable_from"] = found.unstable_from;
  result["jumped_at"] = found.jumped_at;
  return result;
}

/// ({column: values}, shapes by rows, mass-normalised).
py::tuple modes(const scene::SceneSpec& scene, const Catalog& catalog, Index count,
                bool at_initial) {
  study::SceneModes found = with_signals([&](const std::function<bool()>&) {
    return study::find_scene_modes(scene, {.count = count, .at_initial = at_initial}, *catalog);
  });
  std::map<std::string, std::vector<double>> columns;
  std::vector<std::string> kinds;
  for (const study::ModeRow& row : found.rows) {
    columns["number"].push_back(row.number);
    columns["frequency"].push_back(row.frequency);
    columns["omega"].push_back(row.omega);
    columns["eigenvalue"].push_back(row.lambda);
    columns["residual"].push_back(row.residual);
    columns["damping_ratio"].push_back(row.damping_ratio);
    columns["is_found"].push_back(row.is_found ? 1.0 : 0.0);
    kinds.emplace_back(study::to_string(row.kind));
  }
  py::dict table;
  table["kind"] = kinds;
  for (auto& [name, values] : columns) {
    const auto rows = static_cast<py::ssize_t>(values.size());
    table[name.c_str()] = owning_array<double>(std::move(values), {rows});
  }
  const Mat& shapes = found.found.modes.U;
  const auto rows = static_cast<py::ssize_t>(shapes.cols());
  const auto length = static_cast<py::ssize_t>(shapes.rows());
  return py::make_tuple(table, owning_array<double>(Mat(shapes), {rows, length}));
}

void bind_view(py::module_& module) {
  py::class_<View, std::shared_ptr<View>>(module, "View",
                                          "A look at a run, for the length of a call.")
      .def_property_readonly("t", [](const View& self) { return self.get().state.t; })
      .def_property_readonly("step", [](const View& self) { return self.get().step; })
      .def_property_readonly("q", [](const View& self) { return Vec(self.get().state.q); })
      .def_property_readonly("v", [](const View& self) { return Vec(self.get().state.v); })
      .def_property_readonly("energy",
                             [](const View& self) { return self.get().ledger.record().total; })
      .def_property_readonly("kinetic_energy",
                             [](const View& self) { return self.get().ledger.record().kinetic; })
      .def("position", &position_of, py::arg("vertex"));
}

}  // namespace

void bind_study(py::module_& module) {
  bind_view(module);
  module.def("run", &run, py::arg("scene"), py::arg("catalog"), py::arg("directory"),
             py::arg("frames"), py::arg("publish"), py::arg("resume"), py::arg("replace"),
             py::arg("observers"), py::arg("progress"));
  module.def("compare", &compare, py::arg("scene"), py::arg("catalog"), py::arg("directory"),
             py::arg("replace"), py::arg("publish"), py::arg("integrators"), py::arg("steps"),
             py::arg("with_reference"), py::arg("reference"), py::arg("reference_dt"));
  module.def("sweep", &sweep, py::arg("text"), py::arg("source"), py::arg("folder"),
             py::arg("catalog"), py::arg("directory"), py::arg("replace"), py::arg("publish"),
             py::arg("axes"), py::arg("at_once"));
  module.def("find_static", &find_static, py::arg("scene"), py::arg("catalog"),
             py::arg("directory"), py::arg("replace"), py::arg("publish"), py::arg("load_steps"));
  module.def("modes", &modes, py::arg("scene"), py::arg("catalog"), py::arg("count"),
             py::arg("at_initial"));
}

}  // namespace sinew::python
