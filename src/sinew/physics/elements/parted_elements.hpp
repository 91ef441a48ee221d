// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include <sinew/core/error.hpp>
#include <sinew/dynamics/explicit_stability.hpp>
#include <sinew/physics/elements/alternating_sets.hpp>

namespace sinew::physics {

/// Elements with a few `vertices`, sorted by the smallest and cut into sets, one per part of the
/// vertex order (la::banded_parts), that can be worked on by several threads. All pairs of vertices
/// of an element must have been edges when the parts were made.
template <class Element>
class PartedElements {
 public:
  PartedElements(std::vector<Element> elements, std::span<const int> parts)
      : elements_(std::move(elements)), parts_(parts.begin(), parts.end()) {
    std::stable_sort(elements_.begin(), elements_.end(), [](const Element& a, const Element& b) {
      return range(a).first < range(b).first;
    });
    std::size_t next = 0;
    for (std::size_t part = 0; part + 1 < parts_.size(); ++part) {
      while (next < elements_.size() && range(elements_[next]).first < parts_[part + 1]) {
        SINEW_ASSERT(part + 2 >= parts_.size() || range(elements_[next]).second < parts_[part + 2],
                     "an element reaches beyond the next part");
        ++next;
      }
      set_start_.push_back(next);
    }
    SINEW_ASSERT(next == elements_.size(), "an element lies outside all parts");
  }

  std::span<const Element> all() const { return elements_; }
  std::size_t size() const { return elements_.size(); }
  int num_sets() const { return static_cast<int>(set_start_.size()) - 1; }
  /// First element of a set; its end is where the next one begins.
  std::size_t set_start(int set) const { return set_start_[static_cast<std::size_t>(set)]; }

  /// work(element, its index, its set), sets in parallel as far as they write to different places.
  template <class Work>
  void for_each(const core::Executor& executor, const Work& work) const {
    for_each_alternating(executor, num_sets(), [&](int set) {
      for (std::size_t e = set_start(set); e < set_start(set + 1); ++e) work(elements_[e], e, set);
    });
  }

  /// Sum of value(element, its index), in an order that does not depend on threads. `partial` is
  /// scratch that keeps its size between calls.
  template <class Value>
  double sum(const core::Executor& executor, std::vector<double>& partial,
             const Value& value) const {
    partial.assign(static_cast<std::size_t>(num_sets()), 0.0);
    for_each(executor, [&](const Element& element, std::size_t e, int set) {
      partial[static_cast<std::size_t>(set)] += value(element, e);
    });
    double total = 0.0;
    for (const double one : partial) total += one;
    return total;
  }

  dynamics::ElementNodes element_vertices() const {
    dynamics::ElementNodes result;
    for (const Element& element : elements_) result.add(element.vertices);
    return result;
  }

  /// These only, ascending.
  PartedElements restricted_to(std::span<const int> chosen) const {
    std::vector<Element> kept;
    kept.reserve(chosen.size());
    for (const int e : chosen) kept.push_back(elements_[static_cast<std::size_t>(e)]);
    return {std::move(kept), parts_};
  }

 private:
  static std::pair<int, int> range(const Element& element) {
    const auto [low, high] = std::minmax_element(element.vertices.begin(), element.vertices.end());
    return {*low, *high};
  }

  std::vector<Element> elements_;
  std::vector<int> parts_;
  std::vector<std::size_t> set_start_{0};
};

}  // namespace sinew::physics
