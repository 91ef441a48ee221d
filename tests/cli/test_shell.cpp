// SPDX-License-Identifier: Apache-2.0
// What shells and manuals are told about the commands is what the commands are.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/sinew_command.hpp"
#include "support/temp_dir.hpp"

namespace sinew::test {
namespace {

using Words = std::vector<std::string>;

Words sorted_names(const std::string& kind) {
  Words names = listed(kind);
  std::sort(names.begin(), names.end());
  return names;
}

/// What bash offers for the last of these words, after reading the script that we print.
Words offered_by_bash(const std::string& words, int last) {
  // bash calls the function with COMP_WORDS and COMP_CWORD; the first word is the program
  const std::string script = fmt::format(
      "source <(\"$0\" completion bash); complete -p sinew >/dev/null || exit 9; "
      "COMP_WORDS=(\"$0\" {}); COMP_CWORD={}; _sinew; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
      words, last);
  const CommandResult result =
      run_command({.program = "/bin/bash", .arguments = {"-c", script, SINEW_BINARY}});
  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_EQ(result.err, "");
  return lines_of(result.out);
}

TEST(Completion, BashOffersCommandsOptionsAndNames) {
  EXPECT_EQ(offered_by_bash("com", 1), (Words{"compare", "completion"}));
  EXPECT_EQ(offered_by_bash("mesh c", 2), (Words{"convert", "cut"}));
  EXPECT_EQ(offered_by_bash("run hanging-b", 2), Words{"hanging-ball"});
  EXPECT_EQ(offered_by_bash("run hanging-ball --integ", 3), Words{"--integrator"});
  EXPECT_EQ(offered_by_bash("run hanging-ball --integrator trap", 4), Words{"trapezoidal"});
  EXPECT_EQ(offered_by_bash("compare --integrators si,tr-", 3),
            (Words{"si,tr-bdf2", "si,tr-bdf2ere"}));
  EXPECT_EQ(offered_by_bash("list w", 2), Words{"writers"});
  EXPECT_EQ(offered_by_bash("help val", 2), Words{"validate"});
  EXPECT_EQ(offered_by_bash("mesh info bun", 3), Words{""}) << "files are for the shell";
}

TEST(Completion, EmptyWordsAreOfferedEverything) {
  EXPECT_EQ(offered_by_bash("run ''", 2), sorted_names("scenes"));
  EXPECT_EQ(offered_by_bash("run hanging-ball --integrator ''", 4), sorted_names("integrators"));
}

TEST(Completion, EveryOptionOfTheHelpIsOffered) {
  const std::string page = sinew({"run", "-h"}).out;
  const Words offered = offered_by_bash("run --", 2);

  EXPECT_GT(offered.size(), 15u);
  for (const std::string& option : offered)
    EXPECT_TRUE(contains(page, option)) << option << "\n" << page;
}

TEST(Completion, ThereAreScriptsForThreeShells) {
  EXPECT_TRUE(contains(sinew({"completion", "zsh"}).out, "#compdef sinew"));
  EXPECT_TRUE(contains(sinew({"completion", "fish"}).out, "complete -c sinew"));
  const CommandResult unknown = sinew({"completion", "bsh"});
  EXPECT_EQ(unknown.exit_code, 2) << unknown.to_text();
  EXPECT_TRUE(contains(unknown.err, "did you mean 'bash'?")) << unknown.err;
}

TEST(Manual, HasAllCommandsOptionsAndExitCodes) {
  const CommandResult result = sinew({"man"});
  ASSERT_EQ(result.exit_code, 0) << result.to_text();
  const std::string& page = result.out;

  std::size_t at = 0;
  for (const char* section : {".TH SINEW 1", ".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION",
                              ".SH COMMANDS", ".SH EXIT STATUS", ".SH FILES"}) {
    const std::size_t found = page.find(section, at);
    ASSERT_NE(found, std::string::npos) << section << " is missing, or not in order";
    at = found;
  }
  int num_commands = 0;
  for (const std::string& name : offered_by_bash("''", 1)) {
    EXPECT_TRUE(contains(page, ".SS \"sinew " + name + "\"")) << name;
    ++num_commands;
  }
  EXPECT_GE(num_commands, 14);
  EXPECT_TRUE(contains(page, ".SS \"sinew mesh cut\""));
  EXPECT_TRUE(contains(page, "\\-\\-integrator"));
  EXPECT_TRUE(contains(page, ".TP\n130\nstopped by Ctrl\\-C"));
}

TEST(Manual, IsSoundRoff) {
  // each line is text or one of the requests that we use; blocks are closed
  const Words known{".TH", ".SH", ".SS", ".TP", ".PP", ".nf", ".fi"};
  int open_blocks = 0, num_lines = 0;
  for (const std::string& line : lines_of(sinew({"man"}).out)) {
    ++num_lines;
    EXPECT_FALSE(line.starts_with("'")) << line;
    if (!line.starts_with(".")) continue;
    const std::string request = line.substr(0, line.find(' '));
    EXPECT_TRUE(std::ranges::count(known, request) == 1) << line;
    open_blocks += request == ".nf" ? 1 : request == ".fi" ? -1 : 0;
    EXPECT_TRUE(open_blocks == 0 || open_blocks == 1) << line;
  }
  EXPECT_EQ(open_blocks, 0);
  EXPECT_GT(num_lines, 200);
}

}  // namespace
}  // namespace sinew::test
