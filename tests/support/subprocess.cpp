// SPDX-License-Identifier: Apache-2.0
#include "support/subprocess.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace sinew::test {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void require(int error, const char* what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

/// Two connected file descriptors, closed at the end: 0 reads what 1 writes.
struct Pipe {
  explicit Pipe(bool is_terminal = false) {
    if (!is_terminal) {
      require(pipe2(ends.data(), O_CLOEXEC) == 0 ? 0 : errno, "pipe");
      return;
    }
    ends[0] = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    require(ends[0] >= 0 && grantpt(ends[0]) == 0 && unlockpt(ends[0]) == 0 ? 0 : errno,
            "terminal");
    ends[1] = open(ptsname(ends[0]), O_RDWR | O_NOCTTY | O_CLOEXEC);
    require(ends[1] >= 0 ? 0 : errno, "terminal");
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void close_end(std::size_t which) {
    if (ends[which] >= 0) close(ends[which]);
    ends[which] = -1;
  }

  std::array<int, 2> ends{-1, -1};
};

pid_t start(const Command& command, const Pipe& out, const Pipe& err) {
  std::string program = command.program.string();
  std::vector<std::string> words = command.arguments;
  std::vector<char*> argv{program.data()};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  require(posix_spawn_file_actions_init(&actions), "posix_spawn");
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], STDERR_FILENO);
  if (!command.directory.empty())
    posix_spawn_file_actions_addchdir_np(&actions, command.directory.c_str());
  pid_t child = -1;
  const int error = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  require(error, program.c_str());
  return child;
}

/// Appends what has arrived; closes the pipe at its end.
void drain(Pipe& pipe, std::string& text) {
  std::array<char, 4096> buffer;
  const ssize_t count = read(pipe.ends[0], buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  if (count == 0 || (count < 0 && errno != EINTR)) pipe.close_end(0);
}

/// Decides when the asked-for signal is due.
class SignalWatch {
 public:
  explicit SignalWatch(const std::optional<Interruption>& plan) : plan_(plan) {
    if (plan_ && plan_->once_exists.empty()) due_since_ = Clock::now();
  }

  bool is_due() {
    if (!plan_ || sent_) return false;
    if (!due_since_ && std::filesystem::exists(plan_->once_exists)) due_since_ = Clock::now();
    sent_ = due_since_ && seconds_since(*due_since_) >= plan_->delay;
    return sent_;
  }

 private:
  const std::optional<Interruption>& plan_;
  std::optional<Clock::time_point> due_since_;
  bool sent_ = false;
};

}  // namespace

std::string CommandResult::to_text() const {
  return "exit code " + std::to_string(exit_code) + ", signal " + std::to_string(signal) +
         (timed_out ? ", timed out" : "") + "\n--- stdout\n" + out + "\n--- stderr\n" + err;
}

CommandResult run_command(const Command& command) {
  Pipe out, err(command.has_terminal);
  const pid_t child = start(command, out, err);
  const Clock::time_point begin = Clock::now();
  out.close_end(1);
  err.close_end(1);

  CommandResult result;
  SignalWatch watch(command.interruption);
  constexpr int poll_interval = 1;  // [ms], so that a signal comes soon after its file
  while (out.ends[0] >= 0 || err.ends[0] >= 0) {
    std::array<pollfd, 2> fds{pollfd{out.ends[0], POLLIN, 0}, pollfd{err.ends[0], POLLIN, 0}};
    poll(fds.data(), fds.size(), poll_interval);
    if (fds[0].revents != 0) drain(out, result.out);
    if (fds[1].revents != 0) drain(err, result.err);
    if (watch.is_due()) result.interrupted = kill(child, command.interruption->signal) == 0;
    if (!result.timed_out && seconds_since(begin) > command.timeout) {
      result.timed_out = true;
      kill(child, SIGKILL);
    }
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

}  // namespace sinew::test
