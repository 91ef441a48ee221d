// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <sstream>
#include <utility>

#include <nlohmann/json.hpp>

#include <sinew/core/compression.hpp>
#include <sinew/core/error.hpp>
#include <sinew/output/publish/report.hpp>
#include <sinew/output/publish/report_page.hpp>

namespace sinew::output {
namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

std::string base64(const std::string& packed) {
  static constexpr char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(packed.data()), packed.size());
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t left = bytes.size() - k;
    const std::uint32_t group = static_cast<std::uint32_t>(bytes[k]) << 16 |
                                (left > 1 ? static_cast<std::uint32_t>(bytes[k + 1]) << 8 : 0U) |
                                (left > 2 ? static_cast<std::uint32_t>(bytes[k + 2]) : 0U);
    text += digits[group >> 18];
    text += digits[group >> 12 & 63U];
    text += left > 1 ? digits[group >> 6 & 63U] : '=';
    text += left > 2 ? digits[group & 63U] : '=';
  }
  return text;
}

/// BYTES of the format: zlib, then base64.
std::string packed(const Bytes& bytes) {
  constexpr int level = 6;
  std::string compressed;
  core::append_compressed(std::as_bytes(std::span(bytes)), level, compressed);
  return base64(compressed);
}

/// Steps from `low` to `high` in `levels`; what is not finite is taken for low.
int quantised(float value, float low, float high, int levels) {
  if (!(high > low) || !std::isfinite(value)) return 0;
  const float share = std::clamp((value - low) / (high - low), 0.0F, 1.0F);
  return static_cast<int>(std::lround(share * static_cast<float>(levels)));
}

std::string packed_positions(const SurfaceFrames& surface) {
  const auto [low, high] = surface.bounds();
  std::size_t count = 0;
  for (const std::vector<float>& frame : surface.positions) count += frame.size();
  Bytes bytes(2 * count);
  std::size_t at = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::vector<std::uint16_t> before;
    for (std::size_t f = 0; f < surface.positions.size(); ++f) {
      const SurfaceChapter& chapter = surface.chapter_of(f);
      if (chapter.first == f) before.assign(chapter.num_vertices, 0);
      for (std::size_t v = 0; v < chapter.num_vertices; ++v, ++at) {
        const auto value = static_cast<std::uint16_t>(
            quantised(surface.positions[f][3 * v + axis], low[axis], high[axis], 65535));
        const auto step = static_cast<std::uint16_t>(value - before[v]);
        before[v] = value;
        bytes[at] = static_cast<std::uint8_t>(step & 255U);
        bytes[count + at] = static_cast<std::uint8_t>(step >> 8);
      }
    }
  }
  return packed(bytes);
}

Json field_json(const SurfaceFrames& surface, const SurfaceField& field) {
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (const std::vector<float>& frame : field.values)
    for (const float value : frame)
      if (std::isfinite(value)) {
        low = std::min(low, value);
        high = std::max(high, value);
      }
  if (!(low <= high)) low = high = 0.0F;
  Bytes bytes;
  std::vector<std::uint8_t> before;
  for (std::size_t f = 0; f < field.values.size(); ++f) {
    const std::vector<float>& frame = field.values[f];
    if (surface.chapter_of(f).first == f) before.assign(frame.size(), 0);
    for (std::size_t v = 0; v < frame.size(); ++v) {
      const auto value = static_cast<std::uint8_t>(quantised(frame[v], low, high, 255));
      bytes.push_back(static_cast<std::uint8_t>(value - before[v]));
      before[v] = value;
    }
  }
  return {{"name", field.name},
          {"unit", field.unit},
          {"low", low},
          {"high", high},
          {"data", packed(bytes)}};
}

void append(std::uint32_t number, Bytes& bytes) {
  for (unsigned shift = 0; shift < 32; shift += 8)
    bytes.push_back(static_cast<std::uint8_t>(number >> shift & 255U));
}

bool has_any(const SurfaceArrows& arrows) {
  return std::any_of(arrows.arrows.begin(), arrows.arrows.end(),
                     [](const auto& frame) { return !frame.empty(); });
}

Json arrows_json(const SurfaceArrows& arrows) {
  Json counts = Json::array();
  Bytes bytes;
  for (const std::vector<SurfaceArrows::Arrow>& frame : arrows.arrows) {
    counts.push_back(frame.size());
    for (const SurfaceArrows::Arrow& arrow : frame) {
      append(arrow.vertex, bytes);
      for (const float x : arrow.vector) append(std::bit_cast<std::uint32_t>(x), bytes);
    }
  }
  return {{"name", arrows.name},
          {"unit", arrows.unit},
          {"counts", std::move(counts)},
          {"data", packed(bytes)}};
}

std::string packed_indices(const SurfaceChapter& chapter) {
  Bytes bytes;
  for (const std::array<int, 3>& triangle : chapter.triangles)
    for (const int vertex : triangle) append(static_cast<std::uint32_t>(vertex), bytes);
  return packed(bytes);
}

/// An object, or where the triangles change a list of them, each with its first frame.
Json surface_json(const SurfaceFrames& surface) {
  Json list = Json::array();
  for (const SurfaceChapter& chapter : surface.chapters) {
    Json json{{"vertices", chapter.num_vertices},
              {"triangles", chapter.triangles.size()},
              {"indices", packed_indices(chapter)}};
    if (chapter.has_obstacles()) json["body_triangles"] = chapter.num_body_triangles;
    if (surface.chapters.size() == 1) return json;
    json["first"] = chapter.first;
    list.push_back(std::move(json));
  }
  return list;
}

