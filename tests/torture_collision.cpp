// SPDX-License-Identifier: Apache-2.0
// Judges geometry::free_part on very many cases by exact arithmetic: torture_collision [cases
// [seed]]. The first fault ends it.
#include <chrono>
#include <cstdlib>
#include <random>

#include <fmt/format.h>

#include "support/collision_cases.hpp"

int main(int count, char** arguments) {
  using namespace sinew::test;
  const long cases = count > 1 ? std::atol(arguments[1]) : 1000000;
  const unsigned seed = count > 2 ? unsigned(std::atol(arguments[2])) : std::random_device()();
  fmt::print("{} cases, seed {}\n", cases, seed);
  const auto start = std::chrono::steady_clock::now();
  CollisionCases source(seed);
  CollisionTally tally;
  for (long k = 0; k < cases; ++k) {
    const CollisionCase c = source.next();
    const std::string fault = fault_of(c, tally);
    if (fault.empty()) continue;
    fmt::print("case {}: {}\n{}", k, fault, description(c));
    return 1;
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  fmt::print("no fault in {:.0f} s\n", seconds.count());
  fmt::print("{} touch at the start, {} are free on the whole way, {} on none of it\n",
             tally.touch_at_start, tally.whole_way, tally.none_of_it);
  fmt::print("{} contacts known by construction, {} judged with rounded places\n",
             tally.known_contacts, tally.rounded);
  fmt::print("{} generic contacts; {} come near to one much earlier, and stop there\n",
             tally.generic_hits, tally.generic_short);
  for (const auto& [family, number] : tally.far_short)
    fmt::print("{} of '{}' end with more than a fifth of the gap\n", number, family);
  return 0;
}
