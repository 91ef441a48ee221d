// SPDX-License-Identifier: Apache-2.0
// Runs another program the way a shell would, without a shell, and keeps everything it says.
#pragma once

#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sinew::test {

/// A signal sent while the program runs.
struct Interruption {
  int signal = SIGINT;
  std::filesystem::path once_exists{};  ///< wait for this file first; empty: do not wait
  double delay = 0.0;                   ///< after the file appeared, or after the start [s]
};

struct Command {
  std::filesystem::path program;
  std::vector<std::string> arguments{};
  std::filesystem::path directory{};  ///< to run in; empty: the current one
  double timeout = 800.0;             ///< killed after this time: it hangs [s]
  bool has_terminal = false;          ///< stderr is a terminal
  std::optional<Interruption> interruption{};
};

struct CommandResult {
  int exit_code = -1;  ///< -1: ended by a signal
  int signal = 0;      ///< that ended the program; 0: none
  bool timed_out = false;
  bool interrupted = false;  ///< the signal asked for was sent before the program ended
  std::string out, err;

  /// Everything, for messages of failing tests.
  std::string to_text() const;
};

/// Throws std::system_error if the program cannot be started.
CommandResult run_command(const Command& command);

}  // namespace sinew::test
