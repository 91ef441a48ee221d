// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <sinew/petsc/joined_pieces.hpp>

namespace sinew::petsc {
namespace {

/// A label that another process has for a vertex of this one.
struct Label {
  std::int64_t vertex;
  double label;
};

/// One label per piece of the part, no two of them alike on any process.
std::vector<double> own_labels(const Processes& processes, std::span<const int> pieces) {
  const int count = pieces.empty() ? 0 : *std::max_element(pieces.begin(), pieces.end()) + 1;
  double first = 0.0;
  const double own = count;
  MPI_Exscan(&own, &first, 1, MPI_DOUBLE, MPI_SUM, processes.comm());
  if (processes.is_first()) first = 0.0;
  std::vector<double> labels(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < labels.size(); ++k) labels[k] = first + static_cast<double>(k);
  return labels;
}

}  // namespace

JoinedPieces join_pieces(const Processes& processes, const la::Reducer& reducer, const Halo& halo,
                         std::span<const std::int64_t> numbers, std::span<const int> owners,
                         std::span<const int> pieces) {
  std::vector<double> labels = own_labels(processes, pieces);
  const auto label_of = [&](std::size_t vertex) -> double& {
    return labels[static_cast<std::size_t>(pieces[vertex])];
  };
  std::map<std::int64_t, std::size_t> owned_vertex;
  for (const int vertex : halo.owned())
    owned_vertex[numbers[static_cast<std::size_t>(vertex)]] = static_cast<std::size_t>(vertex);
  // the least label spreads, from owners to ghosts and back, until nothing changes
  std::vector<double> all(numbers.size());
  for (bool changes = true; changes;) {
    changes = false;
    const auto lower = [&](std::size_t vertex, double label) {
      if (label >= label_of(vertex)) return;
      label_of(vertex) = label;
      changes = true;
    };
    std::vector<double> owned;
    for (const int vertex : halo.owned())
      owned.push_back(label_of(static_cast<std::size_t>(vertex)));
    halo.spread(owned, all, 1);
    for (std::size_t vertex = 0; vertex < all.size(); ++vertex) lower(vertex, all[vertex]);
    std::vector<std::vector<Label>> back(static_cast<std::size_t>(processes.count()));
    for (std::size_t vertex = 0; vertex < all.size(); ++vertex)
      if (owners[vertex] != processes.rank())
        back[static_cast<std::size_t>(owners[vertex])].push_back(
            {numbers[vertex], label_of(vertex)});
    for (const std::vector<Label>& list : all_to_all(processes, back))
      for (const Label& label : list) lower(owned_vertex.at(label.vertex), label.label);
    changes = reducer.any(changes);
  }
  // numbers without gaps, the same everywhere
  const std::vector<std::vector<double>> lists(static_cast<std::size_t>(processes.count()), labels);
  std::map<double, int> number_of;
  for (const std::vector<double>& list : all_to_all(processes, lists))
    for (const double label : list) number_of.emplace(label, 0);
  JoinedPieces joined;
  for (auto& [label, number] : number_of) number = joined.count++;
  for (std::size_t vertex = 0; vertex < numbers.size(); ++vertex)
    joined.of_vertex.push_back(number_of.at(label_of(vertex)));
  return joined;
}

}  // namespace sinew::petsc
