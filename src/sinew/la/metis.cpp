// SPDX-License-Identifier: Apache-2.0
#include <mutex>
#include <new>

#include <metis.h>

#include <sinew/core/error.hpp>
#include <sinew/la/metis.hpp>

namespace sinew::la {
namespace {

/// call(number of nodes, starts, neighbours), one at a time.
template <class Call>
void run(const Graph& graph, const Call& call) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  std::vector<idx_t> start(graph.start.begin(), graph.start.end()),
      neighbours(graph.neighbours.begin(), graph.neighbours.end());
  idx_t nodes = graph.num_nodes();
  const int status = call(&nodes, start.data(), neighbours.data());
  if (status == METIS_ERROR_MEMORY) throw std::bad_alloc();
  SINEW_ASSERT(status == METIS_OK, "METIS failed");
}

}  // namespace

std::vector<int> nested_dissection(const Graph& graph) {
  std::vector<idx_t> order(static_cast<std::size_t>(graph.num_nodes())), position(order.size());
  run(graph, [&](idx_t* nodes, idx_t* start, idx_t* neighbours) {
    return METIS_NodeND(nodes, start, neighbours, nullptr, nullptr, order.data(), position.data());
  });
  return {order.begin(), order.end()};
}

std::vector<int> partition(const Graph& graph, int parts) {
  std::vector<idx_t> part(static_cast<std::size_t>(graph.num_nodes()));
  run(graph, [&](idx_t* nodes, idx_t* start, idx_t* neighbours) {
    idx_t constraints = 1, count = parts, cut = 0;
    return METIS_PartGraphKway(nodes, &constraints, start, neighbours, nullptr, nullptr, nullptr,
                               &count, nullptr, nullptr, nullptr, &cut, part.data());
  });
  return {part.begin(), part.end()};
}

}  // namespace sinew::la
