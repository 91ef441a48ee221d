// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/geometry/blade.hpp>
#include <sinew/mesh/cut_mesh.hpp>
#include <sinew/mesh/io/mesh_format.hpp>
#include <sinew/mesh/quadratic.hpp>
#include <sinew/mesh/quality.hpp>
#include <sinew/mesh/surface.hpp>

#include "commands.hpp"
#include "program/exit_codes.hpp"

namespace sinew::cli {
namespace {

mesh::TetMesh load(const std::string& file, bool repair) {
  mesh::RepairReport report;
  mesh::TetMesh mesh = mesh::load_mesh(file, {.repair = repair}, &report);
  if (report.changed_anything()) fmt::print(stderr, "{}: {}\n", file, report.to_text());
  return mesh;
}

/// Where a mesh is to be cut; one of plane, path and surface.
struct CutArguments {
  std::string input, output, surface;
  std::vector<double> plane, path, box;
  std::vector<double> sweep{0.0, 0.0, 1.0};
  double snap = mesh::CutSurface{}.snap;
  bool repair = false, pieces = false;
};

Vec3 vector_at(const std::vector<double>& numbers, std::size_t k) {
  return {numbers[k], numbers[k + 1], numbers[k + 2]};
}

std::unique_ptr<geometry::Blade> blade_of(const CutArguments& asked) {
  const auto refuse = [](const char* what, const char* hint) {
    throw InputError(Problem{.what = what, .hint = hint});
  };
  const int kinds =
      int(!asked.plane.empty()) + int(!asked.path.empty()) + int(!asked.surface.empty());
  if (kinds != 1)
    refuse(kinds == 0 ? "say what to cut along" : "a cut is along one surface",
           "one of --plane, --path and --surface is needed, and no more");
  for (const std::vector<double>* numbers : {&asked.plane, &asked.path, &asked.sweep, &asked.box})
    if (!std::all_of(numbers->begin(), numbers->end(), [](double x) { return std::isfinite(x); }))
      refuse("a coordinate is not finite", "give numbers in m");
  if (!asked.plane.empty()) {
    if (vector_at(asked.plane, 3).norm() == 0.0)
      refuse("the normal of the plane is zero", "--plane takes a point and a normal");
    return geometry::make_plane_blade(vector_at(asked.plane, 0), vector_at(asked.plane, 3),
                                      Vec3::UnitZ());
  }
  if (!asked.surface.empty()) {
    const mesh::TetMesh surface = mesh::read_mesh(asked.surface);
    const std::vector<mesh::Triangle> triangles =
        surface.tets.empty() ? surface.triangles : mesh::extract_surface(surface).triangles;
    if (triangles.empty()) refuse("the surface has no triangles", "give an OBJ or PLY file");
    return geometry::make_mesh_blade(surface.vertices, triangles, Vec3::UnitZ());
  }
  std::vector<Vec3> points;
  const Vec3 sweep = vector_at(asked.sweep, 0);
  if (asked.path.size() % 3 != 0 || asked.path.size() < 6 || sweep.norm() == 0.0)
    refuse("a path needs two points at least, of three numbers each, and a sweep",
           "--path 0 0 0  1 0 0  1 1 0 --sweep 0 0 1");
  for (std::size_t k = 0; k < asked.path.size(); k += 3) points.push_back(vector_at(asked.path, k));
  const Vec3 way = points.back() - points.front();
  if ((way - sweep * sweep.dot(way) / sweep.squaredNorm()).norm() == 0.0)
    refuse("the path leads along the sweep", "their directions must differ");
  return geometry::make_path_blade(points, sweep);
}

int cut(const CutArguments& asked) {
  const auto blade = blade_of(asked);
  mesh::TetMesh mesh = load(asked.input, asked.repair);
  if (mesh.tets.empty())
    throw InputError(Problem{
        .file = asked.input, .what = "there are no tets in it", .hint = "cuts are for solids"});
  if (mesh.is_quadratic())
    throw InputError(Problem{.file = asked.input,
                             .what = "tets with ten vertices cannot be cut",
                             .hint = "sinew mesh convert --order 1 keeps their corners alone"});
  mesh::CutSurface surface{.places = mesh.vertices, .snap = asked.snap};
  for (const Vec3& x : mesh.vertices) surface.sides.push_back(blade->side(x));
  surface.is_open = [&](const Vec3& x) {
    for (std::size_t k = 0; k < 3 && !asked.box.empty(); ++k) {
      const auto [low, high] = std::minmax({asked.box[k], asked.box[k + 3]});
      const double at = x[static_cast<Index>(k)];
      if (at < low || at > high) return false;
    }
    return blade->covers(x);
  };
  const mesh::TetMesh before = mesh;
  surface.places = before.vertices;
  const mesh::CutReport report = mesh::cut_mesh(mesh, surface);
  if (!report.changed_anything())
    throw InputError(Problem{.file = asked.input,
                             .what = "the cut does not meet the mesh",
                             .hint = "sinew mesh info says how far it reaches"});
  const std::vector<int> pieces = mesh::pieces_of(mesh);
  const int count = *std::max_element(pieces.begin(), pieces.end()) + 1;
  std::vector<double> volumes(static_cast<std::size_t>(count), 0.0);
  for (int t = 0; t < mesh.num_tets(); ++t)
    volumes[static_cast<std::size_t>(pieces[static_cast<std::size_t>(t)])] +=
        mesh::signed_volume(mesh, t);
  if (asked.pieces) {
    mesh.regions = pieces;
    mesh.region_names.clear();
    for (int k = 0; k < count; ++k) mesh.region_names[k] = fmt::format("piece-{}", k);
  }
  mesh::write_mesh(asked.output, mesh);
  fmt::print("cut         {} tets of {}, {} vertices added, {} faces opened\n", mesh.num_tets(),
             before.num_tets(), report.added.size(), report.num_opened);
  for (int k = 0; k < count; ++k)
    fmt::print("piece {:<6}{:.6g} m^3\n", k, volumes[static_cast<std::size_t>(k)]);
  fmt::print("written     {}\n", asked.output);
  fmt::print("in a scene  \"mesh\": {{ \"file\": \"{}\", \"torn\": true }}\n", asked.output);
  return exit_done;
}

}  // namespace

void add_mesh(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string input, output;
    bool repair = false;
    int order = 0;
  };
  CLI::App* command = app.add_subcommand("mesh", "the mesh doctor");
  command->require_subcommand(1);
  command->footer("Example: sinew mesh info bunny.msh");

