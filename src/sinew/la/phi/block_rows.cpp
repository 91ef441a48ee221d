// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/la/phi/block_rows.hpp>

namespace sinew::la {
namespace {

using Four = Eigen::Vector4d;

Four load(const double* at) {
  return Eigen::Map<const Four>(at);
}

}  // namespace

void BlockRows::Vectors::read(const MatIn& X) {
  for (Index k = 0; k < X.rows() / 3; ++k)
    for (Index c = 0; c < columns_; ++c)
      for (Index i = 0; i < 3; ++i) node(k)[4 * c + i] = X(3 * k + i, c);
}

void BlockRows::Vectors::write(MatOut X) const {
  for (Index k = 0; k < X.rows() / 3; ++k)
    for (Index c = 0; c < columns_; ++c)
      for (Index i = 0; i < 3; ++i) X(3 * k + i, c) = node(k)[4 * c + i];
}

struct BlockRows::Sweep {
  std::span<const Step> steps;
  Vectors* even;  ///< current at the beginning, and after every second step
  Vectors* odd;
  const Vectors& d;
  Vectors& Y;
};

template <int Columns>
void BlockRows::advance_columns(const Sweep& sweep, std::size_t step, int begin, int end) const {
  const auto& [a, b, c, C] = sweep.steps[step];
  const Vectors& current = step % 2 == 0 ? *sweep.even : *sweep.odd;
  Vectors& next = step % 2 == 0 ? *sweep.odd : *sweep.even;  // previous until now
  for (int row = begin; row < end; ++row) {
    Four sum[Columns];
    rows_.multiply_row<Columns>(row, current.node(0), sum);
    const Four scale = a * load(sweep.d.node(row));
    const double* now = current.node(row);
    double* out = next.node(row);
    double* y = sweep.Y.node(row);
    for (int v = 0; v < Columns; ++v) {
      sum[v] = scale.cwiseProduct(sum[v]) - b * load(now + 4 * v) - c * load(out + 4 * v);
      Eigen::Map<Four>(out + 4 * v) = sum[v];
    }
    for (Index i = 0; i < sweep.Y.columns(); ++i) {
      Four total = load(y + 4 * i);
      for (int v = 0; v < Columns; ++v) total += C(i, v) * sum[v];
      Eigen::Map<Four>(y + 4 * i) = total;
    }
  }
}

void BlockRows::advance_rows(const Sweep& sweep, std::size_t step, int begin, int end) const {
  switch (sweep.even->columns()) {
    case 1:
      return advance_columns<1>(sweep, step, begin, end);
    case 2:
      return advance_columns<2>(sweep, step, begin, end);
    case 3:
      return advance_columns<3>(sweep, step, begin, end);
    default:
      return advance_columns<4>(sweep, step, begin, end);
  }
}

void BlockRows::advance_one(const Sweep& sweep) const {
  rows_.for_rows([&](int begin, int end) { advance_rows(sweep, 0, begin, end); });
}

BlockRows::Tiling BlockRows::choose_tiling(Index columns, Index outputs) const {
  // what a core has for itself, less what other data take
  constexpr double cache = 1.2e6;
  constexpr int most_steps = 12, fewest_rows = 64;
  const int n = rows_.num_rows();
  Tiling tiling;
  if (n == 0) return tiling;
  tiling.rows = std::max(rows_.reach(), fewest_rows);
  tiling.tiles = (n + tiling.rows - 1) / tiling.rows;
  const double blocks_per_row = static_cast<double>(rows_.end(n - 1)) / n;
  const double bytes_per_row =
      76.0 * blocks_per_row + 32.0 * static_cast<double>(2 * columns + outputs + 1);
  const double tiles_in_cache = cache / (bytes_per_row * tiling.rows);
  tiling.steps = std::clamp(static_cast<int>(tiles_in_cache) - 1, 1, most_steps);
  // every thread needs a run of tiles of its own, long compared with what is left out at its ends
  constexpr int most_steps_of_threads = 6;
  const int runs = rows_.executor().num_threads();
  if (runs > 1)
    tiling.steps =
        std::min({tiling.steps, most_steps_of_threads, std::max(1, tiling.tiles / (4 * runs))});
  return tiling;
}

/// Row r at step s+1 needs its neighbours, at most a tile away, at step s. So while step 0 is at
/// tile t, step 1 can be at tile t-1, and so on: a wave. Each thread sends one through a run of
/// tiles of its own, one tile less at each inner end with every step, since the neighbour's rows
/// are not known there; what is left out around those ends is done afterwards. Two vectors are
/// enough: when a step overwrites what was there two steps before, nobody needs that any more.
void BlockRows::advance_tiles(const Sweep& sweep, const Tiling& tiling) const {
  const int n = rows_.num_rows(), depth = static_cast<int>(sweep.steps.size());
  const int runs = rows_.executor().num_threads();
  const auto do_tile = [&](int tile, int step) {
    advance_rows(sweep, static_cast<std::size_t>(step), tile * tiling.rows,
                 std::min(n, (tile + 1) * tiling.rows));
  };
  const auto first_tile = [&](int run) {
    return static_cast<int>(static_cast<long>(tiling.tiles) * run / runs);
  };
  rows_.executor().for_each(runs, [&](int run) {
    const int low = first_tile(run), high = first_tile(run + 1);
    for (int front = low; front < high + depth; ++front)
      for (int step = 0; step < depth; ++step) {
        const int tile = front - step;
        const int left = low + (run > 0 ? step : 0), right = high - (run + 1 < runs ? step : 0);
        if (tile >= left && tile < right) do_tile(tile, step);
      }
  });
  if (runs == 1) return;
  rows_.executor().for_each(runs - 1, [&](int run) {
    const int middle = first_tile(run + 1);
    for (int step = 1; step < depth; ++step)
      for (int tile = middle - step; tile < middle + step; ++tile) do_tile(tile, step);
  });
}

void BlockRows::advance(std::span<const Step> steps, Vectors& current, Vectors& previous,
                        const Vectors& d, Vectors& Y) const {
  const Tiling tiling = choose_tiling(current.columns(), Y.columns());
  while (!steps.empty()) {
    const std::size_t count = std::min(steps.size(), static_cast<std::size_t>(tiling.steps));
    const Sweep sweep{steps.first(count), &current, &previous, d, Y};
    if (count == 1)
      advance_one(sweep);
    else
      advance_tiles(sweep, tiling);
    if (count % 2 == 1) swap(current, previous);
    steps = steps.subspan(count);
  }
}

}  // namespace sinew::la
