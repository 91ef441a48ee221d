// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/core/path_check.hpp>
#include <sinew/output/publish/report.hpp>
#include <sinew/output/record/run_directory.hpp>
#include <sinew/scene/format/scene_writer.hpp>
#include <sinew/study/joined_report.hpp>
#include <sinew/study/run.hpp>
#include <sinew/study/sweep.hpp>

namespace sinew::study {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// The last part of a path that is not a number: what the value is called in names.
std::string key_of(const std::string& path) {
  std::string key, part;
  for (const char c : fmt::format("{}.", path)) {
    if (c != '.' && c != '/') {
      part += c;
      continue;
    }
    const bool is_number =
        std::all_of(part.begin(), part.end(), [](unsigned char d) { return std::isdigit(d) != 0; });
    if (!is_number) key = part;
    part.clear();
  }
  return key;
}

std::string in_file_names(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' ||
                          c == '-' || c == '+' || c == '_';
    name += is_plain ? c : '-';
  }
  return name;
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string doubled;
  for (const char c : text) doubled.append(c == '"' ? 2 : 1, c);
  return fmt::format("\"{}\"", doubled);
}

std::string number_or_nothing(const Json& value) {
  return value.is_number() ? value.dump() : std::string();
}

class Sweep {
 public:
  Sweep(const SceneMaker& make, const SweepOptions& options, const scene::Catalog& catalog)
      : options_(options), catalog_(catalog) {
    plan(make);
  }

  std::vector<SweptRun> run() {
    core::require_usable_path(options_.directory);
    require_sweep_or_nothing();
    fs::create_directories(options_.directory);
    core::write_atomically(options_.directory / "sweep.csv", table_head());
    run_what_is_missing();
    write_table();
    std::vector<JoinedRun> shown;
    for (const SweptRun& swept : runs_)
      if (manifest_of(swept.name))
        shown.push_back({swept.name, options_.directory / swept.name, parameters_of(swept)});
    if (options_.publish && !shown.empty())
      write_joined_report(options_.directory, scenes_.front().name, shown, std::nullopt, catalog_);
    return std::move(runs_);
  }

 private:
  void plan(const SceneMaker& make) {
    std::set<std::string> paths;
    std::size_t count = 1;
    for (const SweepAxis& axis : options_.axes) {
      count *= axis.values.size();
      if (!paths.insert(axis.path).second)
        throw InputError({.what = fmt::format("'{}' is given twice", axis.path),
                          .hint = "give all of its values at once, separated by commas"});
    }
    std::set<std::string> names;
    std::set<std::vector<std::string>> asked;
    for (std::size_t k = 0; k < count; ++k) {
      SweptRun swept;
      swept.values.resize(options_.axes.size());
      std::size_t rest = k;
      for (std::size_t a = options_.axes.size(); a-- > 0;) {
        const std::vector<std::string>& values = options_.axes[a].values;
        swept.values[a] = values[rest % values.size()];
        rest /= values.size();
      }
      swept.name = name_of(swept.values);
      if (!asked.insert(swept.values).second)
        throw InputError({.what = fmt::format("'{}' is asked for twice", swept.name),
                          .hint = "give every value once"});
      // other values may look the same in the name of a folder
      const std::string plain = swept.name;
      for (int number = 2; !names.insert(swept.name).second; ++number)
        swept.name = fmt::format("{}-{}", plain, number);
      scenes_.push_back(make(changes(swept.values)));
      runs_.push_back(std::move(swept));
    }
  }

  std::string name_of(const std::vector<std::string>& values) const {
    std::string name;
    for (std::size_t a = 0; a < values.size(); ++a) {
      const std::string& path = options_.axes[a].path;
      // two axes may end alike: then the whole path says which
      const auto ends_alike =
          std::count_if(options_.axes.begin(), options_.axes.end(),
                        [&](const SweepAxis& other) { return key_of(other.path) == key_of(path); });
      const std::string key = ends_alike > 1 ? path : key_of(path);
      name +=
          fmt::format("{}{}={}", a > 0 ? "_" : "", in_file_names(key), in_file_names(values[a]));
    }
    return name;
  }

