// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <set>
#include <type_traits>

#include <fmt/format.h>

#include <sinew/core/expression.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/scene/catalog.hpp>
#include <sinew/scene/format/describe.hpp>
#include <sinew/scene/format/names.hpp>

namespace sinew::scene {
namespace {

template <class Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  names.reserve(table.size());
  for (const auto& entry : table) names.emplace_back(entry.name);
  return names;
}

/// A text that becomes the name of something.
void name(Visitor& v, std::string& value, std::string_view doc) {
  v.text("name", value, doc);
  if (const auto problem = find_name_problem(value)) v.reject("name", problem->what, problem->hint);
}

void describe_selection(Visitor& v, mesh::Selection& select) {
  v.object("select", "which part of the body; all conditions given must hold, {} is everything",
           [&](Visitor& s) {
             s.box("box", select.box, "two opposite corners [m]");
             bool has_plane = select.plane.has_value();
             mesh::Selection::Plane plane = select.plane.value_or(mesh::Selection::Plane{});
             s.optional_object("plane", has_plane, "near a plane", [&](Visitor& p) {
               p.vector("point", plane.point, "a point of the plane [m]");
               p.vector("normal", plane.normal, "its normal, of any length");
               p.number("within", plane.within, "distance to either side [m]",
                        Range::not_negative());
               if (plane.normal.norm() == 0.0)
                 p.reject("normal", "the normal must not be zero", "for example [0, 0, 1]");
             });
             if (has_plane) select.plane = plane;
             bool has_sphere = select.sphere.has_value();
             mesh::Selection::Sphere sphere = select.sphere.value_or(mesh::Selection::Sphere{});
             s.optional_object("sphere", has_sphere, "inside a sphere", [&](Visitor& p) {
               p.vector("center", sphere.center, "[m]");
               p.number("radius", sphere.radius, "[m]", Range::not_negative());
             });
             if (has_sphere) select.sphere = sphere;
             s.integers("vertices", select.vertices, "vertex numbers, counted from 0");
             s.label("region", select.region, "name or number of a region of the mesh");
           });
}

void describe_generator(Visitor& v, MeshSpec& mesh, const Catalog& catalog) {
  const auto& table = catalog.generators();
  v.text("generator", mesh.generator, "a shape made from numbers", names_of(table));
  std::set<std::string> seen;
  for (const mesh::GeneratorEntry& generator : table) {
    if (generator.name != mesh.generator && !v.wants_all_variants()) continue;
    for (const mesh::GeneratorParameter& parameter : generator.parameters) {
      if (!seen.insert(parameter.name).second) continue;
      auto [value, is_new] = mesh.parameters.try_emplace(parameter.name, parameter.defaults);
      v.numbers(parameter.name, value->second, parameter.kind == mesh::ParameterKind::integer,
                parameter.description);
    }
  }
}

void describe_mesh(Visitor& m, MeshSpec& mesh, const Catalog& catalog) {
  m.text("file", mesh.file, "a mesh file, relative to the scene file");
  const bool is_file = !mesh.file.empty();
  if (is_file || m.wants_all_variants())
    m.boolean("repair", mesh.repair, "of a file: turn inverted tets around, drop unused vertices");
  if (!is_file || m.wants_all_variants()) describe_generator(m, mesh, catalog);
}

/// A constant of one model: the body's has a value in any case, a region's if it is given.
void describe_constant(Visitor& m, std::map<std::string, Formula>& constants,
                       const physics::MaterialConstant& constant, const std::string& doc,
                       bool is_region) {
  const std::string name(constant.name);
  const Range range{.minimum = constant.minimum, .maximum = constant.maximum};
  const auto given = constants.find(name);
  if (is_region) {
    std::optional<Formula> value;
    if (given != constants.end()) value = given->second;
    m.formula(name, value, doc, range);
    if (value) constants.insert_or_assign(name, *value);
    return;
  }
  Formula value = given == constants.end() ? Formula(constant.standard) : given->second;
  m.formula(name, value, doc, range);
  constants.insert_or_assign(name, value);
}

/// Of a body, or what a region changes; numbers or formulas in the rest coordinates x, y, z.
template <class Spec>
void describe_constants(Visitor& m, Spec& spec, const Catalog& catalog) {
  constexpr bool is_region = std::is_same_v<Spec, RegionSpec>;
  m.text("model", spec.model, "name of the model", catalog.material_names());
  m.formula("young", spec.young, "Young's modulus [Pa]", young_range);
  m.formula("poisson", spec.poisson, "Poisson's ratio", poisson_range);
  std::set<std::string_view> seen;
  for (const physics::MaterialEntry& material : catalog.materials())
    for (const physics::MaterialConstant& constant : material.constants)
      if (seen.insert(constant.name).second)
        describe_constant(m, spec.constants, constant,
                          fmt::format("{}: {}", material.name, constant.summary), is_region);
  m.formula("density", spec.density, "mass per volume [kg/m^3]", density_range);
}

void describe_region(Visitor& v, RegionSpec& region, const Catalog& catalog) {
  describe_selection(v, region.select);
  v.object("material", "what differs from the body's material",
           [&](Visitor& m) { describe_constants(m, region, catalog); });
  v.object("damping", "what differs from the body's damping", [&](Visitor& d) {
    d.formula("mass", region.damping_mass, "[1/s]", Range::not_negative());
    d.formula("stiffness", region.damping_stiffness, "[s]", Range::not_negative());
  });
}

void describe_damping(Visitor& v, DampingSpec& damping) {
  v.formula("mass", damping.mass, "[1/s]", Range::not_negative());
  v.formula("stiffness", damping.stiffness, "[s]", Range::not_negative());
  v.text("shape", damping.shape, "whether K is that of the rest shape or of the current one",
         {"rest", "current"});
  bool has_modal = damping.modal.has_value();
  ModalDampingSpec modal = damping.modal.value_or(ModalDampingSpec{});
  v.optional_object("modal", has_modal, "instead of mass and stiffness: a ratio at two frequencies",
                    [&](Visitor& m) {
                      m.number("ratio", modal.ratio, "of critical damping", Range::not_negative());
                      m.numbers("frequencies", modal.frequencies, false,
                                "where the ratio holds exactly; in between it is smaller [Hz]");
                      if (!(modal.frequencies[0] > 0.0 && modal.frequencies[1] > 0.0))
                        m.reject("frequencies", "frequencies must be above 0",
                                 "for example [10, 100] Hz");
                    });
  if (!has_modal) return;
  damping.modal = modal;
  const auto is_zero = [](const Formula& formula) {
    return formula.text == "0" || formula.text == "0.0";
  };
  if (!is_zero(damping.mass) || !is_zero(damping.stiffness))
    v.reject("modal", "damping is given twice", "leave out mass and stiffness, or modal");
}

void describe_transform(Visitor& v, TransformSpec& transform) {
  v.object("transform", "applied to the mesh: scale, then rotate, then translate", [&](Visitor& t) {
    t.number("scale", transform.scale, "factor", Range::positive());
    t.object("rotate", "about an axis through the origin", [&](Visitor& r) {
      r.vector("axis", transform.axis, "direction, of any length");
      r.number("degrees", transform.degrees, "angle [degree]");
      if (transform.axis.norm() == 0.0)
        r.reject("axis", "the axis must not be zero", "for example [0, 0, 1]");
    });
    t.vector("translate", transform.translate, "[m]");
  });
}

/// Where a body is: a mesh, or the particles and springs that may be listed instead.
void describe_shape(Visitor& v, BodySpec& body, const Catalog& catalog) {
  const Visitor::Describe describe_it = [&](Visitor& m) { describe_mesh(m, body.mesh, catalog); };
  const char* doc = "a mesh file beside the scene, or a shape to generate";
  SpringsSpec& springs = body.springs;
  const bool is_springs = body.type == "springs", all = v.wants_all_variants();
  bool has_mesh = !is_springs || springs.particles.empty();
  if (is_springs)
    v.optional_text_or_object("mesh", has_mesh, body.mesh.file, doc, describe_it);
  else
    v.text_or_object("mesh", body.mesh.file, doc, describe_it);
  if (!is_springs && !all) return;
  v.vector_list("particles", springs.particles, "of springs: positions, instead of a mesh [m]");
  if (has_mesh && !springs.particles.empty())
    v.reject("particles", "the particles are given twice", "leave out particles, or mesh");
  if (!has_mesh && springs.particles.empty())
    v.reject("mesh", "a body of springs needs particles",
             "add \"mesh\", whose vertices and edges are used, or \"particles\" and \"springs\"");
  if (!has_mesh || all)
    v.pair_list("springs", springs.pairs, "pairs of particles joined by a spring, from 0");
}

void describe_solid(Visitor& v, BodySpec& body, const Catalog& catalog) {
  v.object("material", "the elastic model and its constants",
           [&](Visitor& m) { describe_constants(m, body.material, catalog); });
  v.list<RegionSpec>("regions", body.regions, "parts with another material",
                     [&](Visitor& r, RegionSpec& region) { describe_region(r, region, catalog); });
  v.text("mass", body.mass, "of a solid: mass matrix", {"lumped", "consistent"});
}

void describe_springs(Visitor& v, SpringsSpec& springs) {
  v.number_list("masses", springs.masses, "of springs: mass of every particle [kg]", mass_range);
  if (springs.masses.empty() || v.wants_all_variants())
    v.formula("mass", springs.mass, "of springs: mass of each particle [kg]", mass_range);
  v.formula("stiffness", springs.stiffness, "of springs: force per stretch of each [N/m]",
            stiffness_range);
  v.text("law", springs.law, "of springs: how the force grows with the stretch", {"linear"});
}

void describe_body(Visitor& v, BodySpec& body, const Catalog& catalog) {
  name(v, body.name, "how other parts of the scene refer to the body");
  v.text("type", body.type, "what the body is made of", {"solid", "springs"});
  const bool all = v.wants_all_variants(), is_springs = body.type == "springs";
  describe_shape(v, body, catalog);
  describe_transform(v, body.transform);
  if (!is_springs || all) describe_solid(v, body, catalog);
  if (is_springs || all) describe_springs(v, body.springs);
  v.object("damping", "Rayleigh damping D = mass * M + stiffness * K",
           [&](Visitor& d) { describe_damping(d, body.damping); });
  v.formulas("velocity", body.velocity, "at t = 0, formulas in x, y, z [m/s]");
  v.object("initial", "the shape at t = 0", [&](Visitor& i) {
    i.formulas("displacement", body.displacement, "from the rest shape, formulas in x, y, z [m]");
  });
}

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
  });
}

