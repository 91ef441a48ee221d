// SPDX-License-Identifier: Apache-2.0
// With b_k the gradient of corner k: force on corner k is -volume P b_k, stiffness block (k, l) is
// volume contract(b_k, b_l). Corner 0 follows from b_0 = -(b_1 + b_2 + b_3): its force and blocks
// are minus the sum of the others, so six blocks are computed and four summed.
#pragma once

#include <atomic>
#include <numeric>
#include <vector>

#include <sinew/physics/elements/principal.hpp>
#include <sinew/physics/elements/tet_elasticity.hpp>

namespace sinew::physics {
namespace tet_loops {

using Batch3 = Vector3<Pack>;
using Batch33 = Matrix3<Pack>;

inline Batch3 gather(const PaddedField& x, const std::array<int, lanes>& vertices) {
  Pack a = load(x.at(vertices[0]));
  Pack b = load(x.at(vertices[1]));
  Pack c = load(x.at(vertices[2]));
  Pack d = load(x.at(vertices[3]));
  transpose(a, b, c, d);
  return {a, b, c};
}

inline void scatter(const Batch3& value, const std::array<int, lanes>& vertices, PaddedField& f) {
  Pack row[lanes] = {value.x, value.y, value.z, Pack{}};
  transpose(row[0], row[1], row[2], row[3]);
  for (int lane = 0; lane < lanes; ++lane) {
    double* target = f.at(vertices[lane]);
    store(target, load(target) + row[lane]);
  }
}

/// Adds a 3x3 block per lane, stored row by row, to its slot.
inline void scatter(const Batch33& H, const std::array<int, lanes>& slots, double* values) {
  Pack first[lanes] = {H.c[0].x, H.c[1].x, H.c[2].x, H.c[0].y};
  Pack second[lanes] = {H.c[1].y, H.c[2].y, H.c[0].z, H.c[1].z};
  transpose(first[0], first[1], first[2], first[3]);
  transpose(second[0], second[1], second[2], second[3]);
  for (int lane = 0; lane < lanes; ++lane) {
    if (slots[lane] < 0) continue;
    double* target = values + 9 * static_cast<Index>(slots[lane]);
    store(target, load(target) + first[lane]);
    store(target + 4, load(target + 4) + second[lane]);
    target[8] += H.c[2].z[lane];
  }
}

inline Batch33 deformation_gradient(const TetBatch& batch, const PaddedField& x) {
  const Batch3 x0 = gather(x, batch.vertices[0]);
  const Batch3 d1 = gather(x, batch.vertices[1]) - x0;
  const Batch3 d2 = gather(x, batch.vertices[2]) - x0;
  const Batch3 d3 = gather(x, batch.vertices[3]) - x0;
  const auto& b = batch.gradients;
  return {{b[0].x * d1 + b[1].x * d2 + b[2].x * d3, b[0].y * d1 + b[1].y * d2 + b[2].y * d3,
           b[0].z * d1 + b[1].z * d2 + b[2].z * d3}};
}

inline void scatter_force(const TetBatch& batch, const Batch33& P, PaddedField& f) {
  const Pack minus_volume = -batch.volume;
  const Batch3 f1 = minus_volume * (P * batch.gradients[0]);
  const Batch3 f2 = minus_volume * (P * batch.gradients[1]);
  const Batch3 f3 = minus_volume * (P * batch.gradients[2]);
  const Batch3 sum = f1 + f2 + f3;
  scatter(Batch3{-sum.x, -sum.y, -sum.z}, batch.vertices[0], f);
  scatter(f1, batch.vertices[1], f);
  scatter(f2, batch.vertices[2], f);
  scatter(f3, batch.vertices[3], f);
}

inline Batch33 minus_sum(const Batch33& a, const Batch33& b, const Batch33& c) {
  return broadcast(-1.0) * (a + b + c);
}

/// use(pair, block) for the ten blocks of an element, pairs as in tet_pairs. Each is used as soon
/// as it is there, before its registers are needed for the next.
template <class Tangent, class Use>
void for_each_block(const TetBatch& batch, const Tangent& tangent, const Use& use) {
  // tet_pairs: 0 00, 1 01, 2 02, 3 03, 4 11, 5 12, 6 13, 7 22, 8 23, 9 33
  const auto& b = batch.gradients;
  const std::array<Batch3, 3> vb{batch.volume * b[0], batch.volume * b[1], batch.volume * b[2]};
  const Batch33 H11 = tangent.contract(vb[0], b[0]);
  const Batch33 H12 = tangent.contract(vb[0], b[1]);
  const Batch33 H13 = tangent.contract(vb[0], b[2]);
  const Batch33 H22 = tangent.contract(vb[1], b[1]);
  const Batch33 H23 = tangent.contract(vb[1], b[2]);
  const Batch33 H33 = tangent.contract(vb[2], b[2]);
  use(4, H11);
  use(5, H12);
  use(6, H13);
  use(7, H22);
  use(8, H23);
  use(9, H33);
  const Batch33 H01 = minus_sum(H11, transposed(H12), transposed(H13));
  const Batch33 H02 = minus_sum(H12, H22, transposed(H23));
  const Batch33 H03 = minus_sum(H13, H23, H33);
  use(1, H01);
  use(2, H02);
  use(3, H03);
  use(0, minus_sum(H01, H02, H03));
}

template <class Tangent>
void scatter_tangent(const TetBatch& batch, const TetSlots& slots, const Tangent& tangent,
                     double* K) {
  for_each_block(batch, tangent,
                 [&](std::size_t pair, const Batch33& block) { scatter(block, slots[pair], K); });
}

template <template <class> class Material>
class TetElasticity final : public ElementSet {
 public:
  explicit TetElasticity(TetBatches batches) : batches_(std::move(batches)) {}