  auto info = std::make_shared<Arguments>();
  CLI::App* info_command = command->add_subcommand("info", "size, quality and what is wrong");
  info_command->footer("Example: sinew mesh info bunny.msh --repair");
  info_command->add_option("file", info->input, "mesh file")->required();
  info_command->add_flag("--repair", info->repair, "turn inverted tets, drop unused vertices");
  info_command->callback([info, &exit_code] {
    fmt::print("{}", mesh::assess_quality(load(info->input, info->repair)).to_text());
    exit_code = exit_done;
  });

  auto convert = std::make_shared<Arguments>();
  CLI::App* convert_command = command->add_subcommand("convert", "from one format to another");
  convert_command->footer("Example: sinew mesh convert bunny.msh bunny.vtu");
  convert_command->add_option("input", convert->input, "mesh file")->required();
  convert_command->add_option("output", convert->output, "file to write")->required();
  convert_command->add_flag("--repair", convert->repair,
                            "turn inverted tets, drop unused vertices");
  convert_command
      ->add_option("--order", convert->order,
                   "of the tets: 1, four vertices; 2, ten; otherwise as they are")
      ->check(CLI::IsMember({1, 2}));
  convert_command->callback([convert, &exit_code] {
    mesh::TetMesh mesh = load(convert->input, convert->repair);
    if (convert->order == 1) mesh = mesh::to_first_order(std::move(mesh));
    if (convert->order == 2) mesh = mesh::to_second_order(std::move(mesh));
    mesh::write_mesh(convert->output, mesh);
    fmt::print("{}\n", convert->output);
    exit_code = exit_done;
  });

  auto cutting = std::make_shared<CutArguments>();
  CLI::App* cut_command =
      command->add_subcommand("cut", "along a plane, a path or a surface, by splitting tets");
  cut_command->footer("Example: sinew mesh cut bunny.msh halves.vtu --plane 0 0 0.1  0 0 1");
  cut_command->add_option("input", cutting->input, "mesh file")->required();
  cut_command->add_option("output", cutting->output, "file to write")->required();
  cut_command->add_option("--plane", cutting->plane, "a point and the normal [m]")->expected(6);
  cut_command->add_option("--path", cutting->path, "points, three numbers each [m]")
      ->expected(6, 3000);
  cut_command
      ->add_option("--sweep", cutting->sweep, "direction in which a path is drawn through the body")
      ->expected(3);
  cut_command->add_option("--surface", cutting->surface, "file with triangles to cut along");
  cut_command->add_option("--box", cutting->box, "go no further: two opposite corners [m]")
      ->expected(6);
  cut_command
      ->add_option("--snap", cutting->snap,
                   "part of an edge within which it goes through a vertex instead")
      ->check(CLI::Range(mesh::CutSurface::least_snap, 0.5));
  cut_command->add_flag("--pieces", cutting->pieces, "make every piece a region of its own");
  cut_command->add_flag("--repair", cutting->repair, "turn inverted tets, drop unused vertices");
  cut_command->callback([cutting, &exit_code] { exit_code = cut(*cutting); });

  add_tetrahedralize(*command, exit_code);
}

}  // namespace sinew::cli
