// SPDX-License-Identifier: Apache-2.0
// The processes that share a run, as `mpirun` has started them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <petscsys.h>

#include <sinew/la/reducer.hpp>

namespace sinew::petsc {

/// Throws InternalError with PETSc's words for it.
void check(PetscErrorCode code);

/// Whether this process was started as one of several, or by a launcher that could start several.
bool is_started_by_launcher();

/// Starts MPI, PETSc and SLEPc, and ends them. One object per program.
class Processes {
 public:
  Processes();
  ~Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  MPI_Comm comm() const { return PETSC_COMM_WORLD; }
  int rank() const { return rank_; }
  int count() const { return count_; }
  bool is_first() const { return rank_ == 0; }
  bool are_several() const { return count_ > 1; }

  void wait_for_all() const { MPI_Barrier(comm()); }
  /// The text that the first process has, for all.
  std::string from_first(std::string text) const;
  /// What every process has, on the first; nothing elsewhere.
  std::vector<std::string> to_first(const std::string& text) const;
  /// Ends all processes at once, in the middle of whatever they do.
  [[noreturn]] void abort(int exit_code) const;

 private:
  int rank_ = 0, count_ = 1;
};

/// Sums and maxima over all processes. On the same processes always the same bits.
class ProcessReducer final : public la::Reducer {
 public:
  explicit ProcessReducer(const Processes& processes) : comm_(processes.comm()) {}

  /// How often processes have waited for each other here.
  long reductions() const { return reductions_; }

 private:
  void global_sum(std::span<double> values) const override { reduce(values, MPI_SUM); }
  void global_max(std::span<double> values) const override { reduce(values, MPI_MAX); }
  void reduce(std::span<double> values, MPI_Op operation) const;

  MPI_Comm comm_;
  mutable long reductions_ = 0;
};

/// Sends list k to process k. Answers what came from each.
template <class T>
std::vector<std::vector<T>> all_to_all(const Processes& processes,
                                       const std::vector<std::vector<T>>& lists) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto count = static_cast<std::size_t>(processes.count());
  std::vector<int> sent(count), received(count), sent_from(count), received_from(count);
  int all_sent = 0, all_received = 0;
  for (std::size_t p = 0; p < count; ++p) {
    sent[p] = static_cast<int>(lists[p].size());
    sent_from[p] = all_sent;
    all_sent += sent[p];
  }
  MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, processes.comm());
  for (std::size_t p = 0; p < count; ++p) {
    received_from[p] = all_received;
    all_received += received[p];
  }
  std::vector<T> out, in(static_cast<std::size_t>(all_received));
  out.reserve(static_cast<std::size_t>(all_sent));
  for (const std::vector<T>& list : lists) out.insert(out.end(), list.begin(), list.end());
  // counts are of whole things: bytes of many tets are more than an int can hold
  MPI_Datatype thing;
  MPI_Type_contiguous(static_cast<int>(sizeof(T)), MPI_BYTE, &thing);
  MPI_Type_commit(&thing);
  MPI_Alltoallv(out.data(), sent.data(), sent_from.data(), thing, in.data(), received.data(),
                received_from.data(), thing, processes.comm());
  MPI_Type_free(&thing);
  std::vector<std::vector<T>> result(count);
  for (std::size_t p = 0; p < count; ++p)
    result[p].assign(in.begin() + received_from[p], in.begin() + received_from[p] + received[p]);
  return result;
}

}  // namespace sinew::petsc
