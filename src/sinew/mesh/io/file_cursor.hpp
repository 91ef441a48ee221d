// SPDX-License-Identifier: Apache-2.0
// Reads a file's content from front to back, as text tokens or as bytes, and knows where it is
// when something is wrong. Nothing is ever read beyond the end, and no count found in a file is
// believed before it has been compared with the bytes that are left.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

namespace sinew::mesh::io {

/// The whole file; throws InputError for a missing, unreadable or empty one.
std::string read_file(const std::filesystem::path& path);

/// Replaces the file; throws InputError when that fails.
void write_file(const std::filesystem::path& path, std::string_view content);

/// Interprets the first bytes as a T of the given byte order. There must be enough of them.
template <class T>
T load(const char* bytes, std::endian order = std::endian::native) {
  char buffer[sizeof(T)];
  for (std::size_t i = 0; i < sizeof(T); ++i)
    buffer[i] = bytes[order == std::endian::native ? i : sizeof(T) - 1 - i];
  T value;
  std::memcpy(&value, buffer, sizeof(T));
  return value;
}

/// Whether two words are the same up to the case of ASCII letters.
bool same_word(std::string_view a, std::string_view b);

/// Whether the value is a whole number that fits an int.
bool is_int(double value);

/// Text from a file for a message: short, and without unprintable bytes.
std::string excerpt(std::string_view text);

class FileCursor {
 public:
  /// The content must outlive the cursor. A comment runs from `comment` to the end of the line;
  /// '\0' means that there are none. Errors count lines from `first_line`.
  FileCursor(std::string_view content, std::string file, char comment = '\0', int first_line = 1);

  std::size_t position() const { return position_; }
  std::size_t remaining() const { return content_.size() - position_; }
  std::string_view rest() const { return content_.substr(position_); }
  const std::string& file() const { return file_; }

  /// Moves to the next token; false when only blanks and comments are left.
  bool skip_blanks();

  /// The next token, without moving; empty at the end.
  std::string_view peek();

  /// The next token; fails at the end of the file, naming what was expected.
  std::string_view token(std::string_view expected);

  /// The next token as a number; fails when it is none.
  template <class T>
  T number(std::string_view expected) {
    return to_number<T>(token(expected), expected);
  }

  /// Moves to the next token of the current line; false when it has no more.
  bool skip_blanks_in_line();

  /// token() and number() that fail at the end of the current line.
  std::string_view token_in_line(std::string_view expected);
  template <class T>
  T number_in_line(std::string_view expected) {
    return to_number<T>(token_in_line(expected), expected);
  }

  /// A piece of the content as a number; fails when it is none.
  template <class T>
  T to_number(std::string_view text, std::string_view expected) const {
    // from_chars knows no leading plus
    const char* begin = text.data() + (text.size() > 1 && text[0] == '+' ? 1 : 0);
    T value{};
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return value;
    if constexpr (std::floating_point<T>) {
      // smaller than the smallest double is as good as zero
      if (error == std::errc::result_out_of_range && text.find("e-") != text.npos) return T(0);
    }
    fail_number(text, expected, error == std::errc::result_out_of_range);
  }

  /// The rest of the current line without its end; moves to the next line.
  std::string_view line();

  /// The same without moving, so that errors name this line.
  std::string_view peek_line() const;

  /// Moves past the rest of the current line, which must be blank; used before binary data.
  void finish_line(std::string_view after);

  /// The next n bytes as they are.
  std::string_view bytes(std::uint64_t n, std::string_view what);

  /// The next bytes as one T.
  template <class T>
  T raw(std::endian order, std::string_view what) {
    return load<T>(bytes(sizeof(T), what).data(), order);
  }

  void skip(std::size_t n) { position_ += std::min(n, remaining()); }

  /// Fails unless `count` items of at least `least_bytes` each can still follow.
  void require_room(std::uint64_t count, std::size_t least_bytes, std::string_view items);

  /// From now on errors say "byte" instead of "line".
  void set_binary(bool is_binary) { is_binary_ = is_binary; }

  /// Counts from the beginning of the file; for messages, not for loops.
  int line_number() const;

  /// "line 12" or "byte 345"
  std::string place() const;

  [[noreturn]] void fail(std::string what, std::string hint) const;
  [[noreturn]] void fail_end(std::string_view expected) const;

 private:
  [[noreturn]] void fail_number(std::string_view text, std::string_view expected,
                                bool is_out_of_range) const;

  std::string_view content_;
  std::string file_;
  char comment_;
  int first_line_;
  bool is_binary_ = false;
  std::size_t position_ = 0;
};

}  // namespace sinew::mesh::io
