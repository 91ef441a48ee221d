// SPDX-License-Identifier: Apache-2.0
// Scenes with one thing wrong each: `validate` and `run` must say where it is and what to do, exit
// with 2 and leave nothing behind.
#include <gtest/gtest.h>

#include "cli/sinew_command.hpp"
#include "support/temp_dir.hpp"

namespace sinew::test {
namespace {

struct BrokenScene {
  std::string name;
  std::string json;
  std::vector<std::string> expected;      ///< parts of the message: the place and the remedy
  std::vector<std::string> options = {};  ///< of `run`
};

void PrintTo(const BrokenScene& broken, std::ostream* out) {
  *out << broken.name;
}

/// A scene with one small bar and further keys.
std::string with(const std::string& keys) {
  return R"({ "sinew": 1, "bodies": [ { "name": "bar", "mesh": { "cells": [2, 1, 1] } } ])" +
         (keys.empty() ? "" : ", " + keys) + " }";
}

/// A scene whose only body is a small bar with further keys.
std::string with_body(const std::string& keys) {
  return R"({ "sinew": 1, "bodies": [ { "name": "bar", "mesh": { "cells": [2, 1, 1] }, )" + keys +
         " } ] }";
}

/// A scene whose only body has this mesh.
std::string with_mesh(const std::string& mesh) {
  return R"({ "sinew": 1, "bodies": [ { "mesh": )" + mesh + " } ] }";
}

std::vector<BrokenScene> not_a_scene() {
  std::string twice = with("");
  twice.insert(1, R"("name": "a", "name": "b",)");
  std::string truncated = with("");
  truncated.resize(40);
  return {
      {"empty_file", "", {"line 1", "not valid JSON", "missing comma, quote or bracket"}},
      {"not_json", "bodies: [bar]", {"line 1, column 1", "not valid JSON"}},
      {"truncated", truncated, {"line 1, column 41", "not valid JSON", "bracket"}},
      {"missing_comma", "{\n\"sinew\": 1\n\"name\": \"a\" }", {"line 3", "missing comma"}},
      {"top_level_list", "[1, 2]", {"a scene must be an object, not a list", "start with {"}},
      {"top_level_text", "\"bar\"", {"a scene must be an object, not the text \"bar\""}},
      {"key_given_twice", twice, {"the key 'name' occurs twice", "remove one of them"}},
      {"nan_literal", with(R"("time": { "dt": NaN })"), {"line 1", "not valid JSON"}},
      {"infinity_literal", with(R"("time": { "dt": Infinity })"), {"line 1", "not valid JSON"}},
      {"number_too_large", with(R"("time": { "dt": 1e999 })"), {"'1e999'", "1.7e308"}},
      {"missing_version", R"({ "bodies": [ {} ] })", {"/sinew: ", "add \"sinew\": 1"}},
      {"future_version",
       R"({ "sinew": 2, "bodies": [ {} ] })",
       {"/sinew: scene format 2 is not known", "this program reads format 1"}},
      {"no_bodies_key", R"({ "sinew": 1 })", {"/bodies: ", "at least one body", "add \"bodies\""}},
      {"no_bodies", R"({ "sinew": 1, "bodies": [] })", {"/bodies: ", "at least one body"}},
  };
}

std::vector<BrokenScene> wrong_keys() {
  return {
      {"unknown_top_level_key",
       with(R"("integratr": {})"),
       {"/integratr: unknown key", "did you mean 'integrator'?"}},
      {"unknown_nested_key",
       with_body(R"("material": { "yuong": 1e6 })"),
       {"/bodies/0/material/yuong: unknown key", "did you mean 'young'?"}},
      {"unknown_key_with_slash", with(R"("a/b": 1)"), {"/a~1b: unknown key"}},
      {"unknown_material",
       with_body(R"("material": { "model": "stable-neo-hokean" })"),
       {"/bodies/0/material/model", "did you mean 'stable-neo-hookean'?"}},
      {"unknown_integrator",
       with(R"("integrator": { "name": "bee" })"),
       {"/integrator/name", "did you mean 'be'?"}},
      {"unknown_option_of_integrator",
       with(R"("integrator": { "name": "be", "max_newtons": 5 })"),
       {"/integrator/max_newtons: unknown key", "did you mean 'max_newton'?"}},
      {"option_of_another_integrator",
       with(R"("integrator": { "name": "rk4", "max_newton": 5 })"),
       {"/integrator/max_newton: unknown key"}},
      {"option_out_of_range",
       with(R"("integrator": { "name": "be", "max_newton": 0 })"),
       {"/integrator/max_newton: 0 is out of range", "at least 1"}},
      {"unknown_solver",
       with(R"("integrator": { "solver": { "name": "cholesky" } })"),
       {"/integrator/solver/name: 'cholesky' is not known here"}},
      {"unknown_generator",
       with_mesh(R"({ "generator": "tours" })"),
       {"/bodies/0/mesh/generator", "did you mean 'torus'?"}},
      {"parameter_of_another_generator",
       with_mesh(R"({ "generator": "bar", "radius": 1 })"),
       {"/bodies/0/mesh/radius: unknown key"}},
      {"unknown_load",
       with(R"("loads": [ { "type": "gravitation" } ])"),
       {"/loads/0/type: 'gravitation' is not known here", "gravity"}},
      {"unknown_output_format",
       with(R"("output": { "format": ["vtu", "vtx"] })"),
       {"/output/format/1: 'vtx' is not known here", "did you mean 'vtu'?"}},
      {"unknown_body_type",
       with_body(R"("type": "liquid")"),
       {"/bodies/0/type: 'liquid' is not known here", "solid"}},
  };
}

std::vector<BrokenScene> wrong_values() {
  return {
      {"text_for_number",
       with(R"("time": { "dt": "small" })"),
       {"/time/dt: expected a number, got the text \"small\"", "step size [s]"}},
      {"number_for_text", with(R"("name": 5)"), {"/name: expected a text, got 5"}},
      {"fraction_for_count",
       with(R"("time": { "max_halvings": 1.5 })"),
       {"/time/max_halvings: expected a whole number, got 1.5"}},
      {"list_for_object",
       with(R"("time": [0.1])"),
       {"/time: expected an object { ... }, got a list"}},
      {"object_for_list",
       with(R"("fixed": {})"),
       {"/fixed: expected a list [ ... ], got an object"}},
      {"two_components",
       with(R"("loads": [ { "value": [0, 1] } ])"),
       {"/loads/0/value: expected three numbers or formulas"}},
      {"pulse_without_end",
       with(R"("loads": [ { "type": "pulse", "value": [1, 0, 0], "from": 1 } ])"),
       {"/loads/0: a pulse needs a time to begin and a later one to end"}},
      {"load_ends_before_it_begins",
       with(R"("loads": [ { "type": "force", "value": [1, 0, 0], "from": 1, "until": 0.5 } ])"),
       {"/loads/0/until: the load ends before it begins"}},
      {"pressure_on_no_face",
       with(R"("loads": [ { "type": "pressure", "pressure": 5, "select": { "vertices": [0] } } ])"),
       {"/loads/0/select: this selects no face of the surface"}},
      {"pressure_with_the_key_of_a_force",
       with(R"("loads": [ { "type": "pressure", "value": [1, 0, 0] } ])"),
       {"/loads/0/value: unknown key"}},
      {"young_formula_out_of_range",
       with_body(R"("material": { "young": "1e6*x - 3e5" })"),
       {"/bodies/0/material/young: the formula gives ", "above 0"}},
      {"density_that_changes_with_time",
       with_body(R"("material": { "density": "1000 + t" })"),
       {"/bodies/0/material/density: ", "cannot change with time"}},
      {"damping_given_twice",
       with_body(R"("damping": { "mass": 1, "modal": { "ratio": 0.1 } })"),
       {"/bodies/0/damping/modal: damping is given twice"}},
      {"negative_dt",
       with(R"("time": { "dt": -0.1 })"),
       {"/time/dt: -0.1 is out of range", "above 0"}},
      {"zero_dt", with(R"("time": { "dt": 0 })"), {"/time/dt: 0 is out of range", "above 0"}},
      {"zero_density",
       with_body(R"("material": { "density": 0 })"),
       {"/bodies/0/material/density: 0 is out of range", "above 0"}},
      {"poisson_one_half",
       with_body(R"("material": { "poisson": 0.5 })"),
       {"/bodies/0/material/poisson: 0.5 is out of range", "below 0.5"}},
      {"poisson_minus_one",
       with_body(R"("material": { "poisson": -1 })"),
       {"/bodies/0/material/poisson: -1 is out of range", "above -1"}},
      {"negative_damping",
       with_body(R"("damping": { "mass": -1 })"),
       {"/bodies/0/damping/mass: -1 is out of range", "at least 0"}},
      {"generator_parameter_out_of_range",
       with_mesh(R"({ "generator": "ball", "radius": -1 })"),
       {"/bodies/0/mesh/radius: -1 is not a positive length", "greater than 0"}},
      {"too_many_tets",
       with_mesh(R"({ "generator": "bar", "cells": [100000, 100000, 100000] })"),
       {"/bodies/0/mesh/cells", "use fewer cells"}},
      {"too_many_steps",
       with(R"("time": { "dt": 1e-9, "end": 1e6 })"),
       {"/time/dt: 1e+15 steps", "raise dt or lower end"}},
      {"formula_that_does_not_parse",
       with_body(R"("velocity": ["0", "sin(", "0"])"),
       {"/bodies/0/velocity/1: 'sin(' is not a formula in x, y, z and t"}},
      {"formula_of_an_unknown_variable",
       with_body(R"("initial": { "displacement": ["0", "0", "w"] })"),
       {"/bodies/0/initial/displacement/2: 'w' is not a formula"}},
      {"formula_without_a_finite_value",
       with_body(R"("velocity": ["1/x", "0", "0"])"),
       {"/bodies/0/velocity/0: the formula '1/x' is inf at [0, 0, 0] and t = 0", "vertex 0",
        "division by zero"}},
      {"formula_with_a_decimal_comma",
       with_body(R"("material": { "density": "0,5" })"),
       {"/bodies/0/material/density: '0,5' is not a formula", "at character 2", "0.5"}},
      {"formula_that_sets_a_variable",
       with(R"("loads": [ { "value": [0, 0, "x=0 ? 1 : 2"] } ])"),
       {"/loads/0/value/2: 'x=0 ? 1 : 2' is not a formula", "write == to compare"}},
      {"formula_with_a_nul_character",
       with(R"("loads": [ { "value": [0, 0, "-9\u0000.81"] } ])"),
       {"/loads/0/value/2: '-9\\x00.81' is not a formula", "control character (code 0)"}},
      {"constant_formula_without_a_value",
       with(R"("loads": [ { "value": [0, 0, "(-1)^0.5"] } ])"),
       {"/loads/0/value/2: the formula '(-1)^0.5' is nan", "root of a negative number"}},
      {"name_with_a_nul_character",
       with(R"("name": "a\u0000b")"),
       {"/name: there is a control character in the name 'a\\x00b'", "use letters"}},
      {"name_of_300_characters",
       with(R"("name": ")" + std::string(300, 'n') + "\""),
       {"/name: the name 'nnn", "has 300 bytes", "at most 200"}},
      {"body_with_a_line_break",
       R"({ "sinew": 1, "bodies": [ { "name": "a\nb" } ] })",
       {"/bodies/0/name: there is a control character in the name 'a\\x0ab'"}},
      {"more_threads_than_the_machine_can_make",
       with(R"("threads": 100000)"),
       {"/threads: 100000 is not a usable number of threads", "on this machine"}},
      {"zero_normal",
       with(R"("fixed": [ { "select": { "plane": { "normal": [0, 0, 0] } } } ])"),
       {"/fixed/0/select/plane/normal: the normal must not be zero", "for example [0, 0, 1]"}},
      {"zero_axis",
       with_body(R"("transform": { "rotate": { "axis": [0, 0, 0] } })"),
       {"/bodies/0/transform/rotate/axis: the axis must not be zero"}},
  };
}

std::vector<BrokenScene> wrong_references() {
  const std::string everything = R"("fixed": [ { "select": {} } ])";
  const std::string two =
      R"({ "sinew": 1, "bodies": [ { "name": "a", "mesh": { "cells": [1, 1, 1] } },
                                   { "name": "a", "mesh": { "cells": [1, 1, 1] } } ] })";
  const std::string two_and_fixed =
      R"({ "sinew": 1, "bodies": [ { "name": "left", "mesh": { "cells": [1, 1, 1] } },
                                   { "name": "right", "mesh": { "cells": [1, 1, 1] } } ],
           "fixed": [ { "select": { "vertices": [0] } } ] })";
  return {
      {"empty_mesh_file", with_mesh("\"\""), {"/bodies/0/mesh: the file name is empty"}},
      {"missing_mesh_file", with_mesh("\"nowhere.msh\""), {"nowhere.msh"}},
      {"mesh_of_unknown_format", with_mesh("\"bar.step\""), {"bar.step", ".step"}},
      {"unknown_part_of_a_shape",
       with_mesh(R"({ "generator": "shape", "parts": [ { "type": "spere" } ] })"),
       {"/bodies/0/mesh/parts/0/type", "'spere'", "sphere"}},
      {"key_of_another_part",
       with_mesh(R"({ "generator": "shape", "parts": [ { "type": "box", "radius": 1 } ] })"),
       {"/bodies/0/mesh/parts/0/radius", "unknown key"}},
      {"path_without_points",
       with_mesh(
           R"({ "generator": "shape", "parts": [ {}, { "type": "group", "parts": [ { "type": "path" } ] } ] })"),
       {"/bodies/0/mesh/parts/1/parts/0/points", "two points"}},
      {"shape_without_an_end",
       with_mesh(R"({ "generator": "shape", "parts": [ { "type": "lattice" } ] })"),
       {"/bodies/0/mesh/parts", "no end"}},
      {"broken_mesh_file", with_mesh("\"inverted.mesh\""), {"inverted.mesh", "tet 0", "repair"}},
      {"two_bodies_of_one_name",
       two,
       {"/bodies/1/name: there are two bodies called 'a'", "its own name"}},
      {"no_such_body",
       with(R"("fixed": [ { "body": "bra", "select": {} } ])"),
       {"/fixed/0/body: there is no body 'bra'", "did you mean 'bar'?"}},
      {"which_of_two_bodies", two_and_fixed, {"/fixed/0/body: say which body is meant", "left"}},
      {"unknown_region",
       with_body(R"("regions": [ { "select": { "region": "shell" } } ])"),
       {"/bodies/0/regions/0/select/region: the mesh has no region 'shell'"}},
      {"region_without_tets",
       with_body(R"("regions": [ { "select": { "box": [[5, 5, 5], [6, 6, 6]] } } ])"),
       {"/bodies/0/regions/0/select: this selects no tet", "the body reaches from [0, 0, 0]"}},
      {"selection_of_nothing",
       with(R"("fixed": [ { "select": { "sphere": { "center": [9, 9, 9], "radius": 1 } } } ])"),
       {"/fixed/0/select: this selects no vertex", "the body reaches from [0, 0, 0] to [1, "}},
      {"no_such_vertex",
       with(R"("fixed": [ { "select": { "vertices": [0, 99] } } ])"),
       {"/fixed/0/select/vertices: there is no vertex 99", "vertices 0 to 11"}},
      {"fixed_and_moved",
       with(R"("fixed": [ { "select": { "vertices": [0] } } ],
               "motion": [ { "select": { "vertices": [0, 1] } } ])"),
       {"/motion/0: vertex 0 of body 'bar' is held by /fixed/0 already",
        "make the selections disjoint"}},
      {"everything_fixed", with(everything), {"/fixed: ", "nothing to simulate", "fewer vertices"}},
      {"probe_without_name",
       with(R"("output": { "probes": [ { "vertex": 0 } ] })"),
       {"/output/probes/0/name: a probe needs a name", "column of probes.csv"}},
      {"two_probes_of_one_name",
       with(
           R"("output": { "probes": [ { "name": "a", "vertex": 0 }, { "name": "a", "vertex": 1 } ] })"),
       {"/output/probes/1/name: a probe needs a name of its own"}},
      {"probe_with_a_nul_character",
       with(R"("output": { "probes": [ { "name": "a\u0000b", "vertex": 0 } ] })"),
       {"/output/probes/0/name: there is a control character in the name 'a\\x00b'"}},
      {"probe_of_300_characters",
       with(R"("output": { "probes": [ { "vertex": 0, "name": ")" + std::string(300, 'p') +
            "\" } ] }"),
       {"/output/probes/0/name: the name 'ppp", "has 300 bytes", "at most 200"}},
      {"mesh_file_with_a_nul_character",
       with_mesh(R"("a\u0000b.msh")"),
       {"/bodies/0/mesh: there is a control character in the file name 'a\\x00b.msh'"}},
      {"mesh_file_of_300_characters",
       with_mesh("\"" + std::string(296, 'm') + ".msh\""),
       {"/bodies/0/mesh: the file name 'mmm", "has 300 bytes", "at most 255"}},
      {"probe_at_no_vertex",
       with(R"("output": { "probes": [ { "name": "tip", "vertex": 77 } ] })"),
       {"/output/probes/0/select/vertices: there is no vertex 77"}},
  };
}

