// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include <fmt/format.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/core/path_check.hpp>
#include <sinew/mesh/io/file_cursor.hpp>

namespace sinew::mesh::io {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  core::require_usable_path(path);
  const std::string name = path.string();
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    throw InputError({name, "", "there is no such file", "check the path"});
  if (std::filesystem::is_directory(status))
    throw InputError({name, "", "this is a directory, not a mesh file", "name a file in it"});
  if (!std::filesystem::is_regular_file(status))
    throw InputError({name, "", "this is not a regular file", "name a file on disk"});
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = stream ? static_cast<std::streamoff>(stream.tellg()) : -1;
  if (size < 0) throw InputError({name, "", "the file cannot be read", "check its permissions"});
  if (size == 0) throw InputError({name, "", "the file is empty", "export the mesh again"});
  std::string content(static_cast<std::size_t>(size), '\0');
  stream.seekg(0);
  stream.read(content.data(), size);
  if (stream.gcount() != size)
    throw InputError({name, "", "the file cannot be read to its end", "check the disk"});
  return content;
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  core::require_usable_path(path);
  try {
    core::write_atomically(path, content);
  } catch (const std::filesystem::filesystem_error&) {
    throw InputError({path.string(), "", "the file cannot be written",
                      "check that the folder exists, its permissions and the free disk space"});
  }
}

bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

bool is_int(double value) {
  return value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max() &&
         value == std::floor(value);
}

std::string excerpt(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, 30)) shown += c >= ' ' && c <= '~' ? c : '?';
  return text.size() > 30 ? shown + "..." : shown;
}

FileCursor::FileCursor(std::string_view content, std::string file, char comment, int first_line)
    : content_(content), file_(std::move(file)), comment_(comment), first_line_(first_line) {}

bool FileCursor::skip_blanks() {
  while (position_ < content_.size()) {
    if (comment_ != '\0' && content_[position_] == comment_)
      position_ = std::min(content_.find('\n', position_), content_.size());
    else if (is_blank(content_[position_]))
      ++position_;
    else
      return true;
  }
  return false;
}

std::string_view FileCursor::peek() {
  skip_blanks();
  std::size_t end = position_;
  while (end < content_.size() && !is_blank(content_[end]) &&
         (comment_ == '\0' || content_[end] != comment_))
    ++end;
  return content_.substr(position_, end - position_);
}

std::string_view FileCursor::token(std::string_view expected) {
  const std::string_view text = peek();
  if (text.empty()) fail_end(expected);
  position_ += text.size();
  return text;
}

bool FileCursor::skip_blanks_in_line() {
  while (position_ < content_.size() && content_[position_] != '\n') {
    if (comment_ != '\0' && content_[position_] == comment_) return false;
    if (!is_blank(content_[position_])) return true;
    ++position_;
  }
  return false;
}

std::string_view FileCursor::token_in_line(std::string_view expected) {
  if (!skip_blanks_in_line())
    fail(fmt::format("the line ends where {} should follow", expected),
         "the line is cut off or of another format; export the mesh again");
  return token(expected);
}

std::string_view FileCursor::line() {
  const std::string_view text = peek_line();
  const std::size_t end = std::min(content_.find('\n', position_), content_.size());
  position_ = std::min(end + 1, content_.size());
  return text;
}

std::string_view FileCursor::peek_line() const {
  const std::size_t end = std::min(content_.find('\n', position_), content_.size());
  std::string_view text = content_.substr(position_, end - position_);
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

void FileCursor::finish_line(std::string_view after) {
  if (const std::string_view text = line(); !std::all_of(text.begin(), text.end(), is_blank))
    fail(fmt::format("unexpected '{}' after {}", excerpt(text), after),
         "binary data must start on the next line");
}

std::string_view FileCursor::bytes(std::uint64_t n, std::string_view what) {
  if (n > remaining()) fail_end(what);
  const std::string_view text = content_.substr(position_, n);
  position_ += n;
  return text;
}

void FileCursor::require_room(std::uint64_t count, std::size_t least_bytes,
                              std::string_view items) {
  const std::uint64_t limit =
      std::min<std::uint64_t>(remaining() / least_bytes + 1, std::numeric_limits<int>::max());
  if (count > limit)
    fail(fmt::format("{} {} are announced, but only {} bytes follow", count, items, remaining()),
         "the file is cut off or its count is wrong; export the mesh again");
}

int FileCursor::line_number() const {
  const auto end = content_.begin() + static_cast<std::ptrdiff_t>(position_);
  return first_line_ + static_cast<int>(std::count(content_.begin(), end, '\n'));
}

std::string FileCursor::place() const {
  return is_binary_ ? fmt::format("byte {}", position_) : fmt::format("line {}", line_number());
}

void FileCursor::fail(std::string what, std::string hint) const {
  throw InputError({file_, place(), std::move(what), std::move(hint)});
}

void FileCursor::fail_end(std::string_view expected) const {
  fail(fmt::format("the file ends where {} should follow", expected),
       "the file is cut off; export the mesh again");
}

void FileCursor::fail_number(std::string_view text, std::string_view expected,
                             bool is_out_of_range) const {
  if (is_out_of_range)
    fail(fmt::format("'{}' is too large for {}", excerpt(text), expected), "correct the number");
  fail(fmt::format("'{}' is not a number, but {} should stand here", excerpt(text), expected),
       "the file is damaged or of another format; export the mesh again");
}

}  // namespace sinew::mesh::io
