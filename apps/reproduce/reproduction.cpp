// SPDX-License-Identifier: Apache-2.0
#include "reproduction.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/core/path_check.hpp>

#include "record_files.hpp"

namespace sinew::cli {
namespace {

/// The command that makes this again.
std::string command_of(const Target& target, Scale scale) {
  return fmt::format("sinew reproduce {} --{}", target.name, to_string(scale));
}

void print(const std::string& text) {
  fmt::print("{}", text);
  static_cast<void>(std::fflush(stdout));
}

}  // namespace

std::string_view to_string(Scale scale) {
  return scale == Scale::trial ? "trial" : scale == Scale::quick ? "quick" : "full";
}

Reproduction::Reproduction(const Target& target, std::filesystem::path directory, Scale scale)
    : target_(target), directory_(std::move(directory)), scale_(scale) {
  core::require_usable_path(directory_);
  std::filesystem::create_directories(directory_);
  record_ = {.target = target.name,
             .paper = target.paper,
             .summary = target.summary,
             .scale = std::string(to_string(scale)),
             .command = command_of(target, scale)};
}

void Reproduction::judge(std::string_view id, Finding finding) {
  const auto& known = target_.statements;
  const auto statement =
      std::find_if(known.begin(), known.end(), [&](const Statement& one) { return one.id == id; });
  const bool is_new = std::none_of(record_.claims.begin(), record_.claims.end(),
                                   [&](const Claim& claim) { return claim.statement.id == id; });
  if (statement == known.end() || !is_new)
    throw InternalError(fmt::format("{} has no open statement '{}'", target_.name, id));
  print(fmt::format("\n{}: {}\n  paper     {}\n  here      {}\n  verdict   {}: {}\n",
                    statement->where, statement->text,
                    statement->paper.empty() ? "no number" : statement->paper, finding.ours,
                    to_string(finding.verdict), finding.why));
  record_.claims.push_back({*statement, std::move(finding)});
}

void Reproduction::note(std::string text) {
  print(fmt::format("note        {}\n", text));
  record_.notes.push_back(std::move(text));
}

void Reproduction::write(const std::string& name, std::string_view content) {
  core::write_atomically(directory_ / name, content);
  add_file(name);
}

void Reproduction::add_file(const std::string& name) {
  record_.files.push_back(name);
}

void Reproduction::write_csv(const std::string& name, const std::string& header,
                             const std::vector<std::string>& rows) {
  std::string text = header + "\n";
  for (const std::string& row : rows) text += row + "\n";
  write(name, text);
}

void Reproduction::write_plot(const std::string& name, output::LinePlot plot, bool fits) {
  if (fits) output::fit_axes(plot);
  write(name, output::to_svg(plot));
}

Record Reproduction::finish() {
  for (const Statement& statement : target_.statements)
    if (std::none_of(record_.claims.begin(), record_.claims.end(),
                     [&](const Claim& claim) { return claim.statement.id == statement.id; }))
      throw InternalError(
          fmt::format("{} did not judge its statement '{}'", target_.name, statement.id));
  record_.seconds = clock_.seconds();
  write_record(directory_, record_);
  const auto count = [&](Verdict verdict) {
    return std::count_if(record_.claims.begin(), record_.claims.end(),
                         [&](const Claim& claim) { return claim.finding.verdict == verdict; });
  };
  print(fmt::format("\nverdict     {}: {} agree, {} differ, {} not comparable\nread        {}\n",
                    target_.name, count(Verdict::agrees), count(Verdict::differs),
                    count(Verdict::not_comparable),
                    (directory_ / (target_.name + ".md")).string()));
  return record_;
}

Record reproduce(const Target& target, const std::filesystem::path& directory, Scale scale) {
  print(fmt::format("{}: {}\n{}\n\nIt tests\n", target.name, target.paper, target.summary));
  for (const Statement& statement : target.statements)
    print(fmt::format("  {}: {}\n", statement.where, statement.text));
  print("\n");
  Reproduction reproduction(target, directory, scale);
  target.run(reproduction);
  return reproduction.finish();
}

}  // namespace sinew::cli
