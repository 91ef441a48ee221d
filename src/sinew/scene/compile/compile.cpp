// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/core/expression.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/core/quote.hpp>
#include <sinew/core/thread_limit.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/la/solvers/linear_solver.hpp>
#include <sinew/physics/scripted_motion.hpp>
#include <sinew/scene/compile/body_mesh.hpp>
#include <sinew/scene/compile/check_sense.hpp>
#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/compile/compile_contact.hpp>
#include <sinew/scene/compile/compile_cuts.hpp>
#include <sinew/scene/compile/compile_joints.hpp>
#include <sinew/scene/compile/compile_loads.hpp>
#include <sinew/scene/compile/compile_materials.hpp>
#include <sinew/scene/compile/compile_springs.hpp>
#include <sinew/scene/compile/diagnostics.hpp>
#include <sinew/scene/compile/edit_schedule.hpp>
#include <sinew/scene/compile/formula_watch.hpp>
#include <sinew/scene/compile/initial_state.hpp>
#include <sinew/scene/compile/settle.hpp>
#include <sinew/scene/compile/solver_choice.hpp>
#include <sinew/scene/format/names.hpp>

namespace sinew::scene {
namespace {

/// Gathers problems from all parts of a scene before giving up.
class Compiler {
 public:
  Compiler(const SceneSpec& scene, const Catalog& catalog,
           const std::function<void(double, double)>& on_settling,
           std::vector<physics::TermFactory> further_terms, const Sharing* sharing)
      : scene_(scene),
        catalog_(catalog),
        on_settling_(on_settling),
        sharing_(sharing),
        diagnostics_(scene.source, anywhere(sharing)) {
    spec_.further_terms = std::move(further_terms);
  }

  CompiledScene run() {
    diagnostics_.collect("/threads", [&] { core::require_thread_count(scene_.threads); });
    build_bodies();
    diagnostics_.stop_on_errors();
    parts_ = add_obstacles();
    hold_vertices();
    move_vertices();
    find_probes();
    const FindVertices find = [this](const std::string& body, const mesh::Selection& select,
                                     const std::string& pointer) {
      return vertices(body, select, pointer);
    };
    compile_attachments(scene_.attachments, find, spec_, diagnostics_);
    check_joined();
    compile_interactions(scene_.interactions, scene_.directory, spec_, diagnostics_);
    contact_rules_ = compile_contact(scene_, catalog_, parts_, spec_, diagnostics_);
    compile_loads(scene_.loads, find, sharing_, catalog_, spec_, watch_, diagnostics_);
    compile_cuts(scene_, catalog_, spec_, edits_, diagnostics_);
    check_method();
    check_times(scene_, diagnostics_);
    check_tolerance();
    diagnostics_.stop_on_errors();
    return assemble();
  }

 private:
  void build_bodies() {
    std::set<std::string> names;
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
      const BodySpec& body = scene_.bodies[b];
      const std::string pointer = fmt::format("/bodies/{}", b);
      if (!names.insert(body.name).second)
        diagnostics_.error(pointer + "/name",
                           fmt::format("there are two bodies called '{}'", body.name),
                           "give each body its own name");
      spec_.bodies.push_back(make_body(b, pointer));
      vertex_offset_.push_back(num_vertices_);
      num_vertices_ += spec_.bodies.back().mesh.num_vertices();
    }
  }

  physics::Body make_body(std::size_t number, const std::string& pointer) {
    const BodySpec& spec = scene_.bodies[number];
    physics::Body body;
    body.name = spec.name;
    diagnostics_.collect(pointer + "/mesh", [&] {
      body.mesh = sharing_ ? sharing_->mesh_of(number) : body_mesh(scene_, spec, catalog_);
    });
    if (sharing_) {
      body.tets = compile_materials(spec, body.mesh, pointer, catalog_, diagnostics_);
      return body;
    }
    if (body.mesh.vertices.empty()) return body;  // it has had its message
    if (!body.mesh.species.empty() && scene_.units != "md")
      diagnostics_.error("/units", "atoms are read in nm and u, and this scene is in si",
                         "add \"units\": \"md\" and give all numbers in nm, ps, u and kJ/mol");
    if (spec.type == "springs")
      compile_springs(with_springs_file(spec, scene_.directory), pointer, catalog_, diagnostics_,
                      body);
    else if (body.mesh.tets.empty())
      refuse_hollow(body.mesh, pointer, diagnostics_);
    else
      body.tets = compile_materials(spec, body.mesh, pointer, catalog_, diagnostics_);
    if (!body.tets.empty() && scene_.units == "si") check_solid(body, pointer, diagnostics_);
    return body;
  }

