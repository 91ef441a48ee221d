// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <system_error>
#include <tuple>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/io/mesh_format.hpp>
#include <sinew/scene/compile/body_mesh.hpp>
#include <sinew/scene/compile/mesh_sequence.hpp>

namespace sinew::scene {
namespace {

/// What stands for the '*', such that frame 10 comes after frame 9.
struct Label {
  std::string text;
  std::filesystem::path file;

  bool operator<(const Label& other) const {
    const auto number = [](const std::string& label) {
      return label.substr(std::min(label.find_first_not_of('0'), label.size()));
    };
    const std::string a = number(text), b = number(other.text);
    const auto is_number = [](const std::string& digits) {
      return digits.find_first_not_of("0123456789") == std::string::npos;
    };
    if (is_number(a) && is_number(b) && a.size() != b.size()) return a.size() < b.size();
    return std::tie(a, text) < std::tie(b, other.text);
  }
};

std::vector<std::filesystem::path> files_of(const std::string& pattern,
                                            const std::string& directory) {
  const std::filesystem::path whole = beside_scene(directory, pattern);
  const std::string name = whole.filename().string();
  const std::size_t star = name.find('*');
  if (star == std::string::npos)
    throw InputError(Problem{.where = "/sequence/files",
                             .what = "the * must be in the name of the files",
                             .hint = "for example \"walk/pose_*.obj\""});
  const std::string before = name.substr(0, star), after = name.substr(star + 1);
  std::vector<Label> labels;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(whole.parent_path(), error)) {
    const std::string found = entry.path().filename().string();
    if (found.size() < before.size() + after.size() || !found.starts_with(before) ||
        !found.ends_with(after))
      continue;
    labels.push_back(
        {found.substr(before.size(), found.size() - before.size() - after.size()), entry.path()});
  }
  if (labels.empty())
    throw InputError(Problem{.where = "/sequence/files",
                             .what = fmt::format("there is no file {}", whole.string()),
                             .hint = "files are looked for beside the scene"});
  std::sort(labels.begin(), labels.end());
  std::vector<std::filesystem::path> files;
  files.reserve(labels.size());
  for (Label& label : labels) files.push_back(std::move(label.file));
  return files;
}

}  // namespace

MeshSequence read_sequence(const SequenceSpec& sequence, const std::string& directory) {
  MeshSequence result;
  for (const std::filesystem::path& file : files_of(sequence.files, directory)) {
    mesh::TetMesh mesh = result.places.empty() ? mesh::load_mesh(file) : mesh::read_mesh(file);
    if (!result.places.empty() && mesh.vertices.size() != result.places.front().size())
      throw InputError(
          {.file = file.string(),
           .what = fmt::format("this mesh has {} vertices, the first of the sequence {}",
                               mesh.vertices.size(), result.places.front().size()),
           .hint = "all files must have the same mesh, with its vertices elsewhere"});
    if (!result.places.empty() &&
        (mesh.triangles != result.first.triangles || mesh.tets != result.first.tets ||
         mesh.bars != result.first.bars))
      throw InputError({.file = file.string(),
                        .what = "this mesh joins its vertices in another way than the first one",
                        .hint = "all files must have the same mesh, with its vertices elsewhere"});
    for (const Vec3& x : mesh.vertices)
      if (!x.allFinite())
        throw InputError({.file = file.string(), .what = "a vertex is nowhere", .hint = ""});
    result.times.push_back(sequence.start +
                           static_cast<double>(result.places.size()) / sequence.fps);
    result.places.push_back(mesh.vertices);
    if (result.places.size() == 1) result.first = std::move(mesh);
  }
  return result;
}

}  // namespace sinew::scene
