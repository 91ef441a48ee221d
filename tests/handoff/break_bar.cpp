// SPDX-License-Identifier: Apache-2.0
// Writes a run whose mesh changes on the way, in every format: break_bar DIR
#include <cstdio>

#include <sinew/output/publish/writers.hpp>

#include "support/breaking_bar.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: break_bar DIR\n", stderr);
    return 2;
  }
  const sinew::sim::RunSummary summary = sinew::test::run_breaking_bar(argv[1]);
  sinew::output::publish(argv[1], sinew::output::writers(), sinew::core::serial_executor());
  return summary.reason == sinew::sim::StopReason::reached_end ? 0 : 1;
}
