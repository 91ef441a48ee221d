// SPDX-License-Identifier: Apache-2.0
// Tests on several processes: all of them run every test, and the first one prints. A process that
// fails says so too.
#include <memory>

#include <gtest/gtest.h>

#include <sinew/petsc/solvers.hpp>

#include "environment.hpp"

namespace sinew::petsc {
namespace {

std::unique_ptr<Processes> all_processes;

class FailuresOnly final : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (result.failed())
      fprintf(stderr, "process %d: %s:%d: %s\n", processes().rank(), result.file_name(),
              result.line_number(), result.message());
  }
};

}  // namespace

const Processes& processes() {
  return *all_processes;
}

const scene::Catalog& catalog() {
  static const std::unique_ptr<scene::Catalog> all = [] {
    auto made = std::make_unique<scene::Catalog>();
    for (const la::SolverEntry& solver : shared_solvers()) made->add(solver);
    return made;
  }();
  return *all;
}

}  // namespace sinew::petsc

int main(int argc, char** argv) {
  using namespace sinew::petsc;
  testing::InitGoogleTest(&argc, argv);
  all_processes = std::make_unique<Processes>();
  if (!processes().is_first()) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOnly);  // gtest owns it
  }
  const int result = RUN_ALL_TESTS();
  all_processes.reset();
  return result;
}
