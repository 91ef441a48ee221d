// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/error.hpp>
#include <sinew/core/nearest.hpp>

#include "bench.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"

namespace sinew::cli {

void add_bench(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string name;
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("bench", "named benchmarks; without a name, what there is");
  command->footer("Example: sinew bench assembly");
  command->add_option("name", arguments->name, "benchmark");
  command->add_flag("--json", arguments->json, "as JSON");
  command->callback([arguments, &exit_code] {
    std::vector<std::string> names;
    for (const Benchmark& benchmark : benchmarks()) {
      names.emplace_back(benchmark.name);
      if (arguments->name.empty()) fmt::print("{:<12}  {}\n", benchmark.name, benchmark.summary);
      if (arguments->name != benchmark.name) continue;
      const nlohmann::ordered_json result = benchmark.run();
      if (arguments->json) {
        fmt::print("{}\n", result.dump(2));
        return;
      }
      fmt::print("{}\n", result["title"].get<std::string>());
      for (const auto& row : result["rows"])
        fmt::print("  {:<64} {:>9.3f} ms   x {:.2f}\n", row["name"].get<std::string>(),
                   1e3 * row["seconds"].get<double>(), row["ratio"].get<double>());
      return;
    }
    if (!arguments->name.empty())
      throw InputError({.what = fmt::format("there is no benchmark '{}'", arguments->name),
                        .hint = core::suggestion(arguments->name, names)});
    exit_code = exit_done;
  });
}

}  // namespace sinew::cli
