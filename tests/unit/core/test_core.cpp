// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include <sinew/core/background.hpp>
#include <sinew/core/compression.hpp>
#include <sinew/core/error.hpp>
#include <sinew/core/executor.hpp>
#include <sinew/core/expression.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/core/path_check.hpp>
#include <sinew/core/profile.hpp>
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

struct Refused {
  std::string text, why, hint;
};

TEST(Expression, RefusesWhatMuParserWouldComputeSilently) {
  const std::string with_nul("1\0+2", 4);
  const std::vector<Refused> cases{
      {"0,5", "',' is not between the arguments of a function at character 2", "with a point"},
      {"x, y", "at character 2", "with a point"},
      {"(0,5)", "at character 3", "with a point"},
      {"x > 0 ? 1 : 2, 3", "at character 14", "with a point"},
      {"min(1, (2, 3))", "at character 10", "with a point"},
      {"sin(0,5)", "Too many parameters", "with a point"},
      {"x=0 ? 1 : 2", "'=' would set a variable at character 2", "write == to compare"},
      {"min(x = 3, 4)", "at character 7", "write == to compare"},
      {"x =< 3", "at character 3", "<="},
      {"0 < x < 1", "a comparison is compared again at character 7", "a < b && b < c"},
      {"x == y == z", "at character 8", "a < b && b < c"},
      {"sin(0 < x < 1)", "at character 11", "a < b && b < c"},
      {with_nul, "a control character (code 0) at character 2", "remove it"},
      {"1 +\x07 2", "a control character (code 7) at character 4", "remove it"},
      {"\"a\"", "a quotation mark at character 1", "remove it"},
      {"2x", "Unexpected variable", "products need a *"},
      {"sni(x)", "", ""},
      {"tt + 1", "Unexpected token \"tt", "did you mean 't'?"},
      {"1/0", "is inf", "divide by zero"},
      {"sqrt(-1)", "is nan", "root of a negative"},
      {"log(0)", "is -inf", ""}};
  for (const Refused& expected : cases) {
    SCOPED_TRACE(expected.text);
    try {
      const Expression formula(expected.text);
      ADD_FAILURE() << "accepted";
    } catch (const FormulaError& error) {
      EXPECT_NE(std::string(error.what()).find(expected.why), std::string::npos) << error.what();
      EXPECT_NE(error.hint().find(expected.hint), std::string::npos) << error.hint();
      EXPECT_EQ(std::string(error.what()).find('\0'), std::string::npos);
    }
  }
}

TEST(Expression, AcceptsListsOfArgumentsAndSeveralComparisons) {
  const Vec3 at(0.5, 2.0, 3.0);
  const std::vector<std::pair<std::string, double>> cases{
      {"min(1,2)", 1.0},
      {"max(x, min(y, z), 0)", 2.0},
      {"sum( 1 , 2 , 3 )", 6.0},
      {"x == 0.5 ? 1 : 2", 1.0},
      {"x != 0.5 ? 1 : 2", 2.0},
      {"x <= 0.5 && y >= 2", 1.0},
      {"0 < x && x < 1", 1.0},
      {"x < 1 ? y < 1 ? 3 : 4 : z < 1 ? 5 : 6", 4.0},
      {"min(x < 1, y < 1)", 0.0},
      {"(x < 1) == (y > 1)", 1.0},
      {"\t1 +\n2 ", 3.0},
      {"1e-3*1E3", 1.0},
      {"-2^2", -4.0}};
  for (const auto& [text, value] : cases)
    EXPECT_DOUBLE_EQ(Expression(text)(at, 0.0), value) << text;
}

TEST(Expression, RemembersWhereItWasNotFinite) {
  const Expression formula("sqrt(x)/t");
  EXPECT_FALSE(formula.last_not_finite());

  EXPECT_DOUBLE_EQ(formula({4.0, 0.0, 0.0}, 2.0), 1.0);
  EXPECT_FALSE(formula.last_not_finite());
  formula({4.0, 1.0, 2.0}, 0.0);

  const auto found = formula.last_not_finite();
  ASSERT_TRUE(found);
  EXPECT_EQ(describe_not_finite(formula, *found),
            "the formula 'sqrt(x)/t' is inf at [4, 1, 2] and t = 0");
  // what comes in broken is not the formula's fault
  const Expression other("1 + x");
  other({std::numeric_limits<double>::infinity(), 0.0, 0.0}, 0.0);
  EXPECT_FALSE(other.last_not_finite());
}

TEST(Quote, ShowsForeignTextInOneShortLine) {
  EXPECT_EQ(in_quotes("a b"), "'a b'");
  EXPECT_EQ(in_quotes(std::string("a\0b\n", 4)), "'a\\x00b\\x0a'");
  const std::string shown = in_quotes(std::string(500, 'a') + "end", 40);
  EXPECT_LT(shown.size(), 45u);
  EXPECT_TRUE(shown.ends_with("aend'"));
  // no half characters
  EXPECT_EQ(in_quotes("\u00e4\u00e4\u00e4\u00e4", 6), "'\u00e4...'");
}

