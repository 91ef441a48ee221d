// SPDX-License-Identifier: Apache-2.0
// sinew-bench: named benchmarks, started by `sinew bench`.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/error.hpp>
#include <sinew/core/nearest.hpp>

#include "bench.hpp"
#include "program/exit_codes.hpp"
#include "program/guarded_main.hpp"
#include "program/parse_arguments.hpp"

namespace sinew::cli {
namespace {

/// A line as soon as there is one: some benchmarks take minutes.
class PrintedLog final : public BenchLog {
 public:
  void title(const std::string& text) override { print(text + "\n"); }
  void row(const std::string& name, double seconds, double ratio) override {
    print(fmt::format("  {:<64} {:>9.3f} ms   x {:.2f}\n", name, 1e3 * seconds, ratio));
  }

 private:
  static void print(const std::string& line) {
    fmt::print("{}", line);
    static_cast<void>(std::fflush(stdout));
  }
};

class JsonLog final : public BenchLog {
 public:
  void title(const std::string& text) override { result_["title"] = text; }
  void row(const std::string& name, double seconds, double ratio) override {
    result_["rows"].push_back({{"name", name}, {"seconds", seconds}, {"ratio", ratio}});
  }
  const nlohmann::ordered_json& result() const { return result_; }

 private:
  nlohmann::ordered_json result_;
};

const Benchmark& find_benchmark(const std::string& name) {
  std::vector<std::string> names;
  for (const Benchmark& benchmark : benchmarks()) {
    if (benchmark.name == name) return benchmark;
    names.emplace_back(benchmark.name);
  }
  throw InputError({.what = fmt::format("there is no benchmark '{}'", name),
                    .hint = core::suggestion(name, names)});
}

int run(int argc, char** argv) {
  CLI::App app{"Named benchmarks; without a name, what there is.", "sinew bench"};
  app.footer("Example: sinew bench assembly");
  std::string name;
  bool as_json = false;
  app.add_option("name", name, "benchmark");
  app.add_flag("--json", as_json, "as JSON, at the end");
  if (const auto ended = parse_arguments(app, argc, argv)) return *ended;
  if (name.empty()) {
    for (const Benchmark& benchmark : benchmarks())
      fmt::print("{:<12}  {}\n", benchmark.name, benchmark.summary);
    return exit_done;
  }
  const Benchmark& benchmark = find_benchmark(name);
  if (as_json) {
    JsonLog log;
    benchmark.run(log);
    fmt::print("{}\n", log.result().dump(2));
  } else {
    PrintedLog log;
    benchmark.run(log);
  }
  return exit_done;
}

}  // namespace
}  // namespace sinew::cli

int main(int argc, char** argv) {
  return sinew::cli::guarded_main(argc, argv, sinew::cli::run);
}
