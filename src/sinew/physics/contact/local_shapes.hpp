// SPDX-License-Identifier: Apache-2.0
// Why a body that is not folded need not be looked through for contacts with itself. Around every
// cluster of features, positions are near an affine map A of those at rest, by e: two features D
// apart at rest are at least s D - 2 e apart, s the least stretch of A. Forces begin where a gap
// has fallen to half of that at rest, or to the reach, so where s is above 1/2 and e small nothing
// acts between a cluster and those that it touches.
#pragma once

#include <sinew/core/executor.hpp>
#include <sinew/physics/contact/clustered_part.hpp>
#include <sinew/physics/elements/padded_field.hpp>

namespace sinew::physics {

class LocalShapes {
 public:
  LocalShapes(const ContactSurface& surface, int part, const ClusteredPart& clusters);

  /// Of the surroundings of one cluster.
  struct Fit {
    Mat3 map = Mat3::Zero();
    double least_stretch = 0.0;
    double error = 0.0;  ///< largest distance of a vertex from where the map takes it [m]
  };

  /// `x`: of the part, by its own numbers.
  void fit(const PaddedField& x, const core::Executor& executor, std::vector<Fit>& fits) const;
  /// Whether all gaps between features of clusters that this one touches, itself among them, stay
  /// above those where forces begin on the straight ways between two fitted configurations, and up
  /// to `room` beside them.
  bool stays_open(int cluster, const Fit& from, const Fit& to, double reach, double room) const;
  /// Whether a cluster that touches both is open.
  bool is_open_between(int a, int b, const std::vector<char>& is_open) const;

 private:
  struct Surroundings {
    std::vector<int> vertices;   ///< numbers within the part
    Vec3 middle = Vec3::Zero();  ///< mean of them at rest [m]
    Mat3 inverse =
        Mat3::Zero();  ///< of the sum of r r^T, r from the middle, in the directions it has
    Vec3 normal = Vec3::Zero();  ///< of a flat one; 0: it is not
    double least_gap = 0.0;      ///< at rest, of pairs that can meet [m]
    std::vector<int> touched;    ///< clusters, ascending, itself too
  };

  Fit fit(const Surroundings& around, const PaddedField& x) const;

  std::vector<Surroundings> surroundings_;
  PaddedField rest_;  ///< by the part's own numbers
  double thickness_;
};

}  // namespace sinew::physics
