// SPDX-License-Identifier: Apache-2.0
// With g_k the gradient of node k and v the volume of a point: force on node k is -v P g_k,
// stiffness block (k, l) is v contract(g_k, g_l), summed over the points. Node 0 follows from g_0 =
// -(g_1 + g_2 + ...): its force and blocks are minus the sum of the others. Of a linear tet six
// blocks are computed and four summed; of one with ten nodes 45 and ten.
#pragma once

#include <atomic>
#include <numeric>
#include <vector>

#include <sinew/physics/elements/principal.hpp>
#include <sinew/physics/elements/tet_elasticity.hpp>
#include <sinew/physics/elements/tet_stress.hpp>

namespace sinew::physics {
namespace tet_loops {

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

/// The vertices of a batch as seen from the first one.
template <int nodes>
using Spread = std::array<Batch3, nodes - 1>;

template <int nodes>
Spread<nodes> gather_spread(const TetBatch<nodes>& batch, const PaddedField& x) {
  const Batch3 x0 = gather(x, batch.vertices[0]);
  Spread<nodes> d;
  for (std::size_t k = 0; k < d.size(); ++k) d[k] = gather(x, batch.vertices[k + 1]) - x0;
  return d;
}

/// F at a point.
template <int nodes>
Batch33 gradient_at(const TetBatch<nodes>& batch, const Spread<nodes>& d, std::size_t point) {
  const auto& g = batch.gradients[point];
  Batch33 F{g[0].x * d[0], g[0].y * d[0], g[0].z * d[0]};
  for (std::size_t k = 1; k < d.size(); ++k) {
    F.c[0] = F.c[0] + g[k].x * d[k];
    F.c[1] = F.c[1] + g[k].y * d[k];
    F.c[2] = F.c[2] + g[k].z * d[k];
  }
  return F;
}

/// use(point, F) for the points of a batch.
template <int nodes, class Use>
void for_each_point(const TetBatch<nodes>& batch, const PaddedField& x, const Use& use) {
  const Spread<nodes> d = gather_spread(batch, x);
  for (std::size_t point = 0; point < num_points<nodes>; ++point)
    use(point, gradient_at(batch, d, point));
}

/// Forces on the nodes of a batch, which stresses at its points add to.
template <int nodes>
class NodalForces {
 public:
  explicit NodalForces(const TetBatch<nodes>& batch) : batch_(batch) {}

  void add(std::size_t point, const Batch33& P) {
    const Pack minus_volume = -batch_.volumes[point];
    for (std::size_t k = 0; k < f_.size(); ++k) {
      const Batch3 force = minus_volume * (P * batch_.gradients[point][k]);
      f_[k] = point == 0 ? force : f_[k] + force;
    }
  }

  void scatter_to(PaddedField& f) const {
    Batch3 sum = f_[0];
    for (std::size_t k = 1; k < f_.size(); ++k) sum = sum + f_[k];
    scatter(Batch3{-sum.x, -sum.y, -sum.z}, batch_.vertices[0], f);
    for (std::size_t k = 0; k < f_.size(); ++k) scatter(f_[k], batch_.vertices[k + 1], f);
  }

