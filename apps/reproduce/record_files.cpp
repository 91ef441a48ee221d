// SPDX-License-Identifier: Apache-2.0
#include "record_files.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>

namespace sinew::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr int version = 1;

Json to_json(const Record& record) {
  Json claims = Json::array();
  for (const auto& [statement, finding] : record.claims)
    claims.push_back({{"id", statement.id},
                      {"where", statement.where},
                      {"statement", statement.text},
                      {"paper", statement.paper},
                      {"ours", finding.ours},
                      {"verdict", to_string(finding.verdict)},
                      {"why", finding.why}});
  return {{"verdict_version", version}, {"target", record.target}, {"paper", record.paper},
          {"summary", record.summary},  {"scale", record.scale},   {"command", record.command},
          {"seconds", record.seconds},  {"claims", claims},        {"notes", record.notes},
          {"files", record.files}};
}

Record from_json(const Json& json) {
  Record record{.target = json.at("target"),
                .paper = json.at("paper"),
                .summary = json.at("summary"),
                .scale = json.at("scale"),
                .command = json.at("command"),
                .seconds = json.at("seconds"),
                .claims = {},
                .notes = json.at("notes"),
                .files = json.at("files")};
  for (const Json& claim : json.at("claims"))
    record.claims.push_back({{.id = claim.at("id"),
                              .where = claim.at("where"),
                              .text = claim.at("statement"),
                              .paper = claim.at("paper")},
                             {.ours = claim.at("ours"),
                              .verdict = verdict_of(claim.at("verdict").get<std::string>()),
                              .why = claim.at("why")}});
  return record;
}

/// Text as one cell of a table.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out.empty() ? "none given" : out;
}

std::string bold_unless_agreed(Verdict verdict) {
  return verdict == Verdict::differs ? fmt::format("**{}**", to_string(verdict))
                                     : std::string(to_string(verdict));
}

std::string row_of(const Claim& claim) {
  const auto& [statement, finding] = claim;
  return fmt::format("| {} | {} | {} | {} | {} | {} |", cell(statement.where), cell(statement.text),
                     cell(statement.paper), cell(finding.ours), bold_unless_agreed(finding.verdict),
                     cell(finding.why));
}

constexpr std::string_view table_head =
    "| where | the paper says | paper | here | verdict | why |\n|---|---|---|---|---|---|\n";

std::string duration(double seconds) {
  return seconds < 100.0 ? fmt::format("{:.0f} s", seconds)
                         : fmt::format("{:.0f} min", seconds / 60.0);
}

/// What is the same on the page of one target and on that of all.
std::string body_of(const Record& record) {
  std::string text = fmt::format("{}. `{}`, {} of processor time.\n\n{}", record.summary,
                                 record.command, duration(record.seconds), table_head);
  for (const Claim& claim : record.claims) text += row_of(claim) + "\n";
  for (const std::string& note : record.notes) text += fmt::format("\n{}\n", note);
  return text;
}

long count(const std::vector<Record>& records, Verdict verdict) {
  long total = 0;
  for (const Record& record : records)
    total += std::count_if(record.claims.begin(), record.claims.end(),
                           [&](const Claim& claim) { return claim.finding.verdict == verdict; });
  return total;
}

/// Every claim that came out differently, before all others.
std::string differences(const std::vector<Record>& records) {
  std::string text;
  for (const Record& record : records)
    for (const auto& [statement, finding] : record.claims)
      if (finding.verdict == Verdict::differs)
        text += fmt::format("- {}, {} ([{}](#{})): {}. Paper: {}. Here: {}. Why: {}.\n",
                            record.paper, statement.where, record.target, record.target,
                            statement.text, statement.paper.empty() ? "no number" : statement.paper,
                            finding.ours, finding.why);
  return text.empty() ? "Nothing.\n" : text;
}

}  // namespace

void write_record(const std::filesystem::path& directory, const Record& record) {
  core::write_atomically(directory / "verdict.json", to_json(record).dump(2) + "\n");
  std::string page = fmt::format("# {}\n\n{}, {} scale. {}", record.target, record.paper,
                                 record.scale, body_of(record));
  page += "\nFiles:";
  for (const std::string& file : record.files) page += fmt::format(" [{0}]({0})", file);
  core::write_atomically(directory / (record.target + ".md"), page + "\n");
}

Record read_record(const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / "verdict.json";
  try {
    return from_json(Json::parse(core::read_file(path)));
  } catch (const Json::exception& error) {
    throw InputError({.file = path.string(), .what = error.what()});
  }
}

std::string page_of(const std::vector<Record>& records, const std::vector<std::string>& missing) {
  const bool is_full = std::all_of(records.begin(), records.end(),
                                   [](const Record& record) { return record.scale == "full"; });
  std::string page = is_full ? "# Reproduction at the papers' sizes\n\n" : "# Reproduction\n\n";
  page += fmt::format(
      "What the papers say about their examples, and what came out here, claim by claim. This page "
      "is written by `make {}`; [how](guide/reproducing.md).\n\n"
      "Of {} claims {} agree, {} differ and {} are not comparable. Times are processor times of "
      "the machine this "
      "ran on and compare with those of a paper only as ratios. Bodies are stand-ins of the "
      "papers' "
      "sizes, made by generators.\n\n",
      is_full ? "reproduce-full" : "reproduce",
      count(records, Verdict::agrees) + count(records, Verdict::differs) +
          count(records, Verdict::not_comparable),
      count(records, Verdict::agrees), count(records, Verdict::differs),
      count(records, Verdict::not_comparable));
  if (!missing.empty()) {
    page += is_full ? "Not run at this size:" : "Without a result:";
    for (const std::string& name : missing) page += fmt::format(" `{}`", name);
    page += ".\n\n";
  }
  page += "## What differs\n\n" + differences(records);
  std::string paper;
  for (const Record& record : records) {
    if (record.paper != paper) page += fmt::format("\n## {}\n", paper = record.paper);
    page += fmt::format("\n### {}\n\n{}", record.target, body_of(record));
  }
  return page;
}

}  // namespace sinew::cli