  /// Methods first: their options, of the settings and of other axes, come after them.
  std::vector<scene::Override> changes(const std::vector<std::string>& values) const {
    std::vector<scene::Override> changes;
    for (std::size_t a = 0; a < values.size(); ++a)
      if (is_method_path(options_.axes[a].path))
        changes.push_back({"/integrator", Json{{"name", values[a]}}.dump()});
    changes.insert(changes.end(), options_.settings.begin(), options_.settings.end());
    for (std::size_t a = 0; a < values.size(); ++a)
      if (!is_method_path(options_.axes[a].path))
        changes.push_back({options_.axes[a].path, values[a]});
    return changes;
  }

  void require_sweep_or_nothing() const {
    if (const fs::path table = options_.directory / "sweep.csv"; fs::exists(table)) {
      if (options_.replace || core::read_file(table).starts_with(axes_head())) return;
      throw InputError({.file = options_.directory.string(),
                        .what = "there is a sweep over other values in this directory",
                        .hint = "replace its table with --force, or choose another place with -o"});
    }
    output::RunDirectory::require_usable(options_.directory, true);
    if (fs::exists(options_.directory / "manifest.json"))
      throw InputError({.file = options_.directory.string(),
                        .what = "this is the directory of a run, not of a sweep",
                        .hint = "choose another place with -o"});
  }

  std::vector<output::ReportParameter> parameters_of(const SweptRun& swept) const {
    std::vector<output::ReportParameter> parameters;
    parameters.reserve(swept.values.size());
    for (std::size_t a = 0; a < swept.values.size(); ++a)
      parameters.push_back({options_.axes[a].path, swept.values[a]});
    return parameters;
  }

  std::optional<Json> manifest_of(const std::string& name) const {
    const fs::path file = options_.directory / name / "manifest.json";
    if (!fs::exists(file)) return std::nullopt;
    Json json = Json::parse(core::read_file(file), nullptr, false);
    return json.is_object() ? std::optional(std::move(json)) : std::nullopt;
  }

  /// Whether an earlier run was made with just this scene.
  bool is_of(const Json& manifest, scene::SceneSpec scene) const {
    scene.threads = 1;
    return manifest.contains("scene") &&
           manifest["scene"] == Json::parse(scene::to_json(resolved(std::move(scene)), catalog_));
  }

  /// Whether nothing was in the way between the end of a run and its report, which is made last.
  bool is_published(const std::string& name) const {
    return !output::has_report_page() || fs::exists(options_.directory / name / "report.html");
  }

  void note_end(SweptRun& swept) const {
    const Json manifest = manifest_of(swept.name).value_or(Json::object());
    swept.status = manifest.value("status", "");
    swept.reason = manifest.value("reason", "");
  }

