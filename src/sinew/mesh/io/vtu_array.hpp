// SPDX-License-Identifier: Apache-2.0
// Decodes the data arrays of VTK's XML files: ASCII, base64 or raw bytes, inline or appended, plain
// or in zlib-compressed blocks.
//
//   plain       [size in bytes] data
//   compressed  [blocks n] [bytes per block] [bytes in the last block or 0] [n compressed sizes]
//   data
//
// In base64 the head and the data are encoded together or one after the other.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/mesh/io/vtk_grid.hpp>
#include <sinew/mesh/io/xml.hpp>

namespace sinew::mesh::io {

/// What the file's root element says about all arrays.
struct VtuEncoding {
  std::string file;
  std::endian order = std::endian::little;
  bool has_long_headers = false;  ///< 8 bytes per header number instead of 4
  bool is_compressed = false;
  std::string_view appended;  ///< what follows the underscore; empty without such data
  bool appended_is_base64 = false;
};

/// How many numbers an array holds, or holds at most; not negative.
struct VtuCount {
  std::int64_t number = 0;
  bool is_exact = true;
};

/// Each reads one <DataArray> of this many numbers and never unpacks more than they take.
std::vector<double> read_vtu_numbers(const XmlElement& array, const VtuEncoding& encoding,
                                     VtuCount count);
std::vector<std::int64_t> read_vtu_integers(const XmlElement& array, const VtuEncoding& encoding,
                                            VtuCount count);

/// Carries a code on over what is stored of an array, without unpacking it: equal bytes have equal
/// codes, and others hardly ever.
std::uint64_t code_of_vtu_array(const XmlElement& array, const VtuEncoding& encoding,
                                std::uint64_t code);

/// Throws InputError about an element of the file.
[[noreturn]] void fail_vtu(const XmlElement& element, const VtuEncoding& encoding, std::string what,
                           std::string hint);

}  // namespace sinew::mesh::io
