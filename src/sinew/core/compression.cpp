// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <memory>
#include <new>

#include <libdeflate.h>

#include <sinew/core/compression.hpp>
#include <sinew/core/error.hpp>

namespace sinew::core {
namespace {

struct Free {
  void operator()(libdeflate_compressor* compressor) const {
    libdeflate_free_compressor(compressor);
  }
  void operator()(libdeflate_decompressor* decompressor) const {
    libdeflate_free_decompressor(decompressor);
  }
};

/// They hold large tables: one for each thread and level.
libdeflate_compressor& compressor(int level) {
  thread_local std::map<int, std::unique_ptr<libdeflate_compressor, Free>> own;
  auto& found = own[level];
  if (!found) found.reset(libdeflate_alloc_compressor(level));
  if (!found) throw std::bad_alloc();
  return *found;
}

libdeflate_decompressor& decompressor() {
  thread_local const std::unique_ptr<libdeflate_decompressor, Free> own(
      libdeflate_alloc_decompressor());
  if (!own) throw std::bad_alloc();
  return *own;
}

}  // namespace

void append_compressed(std::span<const std::byte> data, int level, std::string& to) {
  libdeflate_compressor& packer = compressor(level);
  const std::size_t begin = to.size(), bound = libdeflate_zlib_compress_bound(&packer, data.size());
  to.resize(begin + bound);
  const std::size_t size =
      libdeflate_zlib_compress(&packer, data.data(), data.size(), to.data() + begin, bound);
  SINEW_ASSERT(size > 0, "packed data did not fit where they must");
  to.resize(begin + size);
}

bool decompress(std::string_view packed, std::span<std::byte> data) {
  return libdeflate_zlib_decompress(&decompressor(), packed.data(), packed.size(), data.data(),
                                    data.size(), nullptr) == LIBDEFLATE_SUCCESS;
}

std::uint32_t crc32(std::string_view data) {
  return libdeflate_crc32(0, data.data(), data.size());
}

}  // namespace sinew::core