  void run_what_is_missing() {
    std::vector<BatchRun> missing;
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < runs_.size(); ++k) {
      const std::optional<Json> manifest = manifest_of(runs_[k].name);
      const bool is_same = manifest && is_of(*manifest, scenes_[k]);
      const std::string status = is_same ? manifest->value("status", "") : "";
      const bool has_ended = status == "finished" || status == "failed";
      runs_[k].was_there = has_ended && is_published(runs_[k].name);
      if (runs_[k].was_there) {
        note_end(runs_[k]);
        continue;
      }
      const bool can_go_on =
          is_same && fs::exists(options_.directory / runs_[k].name / "checkpoint");
      missing.push_back({.name = runs_[k].name, .scene = scenes_[k], .resume = can_go_on});
      places.push_back(k);
    }
    run_batch(missing,
              {.directory = options_.directory,
               .replace = true,
               .publish = options_.publish,
               .at_once = options_.at_once,
               .interrupted = options_.interrupted,
               .on_ended =
                   [&](std::size_t m, const BatchEnd&) {
                     SweptRun& swept = runs_[places[m]];
                     note_end(swept);
                     if (options_.on_ended) options_.on_ended(swept);
                   },
               .on_progress = options_.on_progress},
              catalog_);
  }

  /// Of all runs: axes may add, remove and rename them.
  std::vector<std::string> probes() const {
    std::vector<std::string> names;
    for (const scene::SceneSpec& scene : scenes_)
      for (const scene::ProbeSpec& probe : scene.output.probes)
        if (std::ranges::find(names, probe.name) == names.end()) names.push_back(probe.name);
    return names;
  }

  /// Says what the sweep is over.
  std::string axes_head() const {
    std::string head = "run";
    for (const SweepAxis& axis : options_.axes) head += fmt::format(",{}", csv_text(axis.path));
    head += ",status,";
    return head;
  }

  std::string table_head() const {
    std::string head = axes_head();
    head +=
        "accepted,rejected,newton,factorizations,solves,matvecs,energy_initial,"
        "energy_final,numerical_loss";
    for (const std::string& probe : probes())
      for (const char axis : {'x', 'y', 'z'}) head += fmt::format(",{}_{}", csv_text(probe), axis);
    head += ",reason,wall_seconds\n";
    return head;
  }

  /// The last row of probes.csv: t, then position and velocity of each probe of the run's scene.
  std::vector<std::string> last_of_probes(const std::string& name) const {
    const fs::path file = options_.directory / name / "probes.csv";
    const std::string text = fs::exists(file) ? core::read_file(file) : std::string();
    const std::size_t end = text.find_last_not_of('\n');
    const std::size_t begin = end == std::string::npos ? end : text.rfind('\n', end);
    std::vector<std::string> row;
    if (begin == std::string::npos) return row;
    std::istringstream cells(text.substr(begin + 1, end - begin));
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    return row;
  }

  /// Where all probes were at the end; nothing for those that a run has not.
  std::string probes_at_end(std::size_t run) const {
    const std::vector<std::string> row = last_of_probes(runs_[run].name);
    const std::vector<scene::ProbeSpec>& own = scenes_[run].output.probes;
    std::string cells;
    for (const std::string& probe : probes()) {
      const auto place = std::ranges::find(own, probe, &scene::ProbeSpec::name) - own.begin();
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t column = 1 + 6 * static_cast<std::size_t>(place) + axis;
        cells += fmt::format(",{}", column < row.size() ? row[column] : "");
      }
    }
    return cells;
  }

  void write_table() const {
    std::string csv = table_head();
    for (std::size_t k = 0; k < runs_.size(); ++k) {
      const SweptRun& swept = runs_[k];
      const Json manifest = manifest_of(swept.name).value_or(Json::object());
      const auto number = [&](const char* group, const char* key) {
        const Json::json_pointer place(fmt::format("/{}/{}", group, key));
        return manifest.contains(place) ? number_or_nothing(manifest[place]) : std::string();
      };
      csv += csv_text(swept.name);
      for (const std::string& value : swept.values) csv += fmt::format(",{}", csv_text(value));
      csv += fmt::format(",{},{},{}", swept.status, number("steps", "accepted"),
                         number("steps", "rejected"));
      for (const char* key : {"newton", "factorizations", "solves", "matvecs"})
        csv += fmt::format(",{}", number("counts", key));
      for (const char* key : {"initial", "final", "drift"})
        csv += fmt::format(",{}", number("energy", key));
      csv += fmt::format("{},{},{}\n", probes_at_end(k), csv_text(swept.reason),
                         number("seconds", "wall"));
    }
    core::write_atomically(options_.directory / "sweep.csv", csv);
  }

  const SweepOptions& options_;
  const scene::Catalog& catalog_;
  std::vector<SweptRun> runs_;
  std::vector<scene::SceneSpec> scenes_;  // of the runs
};

}  // namespace

bool is_method_path(const std::string& path) {
  return path == "integrator.name" || path == "/integrator/name";
}

std::vector<SweptRun> sweep(const SceneMaker& make, const SweepOptions& options,
                            const scene::Catalog& catalog) {
  SINEW_ASSERT(!options.axes.empty(), "a sweep needs something that changes");
  return Sweep(make, options, catalog).run();
}

}  // namespace sinew::study
