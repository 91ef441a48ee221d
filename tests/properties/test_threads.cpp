// SPDX-License-Identifier: Apache-2.0
// Every method gives the same bits on any number of threads, and beside others of its kind.
#include <thread>

#include "support/every_integrator.hpp"

namespace sinew::integrators {
namespace {

class EveryIntegratorOnThreads : public EveryIntegrator {};

TEST_P(EveryIntegratorOnThreads, GivesTheSameBitsOnAnyNumberOfThreads) {
  const physics::BodiesSpec spec =
      bar_spec({.size = {4, 1, 1}, .cells = {96, 6, 6}, .young = 1e6, .clamped = true});
  std::vector<State> results;
  for (const int threads : {1, 3}) {
    const core::Executor executor(threads);
    const physics::TermSystem body(physics::to_terms(spec), executor);
    // several pieces of each parity in assembly (512 vertices each) and product (1,024 rows each)
    ASSERT_GT(body.num_dofs() / 3, 4 * 1024);
    const auto fresh = entry.make(Options(entry.options), services());
    results.push_back(advance(*fresh, body, deformed_state(body, 0.02), 1e-4, 2));
  }
  EXPECT_TRUE(results[0] == results[1]);
}

TEST_P(EveryIntegratorOnThreads, SharesASystemWithOthersOnOtherThreads) {
  const physics::TermSystem body(
      physics::to_terms(bar_spec({.consistent_mass = true, .clamped = true})));
  const State start = deformed_state(body);
  const State alone = advance(*method, body, start, 1e-3, 10);
  std::vector<State> results(3);
  std::vector<std::thread> threads;
  for (State& result : results)
    threads.emplace_back([&] { result = advance(*make_tight(entry), body, start, 1e-3, 10); });
  for (std::thread& thread : threads) thread.join();

  for (const State& result : results) EXPECT_TRUE(result == alone);
}

INSTANTIATE_TEST_SUITE_P(Table, EveryIntegratorOnThreads,
                         testing::ValuesIn(every_integrator_with({&counting})), test_name);

}  // namespace
}  // namespace sinew::integrators
