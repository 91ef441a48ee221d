// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <type_traits>

#include <fmt/format.h>

#include <sinew/scene/format/describe_parts.hpp>

namespace sinew::scene {
namespace {

/// A constant of one model: the body's has a value in any case, a region's if it is given.
void describe_constant(Visitor& m, std::map<std::string, Formula>& constants,
                       const physics::NamedConstant& constant, const std::string& doc,
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
    for (const physics::NamedConstant& constant : material.constants)
      if (seen.insert(constant.name).second)
        describe_constant(m, spec.constants, constant,
                          fmt::format("{}: {}", material.name, constant.summary), is_region);
  m.formula("density", spec.density, "mass per volume [kg/m^3]", density_range);
}

/// Of a body of springs, or what a region changes.
template <class Spec>
void describe_spring(Visitor& v, Spec& spec, const Catalog& catalog) {
  constexpr bool is_region = std::is_same_v<Spec, SpringChanges>;
  v.text("law", spec.law, "of springs: how the force grows with the stretch",
         names_of(catalog.spring_laws()));
  v.formula("stiffness", spec.stiffness, "of springs: force per small stretch of each [N/m]",
            stiffness_range);
  v.formula("young", spec.young,
            "of springs, with section and instead of stiffness: Young's modulus; the stiffness is "
            "young * section / length [Pa]",
            young_range);
  v.formula("section", spec.section, "of springs: area of the cross-section, for stresses [m^2]",
            Range::not_negative());
  v.formula("rest_scale", spec.rest_scale,
            "of springs: rest length over length in the mesh; below 1 they pull from the start",
            Range::positive());
  v.formula("yield", spec.yield,
            "of springs: strain beyond which the rest length follows; not given: they are elastic",
            Range::positive());
  v.formula("hardening", spec.hardening,
            "of springs: how much the threshold of yielding gains per lasting strain",
            Range::not_negative());
  std::set<std::string_view> seen;
  for (const physics::SpringLawEntry& law : catalog.spring_laws())
    for (const physics::NamedConstant& constant : law.constants)
      if (seen.insert(constant.name).second)
        describe_constant(v, spec.constants, constant,
                          fmt::format("{} springs: {}", law.name, constant.summary), is_region);
}

void describe_region(Visitor& v, RegionSpec& region, bool is_springs, const Catalog& catalog) {
  describe_selection(v, region.select);
  if (!is_springs || v.wants_all_variants())
    v.object("material", "of a solid: what differs from the body's material",
             [&](Visitor& m) { describe_constants(m, region, catalog); });
  if (is_springs || v.wants_all_variants())
    v.object("springs", "of springs: what differs from the body's springs",
             [&](Visitor& m) { describe_spring(m, region.springs, catalog); });
  v.object("damping", "what differs from the body's damping", [&](Visitor& d) {
    if (!is_springs || d.wants_all_variants())
      d.formula("mass", region.damping_mass, "of a solid [1/s]", Range::not_negative());
    d.formula("stiffness", region.damping_stiffness, "[s]", Range::not_negative());
  });
}

void describe_damping(Visitor& v, DampingSpec& damping) {
  v.formula("mass", damping.mass, "[1/s]", Range::not_negative());
  v.formula("stiffness", damping.stiffness, "[s]", Range::not_negative());
  v.text(
      "shape", damping.shape,
      "whether K is that of the rest shape or of the current one; along: of springs, as they lie "
      "now and only along them",
      {"rest", "current", "along"});
  v.optional_object<ModalDampingSpec>(
      "modal", damping.modal, "instead of mass and stiffness: a ratio at two frequencies",
      [](Visitor& m, ModalDampingSpec& modal) {
        m.number("ratio", modal.ratio, "of critical damping", Range::not_negative());
        m.numbers("frequencies", modal.frequencies, false,
                  "where the ratio holds exactly; in between it is smaller [Hz]");
        if (!(modal.frequencies[0] > 0.0 && modal.frequencies[1] > 0.0))
          m.reject("frequencies", "frequencies must be above 0", "for example [10, 100] Hz");
      });
  if (!damping.modal) return;
  const auto is_zero = [](const Formula& formula) {
    return formula.text == "0" || formula.text == "0.0";
  };
  if (!is_zero(damping.mass) || !is_zero(damping.stiffness))
    v.reject("modal", "damping is given twice", "leave out mass and stiffness, or modal");
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
  if (has_mesh || all)
    v.text(
        "springs_file", springs.springs_file,
        "of springs: CSV file with columns a and b, the vertices joined, and if wanted stiffness "
        "[N/m] and rest_length [m]; instead of the edges of the mesh");
  if (!has_mesh || all)
    v.pair_list("springs", springs.pairs, "pairs of particles joined by a spring, from 0");
}

void describe_solid(Visitor& v, BodySpec& body, const Catalog& catalog) {
  v.object("material", "the elastic model and its constants",
           [&](Visitor& m) { describe_constants(m, body.material, catalog); });
  v.text("mass", body.mass, "of a solid: mass matrix", {"lumped", "consistent"});
}

void describe_springs(Visitor& v, SpringsSpec& springs, const Catalog& catalog) {
  v.number_list("masses", springs.masses, "of springs: mass of every particle [kg]", mass_range);
  if (springs.masses.empty() || v.wants_all_variants()) {
    v.formula("mass", springs.mass,
              "of springs: mass of each particle; 1 if nothing else says [kg]", mass_range);
    v.formula("density", springs.density,
              "of springs, instead of mass: per length of bars [kg/m], per area of triangles "
              "[kg/m^2], per volume of tets [kg/m^3]",
              density_range);
    if (springs.mass && springs.density)
      v.reject("density", "the masses are given twice", "leave out mass, or density");
  }
  describe_spring(v, springs, catalog);
  v.optional_object<FibreSpec>(
      "fibre", springs.fibre,
      "of springs: stiffnesses of the regions axial, ring and diagonal of a brush from "
      "the moduli of its fibres",
      [](Visitor& f, FibreSpec& fibre) {
        f.number("young", fibre.young, "Young's modulus [Pa]", young_range);
        f.number("torsion", fibre.torsion, "torsional modulus [Pa]", young_range);
      });
  v.number_list("stiffnesses", springs.stiffnesses,
                "of springs: one for each, in the order of the springs or of the bars of the mesh "
                "[N/m]",
                stiffness_range);
  v.number_list("rest_lengths", springs.rest_lengths, "of springs: likewise [m]",
                Range::positive());
  v.formula("bending", springs.bending,
            "of springs: flexural rigidity, against bending of triangles at their edges [N m], or "
            "of chains of bars at their particles [N m^2]",
            Range::positive());
  v.formula("angle", springs.angle,
            "of springs: stiffness of the angle between any two that meet at a particle [N m]",
            Range::positive());
}

}  // namespace

void describe_body(Visitor& v, BodySpec& body, const Catalog& catalog) {
  describe_name(v, body.name, "how other parts of the scene refer to the body");
  v.text("type", body.type, "what the body is made of", {"solid", "springs"});
  const bool all = v.wants_all_variants(), is_springs = body.type == "springs";
  describe_shape(v, body, catalog);
  describe_transform(v, body.transform);
  if (!is_springs || all) describe_solid(v, body, catalog);
  if (is_springs || all) describe_springs(v, body.springs, catalog);
  v.list<RegionSpec>(
      "regions", body.regions, "parts that are made of something else",
      [&](Visitor& r, RegionSpec& region) { describe_region(r, region, is_springs, catalog); });
  v.object("damping", "Rayleigh damping D = mass * M + stiffness * K",
           [&](Visitor& d) { describe_damping(d, body.damping); });
  if (!is_springs && body.damping.shape == "along")
    v.reject("damping", "damping along springs needs springs", "use the shape current");
  v.number("thickness", body.thickness,
           "where it meets others: of a surface, or of bars, half to each side [m]",
           Range::not_negative());
  v.formulas("velocity", body.velocity, "at t = 0, formulas in x, y, z [m/s]");
  v.object("initial", "the shape at t = 0", [&](Visitor& i) {
    i.formulas("displacement", body.displacement, "from the rest shape, formulas in x, y, z [m]");
  });
}

}  // namespace sinew::scene
