// SPDX-License-Identifier: Apache-2.0
// After a warm-up, a step takes no memory from the heap, except for the update buffer that CHOLMOD
// itself allocates in every numeric factorisation. Counted by standing in for malloc.
#include <atomic>
#include <cstdlib>

#include <gtest/gtest.h>

#include <sinew/integrators/registry.hpp>

#include "support/bodies.hpp"

extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* __libc_calloc(std::size_t count, std::size_t size);
extern "C" void* __libc_realloc(void* pointer, std::size_t size);
extern "C" void* __libc_memalign(std::size_t alignment, std::size_t size);

namespace {
std::atomic<long> allocations{0};
}

extern "C" void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
extern "C" void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
extern "C" void* realloc(void* pointer, std::size_t size) {
  ++allocations;
  return __libc_realloc(pointer, size);
}
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
extern "C" int posix_memalign(void** pointer, std::size_t alignment, std::size_t size) {
  ++allocations;
  *pointer = __libc_memalign(alignment, size);
  return *pointer ? 0 : 12;
}

namespace sinew {
namespace {

/// Counts what the solver it wraps allocates while it factorises.
class CountingSolver final : public la::LinearSolver {
 public:
  explicit CountingSolver(std::unique_ptr<la::LinearSolver> inner) : inner_(std::move(inner)) {}
  la::FactorReport factorize(const la::LinearOperator& A) override {
    const long before = allocations;
    const la::FactorReport report = inner_->factorize(A);
    in_factorize += allocations - before;
    return report;
  }

  static inline long in_factorize = 0;

 private:
  la::SolveReport do_solve(const MatIn& B, MatOut X, double enough) override {
    return inner_->solve(B, X, enough);
  }

  std::unique_ptr<la::LinearSolver> inner_;
};

TEST(Allocations, TheCounterSeesThem) {
  const long before = allocations;

  const Vec vector(1000);
  const auto number = std::make_unique<double>(3.0);

  EXPECT_GE(allocations - before, 2);
  EXPECT_EQ(*number, 3.0);
  EXPECT_EQ(vector.size(), 1000);
}

TEST(Allocations, NoMethodAllocatesInASteadyStep) {
  if (la::solvers().front().name == "eigen")
    GTEST_SKIP() << "Eigen's simplicial solver allocates in every factorisation and solve";
  const physics::TermSystem body(physics::to_terms(test::bar_spec(
      {.cells = {20, 4, 4}, .young = 1e6, .damping_stiffness = 1e-4, .clamped = true})));
  integrators::Services services = integrators::default_services();
  services.make_linear_solver = [](const la::Reducer& reducer) {
    return std::make_unique<CountingSolver>(la::solvers().front().make(reducer));
  };
  for (const integrators::IntegratorEntry& entry : integrators::integrators()) {
    // spaces and series are as large as they turn out to be
    if (entry.traits.is_exponential) continue;
    const auto method = entry.make(integrators::Options(entry.options), services);
    const auto workspace = body.make_workspace();
    dynamics::State state = test::deformed_state(body, 0.01);
    const double dt = entry.traits.is_implicit ? 1e-3 : 1e-5;
    long factorizations = 0;
    const auto step = [&] {
      const integrators::StepReport report = method->step(body, *workspace, dt, state);
      factorizations += report.profile.counts.factorizations;
      return report.status == integrators::StepStatus::accepted;
    };
    for (int k = 0; k < 3; ++k) ASSERT_TRUE(step());
    CountingSolver::in_factorize = factorizations = 0;
    const long before = allocations;
    bool ok = true;

    for (int k = 0; k < 5; ++k) ok = step() && ok;

    const long ours = allocations - before - CountingSolver::in_factorize;
    EXPECT_TRUE(ok);
    EXPECT_EQ(ours, 0) << entry.traits.name;
    EXPECT_LE(CountingSolver::in_factorize, 4 * factorizations) << entry.traits.name;
    std::printf("%s: %ld allocations inside factorize() in 5 steps\n", entry.traits.name.data(),
                CountingSolver::in_factorize);
  }
}

}  // namespace
}  // namespace sinew
