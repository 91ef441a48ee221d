// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include <sinew/core/compression.hpp>
#include <sinew/core/error.hpp>
#include <sinew/mesh/io/file_cursor.hpp>
#include <sinew/mesh/io/vtu_array.hpp>

namespace sinew::mesh::io {
namespace {

constexpr std::string_view export_again = "the file is cut off or damaged; export it again";

/// Value of a base64 digit; -1 for anything else.
constexpr std::array<int, 256> base64_values = [] {
  std::array<int, 256> values{};
  values.fill(-1);
  const std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < digits.size(); ++i)
    values[static_cast<unsigned char>(digits[i])] = static_cast<int>(i);
  return values;
}();

/// Decodes until there are `count` bytes or the text ends. Padding may end any group of four,
/// because several encoded pieces may follow each other. Stops at the first foreign character.
std::string decode_base64(std::string_view text, std::uint64_t count) {
  std::string bytes;
  unsigned group = 0;
  int digits = 0, padding = 0;
  for (const char c : text) {
    if (bytes.size() >= count) break;
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
    const int value = base64_values[static_cast<unsigned char>(c)];
    const bool is_padding = c == '=' && digits >= 2;
    if (value < 0 && !is_padding) break;
    if (value >= 0 && padding > 0) break;
    padding += is_padding ? 1 : 0;
    group = group << 6 | static_cast<unsigned>(is_padding ? 0 : value);
    if (++digits < 4) continue;
    for (int i = 0; i < 3 - padding; ++i) bytes += static_cast<char>(group >> (16 - 8 * i) & 0xFF);
    group = 0;
    digits = padding = 0;
  }
  if (bytes.size() > count) bytes.resize(count);
  return bytes;
}

/// The stored bytes of one array and how to get at them.
class ArrayBytes {
 public:
  /// Compressed data can be a thousand times as large as they are stored, so what an array may hold
  /// at most is told before any of it is unpacked.
  ArrayBytes(const XmlElement& array, const VtuEncoding& encoding, std::uint64_t most_bytes)
      : array_(array), encoding_(encoding), most_bytes_(most_bytes) {
    const std::string* format = array.attribute("format");
    if (format && *format == "appended") {
      text_ = appended_text();
      is_base64_ = encoding.appended_is_base64;
    } else {
      text_ = array.text;
      is_base64_ = true;
    }
  }

  std::string unpack() const { return encoding_.is_compressed ? inflate() : plain(); }
  /// Packed, with what announces them.
  std::string stored() const {
    if (!encoding_.is_compressed) return plain();
    const Blocks blocks = read_blocks();
    return first_bytes(blocks.head.size() + blocks.stored);
  }

 private:
  std::string_view appended_text() const {
    const std::string* offset = array_.attribute("offset");
    std::uint64_t value = 0;
    const char* end = offset ? offset->data() + offset->size() : nullptr;
    if (!offset || std::from_chars(offset->data(), end, value).ptr != end)
      fail("an appended array needs an offset", "export the mesh again");
    if (value >= encoding_.appended.size())
      fail(fmt::format("offset {} lies beyond the {} bytes of appended data", value,
                       encoding_.appended.size()),
           std::string(export_again));
    return encoding_.appended.substr(value);
  }

  /// The first `count` bytes.
  std::string first_bytes(std::uint64_t count) const {
    std::string bytes = is_base64_ ? decode_base64(text_, count)
                                   : std::string(text_.substr(0, std::min(count, text_.size())));
    if (bytes.size() < count)
      fail(fmt::format("the array should have {} bytes but has {}", count, bytes.size()),
           std::string(export_again));
    return bytes;
  }

  std::size_t header_size() const { return encoding_.has_long_headers ? 8 : 4; }

  std::uint64_t header_number(std::string_view bytes, std::uint64_t index) const {
    const char* place = bytes.data() + index * header_size();
    return encoding_.has_long_headers ? load<std::uint64_t>(place, encoding_.order)
                                      : load<std::uint32_t>(place, encoding_.order);
  }

  /// Nothing larger than the stored text can be meant.
  void require_stored(std::uint64_t count) const {
    if (count > text_.size())
      fail(fmt::format("the array announces {} bytes but only {} follow", count, text_.size()),
           std::string(export_again));
  }

  void require_wanted(std::uint64_t count) const {
    if (count > most_bytes_)
      fail(fmt::format("the array announces {} bytes of data, but its numbers take {} at most",
                       count, most_bytes_),
           std::string(export_again));
  }

  std::string plain() const {
    const std::uint64_t size = header_number(first_bytes(header_size()), 0);
    require_wanted(size);
    require_stored(size);
    return first_bytes(header_size() + size).substr(header_size());
  }

  /// What stands before compressed data.
  struct Blocks {
    std::uint64_t count = 0, stored = 0;  ///< bytes of all blocks as they are stored
    std::string head;
  };

  Blocks read_blocks() const {
    Blocks blocks{.count = header_number(first_bytes(header_size()), 0)};
    if (blocks.count == 0) return blocks;
    require_stored(blocks.count);
    blocks.head = first_bytes((3 + blocks.count) * header_size());
    for (std::uint64_t i = 0; i < blocks.count; ++i) {
      require_stored(header_number(blocks.head, 3 + i));
      blocks.stored += header_number(blocks.head, 3 + i);
      require_stored(blocks.stored);
    }
    return blocks;
  }

