// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/output/record/run_reader.hpp>

namespace sinew::output {

RunReader::RunReader(const std::filesystem::path& path) : directory_(RunDirectory::open(path)) {
  const std::filesystem::path file = directory_.file("manifest.json");
  manifest_ = core::read_file(file);
  const auto json = nlohmann::json::parse(manifest_, nullptr, false);
  if (json.is_discarded() || !json.is_object() || !json.contains("status"))
    throw InputError(
        {.file = file.string(), .what = "this manifest is damaged", .hint = "run the scene again"});
  // of a run that several processes shared, frames are in pieces; the surface is whole
  std::filesystem::path series = directory_.file("surface.pvd");
  if (!std::filesystem::exists(series)) series = directory_.file("frames.pvd");
  if (!std::filesystem::exists(series)) return;
  for (FrameFile& frame : read_series(series))
    if (std::filesystem::exists(frame.path)) frames_.push_back(std::move(frame));
}

Vec3 RunReader::up() const {
  const auto json = nlohmann::json::parse(manifest_);
  const auto given = json.find("up");
  if (given == json.end() || !given->is_array() || given->size() != 3) return Vec3::UnitZ();
  return {(*given)[0].get<double>(), (*given)[1].get<double>(), (*given)[2].get<double>()};
}

const core::UnitSystem* RunReader::units() const {
  const auto json = nlohmann::json::parse(manifest_);
  const nlohmann::json::json_pointer place("/scene/units");
  if (!json.contains(place) || !json[place].is_string()) return nullptr;
  return &core::unit_system(json[place].get<std::string>());
}

std::string RunReader::table(const char* name) const {
  const std::filesystem::path file = directory_.file(name);
  if (std::filesystem::exists(file)) return core::read_file(file);
  // of a run that is still going on, or was killed: the rows that are whole
  const std::filesystem::path part = file.string() + ".part";
  if (!std::filesystem::exists(part)) return "";
  std::string rows = core::read_file(part);
  rows.resize(rows.rfind('\n') + 1);
  return rows;
}

}  // namespace sinew::output
