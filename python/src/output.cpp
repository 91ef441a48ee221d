// SPDX-License-Identifier: Apache-2.0
// What runs have written.
#include <sinew/mesh/io/vtu.hpp>
#include <sinew/output/publish/pictures.hpp>
#include <sinew/output/publish/writers.hpp>

#include "bindings.hpp"

namespace sinew::python {
namespace {

/// Positions and arrays of one frame: (positions, {name: values}, {name: values}), of vertices and
/// of cells; components side by side.
py::tuple read_frame(const std::filesystem::path& path, const std::set<std::string>& arrays) {
  mesh::io::VtuFields frame = [&] {
    const py::gil_scoped_release unlocked;
    return mesh::io::read_vtu_fields(path, false, arrays);
  }();
  const auto taken = [](std::map<std::string, std::vector<double>>& data) {
    py::dict result;
    for (auto& [name, values] : data) {
      const auto count = static_cast<py::ssize_t>(values.size());
      result[name.c_str()] = owning_array<double>(std::move(values), {count});
    }
    return result;
  };
  py::array positions = rows_array<double>(std::move(frame.points));
  return py::make_tuple(positions, taken(frame.point_data), taken(frame.cell_data));
}

py::tuple read_cells(const std::filesystem::path& path) {
  mesh::io::VtuFields frame = mesh::io::read_vtu_fields(path, true, {});
  return py::make_tuple(
      rows_array<int>(std::move(frame.tets)), rows_array<int>(std::move(frame.quadratic_tets)),
      rows_array<int>(std::move(frame.triangles)), rows_array<int>(std::move(frame.lines)));
}

/// The triangles of the surface at the first frame.
py::tuple read_surface(const std::filesystem::path& directory, std::size_t frame) {
  const output::RunReader run(directory);
  output::SurfaceFrames surface = output::read_surface_frames(
      run, {.with_fields = false, .wants = [&](std::size_t k) { return k == frame; }});
  if (surface.positions.empty()) throw py::index_error("there is no such frame");
  const auto count = static_cast<py::ssize_t>(surface.positions[0].size() / 3);
  return py::make_tuple(owning_array<float>(std::move(surface.positions[0]), {count, 3}),
                        rows_array<int>(std::move(surface.chapters[0].triangles)));
}

output::PictureOptions picture_options(const py::dict& given) {
  output::PictureOptions options;
  const auto take = [&](const char* name, auto& value) {
    if (given.contains(name) && !given[name].is_none())
      value = given[name].cast<std::remove_reference_t<decltype(value)>>();
  };
  take("colour_by", options.colour_by);
  take("range", options.range);
  take("width", options.width);
  take("height", options.height);
  take("dark", options.is_dark);
  take("ground", options.has_ground);
  take("draft", options.is_draft);
  take("view", options.view);
  take("eye", options.eye);
  take("target", options.target);
  take("up", options.up);
  take("time", options.time);
  take("frames", options.frames);
  take("speed", options.speed);
  take("fps", options.fps);
  return options;
}

void render(const std::filesystem::path& directory, const std::filesystem::path& file,
            const py::dict& given, int threads) {
  const output::PictureOptions options = picture_options(given);
  with_signals([&](const std::function<bool()>&) {
    output::write_pictures(output::RunReader(directory), file, options, core::Executor(threads));
  });
}

void publish(const std::filesystem::path& directory) {
  with_signals(
      [&](const std::function<bool()>&) { output::publish(directory, {}, core::Executor(0)); });
}

}  // namespace

void bind_output(py::module_& module) {
  module.def("read_frame", &read_frame, py::arg("path"), py::arg("arrays"));
  module.def("read_cells", &read_cells, py::arg("path"));
  module.def("read_surface", &read_surface, py::arg("directory"), py::arg("frame"));
  module.def(
      "frames_of",
      [](const std::filesystem::path& directory) {
        std::vector<std::pair<double, std::string>> frames;
        const output::RunReader run(directory);
        for (const output::FrameFile& frame : run.frames())
          frames.emplace_back(frame.t, frame.path.string());
        return frames;
      },
      py::arg("directory"));
  module.def(
      "manifest_of",
      [](const std::filesystem::path& directory) {
        return output::RunReader(directory).manifest();
      },
      py::arg("directory"));
  module.def("render", &render, py::arg("directory"), py::arg("file"), py::arg("options"),
             py::arg("threads"));
  module.def("publish", &publish, py::arg("directory"));
  module.def("can_draw", &output::can_draw);
  module.def("picture_fields", &output::picture_fields);
  module.def("picture_views", &output::picture_views);
}

}  // namespace sinew::python