  std::vector<std::array<int, 2>> pairs() const override { return batches_.pairs(); }

  double energy(const PaddedField& x, const core::Executor& executor,
                std::vector<double>& partial) const override {
    partial.resize(static_cast<std::size_t>(batches_.num_sets()));
    batches_.for_each_set(executor, [&](std::span<const TetBatch> set, int index) {
      partial[static_cast<std::size_t>(index)] = energy_of(set, x);
    });
    return std::accumulate(partial.begin(), partial.end(), 0.0);
  }

  void add_force(const PaddedField& x, const core::Executor& executor,
                 PaddedField& f) const override {
    batches_.for_each_set(executor,
                          [&](std::span<const TetBatch> set, int) { add_force_of(set, x, f); });
  }

  Index add_tangent(const PaddedField& x, dynamics::Definiteness definiteness,
                    const core::Executor& executor, std::span<const int> slots, double* K,
                    PaddedField* f) const override {
    std::atomic<Index> changed = 0;
    batches_.for_each_set(executor, [&](std::span<const TetBatch> set, int index) {
      const TetSlots* places = batches_.slots_of_set(slots, index);
      if constexpr (can_be_indefinite) {
        if (definiteness != dynamics::Definiteness::exact) {
          const double mirror = definiteness == dynamics::Definiteness::psd_abs ? 1.0 : 0.0;
          changed += add_definite_tangent_of(set, places, x, mirror, K, f);
          return;
        }
      }
      if (f) {
        add_tangent_of<true>(set, places, x, K, f);
      } else {
        add_tangent_of<false>(set, places, x, K, nullptr);
      }
    });
    return changed;
  }

  void add_definite_product(const PaddedField& x, const PaddedField& v,
                            const core::Executor& executor, PaddedField& f) const override {
    batches_.for_each_set(
        executor, [&](std::span<const TetBatch> set, int) { add_product_of(set, x, v, f); });
  }

