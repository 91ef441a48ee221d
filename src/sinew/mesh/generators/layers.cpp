// SPDX-License-Identifier: Apache-2.0
#include <sinew/mesh/generators/layers.hpp>

namespace sinew::mesh {

std::vector<double> graded_fractions(int count) {
  std::vector<double> fractions{0.0};
  double step = 1.0;
  for (int i = 0; i < count; ++i) {
    fractions.push_back(fractions.back() + step);
    step *= layer_growth;
  }
  const double total = fractions.back();
  for (double& fraction : fractions) fraction /= total;
  return fractions;
}

}  // namespace sinew::mesh