  std::vector<physics::ContactPart> add_obstacles() {
    std::vector<physics::ContactPart> parts =
        compile_obstacles(scene_, catalog_, spec_, watch_, diagnostics_);
    diagnostics_.stop_on_errors();
    num_all_ = num_vertices_;
    for (std::size_t b = scene_.bodies.size(); b < spec_.bodies.size(); ++b) {
      vertex_offset_.push_back(num_all_);
      num_all_ += spec_.bodies[b].mesh.num_vertices();
    }
    for (const physics::MovedVertices& group : spec_.moved) {
      check_start(group, "/obstacles", watch_);
      edits_.release_times.push_back(std::numeric_limits<double>::infinity());
    }
    return parts;
  }

  /// Vertices of a selection, numbered through all bodies.
  std::vector<int> vertices(const std::string& body, const mesh::Selection& select,
                            const std::string& pointer) {
    std::vector<std::string> names;
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
      names.push_back(scene_.bodies[b].name);
      // with a single body its name need not be repeated
      if (names.back() != body && !(body.empty() && scene_.bodies.size() == 1)) continue;
      std::vector<int> chosen;
      diagnostics_.collect(pointer + "/select", [&] {
        const mesh::TetMesh& mesh = spec_.bodies[b].mesh;
        chosen = mesh::select_vertices(mesh, select);
        if (!diagnostics_.anywhere(!chosen.empty()))
          diagnostics_.error(pointer + "/select", "this selects no vertex",
                             diagnostics_.extent_hint(mesh));
        for (int& vertex : chosen) vertex += vertex_offset_[b];
      });
      return chosen;
    }
    diagnostics_.error(
        pointer + "/body",
        body.empty() ? "say which body is meant" : fmt::format("there is no body '{}'", body),
        core::suggestion(body, names));
    return {};
  }

  /// Those that this process answers for.
  std::vector<int> owned(std::vector<int> chosen) const {
    if (sharing_) std::erase_if(chosen, [&](int vertex) { return !sharing_->owns(vertex); });
    return chosen;
  }

  static Diagnostics::Anywhere anywhere(const Sharing* sharing) {
    if (!sharing) return {};
    return [&reducer = sharing->reducer()](bool here) { return reducer.any(here); };
  }

  /// As the scene counts: within its body.
  std::string vertex_name(int vertex) const {
    std::size_t body = 0;
    while (body + 1 < vertex_offset_.size() && vertex >= vertex_offset_[body + 1]) ++body;
    return fmt::format("vertex {} of body '{}'", vertex - vertex_offset_[body],
                       spec_.bodies[body].name);
  }

  void hold_vertices() {
    holder_.assign(static_cast<std::size_t>(num_vertices_), "");
    for (std::size_t k = 0; k < scene_.fixed.size(); ++k) {
      const std::string pointer = fmt::format("/fixed/{}", k);
      for (const int vertex : vertices(scene_.fixed[k].body, scene_.fixed[k].select, pointer)) {
        if (holder_[static_cast<std::size_t>(vertex)].empty()) spec_.fixed.push_back(vertex);
        holder_[static_cast<std::size_t>(vertex)] = pointer;
      }
    }
  }

  /// The vertices of a script, each of which must not be held by anything else.
  physics::MovedVertices scripted(const MotionSpec& motion, const std::string& pointer,
                                  FormulaWatch& watch) {
    physics::MovedVertices group;
    group.vertices = vertices(motion.body, motion.select, pointer);
    for (const int vertex : group.vertices) {
      std::string& holder = holder_[static_cast<std::size_t>(vertex)];
      if (!holder.empty()) {
        diagnostics_.error(pointer,
                           fmt::format("{} is held by {} already", vertex_name(vertex), holder),
                           "a vertex can follow only one rule; make the selections disjoint");
        break;
      }
      holder = pointer;
    }
    const std::string place = pointer + "/position";
    const auto script = std::make_shared<physics::ScriptedMotion>(
        parse_expressions(motion.position, place, catalog_, diagnostics_));
    group.motion = script;
    watch.add(script, script->formulas(), place);
    check_start(group, place, watch);
    return group;
  }