/// The table with rows left out evenly until about 4,000 are left; rows that `keeps` stay.
template <class Keeps>
std::string thinned(const std::string& table, Keeps keeps) {
  constexpr std::size_t most = 4000;
  std::istringstream in(table);
  std::vector<std::string> rows;
  for (std::string row; std::getline(in, row);) rows.push_back(row);
  const std::size_t stride = rows.size() / most + 1;
  std::string result;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const bool matters = keeps(rows[k]);  // asked in any case: it may look at what came before
    if (matters || k <= 1 || k + 1 == rows.size() || k % stride == 0) result += rows[k] + '\n';
  }
  return result;
}

std::string thinned(const std::string& table) {
  return thinned(table, [](const std::string&) { return false; });
}

/// What stands behind so many commas; empty where there are fewer.
std::string cell_behind(std::size_t commas, const std::string& row) {
  std::size_t begin = 0;
  for (std::size_t k = 0; k < commas; ++k) {
    const std::size_t comma = row.find(',', begin);
    if (comma == std::string::npos) return {};
    begin = comma + 1;
  }
  return row.substr(begin, row.find(',', begin) - begin);
}

/// Rejected attempts stay, and where the guard's rung changes, so that it is known everywhere.
std::string thinned_steps(const std::string& table) {
  const std::string header = table.substr(0, table.find('\n'));
  const auto before = header.substr(0, header.find(",rung"));
  const auto rung = static_cast<std::size_t>(std::count(before.begin(), before.end(), ',')) + 1;
  return thinned(table, [rung, last = std::string()](const std::string& row) mutable {
    const bool was_accepted = row.find(",accepted,") != std::string::npos;
    if (!was_accepted) return true;
    std::string now = cell_behind(rung, row);
    return std::exchange(last, now) != now;
  });
}

Json parameters_json(const std::vector<ReportParameter>& parameters) {
  Json list = Json::array();
  for (const ReportParameter& parameter : parameters)
    list.push_back({{"name", parameter.name}, {"value", parameter.value}});
  return list;
}

Json run_json(const ReportRun& entry) {
  const RunReader& run = *entry.run;
  Json json{{"name", entry.name},
            {"manifest", Json::parse(run.manifest())},
            {"energy", thinned(run.table("energy.csv"))},
            {"steps", thinned_steps(run.table("steps.csv"))},
            {"surface", nullptr},
            {"frames", nullptr}};
  if (const std::string probes = run.table("probes.csv"); !probes.empty())
    json["probes"] = thinned(probes);
  if (const std::string modes = run.table("modes.csv"); !modes.empty()) json["modes"] = modes;
  if (!entry.parameters.empty()) json["parameters"] = parameters_json(entry.parameters);
  const SurfaceFrames& surface = *entry.surface;
  if (surface.times.empty()) return json;
  const auto [low, high] = surface.bounds();
  json["surface"] = surface_json(surface);
  Json fields = Json::array();
  for (const SurfaceField& field : surface.fields) fields.push_back(field_json(surface, field));
  json["frames"] = {{"times", surface.times},
                    {"low", low},
                    {"high", high},
                    {"positions", packed_positions(surface)},
                    {"fields", std::move(fields)}};
  Json vectors = Json::array();
  for (const SurfaceArrows& arrows : surface.arrows)
    if (has_any(arrows)) vectors.push_back(arrows_json(arrows));
  if (!vectors.empty()) json["frames"]["vectors"] = std::move(vectors);
  const auto [near_low, near_high] = surface.focus();
  if (near_low != low || near_high != high) json["frames"]["focus"] = {near_low, near_high};
  return json;
}

Json or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json errors_json(const ReportErrors& errors) {
  Json rows = Json::array();
  for (const ErrorRow& row : errors.rows)
    rows.push_back({{"run", row.run},
                    {"integrator", row.curve},
                    {"dt", or_null(row.dt)},
                    {"error", or_null(row.error)},
                    {"seconds", or_null(row.seconds)},
                    {"output", or_null(row.output_seconds)},
                    {"status", row.status}});
  return {{"reference", errors.reference}, {"rows", std::move(rows)}};
}

}  // namespace

bool has_report_page() {
  return !report_page().empty();
}

std::string report_html(const std::string& title, const std::vector<ReportRun>& runs,
                        const std::optional<ReportErrors>& errors, const std::string& claim) {
  Json data{{"format", 1},
            {"title", title},
            {"mode", runs.size() > 1 ? "compare" : "run"},
            {"runs", Json::array()},
            {"errors", errors ? errors_json(*errors) : Json(nullptr)}};
  if (!claim.empty()) data["claim"] = claim;
  for (const ReportRun& run : runs) data["runs"].push_back(run_json(run));
  std::string text;
  for (const char c : data.dump(-1, ' ', false, Json::error_handler_t::replace))
    text += c == '<' ? "\\u003c" : std::string(1, c);
  // the page has an empty place for the data
  constexpr std::string_view mark = "id=\"sinew-data\">";
  std::string page(report_page());
  const std::size_t place = page.find(mark);
  SINEW_ASSERT(place != std::string::npos, "the report page has no place for data");
  const std::size_t begin = place + mark.size(), end = page.find("</script>", begin);
  return page.replace(begin, end - begin, text);
}

}  // namespace sinew::output
