// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/core/executor.hpp>
#include <sinew/core/expression.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/core/path_check.hpp>
#include <sinew/core/quote.hpp>
#include <sinew/core/thread_limit.hpp>

namespace sinew::core {
namespace {

TEST(Nearest, FindsTheNameWithFewestTypos) {
  const std::vector<std::string> names{"siere", "si", "be", "symplectic-euler"};

  EXPECT_EQ(nearest("siree", names), "siere");
  EXPECT_EQ(nearest("simplectic-euler", names), "symplectic-euler");
  EXPECT_EQ(nearest("runge-kutta-fehlberg", names), "");
}

TEST(Nearest, CountsASwapOfNeighboursAsOneTypo) {
  EXPECT_EQ(edit_distance("young", "yuong"), 1);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("same", "same"), 0);
}

TEST(Nearest, ListsWhatIsKnownWhenNothingIsClose) {
  EXPECT_EQ(suggestion("xyzzyxyzzy", {"si", "be"}), "known: si, be");
  EXPECT_EQ(suggestion("rk5", {"rk4", "be"}), "did you mean 'rk4'?");
}

TEST(Expression, EvaluatesFormulasOfPositionAndTime) {
  const Expression formula("z + 0.1*sin(t) + (x < 1 ? 2 : 3) + 0*pi");

  EXPECT_DOUBLE_EQ(formula({0.5, 0.0, 7.0}, 0.0), 9.0);
  EXPECT_DOUBLE_EQ(formula({1.5, 0.0, 7.0}, std::numbers::pi / 2), 10.1);
  EXPECT_TRUE(formula.depends_on_time());
  EXPECT_FALSE(Expression("x*y").depends_on_time());
  EXPECT_FALSE(Expression(3.0).depends_on_time());
}

TEST(Expression, RefusesWhatIsNotAFormulaAndShowsIt) {
  for (const char* text : {"2 +", "q * 2", "", "sin(", "x y"}) {
    try {
      const Expression formula{std::string(text)};
      ADD_FAILURE() << "accepted: " << text;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos);
    }
  }
}

TEST(Executor, DoesEveryPieceOnceOnAnyNumberOfThreads) {
  for (const int threads : {1, 2, 8}) {
    const Executor executor(threads);
    std::vector<std::atomic<int>> done(1000);

    executor.for_each(1000, [&](int piece) { ++done[piece]; });

    for (const auto& count : done) ASSERT_EQ(count, 1);
    EXPECT_EQ(executor.num_threads(), threads);
  }
  EXPECT_GE(Executor(0).num_threads(), 1);
}

TEST(Error, SaysFilePlaceProblemAndRemedyInOneLine) {
  const Problem problem{"bar.json", "/time/dt", "-1 is out of range", "step size [s]; above 0"};

  EXPECT_EQ(problem.to_string(), "bar.json: /time/dt: -1 is out of range (step size [s]; above 0)");
  EXPECT_EQ(Problem{.what = "no"}.to_string(), "no");
}

TEST(Error, KeepsControlCharactersOffTheTerminal) {
  EXPECT_EQ((Problem{.file = std::string("a\0b", 3), .what = "no \x1b[31mred"}.to_string()),
            "a\\x00b: no \\x1b[31mred");
}

TEST(Error, CarriesAllProblemsAtOnce) {
  const InputError error({Problem{.what = "first"}, Problem{.what = "second"}});

  EXPECT_EQ(error.problems().size(), 2u);
  EXPECT_STREQ(error.what(), "first\nsecond");
}

TEST(Error, AssertionsAreOnInEveryBuild) {
  EXPECT_THROW(SINEW_ASSERT(1 > 2, "arithmetic is broken"), InternalError);
}

}  // namespace
}  // namespace sinew::core
