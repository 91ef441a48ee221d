// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/path_check.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/output/publish/line_plot.hpp>

#include "commands.hpp"
#include "program/damping_curve.hpp"
#include "program/exit_codes.hpp"

namespace sinew::cli {
namespace {

void measure(const std::vector<std::string>& names, const std::filesystem::path& directory) {
  output::LinePlot plot{.title = "numerical damping of q'' + omega^2 q = 0",
                        .x_label = "h omega",
                        .y_label = "d / omega",
                        .x_low = lowest_h_omega,
                        .x_high = highest_h_omega,
                        .y_low = -0.05,
                        .y_high = 0.85,
                        .logarithmic_x = true};
  std::string csv = "integrator,h_omega,d_over_omega\n";
  fmt::print("{:<20} {:>10} {:>10} {:>10} {:>10}\n", "d/omega at h omega =", "0.1", "1", "10",
             "100");
  for (const std::string& name : names) {
    const output::Curve curve = damping_curve(name);
    for (std::size_t k = 0; k < curve.x.size(); ++k)
      csv += fmt::format("{},{},{}\n", name, curve.x[k], curve.y[k]);
    const auto at = [&](std::size_t decade) {
      // rounded here, so that nothing reads -0.000000
      return std::round(1e6 * curve.y[static_cast<std::size_t>(points_per_decade) * decade]) / 1e6 +
             0.0;
    };
    fmt::print("{:<20} {:>10.6f} {:>10.6f} {:>10.6f} {:>10.6f}\n", name, at(1), at(2), at(3),
               at(4));
    plot.curves.push_back(curve);
  }
  std::filesystem::create_directories(directory);
  core::write_atomically(directory / "damping.csv", csv);
  core::write_atomically(directory / "damping.svg", output::to_svg(plot));
  fmt::print("written     {} and {}\n", (directory / "damping.csv").string(),
             (directory / "damping.svg").string());
}

}  // namespace

void add_damping(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::vector<std::string> integrators;
    std::string directory = "damping";
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "damping", "measure what methods do to an oscillator: numerical damping against h omega");
  command->footer("Example: sinew damping --integrators be,bdf2,tr-bdf2,sdirk2");
  command
      ->add_option("--integrators", arguments->integrators, "which methods; all but explicit ones")
      ->delimiter(',');
  command->add_option("-o,--output", arguments->directory, "folder for damping.csv and damping.svg")
      ->capture_default_str();
  command->callback([arguments, &exit_code] {
    core::require_usable_path(arguments->directory);
    std::vector<std::string> names = arguments->integrators;
    if (names.empty())
      for (const integrators::IntegratorEntry& entry : integrators::integrators())
        if (entry.traits.is_implicit || entry.traits.is_exponential)
          names.emplace_back(entry.traits.name);
    measure(names, arguments->directory);
    exit_code = exit_done;
  });
}

}  // namespace sinew::cli
