// SPDX-License-Identifier: Apache-2.0
// Pressure and wind on faces. Both are a pressure p on the face as it stands now,
//   f_k = -p A n / 3 on each corner,   A n = 1/2 (x_1 - x_0) x (x_2 - x_0),
// p given, or drag * density/2 * s^2 with s = (wind - velocity).n < 0 on faces the air hits.
//
// Tangent. With g_k = x_{k+2} - x_{k+1} the derivative of -f_j by x_k is p/6 [g_k]x, not symmetric
// for a single face; its symmetric part p/12 [g_k - g_j]x is used. On a closed surface under
// uniform pressure the skew parts cancel and nothing is lost; along the rim of a loaded patch they
// do not. Where a definite tangent is asked for, K is left out. Wind adds D = drag density |s|
// A/9 n n^T; the change of the wind along the way is left out.
#pragma once

#include <span>
#include <vector>

#include <sinew/la/symmetric_matrix.hpp>
#include <sinew/physics/elements/padded_field.hpp>
#include <sinew/physics/loads/load_spec.hpp>

namespace sinew::physics {

class SurfaceLoads {
 public:
  /// `rest`, `block_of_vertex` (negative: not free) and all fields are in the internal order.
  SurfaceLoads(const std::vector<PressureLoad>& pressures, const std::vector<WindLoad>& winds,
               std::span<const int> internal_of_user, std::span<const Vec3> rest,
               const la::BlockPattern& pattern, std::span<const int> block_of_vertex);

  bool empty() const { return pressures_.empty() && winds_.empty(); }
  bool depends_on_time() const { return depends_on_time_; }
  bool depends_on_velocity() const { return !winds_.empty(); }

  void add_force(const PaddedField& x, const PaddedField& v, double t, PaddedField& f) const;
  /// K and D may be nullptr when not wanted.
  void add_tangent(const PaddedField& x, const PaddedField& v, double t, la::SymmetricMatrix* K,
                   la::SymmetricMatrix* D) const;

 private:
  struct Face {
    std::array<int, 3> vertices;  ///< internal, outward order
    std::array<int, 6> slots;     ///< of face_pairs; -1: a corner is not free
    Vec3 centre;                  ///< at rest [m]
  };
  struct Pressure {
    std::vector<Face> faces;
    std::shared_ptr<const core::Expression> pressure;
    TimeWindow window;
  };
  struct Wind {
    std::vector<Face> faces;
    WindLoad load;
  };
  /// What acts on one face: a pressure, and how it grows with the speed of the face along n.
  struct Action {
    double pressure = 0.0;  ///< [Pa]
    double damping = 0.0;   ///< -d pressure / d (v.n) with the sign of D [Pa s/m]
  };

  template <class Use>
  void for_each_action(const PaddedField& x, const PaddedField& v, double t, const Use& use) const;
  static Action wind_on(const Wind& wind, const Face& face, const PaddedField& x,
                        const PaddedField& v, double t);

  std::vector<Pressure> pressures_;
  std::vector<Wind> winds_;
  bool depends_on_time_ = false;
};

}  // namespace sinew::physics
