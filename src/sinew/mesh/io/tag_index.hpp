// SPDX-License-Identifier: Apache-2.0
// Finds vertices by the numbers a file gives them, which may have gaps and any order.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sinew::mesh::io {

class TagIndex {
 public:
  /// tags[i] is the number of vertex i.
  explicit TagIndex(const std::vector<std::uint64_t>& tags);

  /// The vertex of that number, or -1.
  int find(std::uint64_t tag) const;

  /// A number that was given twice, if there is one.
  std::optional<std::uint64_t> duplicate() const { return duplicate_; }

 private:
  std::vector<int> by_offset_;  ///< vertex of tag first_ + i, or -1; when the gaps are small
  std::uint64_t first_ = 0;
  std::vector<std::pair<std::uint64_t, int>> sorted_;  ///< otherwise
  std::optional<std::uint64_t> duplicate_;
};

}  // namespace sinew::mesh::io