  void move_vertices() {
    for (std::size_t k = 0; k < scene_.motion.size(); ++k) {
      spec_.moved.push_back(scripted(scene_.motion[k], fmt::format("/motion/{}", k), watch_));
      edits_.release_times.push_back(scene_.motion[k].until);
    }
    const bool all_held = std::none_of(holder_.begin(), holder_.end(),
                                       [](const std::string& holder) { return holder.empty(); });
    if (!diagnostics_.anywhere(!all_held) && !diagnostics_.has_errors())
      diagnostics_.error("/fixed", "every vertex is held or moved, so there is nothing to simulate",
                         "select fewer vertices");
  }

  /// A motion must have a place and a speed at t = 0. `watch`: knows its formulas.
  void check_start(const physics::MovedVertices& group, const std::string& place,
                   const FormulaWatch& watch) {
    for (std::size_t k = 0; k < group.vertices.size(); ++k) {
      const int vertex = group.vertices[k];
      const Vec3 rest = rest_position(vertex);
      if (group.motion->position(k, rest, 0.0).allFinite() &&
          group.motion->velocity(k, rest, 0.0).allFinite())
        continue;
      if (!watch.report(0.0, 0.0, diagnostics_))
        diagnostics_.error(place,
                           fmt::format("{} has no finite velocity at t = 0", vertex_name(vertex)),
                           "let it begin more slowly");
      return;
    }
  }

  const Vec3& rest_position(int vertex) const {
    std::size_t body = 0;
    while (body + 1 < vertex_offset_.size() && vertex >= vertex_offset_[body + 1]) ++body;
    return spec_.bodies[body]
        .mesh.vertices[static_cast<std::size_t>(vertex - vertex_offset_[body])];
  }

  /// Vertices that are one can follow one rule only.
  void check_joined() {
    for (std::size_t k = 0; k + 1 < spec_.joined.size(); k += 2) {
      const int a = spec_.joined[k], b = spec_.joined[k + 1];
      const std::string& of_a = holder_[static_cast<std::size_t>(a)];
      const std::string& of_b = holder_[static_cast<std::size_t>(b)];
      const bool is_moved = of_a.starts_with("/motion") || of_b.starts_with("/motion");
      if (of_a.empty() || of_b.empty() || !is_moved) continue;
      diagnostics_.error("/attachments",
                         fmt::format("{} and {} become one, and are held by {} and {}",
                                     vertex_name(a), vertex_name(b), of_a, of_b),
                         "a vertex can follow only one rule; leave out one of them");
      return;
    }
  }

  void find_probes() {
    std::set<std::string> names;
    for (std::size_t k = 0; k < scene_.output.probes.size(); ++k) {
      const ProbeSpec& probe = scene_.output.probes[k];
      const std::string pointer = fmt::format("/output/probes/{}", k);
      if (const auto problem = find_name_problem(probe.name))
        diagnostics_.error(pointer + "/name", problem->what, problem->hint);
      else if (probe.name.empty() || probe.name.find_first_of(",\"") != std::string::npos ||
               !names.insert(probe.name).second)
        diagnostics_.error(pointer + "/name",
                           "a probe needs a name of its own, without commas or quotes",
                           "it becomes a column of probes.csv");
      mesh::Selection select = probe.select;
      check_probe(probe, pointer, diagnostics_);
      if (probe.vertex) select.vertices = {*probe.vertex};
      probes_.push_back({probe.name, owned(vertices(probe.body, select, pointer))});
    }
  }

  /// Names are checked by the reader too, with the values of all options.
  void check_method() {
    const IntegratorSpec& asked = scene_.integrator;
    const auto require_known = [&](const std::string& name, const std::vector<std::string>& known,
                                   const char* place) {
      if (std::find(known.begin(), known.end(), name) == known.end())
        diagnostics_.error(place, fmt::format("{} is not known here", core::in_quotes(name)),
                           core::suggestion(name, known));
    };
    require_known(asked.name, catalog_.integrator_names(), "/integrator/name");
    std::vector<std::string> solvers{""};  // the default
    for (const la::SolverEntry& solver : catalog_.solvers()) solvers.emplace_back(solver.name);
    require_known(asked.solver, solvers, "/integrator/solver/name");
    for (const la::SolverEntry& solver : catalog_.solvers())
      if (solver.name == asked.solver && solver.is_shared != (sharing_ != nullptr))
        diagnostics_.error("/integrator/solver/name",
                           fmt::format("{} is a solver of {}", solver.name,
                                       solver.is_shared ? "several processes" : "one process"),
                           solver.is_shared ? "start the run with mpirun, or name another"
                                            : "use petsc-gamg, or one process");
    diagnostics_.stop_on_errors();
  }

