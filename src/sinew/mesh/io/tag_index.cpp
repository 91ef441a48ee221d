// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/mesh/io/tag_index.hpp>

namespace sinew::mesh::io {

TagIndex::TagIndex(const std::vector<std::uint64_t>& tags) {
  if (tags.empty()) return;
  const auto [low, high] = std::minmax_element(tags.begin(), tags.end());
  first_ = *low;
  // a table is fastest, as long as it costs no more than the vertices themselves (3 doubles)
  if ((*high - *low) / 6 < tags.size()) {
    by_offset_.assign(*high - *low + 1, -1);
    for (std::size_t i = 0; i < tags.size(); ++i) {
      int& vertex = by_offset_[tags[i] - first_];
      if (vertex >= 0) duplicate_ = tags[i];
      vertex = static_cast<int>(i);
    }
    return;
  }
  for (std::size_t i = 0; i < tags.size(); ++i) sorted_.emplace_back(tags[i], static_cast<int>(i));
  std::sort(sorted_.begin(), sorted_.end());
  const auto twin =
      std::adjacent_find(sorted_.begin(), sorted_.end(),
                         [](const auto& a, const auto& b) { return a.first == b.first; });
  if (twin != sorted_.end()) duplicate_ = twin->first;
}

int TagIndex::find(std::uint64_t tag) const {
  if (!by_offset_.empty())
    return tag >= first_ && tag - first_ < by_offset_.size() ? by_offset_[tag - first_] : -1;
  const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{tag, -1});
  return found != sorted_.end() && found->first == tag ? found->second : -1;
}

}  // namespace sinew::mesh::io
