// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include <petscmat.h>
#include <scotch/scotch.h>

#include <sinew/core/error.hpp>
#include <sinew/petsc/body_share.hpp>

namespace sinew::petsc {
namespace {

// below this many vertices per process a body is not worth dividing
constexpr std::int64_t worth_dividing = 20;
// up to this many, one process divides them: 1 GB
constexpr std::int64_t most_for_one = 4'000'000;

using Pair = std::array<std::int64_t, 2>;

void make_unique(std::vector<Pair>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

/// Neighbours of the vertices of the own slice: (vertex, neighbour), ascending.
std::vector<Pair> neighbours(const Processes& processes, const MeshSlice& slice) {
  const auto width = static_cast<std::size_t>(slice.nodes_per_tet);
  std::vector<Pair> pairs;
  for (std::size_t t = 0; t < slice.nodes.size(); t += width)
    for (std::size_t a = 0; a < width; ++a)
      for (std::size_t b = 0; b < width; ++b)
        if (a != b) pairs.push_back({slice.nodes[t + a], slice.nodes[t + b]});
  make_unique(pairs);
  std::vector<std::vector<Pair>> lists(static_cast<std::size_t>(processes.count()));
  for (const Pair& pair : pairs)
    lists[static_cast<std::size_t>(slice_of(pair[0], slice.all_vertices, processes.count()))]
        .push_back(pair);
  pairs.clear();
  for (const std::vector<Pair>& list : all_to_all(processes, lists))
    pairs.insert(pairs.end(), list.begin(), list.end());
  make_unique(pairs);
  return pairs;
}

/// Asks whoever has the slice of a vertex.
class VertexDirectory {
 public:
  VertexDirectory(const Processes& processes, const MeshSlice& slice, std::vector<int> owners)
      : processes_(processes), slice_(slice), owners_(std::move(owners)) {}

  struct Entry {
    std::array<double, 3> position;
    int owner;
  };

  /// Of vertices in ascending order.
  std::vector<Entry> look_up(std::span<const std::int64_t> vertices) const {
    const int count = processes_.count();
    std::vector<std::vector<std::int64_t>> wanted(static_cast<std::size_t>(count));
    for (const std::int64_t vertex : vertices)
      wanted[static_cast<std::size_t>(slice_of(vertex, slice_.all_vertices, count))].push_back(
          vertex);
    const std::int64_t first = slice_begin(slice_.all_vertices, processes_.rank(), count);
    std::vector<std::vector<Entry>> answers(static_cast<std::size_t>(count));
    const auto questions = all_to_all(processes_, wanted);
    for (std::size_t p = 0; p < questions.size(); ++p)
      for (const std::int64_t vertex : questions[p]) {
        const auto k = static_cast<std::size_t>(vertex - first);
        const Vec3& x = slice_.vertices[k];
        answers[p].push_back({{x[0], x[1], x[2]}, owners_[k]});
      }
    std::vector<Entry> result;
    for (const std::vector<Entry>& list : all_to_all(processes_, answers))
      result.insert(result.end(), list.begin(), list.end());
    return result;  // slices follow each other like their vertices
  }

 private:
  const Processes& processes_;
  const MeshSlice& slice_;
  std::vector<int> owners_;
};

std::vector<std::int64_t> sorted_nodes(std::span<const std::int64_t> nodes) {
  std::vector<std::int64_t> result(nodes.begin(), nodes.end());
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::size_t place_of(std::span<const std::int64_t> sorted, std::int64_t number) {
  return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), number) -
                                  sorted.begin());
}

template <std::size_t nodes>
struct SentTet {
  std::int64_t number;
  std::array<std::int64_t, nodes> vertices;
  int region;
};

/// Every tet to all who own one of its vertices.
template <std::size_t nodes>
std::vector<SentTet<nodes>> send_tets(const Processes& processes, const MeshSlice& slice,
                                      const VertexDirectory& directory) {
  const std::vector<std::int64_t> known = sorted_nodes(slice.nodes);
  const auto entries = directory.look_up(known);
  std::vector<std::vector<SentTet<nodes>>> lists(static_cast<std::size_t>(processes.count()));
  for (std::size_t t = 0; t < slice.regions.size(); ++t) {
    SentTet<nodes> tet{.number = slice.first_tet + static_cast<std::int64_t>(t),
                       .vertices = {},
                       .region = slice.regions[t]};
    std::copy_n(slice.nodes.begin() + static_cast<std::ptrdiff_t>(nodes * t), nodes,
                tet.vertices.begin());
    std::array<int, nodes> ranks;
    for (std::size_t k = 0; k < nodes; ++k)
      ranks[k] = entries[place_of(known, tet.vertices[k])].owner;
    std::sort(ranks.begin(), ranks.end());
    const auto end = std::unique(ranks.begin(), ranks.end());
    for (auto rank = ranks.begin(); rank != end; ++rank)
      lists[static_cast<std::size_t>(*rank)].push_back(tet);
  }
  std::vector<SentTet<nodes>> tets;
  for (const auto& list : all_to_all(processes, lists))
    tets.insert(tets.end(), list.begin(), list.end());
  std::sort(tets.begin(), tets.end(),
            [](const auto& a, const auto& b) { return a.number < b.number; });
  return tets;
}

template <std::size_t nodes>
BodyShare build(const Processes& processes, const MeshSlice& slice,
                const VertexDirectory& directory) {
  const std::vector<SentTet<nodes>> tets = send_tets<nodes>(processes, slice, directory);
  std::vector<std::int64_t> all_nodes;
  for (const SentTet<nodes>& tet : tets)
    all_nodes.insert(all_nodes.end(), tet.vertices.begin(), tet.vertices.end());
  BodyShare share;
  share.all_vertices = slice.all_vertices;
  share.all_tets = slice.all_tets;
  share.is_quadratic = nodes == 10;
  share.mesh.region_names = slice.region_names;
  share.vertices = sorted_nodes(all_nodes);
  for (const auto& entry : directory.look_up(share.vertices)) {
    share.mesh.vertices.emplace_back(entry.position[0], entry.position[1], entry.position[2]);
    share.owners.push_back(entry.owner);
  }
  for (const SentTet<nodes>& tet : tets) {
    std::array<int, nodes> local;
    for (std::size_t k = 0; k < nodes; ++k)
      local[k] = static_cast<int>(place_of(share.vertices, tet.vertices[k]));
    share.mesh.tets.push_back({local[0], local[1], local[2], local[3]});
    if constexpr (nodes == 10)
      share.mesh.middles.push_back({local[4], local[5], local[6], local[7], local[8], local[9]});
    share.mesh.regions.push_back(tet.region);
    const int least = *std::min_element(local.begin(), local.end());
    share.counts.push_back(share.owners[static_cast<std::size_t>(least)] == processes.rank() ? 1
                                                                                             : 0);
  }
  return share;
}

}  // namespace

