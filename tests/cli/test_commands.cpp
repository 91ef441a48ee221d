// SPDX-License-Identifier: Apache-2.0
// What the program promises to people and scripts: help, lists, names, scenes.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sinew/core/version.hpp>

#include "cli/sinew_command.hpp"
#include "support/temp_dir.hpp"

namespace sinew::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const std::vector<std::string> kinds{"integrators", "materials", "scenes", "generators",
                                     "solvers",     "writers",   "laws"};

// ---- help and names --------------------------------------------------------------------------

TEST(Help, EveryCommandShowsAnExample) {
  const std::vector<std::vector<std::string>> commands{
      {},       {"run"},          {"validate"},        {"list"},        {"info"},
      {"mesh"}, {"mesh", "info"}, {"mesh", "convert"}, {"mesh", "cut"}, {"bench"}};
  for (std::vector<std::string> command : commands) {
    for (const char* flag : {"-h", "--help"}) {
      command.push_back(flag);
      const CommandResult result = sinew(command);
      command.pop_back();

      EXPECT_EQ(result.exit_code, 0) << result.to_text();
      EXPECT_TRUE(contains(result.out, "Example: sinew ")) << result.to_text();
      EXPECT_EQ(result.err, "");
    }
  }
}

TEST(Help, EveryCommandOfTheMainPageHasItsOwn) {
  const std::string page = sinew({"-h"}).out;
  const std::size_t table = page.find("Simulate:");
  ASSERT_NE(table, std::string::npos) << page;

  int num_commands = 0;
  for (const std::string& line : lines_of(page.substr(table, page.find("Example:") - table))) {
    if (!line.starts_with("  ") || line[2] == ' ') continue;
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    const CommandResult result = sinew({name, "-h"});
    EXPECT_EQ(result.exit_code, 0) << result.to_text();
    EXPECT_TRUE(contains(result.out, "Example: sinew " + name)) << result.to_text();
    EXPECT_EQ(sinew({"help", name}).out, result.out);
    ++num_commands;
  }

  EXPECT_GE(num_commands, 14) << page;
}

TEST(Help, WithoutACommandThereIsTheMainPage) {
  const CommandResult bare = sinew({});

  EXPECT_EQ(bare.exit_code, 0);
  EXPECT_EQ(bare.err, "");
  EXPECT_EQ(bare.out, sinew({"-h"}).out);
  EXPECT_EQ(bare.out, sinew({"help"}).out);
  for (const char* line : {"Exit codes:", "  0    done", "  2    bad input", "  3    numerical",
                           "  4    internal", "  130  stopped"})
    EXPECT_TRUE(contains(bare.out, line)) << line << "\n" << bare.out;
}

TEST(Help, CommandsInsideOfCommandsAreFound) {
  EXPECT_EQ(sinew({"help", "mesh", "cut"}).out, sinew({"mesh", "cut", "-h"}).out);
  const CommandResult unknown = sinew({"help", "mesh", "cutt"});
  EXPECT_EQ(unknown.exit_code, 2) << unknown.to_text();
  EXPECT_TRUE(contains(unknown.err, "did you mean 'cut'?")) << unknown.err;
  EXPECT_EQ(sinew({"help", "run", "what"}).exit_code, 2);
}

TEST(Help, OptionsOfARunAreGroupedAndFormatsListed) {
  const std::string page = sinew({"run", "-h"}).out;

  for (const char* heading : {"What is simulated:", "Frames:", "Where it goes:",
                              "Interrupted and longer runs:", "Messages:"})
    EXPECT_TRUE(contains(page, heading)) << heading << "\n" << page;
  for (const std::string& format : listed("writers"))
    EXPECT_TRUE(contains(page, format)) << format << "\n" << page;
}

TEST(Help, TheVersionIsPrinted) {
  const CommandResult result = sinew({"--version"});

  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.out.find(core::version), std::string::npos) << result.out;
}

TEST(Names, UnknownOnesAnswerWithTheNearest) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"rnu"}, "'run'"},
      {{"valdate", "x.json"}, "'validate'"},
      {{"mesh", "inof", "x.msh"}, "'info'"},
      {{"list", "integrator"}, "'integrators'"},
      {{"info", "stable-neo-hokean"}, "'stable-neo-hookean'"},
      {{"run", "hanging-bal"}, "'hanging-ball'"},
      {{"run", "hanging-ball", "--integrator", "bee"}, "'be'"},
      {{"bench", "asembly"}, "'assembly'"},
      {{"bench", "phi", "--jsno"}, "'--json'"},
      {{"run", "hanging-ball", "--integratr", "be"}, "'--integrator'"},
      {{"compare", "--integratrs=be,si"}, "'--integrators'"},
      {{"mesh", "info", "x.msh", "--repiar"}, "'--repair'"},
      {{"--verison"}, "'--version'"},
  };
  for (const auto& [arguments, nearest] : cases) {
    const CommandResult result = sinew(arguments);

    EXPECT_EQ(result.exit_code, 2) << result.to_text();
    EXPECT_TRUE(contains(result.err, "did you mean " + nearest)) << result.to_text();
    EXPECT_EQ(result.out, "");
  }
}

