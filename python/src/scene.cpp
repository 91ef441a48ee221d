// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <sstream>

#include <sinew/core/atomic_file.hpp>
#include <sinew/scene/catalog.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/scene/format/json_text.hpp>
#include <sinew/scene/format/scene_reader.hpp>
#include <sinew/scene/format/scene_writer.hpp>

#include "bindings.hpp"

namespace sinew::python {
namespace {

using scene::Catalog, scene::SceneSpec;
using Changes = std::vector<std::pair<std::string, std::string>>;

/// A scene as it was written: (JSON without comments, name for messages, folder of its file).
std::tuple<std::string, std::string, std::string> find_scene_text(const std::string& name) {
  for (const scene::BuiltinScene& known : scene::builtin_scenes())
    if (known.name == name)
      return {scene::parse_json(known.json, known.name).dump(), std::string(known.name), ""};
  const std::filesystem::path path(name);
  if (!std::filesystem::is_regular_file(path)) scene::find_scene(name);  // throws with its message
  return {scene::parse_json(core::read_file(path), name).dump(), name, path.parent_path().string()};
}

std::string with_change(const std::string& text, const std::string& path, const std::string& value,
                        const std::string& source) {
  scene::Json json = scene::parse_json(text, source);
  scene::apply_override(json, {path, value});
  return json.dump();
}

/// Called with the places as an array of shape (n, 3), and the time where it depends on it.
core::PlaceFunction place_function(const std::string& name, const py::function& function,
                                   int components, bool depends_on_time) {
  // the last reference may go on a thread without the lock of the interpreter
  const std::shared_ptr<py::function> kept(new py::function(function), [](py::function* last) {
    const py::gil_scoped_acquire lock;
    delete last;
  });
  return {.name = name,
          .components = components,
          .depends_on_time = depends_on_time,
          .evaluate = [kept, components, depends_on_time](std::span<const Vec3> places, double t,
                                                          std::span<double> values) {
            const py::gil_scoped_acquire lock;
            const auto count = static_cast<py::ssize_t>(places.size());
            const py::array_t<double> x({count, py::ssize_t{3}}, places.front().data());
            const py::object result = depends_on_time ? (*kept)(x, t) : (*kept)(x);
            const auto numpy = py::module_::import("numpy");
            const py::object shape = components == 1
                                         ? py::object(py::make_tuple(count))
                                         : py::object(py::make_tuple(count, components));
            const auto broadcast = Array<double>::ensure(
                numpy.attr("broadcast_to")(numpy.attr("asarray")(result, "float64"), shape));
            std::copy_n(broadcast.data(), values.size(), values.begin());
          }};
}

}  // namespace

void bind_scene(py::module_& module) {
  py::class_<Catalog, std::shared_ptr<Catalog>>(module, "Catalog")
      .def(py::init<>())
      .def(
          "add_mesh",
          [](Catalog& catalog, const std::string& name, const mesh::TetMesh& mesh) {
            catalog.add(mesh::given_mesh(name, mesh));
          },
          py::arg("name"), py::arg("mesh"))
      .def(
          "add_function",
          [](Catalog& catalog, const std::string& name, const py::function& function,
             int components, bool depends_on_time) {
            catalog.add(place_function(name, function, components, depends_on_time));
          },
          py::arg("name"), py::arg("function"), py::arg("components"), py::arg("depends_on_time"))
      .def("names", [](const Catalog& catalog) {
        const auto names_of = [](const auto& table) {
          std::vector<std::string> names;
          for (const auto& entry : table) names.emplace_back(entry.name);
          return names;
        };
        return std::map<std::string, std::vector<std::string>>{
            {"materials", names_of(catalog.materials())},
            {"spring_laws", names_of(catalog.spring_laws())},
            {"integrators", catalog.integrator_names()},
            {"forces", names_of(catalog.terms())},
            {"solvers", names_of(catalog.solvers())},
            {"generators", names_of(catalog.generators())},
            {"writers", names_of(catalog.writers())}};
      });

  py::class_<SceneSpec, std::shared_ptr<SceneSpec>>(module, "SceneSpec")
      .def_readonly("name", &SceneSpec::name);
  module.def("find_scene_text", &find_scene_text, py::arg("name"));
  module.def("scene_names", [] {
    std::vector<std::string> names;
    for (const scene::BuiltinScene& known : scene::builtin_scenes()) names.emplace_back(known.name);
    return names;
  });
  module.def("with_change", &with_change, py::arg("text"), py::arg("path"), py::arg("value"),
             py::arg("source"));
  module.def(
      "parse_scene",
      [](const std::string& text, const std::string& source, const std::string& directory,
         const Catalog& catalog) {
        auto spec = std::make_shared<SceneSpec>(scene::parse_scene(text, source, {}, catalog));
        spec->directory = directory;
        return spec;
      },
      py::arg("text"), py::arg("source"), py::arg("directory"), py::arg("catalog"));
  module.def(
      "scene_json",
      [](const SceneSpec& spec, const Catalog& catalog) { return scene::to_json(spec, catalog); },
      py::arg("scene"), py::arg("catalog"));
}

}  // namespace sinew::python
