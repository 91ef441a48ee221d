// SPDX-License-Identifier: Apache-2.0
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <metis.h>

#include <sinew/core/error.hpp>
#include <sinew/core/types.hpp>
#include <sinew/la/factor/fill_reducing_order.hpp>

namespace sinew::la {
namespace {

// dissection pays from about 10,000 tets, i.e. 2,000 vertices, upwards; minimum degree is quicker
// below
constexpr int dissection_from = 2000;

std::vector<int> nested_dissection(const Graph& graph) {
  const std::lock_guard lock(metis_mutex());
  std::vector<idx_t> start(graph.start.begin(), graph.start.end()),
      neighbours(graph.neighbours.begin(), graph.neighbours.end());
  idx_t n = graph.num_nodes();
  std::vector<idx_t> order(static_cast<std::size_t>(n)), position(order.size());
  const int status = METIS_NodeND(&n, start.data(), neighbours.data(), nullptr, nullptr,
                                  order.data(), position.data());
  if (status == METIS_ERROR_MEMORY) throw std::bad_alloc();
  SINEW_ASSERT(status == METIS_OK, "METIS failed");
  return {order.begin(), order.end()};
}

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

std::mutex& metis_mutex() {
  static std::mutex mutex;
  return mutex;
}

std::vector<int> fill_reducing_order(const Graph& graph) {
  return graph.num_nodes() >= dissection_from ? nested_dissection(graph) : minimum_degree(graph);
}

}  // namespace sinew::la
