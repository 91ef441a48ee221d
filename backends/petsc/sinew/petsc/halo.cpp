// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>

#include <sinew/core/error.hpp>
#include <sinew/petsc/halo.hpp>

namespace sinew::petsc {

Halo::Halo(const Processes& processes, std::span<const std::int64_t> numbers,
           std::span<const int> owners)
    : processes_(processes), num_all_(std::ssize(numbers)) {
  const auto count = static_cast<std::size_t>(processes.count());
  std::unordered_map<std::int64_t, PetscInt> index_of;  // among those owned
  std::vector<std::vector<std::int64_t>> wanted(count);
  std::vector<std::vector<PetscInt>> places(count);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (owners[k] == processes.rank()) {
      index_of.emplace(numbers[k], static_cast<PetscInt>(owned_.size()));
      owned_.push_back(static_cast<int>(k));
    } else {
      wanted[static_cast<std::size_t>(owners[k])].push_back(numbers[k]);
      places[static_cast<std::size_t>(owners[k])].push_back(static_cast<PetscInt>(k));
    }
  }
  const auto questions = all_to_all(processes, wanted);
  std::vector<std::vector<PetscInt>> answers(count);
  for (std::size_t p = 0; p < count; ++p)
    for (const std::int64_t number : questions[p]) {
      const auto found = index_of.find(number);
      SINEW_ASSERT(found != index_of.end(), "a process asks for what this one does not own");
      answers[p].push_back(found->second);
    }
  const auto indices = all_to_all(processes, answers);
  std::vector<PetscInt> leaves;
  std::vector<PetscSFNode> roots;
  for (std::size_t p = 0; p < count; ++p)
    for (std::size_t k = 0; k < places[p].size(); ++k) {
      leaves.push_back(places[p][k]);
      roots.push_back({static_cast<PetscInt>(p), indices[p][k]});
      ghost_owners_.push_back(static_cast<int>(p));
    }
  check(PetscSFCreate(processes.comm(), &graph_));
  check(PetscSFSetGraph(graph_, static_cast<PetscInt>(owned_.size()),
                        static_cast<PetscInt>(leaves.size()), leaves.data(), PETSC_COPY_VALUES,
                        roots.data(), PETSC_COPY_VALUES));
  check(PetscSFSetUp(graph_));
}

Halo::~Halo() {
  PetscSFDestroy(&graph_);
  for (auto& [width, type] : units_) MPI_Type_free(&type);
}

MPI_Datatype Halo::unit(int width) const {
  const auto [found, is_new] = units_.try_emplace(width);
  if (is_new) {
    MPI_Type_contiguous(width, MPI_DOUBLE, &found->second);
    MPI_Type_commit(&found->second);
  }
  return found->second;
}

void Halo::run(const double* owned, double* all, int width) const {
  const MPI_Datatype type = unit(width);
  check(PetscSFBcastBegin(graph_, type, owned, all, MPI_REPLACE));
  const auto numbers = static_cast<std::size_t>(width);
  for (std::size_t k = 0; k < owned_.size(); ++k)
    std::copy_n(owned + k * numbers, numbers, all + static_cast<std::size_t>(owned_[k]) * numbers);
  check(PetscSFBcastEnd(graph_, type, owned, all, MPI_REPLACE));
  ++exchanges_;
  bytes_ += static_cast<double>(ghost_owners_.size() * numbers * sizeof(double));
}

void Halo::spread(std::span<const double> owned, std::span<double> all, int width) const {
  SINEW_ASSERT(std::ssize(owned) == width * num_owned() && std::ssize(all) == width * num_all_,
               "a halo of another size");
  run(owned.data(), all.data(), width);
}

void Halo::spread(const VecIn& owned, VecOut all) const {
  SINEW_ASSERT(owned.size() == 3 * num_owned() && all.size() == 3 * num_all_,
               "a halo of another size");
  run(owned.data(), all.data(), 3);
}

void Halo::spread(std::span<const Vec* const> owned, std::span<Vec* const> all) const {
  const Index columns = std::ssize(owned);
  packed_.resize(static_cast<std::size_t>(3 * columns * num_owned()));
  unpacked_.resize(static_cast<std::size_t>(3 * columns * num_all_));
  for (Index c = 0; c < columns; ++c)
    for (Index k = 0; k < num_owned(); ++k)
      std::copy_n(owned[static_cast<std::size_t>(c)]->data() + 3 * k, 3,
                  packed_.data() + 3 * (columns * k + c));
  run(packed_.data(), unpacked_.data(), static_cast<int>(3 * columns));
  for (Index c = 0; c < columns; ++c) {
    Vec& target = *all[static_cast<std::size_t>(c)];
    target.resize(3 * num_all_);
    for (Index k = 0; k < num_all_; ++k)
      std::copy_n(unpacked_.data() + 3 * (columns * k + c), 3, target.data() + 3 * k);
  }
}

void Halo::spread_columns(const MatIn& owned, MatOut all) const {
  if (owned.cols() == 1) return spread(VecIn(owned.col(0)), VecOut(all.col(0)));
  const Index columns = owned.cols();
  packed_.resize(static_cast<std::size_t>(3 * columns * num_owned()));
  unpacked_.resize(static_cast<std::size_t>(3 * columns * num_all_));
  for (Index c = 0; c < columns; ++c)
    for (Index k = 0; k < num_owned(); ++k)
      std::copy_n(owned.col(c).data() + 3 * k, 3, packed_.data() + 3 * (columns * k + c));
  run(packed_.data(), unpacked_.data(), static_cast<int>(3 * columns));
  for (Index c = 0; c < columns; ++c)
    for (Index k = 0; k < num_all_; ++k)
      std::copy_n(unpacked_.data() + 3 * (columns * k + c), 3, all.col(c).data() + 3 * k);
}

void Halo::gather(const MatIn& all, MatOut owned) const {
  for (Index c = 0; c < all.cols(); ++c)
    for (std::size_t k = 0; k < owned_.size(); ++k)
      owned.col(c).segment<3>(3 * static_cast<Index>(k)) = all.col(c).segment<3>(3 * owned_[k]);
}

std::vector<PetscInt> Halo::global_numbers() const {
  const auto own = static_cast<PetscInt>(owned_.size());
  PetscInt first = 0;
  MPI_Exscan(&own, &first, 1, MPIU_INT, MPI_SUM, processes_.comm());
  if (processes_.is_first()) first = 0;
  std::vector<PetscInt> of_owned(owned_.size()), all(static_cast<std::size_t>(num_all_));
  for (std::size_t k = 0; k < owned_.size(); ++k)
    all[static_cast<std::size_t>(owned_[k])] = of_owned[k] = first + static_cast<PetscInt>(k);
  check(PetscSFBcastBegin(graph_, MPIU_INT, of_owned.data(), all.data(), MPI_REPLACE));
  check(PetscSFBcastEnd(graph_, MPIU_INT, of_owned.data(), all.data(), MPI_REPLACE));
  return all;
}

std::vector<int> Halo::neighbours() const {
  std::vector<int> ranks = ghost_owners_;
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

}  // namespace sinew::petsc
