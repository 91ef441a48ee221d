// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <memory>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/core/nearest.hpp>

#include "commands.hpp"
#include "completion.hpp"
#include "program/exit_codes.hpp"

namespace sinew::cli {
namespace {

// Each asks the program itself, so that it knows what this version knows, and takes file names
// where there is no answer. {0} is the word for that.
constexpr const char* bash_script = R"bash(# sinew completion bash
_sinew() {{
  local IFS=$'\n'
  COMPREPLY=($("${{COMP_WORDS[0]}}" {0} "${{COMP_WORDS[@]:1:COMP_CWORD}}" 2>/dev/null))
}}
complete -o default -F _sinew sinew
)bash";
constexpr const char* zsh_script = R"zsh(#compdef sinew
_sinew() {{
  local -a found
  found=(${{(f)"$(${{words[1]}} {0} "${{(@)words[2,CURRENT]}}" 2>/dev/null)"}})
  if (( $#found )); then compadd -a found; else _files; fi
}}
compdef _sinew sinew
)zsh";
constexpr const char* fish_script =
    R"fish(complete -c sinew -a '(sinew {0} (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
)fish";

}  // namespace

void add_completion(CLI::App& app, int& exit_code) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("completion", "print what makes a shell complete commands and names");
  command->footer(
      "Example: sinew completion bash > ~/.local/share/bash-completion/completions/sinew\n"
      "         sinew completion zsh > \"${fpath[1]}/_sinew\"\n"
      "         sinew completion fish > ~/.config/fish/completions/sinew.fish");
  command->add_option("shell", *shell, "bash, zsh or fish")->required();
  command->callback([shell, &exit_code] {
    static const std::map<std::string, const char*> scripts{
        {"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};
    const auto found = scripts.find(*shell);
    if (found == scripts.end())
      throw InputError(Problem{.what = fmt::format("there is no completion for '{}'", *shell),
                               .hint = core::suggestion(*shell, {"bash", "zsh", "fish"})});
    fmt::print("{}", fmt::format(fmt::runtime(found->second), completion_word));
    exit_code = exit_done;
  });
}

}  // namespace sinew::cli