  Index count_inverted(const PaddedField& x, const core::Executor& executor,
                       std::vector<double>& partial) const override {
    partial.resize(static_cast<std::size_t>(batches_.num_sets()));
    batches_.for_each_set(executor, [&](std::span<const TetBatch> set, int index) {
      double count = 0.0;
      for (const TetBatch& batch : set) {
        const Batch33 F = deformation_gradient(batch, x);
        const Pack detF = dot(F.c[0], cross(F.c[1], F.c[2]));
        for (int lane = 0; lane < lanes; ++lane)
          if (batch.element[lane] >= 0 && !(detF[lane] > 0.0)) count += 1.0;
      }
      partial[static_cast<std::size_t>(index)] = count;
    });
    return static_cast<Index>(std::accumulate(partial.begin(), partial.end(), 0.0));
  }

  void add_gradients(const PaddedField& x, const core::Executor& executor,
                     std::span<Mat3> sums) const override {
    batches_.for_each_set(executor, [&](std::span<const TetBatch> set, int) {
      for (const TetBatch& batch : set) {
        const Batch33 F = batch.volume * deformation_gradient(batch, x);
        for (int lane = 0; lane < lanes; ++lane) {
          Mat3 local;
          for (int c = 0; c < 3; ++c) {
            const Batch3& column = F.c[static_cast<std::size_t>(c)];
            local.col(c) << column.x[lane], column.y[lane], column.z[lane];
          }
          for (const auto& vertices : batch.vertices)
            sums[static_cast<std::size_t>(vertices[static_cast<std::size_t>(lane)])] += local;
        }
      }
    });
  }

  std::span<const CellQuantity> quantities() const override {
    using enum CellQuantity;
    static constexpr std::array known{cauchy_stress, von_mises, energy_density, det_f};
    return known;
  }
  void evaluate_cells(const PaddedField& x, CellQuantity quantity, const core::Executor& executor,
                      VecOut values) const override {
    executor.for_each(batches_.num_sets(), [&](int index) {
      for (const TetBatch& batch : batches_.set(index)) evaluate_batch(batch, x, quantity, values);
    });
  }

  int num_elements() const override { return batches_.num_elements(); }
  dynamics::ElementNodes element_vertices() const override { return batches_.element_vertices(); }
  std::unique_ptr<ElementSet> restricted_to(std::span<const int> elements) const override {
    return std::make_unique<TetElasticity>(batches_.restricted_to(elements));
  }

 private:
  static constexpr bool can_be_indefinite =
      requires(const Material<Pack> m, const std::array<Pack, 3> s) {
    m.principal(s);
  };

  static void evaluate_batch(const TetBatch& batch, const PaddedField& x, CellQuantity quantity,
                             VecOut values) {
    const Batch33 F = deformation_gradient(batch, x);
    const Pack detF = dot(F.c[0], cross(F.c[1], F.c[2]));
    const auto write = [&](int components, int component, const Pack& value) {
      for (int lane = 0; lane < lanes; ++lane)
        if (batch.element[lane] >= 0)
          values[static_cast<Index>(batch.element[lane]) * components + component] = value[lane];
    };
    if (quantity == CellQuantity::det_f) return write(1, 0, detF);
    if (quantity == CellQuantity::energy_density)
      return write(1, 0, material(batch).energy_density(F));
    // Cauchy stress: P F^T / detF
    const Batch33 P = material(batch).first_piola(F);
    const Batch33 stress = broadcast(1.0) / detF *
                           (outer(P.c[0], F.c[0]) + outer(P.c[1], F.c[1]) + outer(P.c[2], F.c[2]));
    const Pack xx = stress.c[0].x, yy = stress.c[1].y, zz = stress.c[2].z;
    const Pack xy = stress.c[1].x, yz = stress.c[2].y, xz = stress.c[2].x;
    if (quantity == CellQuantity::cauchy_stress) {
      const std::array<Pack, 6> entries{xx, yy, zz, xy, yz, xz};
      for (int k = 0; k < 6; ++k) write(6, k, entries[static_cast<std::size_t>(k)]);
      return;
    }
    write(1, 0,
          root(Pack(0.5 * ((xx - yy) * (xx - yy) + (yy - zz) * (yy - zz) + (zz - xx) * (zz - xx)) +
                    3.0 * (xy * xy + yz * yz + xz * xz))));
  }