/// A scene whose only body is made of springs, with these keys.
std::string with_springs(const std::string& keys, const std::string& scene_keys = "") {
  return R"({ "sinew": 1, "bodies": [ { "name": "net", "type": "springs", )" + keys + " } ]" +
         (scene_keys.empty() ? "" : ", " + scene_keys) + " }";
}

std::vector<BrokenScene> wrong_springs() {
  const std::string particles = R"("particles": [[0, 0, 0], [1, 0, 0], [1, 0, 0]])";
  const std::string bars = R"("mesh": { "generator": "truss" })";
  return {
      {"springs_of_nothing",
       with_springs(R"("stiffness": 10)"),
       {"/bodies/0/mesh: a body of springs needs particles", "add \"mesh\""}},
      {"springs_with_mesh_and_particles",
       with_springs(particles + R"(, "mesh": {})"),
       {"/bodies/0/particles: the particles are given twice", "leave out particles, or mesh"}},
      {"spring_to_no_particle",
       with_springs(particles + R"(, "springs": [[0, 1], [1, 7]])"),
       {"/bodies/0/springs/1: there is no particle 7", "the body has particles 0 to 2"}},
      {"spring_without_a_length",
       with_springs(particles + R"(, "springs": [[0, 1], [1, 2]])"),
       {"/bodies/0/springs/1: particles 1 and 2 lie at the same place", "a spring needs a length"}},
      {"spring_to_itself",
       with_springs(particles + R"(, "springs": [[1, 1]])"),
       {"/bodies/0/springs/0: particle 1 cannot be joined to itself"}},
      {"spring_of_three",
       with_springs(particles + R"(, "springs": [[0, 1, 2]])"),
       {"/bodies/0/springs/0: expected two whole numbers from 0, got a list"}},
      {"particle_in_the_plane",
       with_springs(R"("particles": [[0, 0]])"),
       {"/bodies/0/particles/0: expected three numbers"}},
      {"too_few_masses",
       with_springs(particles + R"(, "masses": [1, 2])"),
       {"/bodies/0/masses: there are 2 masses for 3 particles", "\"mass\" for all"}},
      {"mass_of_nothing",
       with_springs(particles + R"(, "masses": [1, 0, 1])"),
       {"/bodies/0/masses/1: 0 is out of range", "above 0"}},
      {"mass_given_twice",
       with_springs(particles + R"(, "masses": [1, 1, 1], "mass": 2)"),
       {"/bodies/0/mass: unknown key"}},
      {"negative_stiffness",
       with_springs(particles + R"(, "stiffness": -5)"),
       {"/bodies/0/stiffness: -5 is out of range", "above 0"}},
      {"stiffness_formula_out_of_range",
       with_springs(R"("mesh": { "cells": [2, 1, 1] }, "stiffness": "x - 0.25")"),
       {"/bodies/0/stiffness: the formula gives ", "above 0"}},
      {"stiffness_that_changes_with_time",
       with_springs(particles + R"(, "springs": [[0, 1]], "stiffness": "1 + t")"),
       {"/bodies/0/stiffness: what a body is made of cannot change with time"}},
      {"unknown_law",
       with_springs(particles + R"(, "law": "liner")"),
       {"/bodies/0/law: 'liner' is not known here", "did you mean 'linear'?"}},
      {"springs_with_a_material",
       with_springs(bars + R"(, "material": {})"),
       {"/bodies/0/material: unknown key"}},
      {"solid_with_stiffness",
       with_body(R"("stiffness": 5)"),
       {"/bodies/0/stiffness: unknown key"}},
      {"solid_made_of_bars",
       with_mesh(R"({ "generator": "truss" })"),
       {"/bodies/0/mesh: a solid needs tets, and this mesh is made of bars",
        "\"type\": \"springs\""}},
      {"wind_on_bars",
       with_springs(bars, R"("loads": [ { "type": "wind", "velocity": [1, 0, 0] } ])"),
       {"/loads/0/diameter: wind on bars needs to know how thick they are", "give \"diameter\""}},
      {"pressure_on_bars",
       with_springs(bars, R"("loads": [ { "type": "pressure", "pressure": 10 } ])"),
       {"/loads/0/type: a body of bars has no surface for pressure to act on", "use a force"}},
  };
}

