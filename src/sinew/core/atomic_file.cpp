// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <sstream>
#include <system_error>
#include <utility>

#include <sinew/core/atomic_file.hpp>

namespace sinew::core {
namespace {

[[noreturn]] void fail(const char* what, const std::filesystem::path& path) {
  throw std::filesystem::filesystem_error(
      what, path, std::error_code(errno ? errno : EIO, std::generic_category()));
}

std::filesystem::path part_of(std::filesystem::path path) {
  return path += ".part";
}

}  // namespace

void write_atomically(const std::filesystem::path& path, std::string_view content) {
  try {
    PartFile file(path);
    file.stream().write(content.data(), static_cast<std::streamsize>(content.size()));
    file.commit();
  } catch (...) {
    std::error_code
        ignored;  // nobody goes on with such a part, and it takes the room that is short
    std::filesystem::remove(part_of(path), ignored);
    throw;
  }
}

PartFile::PartFile(std::filesystem::path path)
    : path_(std::move(path)), stream_(part_of(path_), std::ios::binary | std::ios::trunc) {
  if (!stream_) fail("cannot create file", path_);
}

void PartFile::require_good() const {
  if (!stream_) fail("cannot write file", path_);
}

void PartFile::commit() {
  stream_.close();
  require_good();
  std::filesystem::rename(part_of(path_), path_);
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail("cannot open file", path);
  std::ostringstream content;
  content << stream.rdbuf();
  if (stream.bad()) fail("cannot read file", path);
  return std::move(content).str();
}

}  // namespace sinew::core
