// SPDX-License-Identifier: Apache-2.0
#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/io/mesh_format.hpp>
#include <sinew/mesh/quality.hpp>

#include "bindings.hpp"

namespace sinew::python {
namespace {

using mesh::TetMesh;

TetMesh make_mesh(const Array<double>& vertices, const Array<int>& tets, const Array<int>& middles,
                  const Array<int>& triangles, const Array<int>& bars, std::vector<int> regions,
                  std::map<int, std::string> region_names, std::vector<double> masses,
                  bool repair) {
  TetMesh mesh;
  mesh.vertices = rows_of<Vec3>(vertices, "vertices");
  mesh.tets = rows_of<mesh::Tet>(tets, "tets");
  mesh.middles = rows_of<mesh::Middles>(middles, "middles");
  mesh.triangles = rows_of<mesh::Triangle>(triangles, "triangles");
  mesh.bars = rows_of<mesh::Edge>(bars, "bars");
  mesh.regions = std::move(regions);
  if (mesh.regions.empty()) mesh.regions.assign(mesh.tets.size(), 0);
  mesh.region_names = std::move(region_names);
  mesh.masses = std::move(masses);
  if (repair) mesh::repair(mesh);
  mesh::require_valid(mesh, "mesh");
  return mesh;
}

TetMesh generate(const std::string& name, const mesh::GeneratorValues& given, int order) {
  std::vector<std::string> names;
  for (const mesh::GeneratorEntry& generator : mesh::generators()) {
    names.push_back(generator.name);
    if (generator.name != name) continue;
    mesh::GeneratorValues values = generator.default_values();
    for (const auto& [parameter, value] : given) {
      const auto known = values.find(parameter);
      if (known == values.end() || known->second.size() != value.size())
        throw InputError({.file = name,
                          .where = "/" + parameter,
                          .what = known == values.end() ? "there is no such parameter"
                                                        : "another number of values is needed"});
      known->second = value;
    }
    return generator.make_of_order(values, order);
  }
  throw InputError({.file = name, .what = "there is no such generator"});
}

}  // namespace

void bind_mesh(py::module_& module) {
  py::class_<TetMesh, std::shared_ptr<TetMesh>>(module, "TetMesh")
      .def(py::init(&make_mesh), py::arg("vertices"), py::arg("tets"), py::arg("middles"),
           py::arg("triangles"), py::arg("bars"), py::arg("regions"), py::arg("region_names"),
           py::arg("masses"), py::arg("repair"))
      .def("vertices", [](const TetMesh& mesh) { return rows_array<double>(mesh.vertices); })
      .def("tets", [](const TetMesh& mesh) { return rows_array<int>(mesh.tets); })
      .def("middles", [](const TetMesh& mesh) { return rows_array<int>(mesh.middles); })
      .def("triangles", [](const TetMesh& mesh) { return rows_array<int>(mesh.triangles); })
      .def("bars", [](const TetMesh& mesh) { return rows_array<int>(mesh.bars); })
      .def("regions",
           [](const TetMesh& mesh) {
             return owning_array<int>(mesh.regions,
                                      {static_cast<py::ssize_t>(mesh.regions.size())});
           })
      .def("region_names", [](const TetMesh& mesh) { return mesh.region_names; })
      .def("volume", [](const TetMesh& mesh) {
        double sum = 0.0;
        for (int tet = 0; tet < mesh.num_tets(); ++tet) sum += mesh::signed_volume(mesh, tet);
        return sum;
      });
  module.def("generate_mesh", &generate, py::arg("name"), py::arg("values"), py::arg("order"));
  module.def(
      "load_mesh",
      [](const std::filesystem::path& path, bool repair) {
        return mesh::load_mesh(path, {.repair = repair});
      },
      py::arg("path"), py::arg("repair"));
  module.def("write_mesh", &mesh::write_mesh, py::arg("path"), py::arg("mesh"));
}

}  // namespace sinew::python