std::vector<BrokenScene> wrong_options() {
  const std::string good = with("");
  return {
      {"set_leads_nowhere", good, {"/sinew/x", "leads nowhere", "time.dt"}, {"--set", "sinew.x=1"}},
      {"set_past_the_end_of_a_list",
       good,
       {"/bodies/1000000/name", "leads nowhere"},
       {"--set", "bodies.1000000.name=x"}},
      {"set_without_a_value",
       good,
       {"--set time.dt has no '='", "path=value"},
       {"--set", "time.dt"}},
      {"set_of_an_unknown_key",
       good,
       {"/time/dtt: unknown key", "did you mean 'dt'?"},
       {"--set", "time.dtt=1"}},
      {"set_of_a_wrong_type",
       good,
       {"/time/dt: expected a number, got the text \"tiny\""},
       {"--set", "/time/dt=tiny"}},
      {"set_of_bytes_that_are_no_text", good, {"/name", "leads nowhere"}, {"--set", "name=\xff"}},
      {"dt_zero", good, {"/time/dt: 0 is out of range"}, {"--dt", "0"}},
      {"dt_negative", good, {"/time/dt: -1 is out of range"}, {"--dt", "-1"}},
      {"dt_not_a_number", good, {"--dt"}, {"--dt", "fast"}},
      {"end_negative", good, {"/time/end: -1 is out of range"}, {"--end", "-1"}},
      {"steps_negative", good, {"--steps"}, {"--steps", "-1"}},
      {"steps_and_end", good, {"--steps", "--end"}, {"--steps", "5", "--end", "1"}},
      {"fps_negative", good, {"/output/fps: -1 is out of range"}, {"--fps", "-1"}},
      {"threads_too_many", good, {"/threads: 100000 is not a usable"}, {"--threads", "100000"}},
      {"name_with_a_nul_character", good, {"/name: "}, {"--set", "name=\"a\\u0000b\""}},
      {"threads_negative", good, {"/threads: -1 is out of range"}, {"--threads", "-1"}},
      {"modes_of_a_method_without", good, {"/integrator/modes: unknown key"}, {"--modes", "3"}},
      {"integrator_unknown", good, {"did you mean 'rk4'?"}, {"--integrator", "rk5"}},
      {"format_unknown", good, {"/output/format/0", "'vtu'"}, {"--format", "vtk"}},
      {"option_unknown", good, {"--colour"}, {"--colour"}},
  };
}

