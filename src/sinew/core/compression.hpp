// SPDX-License-Identifier: Apache-2.0
// Data in the format of zlib (RFC 1950), which VTK files and web pages use.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sinew::core {

/// Appends the packed data. `level`: 1 is quick, 12 is small.
void append_compressed(std::span<const std::byte> data, int level, std::string& to);

/// False unless `packed` holds just as many bytes as `data` takes.
bool decompress(std::string_view packed, std::span<std::byte> data);

/// The check sum of ZIP files.
std::uint32_t crc32(std::string_view data);

}  // namespace sinew::core
