// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/output/publish/comparison_plots.hpp>
#include <sinew/output/publish/pictures.hpp>
#include <sinew/study/joined_report.hpp>

namespace sinew::study {

using nlohmann::literals::operator""_json_pointer;

namespace {

std::string family_of(const output::RunReader& run, const scene::Catalog& catalog) {
  const auto manifest = nlohmann::json::parse(run.manifest());
  const std::string method = manifest.value("/integrator/name"_json_pointer, std::string());
  const integrators::IntegratorEntry* entry = catalog.find_integrator(method);
  return entry ? fmt::format("{} methods", integrators::family_of(entry->traits)) : "other runs";
}

/// What sets the run apart, as it was asked for.
std::string label_of(const JoinedRun& run) {
  std::string label;
  for (const output::ReportParameter& parameter : run.parameters)
    label += fmt::format("{}{}={}", label.empty() ? "" : ", ", parameter.name, parameter.value);
  return label.empty() ? run.name : label;
}

std::optional<double> number(const nlohmann::json& manifest, const char* place) {
  const nlohmann::json::json_pointer pointer(place);
  if (!manifest.contains(pointer) || !manifest[pointer].is_number()) return std::nullopt;
  return manifest[pointer].get<double>();
}

/// Those of all runs that say what their numbers mean.
const core::UnitSystem& shared_units(const std::vector<JoinedRun>& runs,
                                     const std::vector<output::RunReader>& readers) {
  const core::UnitSystem* shared = nullptr;
  std::size_t first = 0;
  for (std::size_t k = 0; k < readers.size(); ++k) {
    const core::UnitSystem* own = readers[k].units();
    if (!own) continue;
    if (shared && own != shared)
      throw InputError(
          {.file = runs[k].directory.string(),
           .what = fmt::format("its numbers are in {} and {} ({}), those of '{}' in "
                               "{} and {} ({})",
                               own->unit("m"), own->unit("s"), own->name(), runs[first].name,
                               shared->unit("m"), shared->unit("s"), shared->name()),
           .hint = "compare runs with the same \"units\""});
    if (!shared) first = k;
    shared = own;
  }
  return shared ? *shared : core::si_units();
}

}  // namespace

const core::UnitSystem& shared_units(const std::vector<JoinedRun>& runs) {
  std::vector<output::RunReader> readers;
  readers.reserve(runs.size());
  for (const JoinedRun& run : runs) readers.emplace_back(run.directory);
  return shared_units(runs, readers);
}

std::vector<JoinedRun> named_by_difference(const std::vector<std::filesystem::path>& directories) {
  std::vector<JoinedRun> runs;
  std::vector<std::vector<std::string>> parts;
  std::size_t most = 0;
  for (const std::filesystem::path& directory : directories) {
    std::vector<std::string>& own = parts.emplace_back();
    for (const auto& part : std::filesystem::absolute(directory).lexically_normal())
      if (!part.empty()) own.push_back(part.string());
    most = std::max(most, own.size());
  }
  // as many folders from the end as tell them apart
  for (std::size_t count = 1; count <= most; ++count) {
    runs.clear();
    std::set<std::string> names;
    for (std::size_t k = 0; k < directories.size(); ++k) {
      std::string name;
      for (std::size_t p = parts[k].size() - std::min(count, parts[k].size()); p < parts[k].size();
           ++p)
        name = name.empty() ? parts[k][p] : fmt::format("{}/{}", name, parts[k][p]);
      names.insert(name);
      runs.push_back({name, directories[k]});
    }
    if (names.size() == runs.size()) break;
  }
  return runs;
}

MeasuredRuns measure_against(const JoinedRun& reference, const std::vector<JoinedRun>& runs) {
  const output::RunReader fixed(reference.directory);
  const core::UnitSystem& units = shared_units(runs);
  MeasuredRuns result{
      .errors = {.reference = reference.name, .rows = {}}, .distances = {}, .notes = {}};
  for (const JoinedRun& run : runs) {
    if (run.directory == reference.directory) continue;
    const output::RunReader reader(run.directory);
    const output::RunDistance distance = output::distance_between(reader, fixed);
    if (!distance.value)
      result.notes.push_back(fmt::format("{}: there is no distance to {}, since {}", run.name,
                                         reference.name, distance.why_not));
    else if (distance.until < 0.999 * distance.end)
      result.notes.push_back(
          fmt::format("{}: the distance to {} is of the time up to {:.6g} {unit} only, of {:.6g} "
                      "{unit}",
                      run.name, reference.name, distance.until, distance.end,
                      fmt::arg("unit", units.unit("s"))));
    result.distances.push_back(distance);
    const auto manifest = nlohmann::json::parse(reader.manifest());
    result.errors.rows.push_back({.run = run.name,
                                  .curve = run.name,
                                  .dt = number(manifest, "/dt"),
                                  .error = distance.value,
                                  .seconds = number(manifest, "/seconds/wall"),
                                  .output_seconds = number(manifest, "/seconds/output"),
                                  .status = manifest.value("status", std::string())});
  }
  return result;
}

void write_joined_report(const std::filesystem::path& directory, const std::string& title,
                         const std::vector<JoinedRun>& runs,
                         const std::optional<output::ReportErrors>& errors,
                         const scene::Catalog& catalog) {
  std::vector<output::RunReader> readers;
  std::vector<output::SurfaceFrames> surfaces;
  readers.reserve(runs.size());  // what follows points into both
  surfaces.reserve(runs.size());
  std::vector<output::ReportRun> shown;
  std::vector<output::PreviewRow> pictures;
  std::vector<output::EnergyRow> energies;
  std::vector<std::string> names;
  for (const JoinedRun& run : runs) {
    const output::RunReader& reader = readers.emplace_back(run.directory);
    surfaces.push_back(output::read_surface_frames(reader));
    shown.push_back({run.name, &reader, &surfaces.back(), run.parameters});
    const std::string label = label_of(run);
    pictures.push_back({label, &reader, &surfaces.back()});
    energies.push_back({label, family_of(reader, catalog), reader.table("energy.csv")});
    names.push_back(run.name);
  }
  const core::UnitSystem& units = shared_units(runs, readers);
  const auto write = [&](const char* file, const std::string& text) {
    if (!text.empty()) core::write_atomically(directory / file, text);
  };
  write("energies.svg", output::energy_plots(title, energies, units));
  if (errors)
    write("work-precision.svg", output::work_precision_plot(title, *errors, names, units));
  output::write_comparison_preview(directory / "preview.png", pictures, core::Executor(0));
  if (output::has_report_page()) write("report.html", output::report_html(title, shown, errors));
}

}  // namespace sinew::study