namespace {

/// Ranks for rows of a graph, of which every process of `comm` has some: (row, neighbour) pairs.
std::vector<int> divide(MPI_Comm comm, const std::vector<Pair>& pairs, std::int64_t first,
                        std::int64_t own_rows, std::int64_t all_rows, int parts) {
  const auto rows = static_cast<PetscInt>(own_rows);
  PetscInt *starts = nullptr, *columns = nullptr;
  check(PetscMalloc1(static_cast<std::size_t>(rows) + 1, &starts));
  check(PetscMalloc1(pairs.size() + 1, &columns));
  std::fill_n(starts, rows + 1, 0);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    ++starts[pairs[k][0] - first + 1];
    columns[k] = static_cast<PetscInt>(pairs[k][1]);
  }
  for (PetscInt row = 0; row < rows; ++row) starts[row + 1] += starts[row];
  ::Mat graph = nullptr;  // takes the arrays over
  check(MatCreateMPIAdj(comm, rows, static_cast<PetscInt>(all_rows), starts, columns, nullptr,
                        &graph));
  SCOTCH_randomReset();  // the same parts whatever was divided before
  MatPartitioning partitioning = nullptr;
  check(MatPartitioningCreate(comm, &partitioning));
  check(MatPartitioningSetAdjacency(partitioning, graph));
  check(MatPartitioningSetType(partitioning, MATPARTITIONINGPTSCOTCH));
  check(MatPartitioningSetNParts(partitioning, parts));
  IS ranks = nullptr;
  check(MatPartitioningApply(partitioning, &ranks));
  const PetscInt* values = nullptr;
  check(ISGetIndices(ranks, &values));
  std::vector<int> result(values, values + rows);
  check(ISRestoreIndices(ranks, &values));
  check(ISDestroy(&ranks));
  check(MatPartitioningDestroy(&partitioning));
  check(MatDestroy(&graph));
  return result;
}

}  // namespace

std::vector<int> partition(const Processes& processes, const MeshSlice& slice, int parts) {
  if (parts == 1) return std::vector<int>(slice.vertices.size(), 0);
  std::vector<Pair> pairs = neighbours(processes, slice);
  if (slice.all_vertices > most_for_one) {
    const std::int64_t first = slice_begin(slice.all_vertices, processes.rank(), processes.count());
    return divide(processes.comm(), pairs, first, std::ssize(slice.vertices), slice.all_vertices,
                  parts);
  }
  // PT-Scotch on several processes answers by who comes first; one of them always says the same
  std::vector<std::vector<Pair>> to_first(static_cast<std::size_t>(processes.count()));
  to_first[0] = std::move(pairs);
  std::vector<Pair> graph;
  for (const std::vector<Pair>& list : all_to_all(processes, to_first))
    graph.insert(graph.end(), list.begin(), list.end());
  std::vector<std::vector<int>> ranks(static_cast<std::size_t>(processes.count()));
  if (processes.is_first()) {
    const std::vector<int> all =
        divide(PETSC_COMM_SELF, graph, 0, slice.all_vertices, slice.all_vertices, parts);
    for (int p = 0; p < processes.count(); ++p)
      ranks[static_cast<std::size_t>(p)].assign(
          all.begin() + slice_begin(slice.all_vertices, p, processes.count()),
          all.begin() + slice_begin(slice.all_vertices, p + 1, processes.count()));
  }
  return all_to_all(processes, ranks)[0];
}

BodyShare share_body(const Processes& processes, MeshSlice slice, int rank_if_small) {
  std::vector<int> owners;
  if (slice.all_vertices < worth_dividing * processes.count())
    owners.assign(slice.vertices.size(), rank_if_small);
  else
    owners = partition(processes, slice, processes.count());
  const VertexDirectory directory(processes, slice, std::move(owners));
  return slice.nodes_per_tet == 10 ? build<10>(processes, slice, directory)
                                   : build<4>(processes, slice, directory);
}

}  // namespace sinew::petsc
