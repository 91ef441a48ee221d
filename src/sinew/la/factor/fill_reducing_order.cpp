// SPDX-License-Identifier: Apache-2.0
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include <sinew/core/types.hpp>
#include <sinew/la/factor/fill_reducing_order.hpp>
#include <sinew/la/metis.hpp>

namespace sinew::la {
namespace {

// dissection pays from about 10,000 tets, i.e. 2,000 vertices, upwards; minimum degree is quicker
// below
constexpr int dissection_from = 2000;

std::vector<int> minimum_degree(const Graph& graph) {
  const int n = graph.num_nodes();
  std::vector<double> ones(graph.neighbours.size(), 1.0);
  const Eigen::Map<const Eigen::SparseMatrix<double>> matrix(n, n, static_cast<Index>(ones.size()),
                                                             graph.start.data(),
                                                             graph.neighbours.data(), ones.data());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(Eigen::SparseMatrix<double>(matrix), order);
  return {order.indices().begin(), order.indices().end()};
}

}  // namespace

std::vector<int> fill_reducing_order(const Graph& graph) {
  return graph.num_nodes() >= dissection_from ? nested_dissection(graph) : minimum_degree(graph);
}

}  // namespace sinew::la