void describe_script(Visitor& v, MotionSpec& motion) {
  v.text("body", motion.body, "name of the body");
  describe_selection(v, motion.select);
  v.formulas("position", motion.position, "where a vertex goes, formulas in x, y, z, t [m]");
}

void describe_settle(Visitor& v, std::optional<SettleSpec>& settle) {
  bool is_given = settle.has_value();
  SettleSpec given = settle.value_or(SettleSpec{});
  v.optional_object("settle", is_given,
                    "before t = 0: vertices are moved slowly by a script and the rest follows; at "
                    "t = 0 all are at rest and let go",
                    [&](Visitor& s) {
                      s.number("dt", given.dt, "step of backward Euler [s]", Range::positive());
                      s.number("end", given.end, "how long it takes [s]", Range::positive());
                      s.list<MotionSpec>("motion", given.motion,
                                         "vertices that follow a script until then; none: the body "
                                         "settles under its weight",
                                         describe_script);
                    });
  if (is_given) settle = given;
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
  }
  v.number("from", load.from, "it acts from this time on [s]");
  v.number("until", load.until, "and ends before this time [s]");
  if (load.from && load.until && !(*load.from < *load.until))
    v.reject("until", "the load ends before it begins", "until must be above from");
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
  name(v, scene.name, "name of the scene");
  v.text("description", scene.description, "what it shows");
  v.list<BodySpec>("bodies", scene.bodies, "the deformable bodies",
                   [&](Visitor& b, BodySpec& body) { describe_body(b, body, catalog); });
  v.list<FixedSpec>("fixed", scene.fixed, "vertices held at rest",
                    [](Visitor& f, FixedSpec& fixed) {
                      f.text("body", fixed.body, "name of the body");
                      describe_selection(f, fixed.select);
                    });
  v.list<MotionSpec>("motion", scene.motion, "vertices that follow a script", describe_motion);
  v.list<LoadSpec>("loads", scene.loads, "forces from outside",
                   [&](Visitor& l, LoadSpec& load) { describe_load(l, load, catalog); });
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
