// SPDX-License-Identifier: Apache-2.0
#include "scene_arguments.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>

#include <fmt/format.h>

#include <sinew/core/error.hpp>

namespace sinew::cli {
namespace {

std::atomic<bool> stop_requested{false};

void on_interrupt(int) {
  stop_requested = true;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

std::vector<scene::Override> setting_overrides(const std::vector<std::string>& settings) {
  std::vector<scene::Override> changes;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError({.what = fmt::format("--set {} has no '='", setting),
                        .hint = "write --set path=value, for example --set time.dt=0.005"});
    changes.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
  }
  return changes;
}

std::string file_name(std::string name) {
  std::replace(name.begin(), name.end(), '/', '-');
  return name;
}

void watch_for_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

bool interrupt_requested() {
  return stop_requested;
}

}  // namespace sinew::cli