TEST(Names, MissingArgumentsAreBadInput) {
  const std::vector<std::vector<std::string>> incomplete{
      {"mesh"}, {"list"}, {"info"}, {"validate"}, {"run", "--dt"}, {"run", "-z"}, {"view", "-1"}};
  for (const auto& arguments : incomplete) {
    const CommandResult result = sinew(arguments);

    EXPECT_EQ(result.exit_code, 2) << result.to_text();
    EXPECT_FALSE(result.err.empty()) << result.to_text();
  }
}

// ---- list and info ---------------------------------------------------------------------------

TEST(Names, MistakesOfOptionsAreAnsweredWithWhatToWrite) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"run", "soft-beam", "--dt", "5ms"}, "'5ms' has a unit; write 0.005"},
      {{"run", "soft-beam", "--end", "soon"}, "'soon' is no number of seconds, such as 0.005"},
      {{"compare", "soft-beam", "--integrators", "be", "--dt", "0.01,0"},
       "'0' is no number above 0"},
      {{"run", "soft-beam", "--set", "=3"}, "--set =3 has no path before its '='"},
      {{"list"}, "what is to be listed? (one of: generators, integrators"}};
  for (const auto& [arguments, expected] : cases) {
    const CommandResult result = sinew(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.to_text();
    EXPECT_TRUE(contains(result.err, expected)) << result.to_text();
    EXPECT_LT(result.err.size(), 300U) << result.err;
  }
}

TEST(Info, ShowsEverythingOfThatName) {
  const std::string page = sinew({"info", "coil-spring"}).out;
  EXPECT_TRUE(contains(page, "kind: generator")) << page;
  EXPECT_TRUE(contains(page, "kind: scene")) << page;
}

class ListTest : public testing::TestWithParam<std::string> {};

TEST_P(ListTest, TextAndJsonHaveTheSameNames) {
  const std::vector<std::string> names = listed(GetParam());

  const CommandResult result = sinew({"list", GetParam(), "--json"});

  ASSERT_EQ(result.exit_code, 0) << result.to_text();
  const Json json = Json::parse(result.out);
  std::vector<std::string> json_names;
  for (const Json& item : json) {
    json_names.push_back(item.at("name"));
    EXPECT_TRUE(item.at("summary").is_string()) << item;
    EXPECT_TRUE(item.at("kind").is_string()) << item;
  }
  EXPECT_EQ(json_names, names);
  EXPECT_FALSE(names.empty());
}

TEST_P(ListTest, EveryNameHasAnInfoPage) {
  for (const std::string& name : listed(GetParam())) {
    const CommandResult result = sinew({"info", name});

    EXPECT_EQ(result.exit_code, 0) << result.to_text();
    EXPECT_EQ(lines_of(result.out).front(), name);
    EXPECT_TRUE(contains(result.out, "kind: ")) << result.out;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, ListTest, testing::ValuesIn(kinds),
                         [](const auto& tested) { return tested.param; });

TEST(Info, AnIntegratorShowsEquationOrderOptionsAndCitation) {
  for (const std::string& name : listed("integrators")) {
    const std::string page = sinew({"info", name}).out;

    for (const char* part : {"equation: ", "order: ", "reference: ", "cost per step: "})
      EXPECT_TRUE(contains(page, part)) << part << " is missing in\n" << page;
  }
}

// ---- validate --------------------------------------------------------------------------------

TEST(Validate, EveryBuiltInSceneIsValid) {
  for (const std::string& name : listed("scenes")) {
    const CommandResult result = sinew({"validate", name});

    EXPECT_EQ(result.exit_code, 0) << result.to_text();
    EXPECT_TRUE(contains(result.out, name + ": valid")) << result.to_text();
    EXPECT_EQ(result.err, "");
  }
}

TEST(Validate, ThePrintedSceneIsASceneAndPrintsTheSame) {
  for (const std::string& name : listed("scenes")) {
    const TempDir dir;
    const CommandResult first = sinew({"validate", name, "--print"});
    ASSERT_EQ(first.exit_code, 0) << first.to_text();
    const fs::path printed = dir.write("printed.json", first.out);

    const CommandResult second = sinew({"validate", printed.string(), "--print"});

    EXPECT_EQ(second.exit_code, 0) << second.to_text();
    EXPECT_EQ(second.out, first.out);
    EXPECT_TRUE(Json::accept(first.out)) << "plain JSON, without comments";
  }
}

TEST(Validate, TheCommittedSchemaIsTheProgramsOwn) {
  if (!contains(sinew({"list", "solvers"}).out, "supernodal"))
    GTEST_SKIP() << "the committed schema lists the solvers of the default build";
  const CommandResult result = sinew({"validate", "--schema"});

  EXPECT_EQ(result.exit_code, 0);
  const fs::path committed = fs::path(SINEW_SOURCE_DIR) / "schema" / "scene.schema.json";
  EXPECT_TRUE(result.out == content_of(committed))
      << "write it anew: sinew validate --schema > schema/scene.schema.json";
}

}  // namespace
}  // namespace sinew::test
