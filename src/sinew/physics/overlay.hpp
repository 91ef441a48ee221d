// SPDX-License-Identifier: Apache-2.0
// Base and overlay. Blocks of terms with fixed elements are in the base pattern, made once. Terms
// whose pairs come and go announce them for each linearisation; while there are any, matrices have
// the merged pattern, and the slots of the fixed elements are looked up once per change. Which
// pattern a state has depends on the state alone, so a new workspace leads to the same bits.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <sinew/la/block_pattern.hpp>

namespace sinew::physics {

class Overlay {
 public:
  /// Blocks (row, col) that are wanted beside those of `base`, in any order, repeats allowed.
  /// `base_slots`: one table per term.
  void update(const std::shared_ptr<const la::BlockPattern>& base,
              std::vector<std::pair<int, int>> blocks,
              std::span<const std::vector<int>> base_slots);

  /// The base pattern itself while nothing is wanted beside it.
  const std::shared_ptr<const la::BlockPattern>& pattern() const { return pattern_; }
  /// Slots of a term in pattern(); nullptr: those of the base hold.
  const std::vector<int>* slots(std::size_t term) const {
    return extra_.empty() ? nullptr : &slots_[term];
  }

 private:
  std::shared_ptr<const la::BlockPattern> pattern_;
  std::vector<std::pair<int, int>> extra_;
  std::vector<int> slot_of_base_;
  std::vector<std::vector<int>> slots_;
};

}  // namespace sinew::physics
