// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include <sinew/core/executor.hpp>
#include <sinew/geometry/box_tree.hpp>
#include <sinew/physics/contact/smooth_surface.hpp>

namespace sinew::physics {

/// A vertex that is closer to a smooth surface than it should be, or inside.
struct SmoothContact {
  const SmoothSurface* surface = nullptr;
  std::array<int, 2> parts{};  ///< of the vertex, of the surface
  SmoothPoint point;
  double gap = 0.0;  ///< F less what both are made of [m]
};

/// Finds them. Vertices are looked for in boxes around triangles; the order of contacts is that of
/// the pairs and of the vertices.
class SmoothSearch {
 public:
  SmoothSearch(std::shared_ptr<const ContactSurface> surface,
               const std::vector<std::array<int, 2>>& pairs, double reach);

  struct Memory {
    std::vector<geometry::BoxTree> trees;  ///< one per surface
    std::vector<SmoothContact> contacts;
    PaddedField contacts_at;  ///< where everything was then
  };

  const std::vector<SmoothContact>& contacts(const PaddedField& x, const core::Executor& executor,
                                             Memory& memory) const;

  const Numbering& numbering() const { return parts_->numbering(); }

 private:
  struct Field {
    int part = 0;
    SmoothSurface surface;
    std::vector<int> others;  ///< parts whose vertices meet it
  };

  void find(const Field& field, geometry::BoxTree& tree, const PaddedField& x,
            const core::Executor& executor, std::vector<SmoothContact>& contacts) const;

  std::shared_ptr<const ContactSurface> parts_;
  std::vector<std::vector<int>> vertices_;  ///< per part
  std::vector<Field> fields_;
  double reach_;
};

}  // namespace sinew::physics
