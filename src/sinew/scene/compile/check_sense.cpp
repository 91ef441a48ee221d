// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <sinew/core/unit_system.hpp>
#include <sinew/mesh/quality.hpp>
#include <sinew/mesh/surface.hpp>
#include <sinew/scene/compile/check_sense.hpp>

namespace sinew::scene {
namespace {

// A body as soft as rubber and as large as a house is mostly one of centimetres given in mm.
constexpr double large_length = 20.0;    // [m]
constexpr double soft_modulus = 1e8;     // Young's, of the stiffest part [Pa]
constexpr double sliver_quality = 1e-3;  // of 1 for the regular tet
constexpr double slender = 5.0;          // length over width
constexpr int fewest_of_beam = 20;       // tets

double youngs_modulus(const physics::Moduli& moduli) {
  const double sum = moduli.lambda + moduli.mu;
  return moduli.mu * (2.0 + moduli.lambda / sum);
}

void check_lengths(const physics::Body& body, const std::string& pointer,
                   Diagnostics& diagnostics) {
  double stiffest = 0.0;
  for (const physics::TetProperties& tet : body.tets)
    stiffest = std::max(stiffest, youngs_modulus(tet.moduli));
  const mesh::BoundingBox box = mesh::bounding_box(body.mesh);
  const double length = box.size().maxCoeff();
  if (length < large_length || stiffest > soft_modulus) return;
  diagnostics.warn(
      pointer + "/mesh",
      fmt::format("a body {:.3g} m long with a Young's modulus of {:.3g} Pa is unlikely", length,
                  stiffest),
      "is the mesh in mm? then add \"transform\": { \"scale\": 0.001 }");
}

void check_slivers(const mesh::TetMesh& mesh, const std::string& pointer,
                   Diagnostics& diagnostics) {
  int count = 0, worst = -1;
  double lowest = std::numeric_limits<double>::infinity();
  for (int t = 0; t < mesh.num_tets(); ++t) {
    const mesh::Tet& tet = mesh.tets[t];
    const double quality = mesh::radius_ratio({mesh.vertices[tet[0]], mesh.vertices[tet[1]],
                                               mesh.vertices[tet[2]], mesh.vertices[tet[3]]});
    if (quality < sliver_quality) ++count;
    if (quality >= lowest) continue;
    lowest = quality;
    worst = t;
  }
  if (count == 0) return;
  diagnostics.warn(
      pointer + "/mesh",
      fmt::format("{} of {} tets {} nearly flat; the worst, tet {}, has a radius ratio of {:.2g}",
                  count, mesh.num_tets(), count == 1 ? "is" : "are", worst, lowest),
      "such tets make steps fail or need very small ones: improve the mesh in the mesher; "
      "sinew mesh info shows its quality");
}

/// Bodies that are long or thin, and so few linear tets across that they bend far too little.
void check_bending(const mesh::TetMesh& mesh, const std::string& pointer,
                   Diagnostics& diagnostics) {
  if (mesh.is_quadratic() || mesh.num_tets() < fewest_of_beam) return;
  const mesh::Surface surface = mesh::extract_surface(mesh);
  std::vector<bool> is_outside(mesh.vertices.size(), false);
  double area = 0.0, volume = 0.0;
  for (const auto& [a, b, c] : surface.triangles) {
    const auto& x = mesh.vertices;
    area += 0.5 * Vec3(x[b] - x[a]).cross(Vec3(x[c] - x[a])).norm();
    is_outside[a] = is_outside[b] = is_outside[c] = true;
  }
  for (int t = 0; t < mesh.num_tets(); ++t) volume += mesh::signed_volume(mesh, t);
  // of a rod with a square section its width, of a plate twice its thickness
  const double width = 4.0 * volume / area;
  if (mesh::bounding_diagonal(mesh) < slender * width) return;
  const bool is_one_cell =
      std::all_of(is_outside.begin(), is_outside.end(), [](bool out) { return out; });
  const bool is_two_cells =
      std::all_of(mesh.tets.begin(), mesh.tets.end(), [&](const mesh::Tet& tet) {
        return std::any_of(tet.begin(), tet.end(), [&](int vertex) { return is_outside[vertex]; });
      });
  if (!is_two_cells) return;
  diagnostics.warn(
      pointer + "/mesh",
      fmt::format("a slender body {} linear tets across: a beam of such tets bends {} too little",
                  is_one_cell ? "one cell of" : "two cells of",
                  is_one_cell ? "by half to two thirds" : "by a quarter to a third"),
      "say \"order\": 2 in \"mesh\" for tets with ten vertices, or refine to four cells across");
}

}  // namespace

void refuse_hollow(const mesh::TetMesh& mesh, const std::string& pointer,
                   Diagnostics& diagnostics) {
  if (mesh.triangles.empty())
    diagnostics.error(pointer + "/mesh", "a solid needs tets, and this mesh is made of bars",
                      "add \"type\": \"springs\" to the body, or use another mesh");
  else
    diagnostics.error(pointer + "/mesh",
                      fmt::format("a solid needs tets, and this mesh is a surface of {} triangles",
                                  mesh.triangles.size()),
                      "fill it with tets first, with sinew mesh tetrahedralize or a mesher such as "
                      "Gmsh, TetGen or "
                      "fTetWild that writes .msh, .mesh, .vtk or .vtu; or make it cloth with "
                      "\"type\": \"springs\"");
}

void check_solid(const physics::Body& body, const std::string& pointer, Diagnostics& diagnostics) {
  check_lengths(body, pointer, diagnostics);
  check_slivers(body.mesh, pointer, diagnostics);
  check_bending(body.mesh, pointer, diagnostics);
}

void check_probe(const ProbeSpec& probe, const std::string& pointer, Diagnostics& diagnostics) {
  const mesh::Selection& select = probe.select;
  const bool selects =
      select.box || select.plane || select.sphere || select.vertices || select.region;
  if (probe.vertex && selects)
    diagnostics.error(pointer, "a probe follows one vertex or one selection, and this has both",
                      "leave out vertex or select");
}

void check_times(const SceneSpec& scene, Diagnostics& diagnostics) {
  constexpr double most_steps = 1e9, most_settling_steps = 1e6;
  constexpr double slack = 1e-6;  // of a step, as in Simulation
  const auto check_steps = [&](double end, double dt, double most, const char* place) {
    if (end / dt > most)
      diagnostics.error(place,
                        fmt::format("{:.3g} steps are too many (at most {:.0e})", end / dt, most),
                        "raise dt or lower end");
  };
  const TimeSpec& time = scene.time;
  check_steps(time.end, time.dt, most_steps, "/time/dt");
  if (scene.settle)
    check_steps(scene.settle->end, scene.settle->dt, most_settling_steps, "/settle/dt");
  if (time.dt_min && *time.dt_min > time.dt)
    diagnostics.error("/time/dt_min", "the smallest step is larger than dt",
                      "dt is the largest step that is tried");
  if (time.end > 0.0 && time.end < (1.0 - slack) * time.dt)
    diagnostics.warn(
        "/time/end",
        fmt::format("the end, {:.6g} {unit}, comes before the first step of {:.6g} {unit} is over",
                    time.end, time.dt, fmt::arg("unit", core::unit_system(scene.units).unit("s"))),
        "the run will be a single shorter step: lower dt, or raise end");
}

}  // namespace sinew::scene