  std::string inflate() const {
    const auto [num_blocks, stored, head] = read_blocks();
    if (num_blocks == 0) return {};
    const std::uint64_t head_size = head.size();
    const std::uint64_t block_size = header_number(head, 1);
    const std::uint64_t last_size = header_number(head, 2) ? header_number(head, 2) : block_size;
    // zlib shrinks data at most about 1032 times
    constexpr std::uint64_t max_ratio = 1040;
    const std::uint64_t most = max_ratio * stored + 64;
    // a single block may be far smaller than the nominal block size
    if (block_size == 0 || last_size > block_size || last_size > most ||
        num_blocks - 1 > (most - last_size) / block_size)
      fail("the sizes of the compressed blocks are impossible", std::string(export_again));
    require_wanted((num_blocks - 1) * block_size + last_size);
    const std::string packed = first_bytes(head_size + stored);
    std::string unpacked;
    std::uint64_t position = head_size;
    for (std::uint64_t i = 0; i < num_blocks; ++i) {
      const std::uint64_t packed_size = header_number(head, 3 + i);
      append_block(unpacked, std::string_view(packed).substr(position, packed_size),
                   i + 1 == num_blocks ? last_size : block_size);
      position += packed_size;
    }
    return unpacked;
  }

  void append_block(std::string& target, std::string_view packed, std::uint64_t size) const {
    const std::size_t begin = target.size();
    target.resize(begin + size);
    if (!core::decompress(packed, std::as_writable_bytes(std::span(target.data() + begin, size))))
      fail("a compressed block cannot be unpacked", std::string(export_again));
  }

  [[noreturn]] void fail(std::string what, std::string hint) const {
    fail_vtu(array_, encoding_, std::move(what), std::move(hint));
  }

  const XmlElement& array_;
  const VtuEncoding& encoding_;
  std::uint64_t most_bytes_;
  std::string_view text_;
  bool is_base64_ = false;
};

template <class T>
std::vector<T> read_text(const XmlElement& array, const VtuEncoding& encoding) {
  FileCursor cursor(array.text, encoding.file, '\0', array.content_line);
  std::vector<T> values;
  while (cursor.skip_blanks()) values.push_back(cursor.number<T>("a number of a data array"));
  return values;
}

template <class T>
std::vector<T> read_array(const XmlElement& array, const VtuEncoding& encoding, VtuCount count) {
  const std::string* type_name = array.attribute("type");
  const VtkType* type = type_name ? find_vtk_type(*type_name) : nullptr;
  if (type == nullptr || (std::is_integral_v<T> && !type->is_integer))
    fail_vtu(array, encoding,
             fmt::format("data type '{}' cannot be used here", type_name ? *type_name : ""),
             "use Float64 for points and Int64 for cells");
  const std::string* format = array.attribute("format");
  std::vector<T> values;
  if (!format || *format == "ascii") {
    values = read_text<T>(array, encoding);
  } else if (*format == "binary" || *format == "appended") {
    const std::uint64_t most_bytes = static_cast<std::uint64_t>(count.number) * type->size;
    const std::string bytes = ArrayBytes(array, encoding, most_bytes).unpack();
    values.resize(bytes.size() / type->size);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const char* place = bytes.data() + i * type->size;
      if constexpr (std::is_integral_v<T>)
        values[i] = type->to_integer(place, encoding.order);
      else
        values[i] = type->to_double(place, encoding.order);
    }
  } else {
    fail_vtu(array, encoding, fmt::format("unknown format '{}'", *format),
             "use ascii, binary or appended");
  }
  const auto wanted = static_cast<std::uint64_t>(count.number);
  if (count.is_exact ? values.size() != wanted : values.size() > wanted)
    fail_vtu(array, encoding,
             fmt::format("the array has {} numbers instead of {}{}", values.size(),
                         count.is_exact ? "" : "at most ", wanted),
             std::string(export_again));
  return values;
}

}  // namespace

std::vector<double> read_vtu_numbers(const XmlElement& array, const VtuEncoding& encoding,
                                     VtuCount count) {
  return read_array<double>(array, encoding, count);
}

std::vector<std::int64_t> read_vtu_integers(const XmlElement& array, const VtuEncoding& encoding,
                                            VtuCount count) {
  return read_array<std::int64_t>(array, encoding, count);
}

std::uint64_t code_of_vtu_array(const XmlElement& array, const VtuEncoding& encoding,
                                std::uint64_t code) {
  const std::string* format = array.attribute("format");
  const bool is_text = !format || *format == "ascii";
  const std::string bytes =
      is_text ? std::string(array.text)
              : ArrayBytes(array, encoding, std::numeric_limits<std::uint64_t>::max()).stored();
  // FNV-1a
  for (const char byte : bytes) code = (code ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  return (code ^ bytes.size()) * 0x100000001b3U;
}

void fail_vtu(const XmlElement& element, const VtuEncoding& encoding, std::string what,
              std::string hint) {
  const std::string* name = element.attribute("Name");
  const std::string subject = name ? fmt::format(" \"{}\"", *name) : "";
  throw InputError({encoding.file,
                    fmt::format("line {}, <{}{}>", element.line, element.name, subject),
                    std::move(what), std::move(hint)});
}

}  // namespace sinew::mesh::io