TEST(PathCheck, KnowsNamesThatNoFileSystemTakes) {
  EXPECT_FALSE(find_path_problem("runs/ball-si"));
  EXPECT_FALSE(find_path_problem(std::string(255, 'a')));
  EXPECT_TRUE(find_path_problem(std::string(256, 'a')));
  EXPECT_TRUE(find_path_problem("runs/" + std::string(256, 'a') + "/x"));
  EXPECT_TRUE(find_path_problem(std::string("a\0b", 3)));
  std::string deep;
  while (deep.size() < 5000) deep += "folder/";
  const auto problem = find_path_problem(deep);
  ASSERT_TRUE(problem);
  EXPECT_LT(problem->to_string().size(), 250u);
}

TEST(Background, DoesTasksInOrderAndWaitsWhenTooMuchIsWaiting) {
  std::vector<int> done;
  std::atomic<int> added = 0, most_ahead = 0;
  std::atomic<int> finished = 0;
  {
    Background background(100);
    for (int k = 0; k < 50; ++k) {
      background.add(40, [&, k] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        done.push_back(k);
        ++finished;
      });
      ++added;
      most_ahead = std::max<int>(most_ahead, added - finished);
    }
    background.finish();
    EXPECT_EQ(finished, 50);
    background.add(1000, [&] { ++finished; });  // larger than what may wait
  }
  EXPECT_EQ(finished, 51) << "the end waits";
  EXPECT_LE(most_ahead, 3) << "two of 40 bytes wait, and one may just have been done";
  for (int k = 0; k < 50; ++k) EXPECT_EQ(done[k], k);
}

TEST(Background, ThrowsWhatATaskHasThrownAndDoesNoMore) {
  Background background(1000);
  std::atomic<bool> later = false;
  background.add(1, [] { throw std::runtime_error("the disk is full"); });
  EXPECT_THROW(background.finish(), std::runtime_error);
  EXPECT_THROW(background.add(1, [&] { later = true; }), std::runtime_error);
  EXPECT_THROW(background.finish(), std::runtime_error);
  EXPECT_FALSE(later);
}

TEST(Compression, IsUndoneAndNoticesDamage) {
  std::string data(100'000, 'a');
  for (std::size_t k = 0; k < data.size(); k += 7) data[k] = static_cast<char>(k * k);
  for (const int level : {1, 6, 12}) {
    std::string packed = "before";
    append_compressed(std::as_bytes(std::span(data)), level, packed);
    ASSERT_TRUE(packed.starts_with("before"));
    packed.erase(0, 6);
    EXPECT_LT(packed.size(), data.size());
    std::string back(data.size(), ' ');
    const auto into = std::as_writable_bytes(std::span(back));
    EXPECT_TRUE(decompress(packed, into));
    EXPECT_EQ(back, data);
    EXPECT_FALSE(decompress(packed, into.first(into.size() - 1))) << "too long";
    EXPECT_FALSE(decompress(std::string_view(packed).substr(0, packed.size() / 2), into));
    packed[packed.size() / 2] = static_cast<char>(packed[packed.size() / 2] + 1);
    EXPECT_FALSE(decompress(packed, into));
  }
  EXPECT_EQ(core::crc32("123456789"), 0xCBF43926U) << "the value everybody checks";
}

TEST(Executor, GivesWorkUpSomeTimeAfterItWasAskedToStop) {
  for (const int threads : {1, 3}) {
    Executor executor(threads);
    std::atomic<bool> asked = false;
    std::atomic<int> done = 0;
    const auto work = [&](int pieces) {
      executor.for_each(pieces, [&](int) {
        ++done;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      });
    };
    {
      const StopScope stoppable(&executor, [&] { return asked.load(); });
      work(4);
      EXPECT_EQ(done, 4);
      asked = true;
      EXPECT_THROW(work(100'000), Interrupted);
      EXPECT_LT(done, 2'000);
    }
    const int before = done;
    work(4);  // nobody may interrupt it now
    EXPECT_EQ(done, before + 4);
  }
}

TEST(Executor, CountsWhatItDidForSeveralThreads) {
  const Executor two(2), one(1);
  const Stopwatch watch;
  for (const Executor* executor : {&two, &one}) {
    executor->for_each(8, [&](int) {
      executor->for_each(3, [](int) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
    });
    executor->for_each(1, [](int) {});
  }
  EXPECT_EQ(two.use().calls, 1);
  EXPECT_EQ(two.use().pieces, 8 + 8 * 3);
  EXPECT_GT(two.use().seconds, 0.01);
  EXPECT_LE(two.use().seconds, watch.seconds()) << "pieces within pieces count once";
  EXPECT_EQ(one.use().calls, 0);
}

TEST(Executor, RefusesMoreThreadsThanAnybodyMeans) {
  EXPECT_GE(most_threads(), 256);
  EXPECT_NO_THROW(require_thread_count(0));
  EXPECT_NO_THROW(require_thread_count(most_threads()));
  EXPECT_THROW(Executor(most_threads() + 1), InputError);
  EXPECT_THROW(Executor(-1), InputError);
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
