// SPDX-License-Identifier: Apache-2.0
// The table of frame formats a run can write.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include <sinew/output/run_directory.hpp>
#include <sinew/sim/observer.hpp>

namespace sinew::output {

struct WriterEntry {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<sim::Observer> (*make)(const RunDirectory&, bool resume);
};

std::span<const WriterEntry> writers();

}  // namespace sinew::output