  void check_tolerance() {
    const integrators::IntegratorEntry* entry = catalog_.find_integrator(scene_.integrator.name);
    if (scene_.time.tolerance > 0.0 && integrators::has_history(*entry, method_options(*entry)))
      diagnostics_.error(
          "/time/tolerance",
          fmt::format("{} keeps a history{} and cannot choose its steps by their error",
                      entry->traits.name, entry->traits.multistep ? "" : " with these options"),
          "use a one-step method such as tr-bdf2 or sdirk2, or leave out tolerance");
  }

  /// The options of the method, with defaults where the scene says nothing.
  integrators::Options method_options(const integrators::IntegratorEntry& entry) const {
    integrators::Options options(entry.options);
    for (const auto& [name, value] : scene_.integrator.options.values()) options.set(name, value);
    return options;
  }

  /// Once everything has been let go that ever will be.
  Index most_unknowns() const {
    Index held = static_cast<Index>(spec_.fixed.size());
    for (std::size_t k = 0; k < spec_.moved.size(); ++k)
      if (!std::isfinite(edits_.release_times[k]))
        held += static_cast<Index>(spec_.moved[k].vertices.size());
    return 3 * (num_all_ - held);
  }

  void check_size(const integrators::IntegratorEntry& entry, const integrators::Options& options,
                  Index unknowns) {
    for (const integrators::OptionInfo& option : entry.options) {
      const auto& small = option.small_choices;
      const bool grows = !edits_.cuts.empty() || !edits_.fractures.empty();
      if (small.empty() || (unknowns <= option.small_limit && !grows)) continue;
      const std::string& word = options.text(option.name);
      if (std::find(small.begin(), small.end(), word) == small.end()) continue;
      if (grows)
        diagnostics_.error("/integrator/" + option.name,
                           word + " is for small systems, and cuts make this one grow",
                           "leave out " + option.name);
      else
        diagnostics_.error(
            "/integrator/" + option.name,
            fmt::format("{} is for small systems, and this one has {} unknowns (at most {})", word,
                        unknowns, option.small_limit),
            "leave out " + option.name);
    }
  }

  /// Moves the initial state to where it is after settling.
  void settle_into(const physics::TermSystem& system, const core::Executor& executor,
                   dynamics::State& state) {
    if (!scene_.settle) return;
    const SettleSpec& asked = *scene_.settle;
    if (!scene_.motion.empty())
      diagnostics_.error("/settle", "a body whose vertices follow a script cannot settle first",
                         "leave out motion, or move the vertices from t = 0 on");
    // the weight acts from the beginning, other loads from t = 0 on
    physics::BodiesSpec slow = spec_;
    slow.forces.clear();
    slow.pressures.clear();
    slow.winds.clear();
    slow.further_terms.clear();
    FormulaWatch formulas;
    for (std::size_t k = 0; k < asked.motion.size(); ++k)
      slow.moved.push_back(
          scripted(asked.motion[k], fmt::format("/settle/motion/{}", k), formulas));
    if (diagnostics_.has_errors()) return;
    const auto on_step = [&](double t) {
      if (on_settling_) on_settling_(t, asked.end);
    };
    const integrators::IntegratorEntry& method =
        *catalog_.find_integrator(settling_method(scene_.contact));
    if (settle(slow, method, asked.dt, asked.end, executor, system, state, on_step) ||
        formulas.report(0.0, asked.end, diagnostics_))
      return;
    if (asked.motion.empty())
      diagnostics_.error("/settle", "no equilibrium was found",
                         "every body must be held somewhere, or rest on something");
    else
      diagnostics_.error("/settle", "the body could not follow the script",
                         "move it more slowly: raise end or lower dt");
  }

