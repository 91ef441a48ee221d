// SPDX-License-Identifier: Apache-2.0
#include "guarded_main.hpp"

#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <system_error>

#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <sinew/core/error.hpp>

#include "exit_codes.hpp"

namespace sinew::cli {
namespace {

/// "filesystem error: cannot create directory: Permission denied [a/b]" in our own words.
Problem disk_problem(const std::filesystem::filesystem_error& error) {
  const std::string message = error.what(), prefix = "filesystem error: ";
  const std::string reason = error.code().message();
  std::size_t end = message.find(": " + reason);
  const std::size_t begin = message.starts_with(prefix) ? prefix.size() : 0;
  if (end == std::string::npos || end < begin) end = message.size();
  std::string hint;
  if (error.code() == std::errc::permission_denied ||
      error.code() == std::errc::read_only_file_system)
    hint = "choose another place, or change its permissions";
  else if (error.code() == std::errc::no_space_on_device)
    hint = "make room, or choose another place";
  else if (error.code() == std::errc::filename_too_long)
    hint = "choose a shorter name";
  else if (error.code() == std::errc::not_a_directory)
    hint = "part of the path is a file";
  return {.file = error.path1().string(),
          .what = message.substr(begin, end - begin) + ": " + reason,
          .hint = hint};
}

/// What is still in the buffer of standard output may find no room, or nobody who takes it.
void flush_output() {
  if (std::fflush(stdout) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot write");
}

/// Steps of large bodies need blocks of vectors for a moment. Given back to the system and asked
/// for again, every page of them would be cleared each time.
void keep_memory() {
#ifdef __GLIBC__
  constexpr int large = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, large);
  mallopt(M_TRIM_THRESHOLD, large);
#endif
}

}  // namespace

int guarded_main(int argc, char** argv, int (*run)(int, char**)) {
  keep_memory();
  try {
    const int exit_code = run(argc, argv);
    flush_output();
    return exit_code;
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems())
      fmt::print(stderr, "error: {}\n", problem.to_string());
    return exit_bad_input;
  } catch (const std::filesystem::filesystem_error& error) {
    fmt::print(stderr, "error: {}\n", disk_problem(error).to_string());
    return exit_bad_input;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: out of memory; use a coarser mesh or a machine with more\n");
    return exit_internal_error;
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) {
      fmt::print(stderr, "error: standard output cannot be written: {}\n", error.what());
      return exit_bad_input;
    }
    fmt::print(stderr, "internal error, please report it: {}\n", error.what());
    return exit_internal_error;
  }
}

}  // namespace sinew::cli
