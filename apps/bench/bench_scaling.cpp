// SPDX-License-Identifier: Apache-2.0
// Several processes on this machine, and from that what many on several machines would do. Every
// measurement is a program of its own, sinew-scaling, which mpirun starts; builds without PETSc
// have none.
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/error.hpp>

#include "bench.hpp"

namespace sinew::cli {
namespace {

using Json = nlohmann::json;

constexpr int measured_steps = 6;

/// What sinew-scaling says on so many processes.
Json measure(int processes, const std::string& arguments) {
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "sinew-scaling";
  if (!std::filesystem::exists(program))
    throw InputError({.file = program.string(),
                      .what = "there is no sinew-scaling beside this program",
                      .hint = "it belongs to builds with PETSc: make mpi"});
  const std::string command = fmt::format(
      "OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
      "mpirun --oversubscribe --mca mpi_yield_when_idle 1 -n {} '{}' {}",
      processes, program.string(), arguments);
  std::string said;
  FILE* const pipe = popen(command.c_str(), "r");
  if (!pipe) throw InternalError("mpirun could not be started");
  std::array<char, 4096> piece;
  while (std::fgets(piece.data(), piece.size(), pipe)) said += piece.data();
  if (pclose(pipe) != 0) throw InternalError("failed: " + command);
  return Json::parse(said);
}

double number(const Json& json, const char* key) {
  return json.at(key).get<double>();
}

std::string row_text(const Json& m) {
  return fmt::format("{} proc, {} {:.0f} tets: {:.1f} its, {:.0f} kB, {:.0f} MB",
                     m.at("processes").get<int>(), m.at("method").get<std::string>(),
                     number(m, "tets"), number(m, "iterations"), number(m, "kilobytes"),
                     number(m, "memory_mb"));
}

/// T = seconds per element of the largest part + messages + reductions.
struct Model {
  // assumed: of a network that is common in clusters
  static constexpr double latency = 2e-6;    ///< of a message [s]
  static constexpr double bandwidth = 1e10;  ///< of a process [byte/s]

  double per_element = 0.0;      ///< fitted: seconds per step
  double exchanges = 0.0;        ///< measured, per step
  double reductions = 0.0;       ///< measured, per step
  double bytes_per_ghost = 0.0;  ///< measured, per step

  double seconds(double elements, double ghosts, double neighbours, double processes) const {
    return per_element * elements + exchanges * neighbours * latency +
           bytes_per_ghost * ghosts / bandwidth +
           2.0 * reductions * latency * std::ceil(std::log2(processes));
  }
};

/// The cost per element is that of runs which had a core for each process.
Model fit(const std::vector<Json>& runs) {
  Model model;
  double cost = 0.0, elements = 0.0;
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  for (const Json& run : runs) {
    if (run.at("processes").get<int>() > cores) continue;
    cost += number(run, "step") * number(run, "elements");
    elements += number(run, "elements") * number(run, "elements");
  }
  model.per_element = cost / elements;
  const Json& last = runs.back();
  model.exchanges = number(last, "exchanges");
  model.reductions = number(last, "reductions");
  model.bytes_per_ghost = 1e3 * number(last, "kilobytes") / number(last, "ghosts");
  return model;
}

}  // namespace

void bench_scaling(BenchLog& log) {
  constexpr std::array processes{1, 2, 4};
  constexpr std::array weak{"28 14 14", "56 14 14", "56 28 14"};
  std::vector<Json> of_si;
  for (const char* method : {"si", "siere"}) {
    log.title(
        fmt::format("strong scaling of {}: time per step, and over that of one process; "
                    "iterations, bytes received and memory of the largest process",
                    method));
    double alone = 0.0;
    for (const int count : processes) {
      const Json run = measure(count, fmt::format("step {} 56 20 18 {}", method, measured_steps));
      if (count == 1) alone = number(run, "step");
      log.row(row_text(run), number(run, "step"), number(run, "step") / alone);
      if (std::string(method) == "si") of_si.push_back(run);
    }
  }
  log.title("weak scaling of si: 27,440 tets per process");
  double alone = 0.0;
  for (std::size_t k = 0; k < processes.size(); ++k) {
    const Json run = measure(processes[k], fmt::format("step si {} {}", weak[k], measured_steps));
    if (k == 0) alone = number(run, "step");
    log.row(row_text(run), number(run, "step"), number(run, "step") / alone);
  }
  log.title(
      "iterations of si on one process, and over those with the fewest tets (in place of "
      "times: iterations in ms)");
  double fewest = 0.0;
  for (const char* cells : {"28 9 8", "56 20 18", "128 40 40"}) {
    const Json run = measure(1, fmt::format("step si {} 4", cells));
    if (fewest == 0.0) fewest = number(run, "iterations");
    log.row(row_text(run), 1e-3 * number(run, "iterations"), number(run, "iterations") / fewest);
  }
  const Model model = fit(of_si);
  log.title(fmt::format(
      "model, not measured: a step of si on 1,024,000 tets, from real partitions; {:.2g} us per "
      "element and step fitted to the runs above, {:.0f} exchanges, {:.0f} reductions and {:.0f} "
      "bytes per ghost and step as on four processes; assumed {:.0f} us per "
      "message and {:.0f} GB/s",
      1e6 * model.per_element, model.exchanges, model.reductions, model.bytes_per_ghost,
      1e6 * Model::latency, 1e-9 * Model::bandwidth));
  double first = 0.0;
  for (const int parts : {1, 16, 64, 256, 1024}) {
    const Json part = measure(1, fmt::format("parts 128 40 40 {}", parts));
    const double seconds = model.seconds(number(part, "elements"), number(part, "ghosts"),
                                         number(part, "neighbours"), parts);
    if (parts == 1) first = seconds;
    log.row(fmt::format("{} processes: {:.0f} tets, {:.0f} ghosts, {:.0f} neighbours at most; "
                        "{:.0f} % efficient",
                        parts, number(part, "elements"), number(part, "ghosts"),
                        number(part, "neighbours"), 100.0 * first / (parts * seconds)),
            seconds, seconds / first);
  }
}

}  // namespace sinew::cli