std::vector<BrokenScene> broken_scenes() {
  std::vector<BrokenScene> all;
  for (const auto& group :
       {not_a_scene(), wrong_keys(), wrong_values(), wrong_references(), wrong_springs()})
    all.insert(all.end(), group.begin(), group.end());
  return all;
}

// one tet with its last two corners exchanged: negative volume
constexpr auto inverted_mesh =
    "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
    "Tetrahedra\n1\n1 2 4 3 0\nEnd\n";

class BrokenSceneTest : public testing::TestWithParam<BrokenScene> {
 protected:
  BrokenSceneTest() {
    dir_.write("inverted.mesh", inverted_mesh);
    dir_.write("scene.json", GetParam().json);
  }

  /// The scene was refused with the whole message, and the folder is as before.
  void expect_refused(const CommandResult& result) const {
    EXPECT_EQ(result.exit_code, 2) << result.to_text();
    EXPECT_EQ(result.out, "");
    for (const std::string& part : GetParam().expected)
      EXPECT_TRUE(contains(result.err, part)) << "missing: " << part << "\n" << result.to_text();
    EXPECT_FALSE(std::filesystem::exists(dir_.path() / "out"));
    const auto files = std::filesystem::directory_iterator(dir_.path());
    EXPECT_EQ(std::distance(begin(files), end(files)), 2) << "something was written";
  }

