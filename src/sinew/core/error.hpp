// SPDX-License-Identifier: Apache-2.0
// Errors come in three kinds, each with its own mechanism (docs/adr/0004):
//   a bug              SINEW_ASSERT, throws InternalError, which is not handled
//   bad input          InputError with every problem found, thrown while reading or compiling only
//   numerical failure  a returned status, never an exception
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// One thing wrong with the input: where it is, what it is, and what to do about it.
struct Problem {
  std::string file{};   ///< file or scene name; may be empty
  std::string where{};  ///< "line 12", "tet 17", or a JSON pointer such as "/time/dt"
  std::string what{};   ///< a sentence without a full stop
  std::string hint{};   ///< the remedy; may be empty

  /// "file: where: what (hint)", leaving out what is empty.
  std::string to_string() const;
};

/// Input that cannot be used. what() lists every problem, one per line.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Problem> problems);
  explicit InputError(Problem problem) : InputError(std::vector<Problem>{std::move(problem)}) {}

  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// A broken promise inside the library.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

namespace core {
[[noreturn]] void fail_assertion(const char* condition, const char* file, int line,
                                 std::string_view message);
}  // namespace core

}  // namespace sinew

/// Cheap checks at public entry points; on in every build type.
#define SINEW_ASSERT(condition, message)                                        \
  do {                                                                          \
    if (!(condition)) [[unlikely]]                                              \
      ::sinew::core::fail_assertion(#condition, __FILE__, __LINE__, (message)); \
  } while (false)
