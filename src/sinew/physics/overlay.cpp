// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/physics/overlay.hpp>

namespace sinew::physics {

void Overlay::update(const std::shared_ptr<const la::BlockPattern>& base,
                     std::vector<std::pair<int, int>> blocks,
                     std::span<const std::vector<int>> base_slots) {
  for (auto& [row, col] : blocks)
    if (row > col) std::swap(row, col);
  std::erase_if(blocks,
                [&](const auto& block) { return base->slot(block.first, block.second) >= 0; });
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  if (pattern_ && blocks == extra_) return;
  extra_ = std::move(blocks);
  if (extra_.empty()) {
    pattern_ = base;
    return;
  }
  pattern_ = la::BlockPattern::extended(base, extra_, slot_of_base_);
  slots_.resize(base_slots.size());
  for (std::size_t term = 0; term < base_slots.size(); ++term) {
    slots_[term].resize(base_slots[term].size());
    std::transform(base_slots[term].begin(), base_slots[term].end(), slots_[term].begin(),
                   [&](int slot) { return slot < 0 ? -1 : slot_of_base_[slot]; });
  }
}

}  // namespace sinew::physics
