// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/closed_surface.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/quality.hpp>
#include <sinew/mesh/surface.hpp>
#include <sinew/mesh/validate.hpp>

#include "rejected_place.hpp"
#include "surface_checks.hpp"

namespace sinew::mesh {
namespace {

using test::rejected_place;

constexpr double pi = std::numbers::pi;

/// 2 for a ball, 0 for a torus.
int euler_characteristic(const TetMesh& mesh) {
  return test::euler_characteristic(extract_surface(mesh).triangles);
}

bool has_closed_boundary(const TetMesh& mesh) {
  return is_closed(extract_surface(mesh).triangles);
}

double volume_of(const TetMesh& mesh) {
  return assess_quality(mesh).volume;
}

struct Shape {
  std::string name;
  TetMesh mesh;
  int euler;
};

std::vector<Shape> many_shapes() {
  std::vector<Shape> shapes;
  for (const std::array<int, 3>& cells :
       {std::array{1, 1, 1}, std::array{2, 1, 3}, std::array{5, 4, 3}})
    shapes.push_back({"bar", make_bar({{1.0, 2.0, 0.5}, cells}), 2});
  shapes.push_back({"sheet", make_sheet({{2.0, 1.0}, 0.1, {7, 4}, 2}), 2});
  for (const int n : {1, 2, 3, 5, 8})
    for (const int layers : {1, 2, 4}) {
      shapes.push_back({"ball", make_ball({0.1, 0.02, n, layers, 2}), 2});
      shapes.push_back({"ball without shell", make_ball({0.1, 0.0, n, layers, 2}), 2});
      shapes.push_back({"cylinder", make_cylinder({0.1, 0.5, n, layers, 3}), 2});
      shapes.push_back({"torus", make_torus({0.3, 0.1, n, layers, 12}), 0});
    }
  shapes.push_back({"a hexagon", make_honeycomb({.cells = {1, 1}}), 0});
  shapes.push_back({"honeycomb", make_honeycomb({.cells = {4, 3}, .wall_cells = 4}), 2 - 2 * 12});
  shapes.push_back({"thick torus", make_torus({0.3, 0.29, 3, 2, 20}), 0});
  shapes.push_back({"ball with a thick shell", make_ball({0.1, 0.09, 4, 2, 6}), 2});
  shapes.push_back({"ball with a thin shell", make_ball({0.1, 0.001, 4, 3, 1}), 2});
  return shapes;
}

TEST(Generators, MakeValidConformingMeshesWithAClosedBoundary) {
  for (const Shape& shape : many_shapes()) {
    SCOPED_TRACE(shape.name + " of " + std::to_string(shape.mesh.num_tets()) + " tets");
    for (const Problem& problem : find_problems(shape.mesh, shape.name))
      ADD_FAILURE() << problem.to_string();
    EXPECT_TRUE(has_closed_boundary(shape.mesh));
    EXPECT_EQ(euler_characteristic(shape.mesh), shape.euler);
    EXPECT_EQ(assess_quality(shape.mesh).num_components, 1);
  }
}

TEST(Generators, InTheTableMakeWellShapedMeshesByDefault) {
  for (const GeneratorEntry& generator : generators()) {
    SCOPED_TRACE(generator.name);
    EXPECT_FALSE(generator.summary.empty());
    const TetMesh mesh = generator.make(generator.default_values());
    if (mesh.tets.empty()) {  // a truss, see below, or a surface
      EXPECT_FALSE(mesh.bars.empty() && mesh.triangles.empty());
      continue;
    }
    EXPECT_TRUE(find_problems(mesh, generator.name).empty());
    const QualityReport report = assess_quality(mesh);
    RecordProperty(generator.name + "_min_radius_ratio", std::to_string(report.radius_ratio.min));
    if (generator.default_values().contains("slivers")) {  // a few bad ones among good ones
      EXPECT_LT(report.radius_ratio.min, 0.2);
      EXPECT_GT(report.radius_ratio.mean, 0.6);
      EXPECT_EQ(report.num_components, 1);
      continue;
    }
    // no sliver; the worst tets sit where the corners of the inner cube meet the sphere
    EXPECT_GT(report.radius_ratio.min, 0.28);
    EXPECT_GT(report.min_dihedral, 15.0);
  }
}

TEST(Carved, HasTheSizesThatAreDocumented) {
  const auto size = [](const char* name) {
    for (const GeneratorEntry& generator : generators())
      if (generator.name == name) {
        const TetMesh mesh = generator.make(generator.default_values());
        return std::array{mesh.num_vertices(), mesh.num_tets()};
      }
    return std::array{0, 0};
  };
  EXPECT_EQ(size("figure"), (std::array{779, 2479}));
  EXPECT_EQ(size("dragon"), (std::array{1305, 4462}));
  EXPECT_EQ(size("liver"), (std::array{821, 3010}));
  EXPECT_EQ(rejected_place([] { make_figure({.slivers = 1.5}); }), "/slivers");
  EXPECT_EQ(rejected_place([] { make_dragon({.snap = 0.0}); }), "/snap");
  EXPECT_EQ(rejected_place([] { make_liver({.cells = 0}); }), "/cells");
  int made = 0;
  for (int cells = 1; cells < 12; ++cells)
    for (const auto make : {&make_figure, &make_dragon, &make_liver}) {
      try {
        EXPECT_TRUE(find_problems(make({.cells = cells}), "coarse").empty()) << cells;
        ++made;
      } catch (const InputError& error) {
        EXPECT_EQ(error.problems().front().where, "/cells") << cells;
        EXPECT_LT(cells, 4);
      }
    }
  EXPECT_GE(made, 24);
}

TEST(Generators, AreDeterministic) {
  for (const GeneratorEntry& generator : generators()) {
    const TetMesh first = generator.make(generator.default_values());
    const TetMesh second = generator.make(generator.default_values());
    EXPECT_EQ(first.tets, second.tets) << generator.name;
    EXPECT_EQ(first.bars, second.bars) << generator.name;
    EXPECT_EQ(first.triangles, second.triangles) << generator.name;
    EXPECT_TRUE(first.vertices == second.vertices) << generator.name;
  }
}

TEST(Bar, HasTheExactVolumeAndExtent) {
  const TetMesh bar = make_bar({{2.0, 0.5, 0.25}, {8, 3, 2}});
  EXPECT_EQ(bar.num_tets(), 5 * 8 * 3 * 2);
  EXPECT_EQ(bar.num_vertices(), 9 * 4 * 3);
  EXPECT_NEAR(volume_of(bar), 0.25, 1e-15);
  EXPECT_EQ(bounding_box(bar).low, Vec3(0, 0, 0));
  EXPECT_EQ(bounding_box(bar).high, Vec3(2.0, 0.5, 0.25));
}

TEST(Sheet, LiesInTheXyPlane) {
  const TetMesh sheet = make_sheet({{2.0, 1.0}, 0.01, {10, 5}, 1});
  EXPECT_EQ(sheet.num_tets(), 250);
  EXPECT_EQ(bounding_box(sheet).high, Vec3(2.0, 1.0, 0.01));
}

TEST(Ball, OfDefaultSizeHas4375TetsInTwoNamedRegions) {
  const TetMesh ball = make_ball({});
  EXPECT_EQ(ball.num_tets(), 4375);
  EXPECT_EQ(ball.region_names, (std::map<int, std::string>{{0, "core"}, {1, "shell"}}));
  EXPECT_EQ(std::count(ball.regions.begin(), ball.regions.end(), 1), 6 * 25 * 2 * 5);
}

TEST(Ball, HasItsSurfaceAndTheShellBoundaryOnExactSpheres) {
  const BallSettings settings;
  const TetMesh ball = make_ball(settings);
  const Surface surface = extract_surface(ball);
  for (const Triangle& triangle : surface.triangles)
    for (const int vertex : triangle)
      EXPECT_NEAR(ball.vertices[vertex].norm(), settings.radius, 1e-15);
  TetMesh core = ball;
  core.tets.resize(0);
  for (int i = 0; i < ball.num_tets(); ++i)
    if (ball.regions[i] == 0) core.tets.push_back(ball.tets[i]);
  for (const Triangle& triangle : extract_surface(core).triangles)
    for (const int vertex : triangle)
      EXPECT_NEAR(ball.vertices[vertex].norm(), settings.radius - settings.shell_thickness, 1e-15);
}

TEST(Ball, RegionVolumesConvergeQuadraticallyToTheExactOnes) {
  const double exact_core = 4.0 / 3.0 * pi * std::pow(0.08, 3);
  const double exact_shell = 4.0 / 3.0 * pi * std::pow(0.1, 3) - exact_core;
  std::vector<double> core_errors, shell_errors;
  for (const int n : {4, 8, 16}) {
    const QualityReport report = assess_quality(make_ball({0.1, 0.02, n, 2, 2}));
    core_errors.push_back(1.0 - report.regions.at(0).volume / exact_core);
    shell_errors.push_back(1.0 - report.regions.at(1).volume / exact_shell);
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(core_errors[i] / core_errors[i + 1], 4.0, 0.4);
    EXPECT_NEAR(shell_errors[i] / shell_errors[i + 1], 4.0, 0.4);
  }
}

TEST(Ball, WithoutAShellHasOneRegion) {
  const TetMesh ball = make_ball({0.1, 0.0, 3, 2, 2});
  EXPECT_EQ(ball.num_tets(), 5 * (27 + 6 * 9 * 2));
  EXPECT_EQ(std::set<int>(ball.regions.begin(), ball.regions.end()), std::set<int>{0});
  EXPECT_EQ(ball.region_names.size(), 1u);
}

TEST(Cylinder, HasTheVolumeOfItsPolygonalCrossSectionAndConvergesToPi) {
  for (const int n : {2, 6, 18}) {
    const TetMesh cylinder = make_cylinder({0.1, 0.5, n, 2, 4});
    const double polygon = 2.0 * n * std::sin(2.0 * pi / (4.0 * n));
    EXPECT_NEAR(volume_of(cylinder), 0.01 * 0.5 * polygon, 1e-13);
    EXPECT_DOUBLE_EQ(bounding_box(cylinder).low[2], 0.0);
    EXPECT_DOUBLE_EQ(bounding_box(cylinder).high[2], 0.5);
  }
}

TEST(Torus, VolumeConvergesQuadraticallyToTheExactOne) {
  const double exact = 2.0 * pi * pi * 0.3 * 0.1 * 0.1;
  std::vector<double> errors;
  for (const int n : {2, 4, 8})
    errors.push_back(1.0 - volume_of(make_torus({0.3, 0.1, n, 2, 12 * n})) / exact);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(errors[i] / errors[i + 1], 4.0, 0.4);
}

TEST(Generators, RejectSettingsThatMakeNoSenseAndSayWhich) {
  const double nan = std::nan("");
  const std::vector<std::pair<std::string, std::function<void()>>> cases{
      {"/size/1",
       [] {
         make_bar({{1.0, 0.0, 1.0}, {1, 1, 1}});
       }},
      {"/size/2",
       [=] {
         make_bar({{1.0, 1.0, nan}, {1, 1, 1}});
       }},
      {"/cells/0",
       [] {
         make_bar({{1.0, 1.0, 1.0}, {0, 1, 1}});
       }},
      {"/cells",
       [] {
         make_bar({{1.0, 1.0, 1.0}, {1000, 1000, 1000}});
       }},
      {"/thickness",
       [] {
         make_sheet({{1.0, 1.0}, -0.1, {1, 1}, 1});
       }},
      {"/layers",
       [] {
         make_sheet({{1.0, 1.0}, 0.1, {1, 1}, 0});
       }},
      {"/radius",
       [] {
         make_ball({-1.0, 0.0, 1, 1, 1});
       }},
      {"/shell_thickness",
       [] {
         make_ball({0.1, 0.1, 1, 1, 1});
       }},
      {"/shell_thickness",
       [=] {
         make_ball({0.1, nan, 1, 1, 1});
       }},
      {"/core_layers",
       [] {
         make_ball({0.1, 0.02, 1, 0, 1});
       }},
      {"/cells",
       [] {
         make_ball({0.1, 0.02, 1000000, 1, 1});
       }},
      {"/length",
       [] {
         make_cylinder({0.1, 0.0, 1, 1, 1});
       }},
      {"/axial_cells",
       [] {
         make_cylinder({0.1, 1.0, 1, 1, -3});
       }},
      {"/cells",
       [] {
         make_cylinder({0.1, 1.0, 2000000000, 2000000000, 2000000000});
       }},
      {"/minor_radius",
       [] {
         make_torus({0.1, 0.1, 1, 1, 8});
       }},
      {"/ring_cells",
       [] {
         make_torus({0.3, 0.1, 1, 1, 9});
       }},
      {"/ring_cells",
       [] {
         make_torus({0.3, 0.1, 1, 1, 2});
       }},
  };
  for (const auto& [where, make] : cases) EXPECT_EQ(rejected_place(make), where);
}

TEST(CoilSpring, HasTheSizesThatAreDocumentedAndTheVolumeOfItsWire) {
  const TetMesh plain = make_coil_spring({});
  EXPECT_EQ(plain.num_vertices(), 1207);
  const TetMesh fine = make_coil_spring({.cells = 3, .layers = 2, .wire_cells = 199});
  EXPECT_EQ(fine.num_vertices(), 8000);
  for (const TetMesh* coil : {&plain, &fine}) {
    for (const Problem& problem : find_problems(*coil, "coil"))
      ADD_FAILURE() << problem.to_string();
    EXPECT_TRUE(has_closed_boundary(*coil));
    EXPECT_EQ(euler_characteristic(*coil), 2);
  }
  // Pappus: the area of the wire times the way of its middle; polygons stand for circles
  const double expected = pi * 0.025 * 0.025 * 3.0 * std::hypot(2.0 * pi * 0.1, 0.1);
  EXPECT_LT(volume_of(fine), expected);
  EXPECT_GT(volume_of(fine), 0.95 * expected);
  const BoundingBox box = bounding_box(fine);
  // the outermost corner of a twelve-sided wire is 15 degrees off: 0.025 (1 - cos 15) = 8.5e-4
  EXPECT_NEAR(box.high[0], 0.125, 1e-3);
  EXPECT_NEAR(box.low[2], -0.025, 1.5e-3);
  EXPECT_NEAR(box.high[2], 3 * 0.1 + 0.025, 1.5e-3);
}

TEST(Truss, IsOneConnectedTowerOfTheDocumentedSize) {
  const TetMesh truss = make_truss({});
  EXPECT_EQ(truss.num_vertices(), 278);
  EXPECT_EQ(truss.bars.size(), 863u);
  EXPECT_EQ(edges_of(truss).size(), truss.bars.size()) << "no bar twice";
  EXPECT_TRUE(truss.tets.empty());
  std::set<int> reached{0};
  for (std::size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (const auto& [a, b] : truss.bars) {
      EXPECT_GT((truss.vertices[a] - truss.vertices[b]).norm(), 0.05);
      if (reached.contains(a)) reached.insert(b);
      if (reached.contains(b)) reached.insert(a);
    }
  }
  EXPECT_EQ(reached.size(), truss.vertices.size());
  const BoundingBox box = bounding_box(truss);
  EXPECT_EQ(box.low[2], 0.0);
  EXPECT_EQ(box.high[2], 40.0);
  EXPECT_NEAR(box.low[0], -box.high[0], 1e-12);
}

TEST(CoilSpringAndTruss, RejectWhatMakesNoSense) {
  const std::vector<std::pair<std::string, std::function<void()>>> cases{
      {"/coil_radius", [] { make_coil_spring({.coil_radius = 0.0}); }},
      {"/wire_radius", [] { make_coil_spring({.wire_radius = 0.1}); }},
      {"/pitch", [] { make_coil_spring({.pitch = 0.05}); }},
      {"/turns", [] { make_coil_spring({.turns = 0.0}); }},
      {"/wire_cells", [] { make_coil_spring({.turns = 40.0}); }},
      {"/cells", [] { make_coil_spring({.cells = 10000}); }},
      {"/height", [] { make_truss({.height = -1.0}); }},
      {"/waist_height", [] { make_truss({.waist_height = 40.0}); }},
      {"/panels/1",
       [] {
         make_truss({.panels = {3, 0}});
       }},
      {"/panels",
       [] {
         make_truss({.panels = {3, 2000000000}});
       }},
      {"/cells/1",
       [] {
         make_honeycomb({.cells = {3, 0}});
       }},
      {"/thickness", [] { make_honeycomb({.thickness = 0.07}); }},
      {"/wall_cells", [] { make_honeycomb({.wall_cells = 3}); }},
      {"/arms", [] { make_truss({.arms = 19}); }},
      {"/arm_length", [] { make_truss({.arm_length = 0.0}); }},
  };
  for (const auto& [where, make] : cases) EXPECT_EQ(rejected_place(make), where);
}

/// Triangles where walls meet, and walls between them.
TEST(Honeycomb, HasTheVolumeOfItsWalls) {
  const double cell = 0.2, t = 0.03, height = 0.1;
  const auto volume = [&](int junctions, int walls) {
    const double triangle = std::sqrt(3.0) / 4.0 * t * t, length = (cell - t) / std::sqrt(3.0);
    return height * (junctions * triangle + walls * t * length);
  };
  const auto made = [&](std::array<int, 2> cells) {
    return volume_of(make_honeycomb({cells, cell, t, height}));
  };
  EXPECT_NEAR(made({1, 1}), volume(6, 6), 1e-12);
  EXPECT_NEAR(made({2, 1}), volume(10, 11), 1e-12);
  EXPECT_NEAR(made({2, 2}), volume(16, 19), 1e-12);
}

TEST(GeneratorTable, RejectsFractionsWhereWholeNumbersAreNeeded) {
  for (const GeneratorEntry& generator : generators())
    for (const GeneratorParameter& parameter : generator.parameters) {
      if (parameter.kind != ParameterKind::integer) continue;
      SCOPED_TRACE(generator.name + "/" + parameter.name);
      for (const double bad : {1.5, 0.0, -1.0, 1e300, std::nan("")}) {
        GeneratorValues values = generator.default_values();
        values[parameter.name].back() = bad;
        const std::string where = rejected_place([&] { generator.make(values); });
        EXPECT_EQ(where.rfind("/" + parameter.name, 0), 0u) << bad << " gave '" << where << "'";
      }
    }
}

TEST(GeneratorTable, RejectsListsOfTheWrongLength) {
  for (const GeneratorEntry& generator : generators())
    for (const GeneratorParameter& parameter : generator.parameters) {
      GeneratorValues values = generator.default_values();
      values[parameter.name].push_back(1.0);
      EXPECT_EQ(rejected_place([&] { generator.make(values); }), "/" + parameter.name);
    }
}

TEST(GeneratorTable, RefusesThinLayersAroundFewCells) {
  const auto what_is_wrong = [](const char* name, const GeneratorValues& changes, int order) {
    const auto entry =
        std::find_if(generators().begin(), generators().end(),
                     [&](const GeneratorEntry& known) { return known.name == name; });
    GeneratorValues values = entry->default_values();
    for (const auto& [parameter, value] : changes) values[parameter] = value;
    try {
      entry->make_of_order(values, order);
    } catch (const InputError& error) {
      return error.problems().front().what;
    }
    return std::string();
  };
  const std::string inside_out = "with these values some tets are inside out or flat: ";
  // a shell of 2 cm around a ball of half a metre
  for (const int order : {1, 2}) {
    const std::string what = what_is_wrong("ball", {{"radius", {0.5}}, {"cells", {4.0}}}, order);
    EXPECT_EQ(what.rfind(inside_out, 0), 0u) << what;
  }
  // a ring of eight cells, which bulge into each other
  EXPECT_EQ(what_is_wrong("torus", {{"ring_cells", {8.0}}}, 2).rfind(inside_out, 0), 0u);
  EXPECT_EQ(what_is_wrong("torus", {{"ring_cells", {8.0}}}, 1), "");
}

TEST(GeneratorTable, AMissingParameterIsOurBug) {
  EXPECT_THROW(generators()[0].make({}), InternalError);
}

TEST(GeneratorTable, DefaultsAreThoseOfTheSettings) {
  const auto& ball = generators()[2];
  ASSERT_EQ(ball.name, "ball");
  EXPECT_EQ(ball.make(ball.default_values()).tets, make_ball({}).tets);
}

}  // namespace
}  // namespace sinew::mesh
