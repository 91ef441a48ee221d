// SPDX-License-Identifier: Apache-2.0
// The manual page, from the same tree of commands as the help.
#include <fmt/format.h>

#include <sinew/core/version.hpp>

#include "commands.hpp"
#include "program/exit_codes.hpp"
#include "program/help_formatter.hpp"

namespace sinew::cli {
namespace {

/// Text as roff takes it.
std::string roff(const std::string& text) {
  std::string result;
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
    begins_line = c == '\n';
  }
  return result;
}

std::string option_entry(const CLI::Option& option) {
  const bool is_argument = option.get_positional();
  const HelpFormatter help;
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(option.get_name(is_argument, true)),
                     roff(help.make_option_opts(&option)), roff(help.make_option_desc(&option)));
}

/// A command with all that is inside of it.
std::string command_section(const CLI::App& command, const std::string& above) {
  const std::string name = fmt::format("{} {}", above, command.get_name());
  std::string page = fmt::format(".SS \"{}\"\n{}\n", roff(name), roff(command.get_description()));
  for (const CLI::Option* option : command.get_options()) page += option_entry(*option);
  if (!command.get_footer().empty())
    page += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(command.get_footer()));
  for (const CLI::App* inner : command.get_subcommands({})) page += command_section(*inner, name);
  return page;
}

std::string manual(const CLI::App& app) {
  std::string page = fmt::format(
      ".TH SINEW 1 \"\" \"sinew {}\" \"User commands\"\n"
      ".SH NAME\nsinew \\- stiff deformable objects in time\n"
      ".SH SYNOPSIS\n\\fBsinew\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n"
      ".SH DESCRIPTION\n{}\nResults go to stdout, everything else to stderr.\n.SH COMMANDS\n",
      roff(std::string(core::version)), roff(app.get_description()));
  for (const CLI::App* command : app.get_subcommands({}))
    page += command_section(*command, "sinew");
  page += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : exit_code_meanings)
    page += fmt::format(".TP\n{}\n{}\n", static_cast<int>(code), roff(std::string(meaning)));
  page +=
      ".SH FILES\n.TP\nruns/\nwhere runs go without \\fB\\-o\\fR: one directory each, with "
      "manifest.json, tables, frames, a report and a checkpoint\n";
  return page;
}

}  // namespace

void add_man(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("man", "print the manual page");
  command->footer("Example: sinew man > sinew.1; man -l sinew.1");
  command->callback([&app, &exit_code] {
    fmt::print("{}", manual(app));
    exit_code = exit_done;
  });
}

}  // namespace sinew::cli