  TempDir dir_;
};

TEST_P(BrokenSceneTest, ValidateSaysWhatIsWrong) {
  const CommandResult result = sinew({"validate", "scene.json"}, dir_.path());

  expect_refused(result);
}

class BrokenOptionTest : public BrokenSceneTest {};

TEST_P(BrokenSceneTest, RunSaysWhatIsWrongAndWritesNothing) {
  const CommandResult result = sinew({"run", "scene.json", "-o", "out"}, dir_.path());

  expect_refused(result);
}

TEST_P(BrokenOptionTest, RunSaysWhatIsWrongAndWritesNothing) {
  std::vector<std::string> arguments{"run", "scene.json", "-o", "out"};
  arguments.insert(arguments.end(), GetParam().options.begin(), GetParam().options.end());

  const CommandResult result = sinew(arguments, dir_.path());

  expect_refused(result);
}

INSTANTIATE_TEST_SUITE_P(Scenes, BrokenSceneTest, testing::ValuesIn(broken_scenes()),
                         [](const auto& tested) { return tested.param.name; });

INSTANTIATE_TEST_SUITE_P(Options, BrokenOptionTest, testing::ValuesIn(wrong_options()),
                         [](const auto& tested) { return tested.param.name; });

TEST(BrokenScenes, SeveralProblemsAreReportedTogether) {
  const TempDir dir;
  dir.write(
      "scene.json",
      with(R"("time": { "dt": -1, "end": "late" }, "name": 3, "integrator": { "nam": "be" })"));

  const CommandResult result = sinew({"validate", "scene.json"}, dir.path());

  EXPECT_EQ(result.exit_code, 2);
  for (const char* place : {"/time/dt", "/time/end", "/name", "/integrator/nam"})
    EXPECT_TRUE(contains(result.err, place)) << place << "\n" << result.to_text();
}

