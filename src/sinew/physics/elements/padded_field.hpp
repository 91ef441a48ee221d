// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <vector>

#include <sinew/core/types.hpp>

namespace sinew::physics {

/// One 3-vector per vertex in a slot of four doubles, so that a vertex is one aligned register load
/// and two threads never share one. The fourth entry stays zero.
class PaddedField {
 public:
  explicit PaddedField(int num_vertices = 0) : data_(static_cast<std::size_t>(num_vertices)) {}

  bool operator==(const PaddedField& other) const {
    return data_.size() == other.data_.size() &&
           std::memcmp(data_.data(), other.data_.data(), data_.size() * sizeof(Slot)) == 0;
  }

  int num_vertices() const { return static_cast<int>(data_.size()); }
  double* at(int vertex) { return data_[static_cast<std::size_t>(vertex)].value; }
  const double* at(int vertex) const { return data_[static_cast<std::size_t>(vertex)].value; }
  Eigen::Map<Vec3> vector(int vertex) { return Eigen::Map<Vec3>(at(vertex)); }
  Eigen::Map<const Vec3> vector(int vertex) const { return Eigen::Map<const Vec3>(at(vertex)); }
  /// The whole slot: a zero comes after the vector.
  using Padded = Eigen::Vector4d;
  Eigen::Map<Padded, Eigen::Aligned32> padded(int vertex) {
    return Eigen::Map<Padded, Eigen::Aligned32>(at(vertex));
  }
  Eigen::Map<const Padded, Eigen::Aligned32> padded(int vertex) const {
    return Eigen::Map<const Padded, Eigen::Aligned32>(at(vertex));
  }
  void set_zero() { data_.assign(data_.size(), Slot{}); }

 private:
  struct alignas(32) Slot {
    double value[4] = {0.0, 0.0, 0.0, 0.0};
  };
  std::vector<Slot> data_;
};

}  // namespace sinew::physics
