// SPDX-License-Identifier: Apache-2.0
// A system of terms in two parts, node by node: terms are restricted to the elements that touch
// each part. What cannot be taken apart (contact, loads, what has internal variables) acts in both.
#pragma once

#include <sinew/dynamics/capabilities/split.hpp>

namespace sinew::physics {

class TermSystem;

class TermSplit final : public dynamics::Split {
 public:
  explicit TermSplit(const TermSystem& system) : system_(system) {}

  /// Needs a lumped mass and vertices that are not held for a step.
  bool is_possible() const;
  void partition(const dynamics::State& state, const dynamics::PartitionWish& wish,
                 dynamics::Workspace& workspace, dynamics::Partition& split) const override;
  std::unique_ptr<dynamics::SplitParts> make_parts(
      const dynamics::Partition& partition) const override;

 private:
  const TermSystem& system_;
};

}  // namespace sinew::physics