TEST(BrokenScenes, ChangedValuesAreValidatedToo) {
  const TempDir dir;

  const CommandResult result =
      sinew({"validate", "cantilever", "--set", "bodies.0.material.poisson=0.6"}, dir.path());

  EXPECT_EQ(result.exit_code, 2) << result.to_text();
  EXPECT_TRUE(contains(result.err, "/bodies/0/material/poisson")) << result.to_text();
}

TEST(BrokenNames, OfOutputsAreRefusedInOurOwnWords) {
  const TempDir dir;
  dir.write("scene.json", with(""));
  dir.write("file", "x");
  const std::string long_name(300, 'n');
  const std::vector<std::vector<std::string>> commands{
      {"run", "scene.json", "-o", long_name},
      {"run", "scene.json", "-o", "a/" + long_name + "/b"},
      {"run", "--resume", long_name},
      {"run", long_name},
      {"validate", long_name + ".json"},
      {"compare", "scene.json", "--integrators", "si", "-o", long_name},
      {"modes", "scene.json", "-o", long_name},
      {"damping", "--integrators", "be", "-o", long_name},
      {"view", long_name},
      {"render", long_name, "-o", "a.png"},
      {"mesh", "info", long_name + ".msh"},
  };
  for (const auto& arguments : commands) {
    const CommandResult result = sinew(arguments, dir.path());
    EXPECT_EQ(result.exit_code, 2) << result.to_text();
    EXPECT_TRUE(contains(result.err, "the file name 'nnn")) << result.to_text();
    EXPECT_TRUE(contains(result.err, "file systems take at most 255")) << result.to_text();
    EXPECT_FALSE(contains(result.err, "filesystem error")) << result.to_text();
  }
  const CommandResult below_a_file = sinew({"run", "scene.json", "-o", "file/run"}, dir.path());
  EXPECT_EQ(below_a_file.exit_code, 2) << below_a_file.to_text();
  EXPECT_TRUE(contains(below_a_file.err, "error: file/run: ")) << below_a_file.to_text();
  EXPECT_TRUE(contains(below_a_file.err, "there is a file called 'file'"))
      << below_a_file.to_text();
  const auto files = std::filesystem::directory_iterator(dir.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 2) << "something was written";
}

TEST(BrokenScenes, TheHealthySceneOfThisTableIsAccepted) {
  const TempDir dir;
  dir.write("scene.json", with(""));

  const CommandResult result = sinew({"validate", "scene.json"}, dir.path());

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_TRUE(contains(result.out, "valid; 12 vertices, 10 tets, 36 unknowns")) << result.out;
}

}  // namespace
}  // namespace sinew::test