 private:
  const TetBatch<nodes>& batch_;
  std::array<Batch3, nodes - 1> f_;
};

inline Batch33 minus_sum(const Batch33& a, const Batch33& b, const Batch33& c) {
  return broadcast(-1.0) * (a + b + c);
}

/// use(pair, block) for the ten blocks of a linear tet, pairs as in tet_pairs. Each is used as soon
/// as it is there, before its registers are needed for the next.
template <class TangentAt, class Use>
void for_each_block(const TetBatch<4>& batch, const TangentAt& tangent_at, const Use& use) {
  // tet_pairs: 0 00, 1 01, 2 02, 3 03, 4 11, 5 12, 6 13, 7 22, 8 23, 9 33
  const auto tangent = tangent_at(0);
  const auto& b = batch.gradients[0];
  const Pack& volume = batch.volumes[0];
  const std::array<Batch3, 3> vb{volume * b[0], volume * b[1], volume * b[2]};
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

/// The same for the 55 blocks of a tet with ten nodes, which are sums over its points.
template <class TangentAt, class Use>
void for_each_block(const TetBatch<10>& batch, const TangentAt& tangent_at, const Use& use) {
  constexpr std::size_t first_of_rest = 10;  // pairs of node 0 come first
  constexpr auto& pairs = tet_pairs<10>;
  std::array<Batch33, pairs.size() - first_of_rest> H;
  for (std::size_t point = 0; point < num_points<10>; ++point) {
    const auto tangent = tangent_at(point);
    const auto& g = batch.gradients[point];
    std::size_t next = 0;
    for (std::size_t k = 0; k < g.size(); ++k) {
      const Batch3 vg = batch.volumes[point] * g[k];
      for (std::size_t l = k; l < g.size(); ++l, ++next) {
        const Batch33 block = tangent.contract(vg, g[l]);
        H[next] = point == 0 ? block : H[next] + block;
      }
    }
  }
  std::array<Batch33, first_of_rest> of_first{};
  for (std::size_t p = 0; p < H.size(); ++p) {
    const auto k = static_cast<std::size_t>(pairs[first_of_rest + p][0]);
    const auto l = static_cast<std::size_t>(pairs[first_of_rest + p][1]);
    use(first_of_rest + p, H[p]);
    of_first[l] = of_first[l] - H[p];
    if (k != l) of_first[k] = of_first[k] - transposed(H[p]);
  }
  for (std::size_t k = 1; k < first_of_rest; ++k) {
    use(k, of_first[k]);
    of_first[0] = of_first[0] - of_first[k];
  }
  use(0, of_first[0]);
}

template <int nodes, class TangentAt>
void scatter_tangent(const TetBatch<nodes>& batch, const TetSlots<nodes>& slots,
                     const TangentAt& tangent_at, double* K) {
  for_each_block(batch, tangent_at,
                 [&](std::size_t pair, const Batch33& block) { scatter(block, slots[pair], K); });
}

template <template <class> class Material, int nodes>
class TetElasticity final : public ElementSet {
 public:
  explicit TetElasticity(TetBatches<nodes> batches) : batches_(std::move(batches)) {}

  std::vector<std::array<int, 2>> pairs() const override { return batches_.pairs(); }

  double energy(const PaddedField& x, const core::Executor& executor,
                std::vector<double>& partial) const override {
    partial.resize(static_cast<std::size_t>(batches_.num_sets()));
    batches_.for_each_set(executor, [&](std::span<const TetBatch<nodes>> set, int index) {
      partial[static_cast<std::size_t>(index)] = energy_of(set, x);
    });
    return std::accumulate(partial.begin(), partial.end(), 0.0);
  }

  void add_force(const PaddedField& x, const core::Executor& executor,
                 PaddedField& f) const override {
    batches_.for_each_set(
        executor, [&](std::span<const TetBatch<nodes>> set, int) { add_force_of(set, x, f); });
  }

  Index add_tangent(const PaddedField& x, dynamics::Definiteness definiteness,
                    const core::Executor& executor, std::span<const int> slots, double* K,
                    PaddedField* f) const override {
    std::atomic<Index> changed = 0;
    batches_.for_each_set(executor, [&](std::span<const TetBatch<nodes>> set, int index) {
      const TetSlots<nodes>* places = batches_.slots_of_set(slots, index);
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
        executor, [&](std::span<const TetBatch<nodes>> set, int) { add_product_of(set, x, v, f); });
  }

  Index count_inverted(const PaddedField& x, const core::Executor& executor,
                       std::vector<double>& partial) const override {
    partial.resize(static_cast<std::size_t>(batches_.num_sets()));
    batches_.for_each_set(executor, [&](std::span<const TetBatch<nodes>> set, int index) {
      double count = 0.0;
      for (const TetBatch<nodes>& batch : set) {
        std::array<bool, lanes> is_inverted{};
        for_each_point(batch, x, [&](std::size_t, const Batch33& F) {
          const Pack detF = determinant(F);
          for (std::size_t lane = 0; lane < lanes; ++lane)
            if (!(detF[lane] > 0.0)) is_inverted[lane] = true;
        });
        for (std::size_t lane = 0; lane < lanes; ++lane)
          if (batch.element[lane] >= 0 && is_inverted[lane]) count += 1.0;
      }
      partial[static_cast<std::size_t>(index)] = count;
    });
    return static_cast<Index>(std::accumulate(partial.begin(), partial.end(), 0.0));
  }

  void add_gradients(const PaddedField& x, const core::Executor& executor,
                     std::span<Mat3> sums) const override {
    batches_.for_each_set(executor, [&](std::span<const TetBatch<nodes>> set, int) {
      for (const TetBatch<nodes>& batch : set) {
        Batch33 F{};
        for_each_point(batch, x, [&](std::size_t point, const Batch33& at_point) {
          const Batch33 share = batch.volumes[point] * at_point;
          F = point == 0 ? share : F + share;
        });
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
      for (const TetBatch<nodes>& batch : batches_.set(index))
        evaluate_batch(batch, x, quantity, values);
    });
  }
  void evaluate_corner_stress(const PaddedField& x, const core::Executor& executor,
                              VecOut values) const override {
    executor.for_each(batches_.num_sets(), [&](int index) {
      for (const TetBatch<nodes>& batch : batches_.set(index)) evaluate_corners(batch, x, values);
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

  static Batch33 cauchy_stress(const TetBatch<nodes>& batch, const Batch33& F) {
    return cauchy_of(material(batch).first_piola(F), F);
  }

  /// Means over the points of an element.
  static void evaluate_batch(const TetBatch<nodes>& batch, const PaddedField& x,
                             CellQuantity quantity, VecOut values) {
    const auto write = [&](const auto& value_at) {
      const auto mean = mean_over_points(batch, x, value_at);
      for (std::size_t c = 0; c < mean.size(); ++c)
        for (int lane = 0; lane < lanes; ++lane)
          if (batch.element[lane] >= 0)
            values[static_cast<Index>(batch.element[lane]) * static_cast<Index>(mean.size()) +
                   static_cast<Index>(c)] = mean[c][lane];
    };
    using One = std::array<Pack, 1>;
    if (quantity == CellQuantity::det_f)
      write([](const Batch33& F) { return One{determinant(F)}; });
    else if (quantity == CellQuantity::energy_density)
      write([&](const Batch33& F) { return One{material(batch).energy_density(F)}; });
    else if (quantity == CellQuantity::cauchy_stress)
      write([&](const Batch33& F) { return entries(cauchy_stress(batch, F)); });
    else
      write([&](const Batch33& F) { return One{von_mises_of(cauchy_stress(batch, F))}; });
  }

  static void evaluate_corners(const TetBatch<nodes>& batch, const PaddedField& x, VecOut values) {
    std::array<StressEntries, num_points<nodes>> stress;
    for_each_point(batch, x, [&](std::size_t point, const Batch33& F) {
      stress[point] = entries(cauchy_stress(batch, F));
    });
    for (std::size_t corner = 0; corner < 4; ++corner) {
      const auto there = at_corner(stress, corner);
      for (std::size_t c = 0; c < there.size(); ++c)
        for (int lane = 0; lane < lanes; ++lane)
          if (batch.element[lane] >= 0)
            values[24 * static_cast<Index>(batch.element[lane]) +
                   static_cast<Index>(6 * corner + c)] = there[c][lane];
    }
  }

  template <class ValueAt>
  static auto mean_over_points(const TetBatch<nodes>& batch, const PaddedField& x,
                               const ValueAt& value_at) {
    decltype(value_at(Batch33{})) sum{};
    Pack volume{};
    for_each_point(batch, x, [&](std::size_t point, const Batch33& F) {
      const auto value = value_at(F);
      if constexpr (nodes == 4) {
        sum = value;
      } else {
        volume = volume + batch.volumes[point];
        for (std::size_t c = 0; c < sum.size(); ++c)
          sum[c] = sum[c] + batch.volumes[point] * value[c];
      }
    });
    if constexpr (nodes != 4)
      for (Pack& value : sum) value = value / volume;
    return sum;
  }

  static Material<Pack> material(const TetBatch<nodes>& batch) {
    return Material<Pack>::make(batch.parameters);
  }

  // Flattened: a call that is not inlined would pass whole matrices of registers through memory.

  [[gnu::flatten]] static double energy_of(std::span<const TetBatch<nodes>> set,
                                           const PaddedField& x) {
    Pack sum{};
    for (const TetBatch<nodes>& batch : set)
      for_each_point(batch, x, [&](std::size_t point, const Batch33& F) {
        sum += batch.volumes[point] * material(batch).energy_density(F);
      });
    return sum[0] + sum[1] + sum[2] + sum[3];
  }

  [[gnu::flatten]] static void add_force_of(std::span<const TetBatch<nodes>> set,
                                            const PaddedField& x, PaddedField& f) {
    for (const TetBatch<nodes>& batch : set) {
      NodalForces<nodes> forces(batch);
      for_each_point(batch, x, [&](std::size_t point, const Batch33& F) {
        forces.add(point, material(batch).first_piola(F));
      });
      forces.scatter_to(f);
    }
  }

  template <bool with_force>
  [[gnu::flatten]] static void add_tangent_of(std::span<const TetBatch<nodes>> set,
                                              const TetSlots<nodes>* slots, const PaddedField& x,
                                              double* K, PaddedField* f) {
    for (const TetBatch<nodes>& batch : set) {
      const Spread<nodes> d = gather_spread(batch, x);
      NodalForces<nodes> forces(batch);
      const auto tangent_at = [&](std::size_t point) {
        const Batch33 F = gradient_at(batch, d, point);
        if constexpr (!with_force) {
          return material(batch).tangent(F);
        } else if constexpr (requires(typename Material<Pack>::Tangent t) { t.stress(); }) {
          const auto tangent = material(batch).tangent(F);
          forces.add(point, tangent.stress());
          return tangent;
        } else {
          // cheap enough to compute twice, and fewer registers are held at a time
          forces.add(point, material(batch).first_piola(F));
          return material(batch).tangent(F);
        }
      };
      scatter_tangent(batch, *slots++, tangent_at, K);
      if constexpr (with_force) forces.scatter_to(*f);
    }
  }

  /// Returns the number of elements with negative curvature.
  [[gnu::flatten]] static Index add_definite_tangent_of(std::span<const TetBatch<nodes>> set,
                                                        const TetSlots<nodes>* slots,
                                                        const PaddedField& x, double mirror,
                                                        double* K, PaddedField* f) {
    Index count = 0;
    for (const TetBatch<nodes>& batch : set) {
      const Spread<nodes> d = gather_spread(batch, x);
      NodalForces<nodes> forces(batch);
      std::array<bool, lanes> changed{};
      const auto tangent_at = [&](std::size_t point) {
        const DefiniteTangent<Pack> definite =
            definite_tangent(material(batch), gradient_at(batch, d, point), mirror);
        if (f) forces.add(point, definite.tangent.stress());
        for (std::size_t lane = 0; lane < lanes; ++lane)
          changed[lane] = changed[lane] || definite.changed[lane] > 0.0;
        return definite.tangent;
      };
      scatter_tangent(batch, *slots++, tangent_at, K);
      if (f) forces.scatter_to(*f);
      for (std::size_t lane = 0; lane < lanes; ++lane)
        if (batch.element[lane] >= 0 && changed[lane]) ++count;
    }
    return count;
  }

  static auto clamped_tangent(const TetBatch<nodes>& batch, const Batch33& F) {
    if constexpr (can_be_indefinite) {
      return definite_tangent(material(batch), F, 0.0).tangent;
    } else {
      return material(batch).tangent(F);
    }
  }

  [[gnu::flatten]] static void add_product_of(std::span<const TetBatch<nodes>> set,
                                              const PaddedField& x, const PaddedField& v,
                                              PaddedField& f) {
    for (const TetBatch<nodes>& batch : set) {
      const Spread<nodes> d = gather_spread(batch, x);
      std::array<Batch3, nodes> velocity, force{};
      for (std::size_t k = 0; k < nodes; ++k) velocity[k] = gather(v, batch.vertices[k]);
      for_each_block(
          batch,
          [&](std::size_t point) { return clamped_tangent(batch, gradient_at(batch, d, point)); },
          [&](std::size_t pair, const Batch33& block) {
            const auto a = static_cast<std::size_t>(tet_pairs<nodes>[pair][0]);
            const auto b = static_cast<std::size_t>(tet_pairs<nodes>[pair][1]);
            force[a] = force[a] - block * velocity[b];
            if (a != b) force[b] = force[b] - transposed(block) * velocity[a];
          });
      for (std::size_t k = 0; k < nodes; ++k) scatter(force[k], batch.vertices[k], f);
    }
  }

  TetBatches<nodes> batches_;
};

}  // namespace tet_loops

template <template <class> class Material, int nodes>
std::unique_ptr<ElementSet> make_tet_elasticity(TetBatches<nodes> batches) {
  return std::make_unique<tet_loops::TetElasticity<Material, nodes>>(std::move(batches));
}

}  // namespace sinew::physics