  CompiledScene assemble() {
    CompiledScene result;
    result.executor = std::make_unique<core::Executor>(scene_.threads);
    if (!sharing_) result.reducer = std::make_unique<la::Reducer>(*result.executor);
    reducer_ = sharing_ ? &sharing_->reducer() : result.reducer.get();
    auto part = std::make_unique<physics::TermSystem>(physics::to_terms(spec_), *result.executor);
    dynamics::State initial = initial_state(
        scene_, spec_.bodies, *part, [this](int vertex) { return vertex_name(vertex); }, catalog_,
        diagnostics_);
    settle_into(*part, *result.executor, initial);
    if (contact_rules_)
      scene::check_start(
          parts_, *contact_rules_, *part, initial,
          [this](int vertex) { return vertex_name(vertex); }, diagnostics_);
    std::unique_ptr<dynamics::DynamicalSystem> system;
    if (sharing_)
      system = sharing_->share(std::move(part), spec_, initial);
    else
      system = std::move(part);
    const integrators::IntegratorEntry* entry = catalog_.find_integrator(scene_.integrator.name);
    const integrators::Options options = method_options(*entry);
    check_size(*entry, options, most_unknowns());
    diagnostics_.stop_on_errors();
    result.integrator_options = options;
    std::unique_ptr<integrators::Integrator> method;
    diagnostics_.collect("", [&] {
      integrators::Services services = linear_solvers(scene_.integrator, catalog_, *reducer_);
      if (sharing_) sharing_->complete(services);
      method = integrators::make_integrator(*entry, options, services);
    });
    diagnostics_.stop_on_errors();
    result.simulation = std::make_unique<sim::Simulation>(
        std::move(system), std::move(initial), std::move(method),
        sim::SimulationSettings{.dt = scene_.time.dt,
                                .end = scene_.time.end,
                                .max_halvings = scene_.time.max_halvings,
                                .fps = scene_.output.fps,
                                .fails_on_absurd_energy = options.text("guard") != "off",
                                .error = error_control(entry->traits)});
    result.simulation->set_explanation(
        [watch = std::move(watch_), sharing = sharing_](double from, double to) {
          const std::string cause = watch.explain(from, to);
          return sharing ? sharing->heard(cause) : cause;
        });
    if (options.text("guard") == "ladder")
      result.simulation->set_guard(std::make_unique<sim::Guard>(
          ladder(*entry, options), direct_solvers(scene_.integrator, catalog_, *reducer_)));
    for (const physics::Body& body : spec_.bodies) {
      result.num_tets += static_cast<int>(body.tets.size());
      result.num_springs += static_cast<int>(body.springs.size());
    }
    if (!edits_.is_empty())
      result.simulation->set_edits(
          std::make_unique<EditSchedule>(std::move(spec_), std::move(edits_), *result.executor));
    result.probes = std::move(probes_);
    result.warnings = diagnostics_.take_warnings();
    return result;
  }

  sim::ErrorControlSettings error_control(const integrators::Traits& traits) const {
    return {.tolerance = scene_.time.tolerance,
            .dt_min = scene_.time.dt_min.value_or(1e-6 * scene_.time.dt),
            .order = traits.order,
            .is_estimated = traits.estimates_error};
  }

  integrators::Rungs ladder(const integrators::IntegratorEntry& entry,
                            const integrators::Options& options) const {
    integrators::Rungs rungs = integrators::rungs_of(entry, options);
    // other methods say nothing about the error of their steps
    if (scene_.time.tolerance > 0.0 && entry.traits.estimates_error)
      std::erase_if(rungs, [](sim::Rung rung) { return rung != sim::Rung::projected; });
    return rungs;
  }

  const SceneSpec& scene_;
  const Catalog& catalog_;
  const std::function<void(double, double)>& on_settling_;
  const Sharing* sharing_;
  Diagnostics diagnostics_;
  const la::Reducer* reducer_ = nullptr;  // of what is made
  FormulaWatch watch_;
  physics::BodiesSpec spec_;
  std::vector<physics::ContactPart> parts_;  // of bodies and obstacles, as others meet them
  std::optional<physics::ContactRules> contact_rules_;  // where they must not overlap
  std::vector<int> vertex_offset_;
  int num_vertices_ = 0;             // of bodies
  int num_all_ = 0;                  // with those of obstacles
  std::vector<std::string> holder_;  // per vertex: the pointer of what holds it
  EditPlan edits_;
  std::vector<output::Probe> probes_;
};

}  // namespace

CompiledScene compile(const SceneSpec& scene, const Catalog& catalog,
                      const std::function<void(double, double)>& on_settling,
                      std::vector<physics::TermFactory> further_terms, const Sharing* sharing) {
  return Compiler(scene, catalog, on_settling, std::move(further_terms), sharing).run();
}

}  // namespace sinew::scene
