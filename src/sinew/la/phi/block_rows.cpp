// SPDX-License-Identifier: Apache-2.0
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

template <int Columns>
void BlockRows::advance_rows(int begin, int end, const Vectors& current, Vectors& previous,
                             const Vectors& d, double a, double b, double c, const Mat& C,
                             Vectors& Y) const {
  for (int row = begin; row < end; ++row) {
    Four sum[Columns];
    rows_.multiply_row<Columns>(row, current.node(0), sum);
    const Four scale = a * load(d.node(row));
    const double* now = current.node(row);
    double* out = previous.node(row);
    double* y = Y.node(row);
    for (int v = 0; v < Columns; ++v) {
      sum[v] = scale.cwiseProduct(sum[v]) - b * load(now + 4 * v) - c * load(out + 4 * v);
      Eigen::Map<Four>(out + 4 * v) = sum[v];
    }
    for (Index i = 0; i < Y.columns(); ++i) {
      Four total = load(y + 4 * i);
      for (int v = 0; v < Columns; ++v) total += C(i, v) * sum[v];
      Eigen::Map<Four>(y + 4 * i) = total;
    }
  }
}

void BlockRows::advance(const Vectors& current, Vectors& previous, const Vectors& d, double a,
                        double b, double c, const Mat& C, Vectors& Y) const {
  rows_.for_rows([&](int begin, int end) {
    switch (current.columns()) {
      case 1:
        return advance_rows<1>(begin, end, current, previous, d, a, b, c, C, Y);
      case 2:
        return advance_rows<2>(begin, end, current, previous, d, a, b, c, C, Y);
      case 3:
        return advance_rows<3>(begin, end, current, previous, d, a, b, c, C, Y);
      default:
        return advance_rows<4>(begin, end, current, previous, d, a, b, c, C, Y);
    }
  });
}

}  // namespace sinew::la
