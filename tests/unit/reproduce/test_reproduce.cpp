// SPDX-License-Identifier: Apache-2.0
// Reproductions: what they state is complete before anything runs, every statement gets a verdict,
// and nothing that differs is hidden.
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>

#include "reproduce/record_files.hpp"
#include "reproduce/reproduction.hpp"
#include "support/temp_dir.hpp"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;
using test::TempDir;

Target small_target() {
  return {.name = "small",
          .paper = "Nobody 1900",
          .summary = "A target of a test",
          .statements = {{.id = "a", .where = "figure 1", .text = "It is | so", .paper = "3"},
                         {.id = "b", .where = "figure 2", .text = "It is not", .paper = ""}},
          .run = [](Reproduction& reproduction) {
            reproduction.write("small.csv", "x\n1\n");
            reproduction.judge("b", {"5", Verdict::differs, "because\nof it"});
            reproduction.judge("a", {"3", Verdict::agrees, "equal"});
            reproduction.note("a remark");
          }};
}

TEST(Claims, VerdictsHaveNamesThatAreReadBack) {
  for (const Verdict verdict : {Verdict::agrees, Verdict::differs, Verdict::not_comparable})
    EXPECT_EQ(verdict_of(to_string(verdict)), verdict);
  EXPECT_THROW((void)verdict_of("maybe"), InputError);
}

TEST(Claims, EveryStatementIsJudgedOnce) {
  const TempDir dir;
  Target target = small_target();
  target.run = [](Reproduction& reproduction) { reproduction.judge("a", {}); };
  EXPECT_THROW((void)reproduce(target, dir.path(), Scale::trial), InternalError);
  EXPECT_FALSE(fs::exists(dir.path() / "verdict.json")) << "half a result is none";

  Reproduction reproduction(target, dir.path(), Scale::trial);
  reproduction.judge("a", {});
  EXPECT_THROW(reproduction.judge("a", {}), InternalError);
  EXPECT_THROW(reproduction.judge("c", {}), InternalError);
}

TEST(Claims, ARecordIsReadBackAsItWas) {
  const TempDir dir;
  const Record made = reproduce(small_target(), dir.path(), Scale::quick);
  const Record read = read_record(dir.path());
  EXPECT_EQ(read.target, made.target);
  EXPECT_EQ(read.command, "sinew reproduce small --quick");
  EXPECT_EQ(read.seconds, made.seconds);
  EXPECT_EQ(read.notes, made.notes);
  EXPECT_EQ(read.files, std::vector<std::string>{"small.csv"});
  ASSERT_EQ(read.claims.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(read.claims[k].statement.text, made.claims[k].statement.text);
    EXPECT_EQ(read.claims[k].finding.verdict, made.claims[k].finding.verdict);
    EXPECT_EQ(read.claims[k].finding.why, made.claims[k].finding.why);
  }
  core::write_atomically(dir.path() / "verdict.json", "{}");
  EXPECT_THROW((void)read_record(dir.path()), InputError);
}

TEST(Claims, ThePageSaysFirstWhatDiffersAndNamesWhatIsMissing) {
  const TempDir dir;
  const Record record = reproduce(small_target(), dir.path(), Scale::quick);
  const std::string page = page_of({record}, {"absent"});
  const std::size_t difference = page.find("It is not. Paper: no number. Here: 5.");
  EXPECT_NE(difference, std::string::npos) << page;
  EXPECT_LT(difference, page.find("| figure 1")) << page;
  EXPECT_NE(page.find("Of 2 claims 1 agree, 1 differ and 0 are not comparable"), std::string::npos);
  EXPECT_NE(page.find("Without a result: `absent`."), std::string::npos);
  EXPECT_NE(page.find("| figure 1 | It is \\| so | 3 | 3 | agree | equal |"), std::string::npos)
      << "bars and line breaks would end cells: " << page;
  EXPECT_NE(page.find("**differ** | because of it |"), std::string::npos) << page;
}

TEST(Targets, StateWhatTheyTestBeforeTheyRun) {
  std::set<std::string> names;
  for (const Target& target : targets()) {
    EXPECT_TRUE(names.insert(target.name).second) << target.name;
    EXPECT_EQ(find_target(target.name).summary, target.summary);
    EXPECT_FALSE(target.statements.empty()) << target.name;
    EXPECT_NE(target.name, "all");
    EXPECT_NE(target.name, "page");
    std::set<std::string> ids;
    for (const Statement& statement : target.statements) {
      EXPECT_TRUE(ids.insert(statement.id).second) << target.name << ": " << statement.id;
      EXPECT_FALSE(statement.where.empty()) << target.name << ": " << statement.id;
      EXPECT_FALSE(statement.text.empty()) << target.name << ": " << statement.id;
      EXPECT_FALSE(statement.text.ends_with('.')) << target.name << ": " << statement.id;
    }
  }
  EXPECT_THROW((void)find_target("siere-fig99"), InputError);
}

TEST(Targets, HaveEveryRowOfThePapersTables) {
  const auto rows = [](const char* target) {
    std::set<std::string> where;
    for (const Statement& statement : find_target(target).statements)
      if (statement.where.starts_with("table")) where.insert(statement.where);
    return where.size();
  };
  EXPECT_EQ(rows("siere-table2"), 12u);
  EXPECT_EQ(rows("rosenbrock-table2"), 4u);
  EXPECT_EQ(rows("imex-fig3-7"), 4u);
}

/// Each by itself, so that one that fails does not hide the others.
class EveryTarget : public testing::TestWithParam<std::string> {};

TEST_P(EveryTarget, JudgesAllItStatesAndWritesWhatItSays) {
  const TempDir dir;
  const Target& target = find_target(GetParam());
  const Record record = reproduce(target, dir.path(), Scale::trial);
  EXPECT_EQ(record.claims.size(), target.statements.size());
  for (const auto& [statement, finding] : record.claims) {
    EXPECT_FALSE(finding.ours.empty()) << statement.id;
    EXPECT_FALSE(finding.why.empty()) << statement.id;
    EXPECT_FALSE(finding.why.ends_with('.')) << statement.id;
  }
  for (const std::string& file : record.files) {
    ASSERT_TRUE(fs::exists(dir.path() / file)) << file;
    EXPECT_TRUE(!file.ends_with(".svg") || core::read_file(dir.path() / file).starts_with("<svg"))
        << file;
  }
  EXPECT_TRUE(fs::exists(dir.path() / (target.name + ".md")));
  EXPECT_EQ(read_record(dir.path()).target, target.name);
}

std::vector<std::string> names_of_targets() {
  std::vector<std::string> names;
  for (const Target& target : targets()) names.push_back(target.name);
  return names;
}

std::string underlined(const testing::TestParamInfo<std::string>& target) {
  std::string name = target.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, EveryTarget, testing::ValuesIn(names_of_targets()), underlined);

}  // namespace
}  // namespace sinew::cli