  static Material<Pack> material(const TetBatch& batch) {
    return Material<Pack>::make(batch.parameters);
  }

  // Flattened: a call that is not inlined would pass whole matrices of registers through memory.

  [[gnu::flatten]] static double energy_of(std::span<const TetBatch> set, const PaddedField& x) {
    Pack sum{};
    for (const TetBatch& batch : set)
      sum += batch.volume * material(batch).energy_density(deformation_gradient(batch, x));
    return sum[0] + sum[1] + sum[2] + sum[3];
  }

  [[gnu::flatten]] static void add_force_of(std::span<const TetBatch> set, const PaddedField& x,
                                            PaddedField& f) {
    for (const TetBatch& batch : set)
      scatter_force(batch, material(batch).first_piola(deformation_gradient(batch, x)), f);
  }

  template <bool with_force>
  [[gnu::flatten]] static void add_tangent_of(std::span<const TetBatch> set, const TetSlots* slots,
                                              const PaddedField& x, double* K, PaddedField* f) {
    for (const TetBatch& batch : set) {
      const TetSlots& places = *slots++;
      const Batch33 F = deformation_gradient(batch, x);
      if constexpr (requires(typename Material<Pack>::Tangent t) { t.stress(); }) {
        const auto tangent = material(batch).tangent(F);
        if constexpr (with_force) scatter_force(batch, tangent.stress(), *f);
        scatter_tangent(batch, places, tangent, K);
      } else {
        // cheap enough to compute twice, and fewer registers are held at a time
        if constexpr (with_force) scatter_force(batch, material(batch).first_piola(F), *f);
        scatter_tangent(batch, places, material(batch).tangent(F), K);
      }
    }
  }

  /// Returns the number of elements with negative curvature.
  [[gnu::flatten]] static Index add_definite_tangent_of(std::span<const TetBatch> set,
                                                        const TetSlots* slots, const PaddedField& x,
                                                        double mirror, double* K, PaddedField* f) {
    Index changed = 0;
    for (const TetBatch& batch : set) {
      const DefiniteTangent<Pack> definite =
          definite_tangent(material(batch), deformation_gradient(batch, x), mirror);
      if (f) scatter_force(batch, definite.tangent.stress(), *f);
      scatter_tangent(batch, *slots++, definite.tangent, K);
      for (int lane = 0; lane < lanes; ++lane)
        if (batch.element[lane] >= 0 && definite.changed[lane] > 0.0) ++changed;
    }
    return changed;
  }

  static auto clamped_tangent(const TetBatch& batch, const Batch33& F) {
    if constexpr (can_be_indefinite) {
      return definite_tangent(material(batch), F, 0.0).tangent;
    } else {
      return material(batch).tangent(F);
    }
  }

  [[gnu::flatten]] static void add_product_of(std::span<const TetBatch> set, const PaddedField& x,
                                              const PaddedField& v, PaddedField& f) {
    for (const TetBatch& batch : set) {
      std::array<Batch3, 4> velocity, force{};
      for (std::size_t k = 0; k < 4; ++k) velocity[k] = gather(v, batch.vertices[k]);
      for_each_block(batch, clamped_tangent(batch, deformation_gradient(batch, x)),
                     [&](std::size_t pair, const Batch33& block) {
                       const auto a = static_cast<std::size_t>(tet_pairs[pair][0]);
                       const auto b = static_cast<std::size_t>(tet_pairs[pair][1]);
                       force[a] = force[a] - block * velocity[b];
                       if (a != b) force[b] = force[b] - transposed(block) * velocity[a];
                     });
      for (std::size_t k = 0; k < 4; ++k) scatter(force[k], batch.vertices[k], f);
    }
  }

  TetBatches batches_;
};

}  // namespace tet_loops

template <template <class> class Material>
std::unique_ptr<ElementSet> make_tet_elasticity(TetBatches batches) {
  return std::make_unique<tet_loops::TetElasticity<Material>>(std::move(batches));
}

}  // namespace sinew::physics
