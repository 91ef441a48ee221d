// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <set>
#include <type_traits>

#include <fmt/format.h>

#include <sinew/core/expression.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/core/unit_system.hpp>
#include <sinew/scene/format/describe_parts.hpp>

namespace sinew::scene {
namespace {

void describe_integrator(Visitor& v, IntegratorSpec& integrator, const Catalog& catalog) {
  v.text("name", integrator.name, "the method that advances time", catalog.integrator_names());
  std::set<std::string> seen;
  for (const integrators::IntegratorEntry& entry : catalog.integrators()) {
    if (entry.traits.name != integrator.name && !v.wants_all_variants()) continue;
    for (const integrators::OptionInfo& info : entry.options) {
      if (!seen.insert(info.name).second) continue;
      const auto& values = integrator.options.values();
      const auto given = values.find(info.name);
      integrators::OptionValue value = given == values.end() ? info.initial() : given->second;
      v.option(info, value);
      integrator.options.set(info.name, std::move(value));
    }
  }
  v.object("solver", "of linear systems", [&](Visitor& s) {
    if (integrator.solver.empty()) integrator.solver = catalog.solvers().front().name;
    s.text("name", integrator.solver, "name of the solver", names_of(catalog.solvers()));
    s.text("factor", integrator.factor,
           "lagged: the factor of an earlier step, turned with the material, preconditions "
           "conjugate gradients until that takes too long; every-step: factorise each matrix",
           {"lagged", "every-step"});
    s.number("tolerance", integrator.solver_tolerance,
             "with a lagged factor: error relative to the solution in the norm of the matrix",
             Range::positive());
    s.text("petsc", integrator.petsc,
           "options of PETSc for its solvers, such as -pc_gamg_threshold 0.02");
  });
}

void describe_script(Visitor& v, MotionSpec& motion) {
  v.text("body", motion.body, "name of the body");
  describe_selection(v, motion.select);
  v.formulas("position", motion.position, "where a vertex goes, formulas in x, y, z, t [m]");
}

void describe_settle(Visitor& v, std::optional<SettleSpec>& settle) {
  v.optional_object<SettleSpec>(
      "settle", settle,
      "before t = 0: vertices are moved slowly by a script and the rest follows; at "
      "t = 0 all are at rest and let go",
      [](Visitor& s, SettleSpec& given) {
        s.number("dt", given.dt, "of the script between one equilibrium and the next [s]",
                 Range::positive());
        s.number("end", given.end, "how long it takes [s]", Range::positive());
        s.list<MotionSpec>("motion", given.motion,
                           "vertices that follow a script until then; none: the body "
                           "settles under its weight",
                           describe_script);
      });
}

void describe_motion(Visitor& v, MotionSpec& motion) {
  describe_script(v, motion);
  std::optional<double> until;
  if (std::isfinite(motion.until)) until = motion.until;
  v.number("until", until, "time at which the vertices are let go [s]", Range::not_negative());
  if (until) motion.until = *until;
}

/// A type that a program added: where it acts, and its numbers.
void describe_added_load(Visitor& v, LoadSpec& load, const physics::TermEntry& term) {
  v.text("body", load.body, "name of the body");
  describe_selection(v, load.select);
  for (const physics::TermParameter& parameter : term.parameters) {
    auto [value, is_new] = load.parameters.try_emplace(parameter.name, parameter.defaults);
    v.numbers(parameter.name, value->second, false, parameter.description);
  }
}

void describe_load(Visitor& v, LoadSpec& load, const Catalog& catalog) {
  std::vector<std::string> types = builtin_load_types();
  for (const physics::TermEntry& term : catalog.terms()) types.push_back(term.name);
  const bool was_gravity = load.type == "gravity";
  v.text("type", load.type, "kind of load", types);
  // what a weight is by default no other load is
  if (was_gravity && load.type != "gravity") load.value = {"0", "0", "0"};
  const bool all = v.wants_all_variants();
  for (const physics::TermEntry& term : catalog.terms())
    if (term.name == load.type || all) describe_added_load(v, load, term);
  if (catalog.find_term(load.type)) return;
  const bool is_pressure = load.type == "pressure", is_wind = load.type == "wind";
  if (load.type != "gravity" || all) {
    v.text("body", load.body, "name of the body");
    describe_selection(v, load.select);
  }
  if ((!is_pressure && !is_wind) || all)
    v.formulas("value", load.value,
               "gravity: acceleration [m/s^2]; force, or peak of a pulse: shared out among the "
               "selected vertices by volume, or by mass in a body of springs [N]; formulas in x, "
               "y, z, t");
  if (is_pressure || all)
    v.formula("pressure", load.pressure,
              "on surface faces, following them; positive pushes inwards; formula in x, y, z, t "
              "[Pa]");
  if (is_wind || all) {
    v.formulas("velocity", load.velocity,
               "of the air, formulas in x, y, z of the place and t [m/s]");
    v.number("density", load.density, "of the air [kg/m^3]", Range::positive());
    v.number("drag", load.drag, "coefficient", Range::not_negative());
    v.number("diameter", load.diameter, "of bars, where the wind meets bars [m]",
             Range::not_negative());
  }
  v.number("from", load.from, "it acts from this time on [s]");
  v.number("until", load.until, "and ends before this time [s]");
  if (load.from && load.until && !(*load.from < *load.until))
    v.reject("until", "the load ends before it begins", "until must be above from");
}

void describe_attachment(Visitor& v, AttachmentSpec& attachment) {
  v.text("body", attachment.body, "name of the body that holds on");
  describe_selection(v, attachment.select);
  v.text("to", attachment.to, "name of the body that it holds on to");
  v.number(
      "stiffness", attachment.stiffness,
      "of springs from each vertex to the nearest point of the other body, inside its tets, on "
      "its triangles or bars [N/m]; not given: vertices at the same place become one",
      stiffness_range);
  v.number("within", attachment.within, "how far away that point may be [m]",
           Range::not_negative());
}

void describe_interaction(Visitor& v, InteractionSpec& interaction) {
  v.text("type", interaction.type, "energy of a pair of particles", {"lennard-jones", "table"});
  const bool is_table = interaction.type == "table", all = v.wants_all_variants();
  v.texts("bodies", interaction.bodies, "names of bodies of springs; none: all of them", {});
  if (!is_table || all) {
    v.number("depth", interaction.depth,
             "lennard-jones: depth of the well; not given: by chemical symbol [J]",
             Range::not_negative());
    v.number("size", interaction.size,
             "lennard-jones: distance of zero energy; not given: by chemical symbol [m]",
             Range::positive());
    v.list<SpeciesSpec>("species", interaction.species, "lennard-jones: of single species",
                        [](Visitor& s, SpeciesSpec& species) {
                          s.text("name", species.name, "chemical symbol");
                          s.number("depth", species.depth, "[J]", Range::not_negative());
                          s.number("size", species.size, "[m]", Range::positive());
                        });
  }
  if (is_table || all)
    v.text("file", interaction.file, "table: CSV file with columns r [m] and energy [J]");
  v.number("cutoff", interaction.cutoff,
           "nothing acts beyond; 2.5 times the largest size if not given, or the end of the table "
           "[m]",
           Range::positive());
  v.number(
      "from", interaction.from,
      "from here on the energy is switched off smoothly; 0.9 times the cutoff if not given [m]",
      Range::not_negative());
  v.integer("exclude", interaction.exclude,
            "pairs that are up to this many springs apart do not act", 0);
  v.text("search", interaction.search,
         "how pairs are found: by a grid of cells, or directly by looking at all",
         {"cells", "direct"});
}

void describe_probe(Visitor& v, ProbeSpec& probe) {
  v.text("name", probe.name, "column prefix in probes.csv");
  v.text("body", probe.body, "name of the body");
  v.integer("vertex", probe.vertex, "a vertex number, counted from 0", 0);
  describe_selection(v, probe.select);
}

}  // namespace

void describe(Visitor& v, SceneSpec& scene, const Catalog& catalog) {
  v.integer("sinew", scene.format_version, "version of the scene format", 1);
  if (scene.format_version != 1)
    v.reject("sinew", fmt::format("scene format {} is not known", scene.format_version),
             "this program reads format 1");
  describe_name(v, scene.name, "name of the scene");
  v.text("description", scene.description, "what it shows");
  v.text("units", scene.units,
         "what numbers mean: si, or md for molecules (nm, ps, u and so kJ/mol); units named here "
         "are those of si",
         core::unit_system_names());
  v.direction("up", scene.up,
              "which way is up in pictures: x, y, z, -x, -y, -z or a vector of any length; not "
              "given: against gravity, else z");
  v.list<BodySpec>("bodies", scene.bodies, "the deformable bodies",
                   [&](Visitor& b, BodySpec& body) { describe_body(b, body, catalog); });
  v.list<AttachmentSpec>("attachments", scene.attachments, "what joins bodies",
                         describe_attachment);
  v.list<InteractionSpec>("interactions", scene.interactions, "forces between all particles",
                          describe_interaction);
  v.list<ObstacleSpec>(
      "obstacles", scene.obstacles, "what bodies meet and do not move",
      [&](Visitor& o, ObstacleSpec& obstacle) { describe_obstacle(o, obstacle, catalog); });
  describe_contact(v, scene.contact);
  v.list<FixedSpec>("fixed", scene.fixed, "vertices held at rest",
                    [](Visitor& f, FixedSpec& fixed) {
                      f.text("body", fixed.body, "name of the body");
                      describe_selection(f, fixed.select);
                    });
  v.list<MotionSpec>("motion", scene.motion, "vertices that follow a script", describe_motion);
  v.list<LoadSpec>("loads", scene.loads, "forces from outside",
                   [&](Visitor& l, LoadSpec& load) { describe_load(l, load, catalog); });
  v.list<CutSpec>("cuts", scene.cuts, "surfaces along which solids are cut",
                  [&](Visitor& c, CutSpec& cut) { describe_cut(c, cut, catalog); });
  v.list<FractureSpec>("fracture", scene.fracture, "solids that break under tension",
                       describe_fracture);
  describe_settle(v, scene.settle);
  v.object("integrator", "the method and its options",
           [&](Visitor& i) { describe_integrator(i, scene.integrator, catalog); });
  v.object("time", "step and span", [&](Visitor& t) {
    t.number("dt", scene.time.dt, "step size [s]", Range::positive());
    t.number("end", scene.time.end, "end of the run [s]", Range::not_negative());
    t.integer("max_halvings", scene.time.max_halvings,
              "how often a failing step may be cut in two; 0: a failure ends the run", 0);
    t.number(
        "tolerance", scene.time.tolerance,
        "error per step, root-mean-square over the body, that chooses steps up to dt; 0: every "
        "step is dt [m]",
        Range::not_negative());
    t.number("dt_min", scene.time.dt_min,
             "with a tolerance: give up below this step; a millionth of dt if not given [s]",
             Range::positive());
  });
  v.object("output", "what is written", [&](Visitor& o) {
    o.number("fps", scene.output.fps, "frames per simulated second; 0: none",
             Range::not_negative());
    o.texts("format", scene.output.format, "frame formats", names_of(catalog.writers()));
    o.list<ProbeSpec>("probes", scene.output.probes, "places to follow in probes.csv",
                      describe_probe);
  });
  v.integer("threads", scene.threads, "threads to use; 0: all cores", 0);
}

}  // namespace sinew::scene
