// SPDX-License-Identifier: Apache-2.0
// A process holds more than it owns: nodes of its neighbours, at which its elements end. A halo
// brings their values from those who own them.
#pragma once

#include <map>
#include <span>
#include <vector>

#include <petscsf.h>

#include <sinew/core/types.hpp>
#include <sinew/petsc/processes.hpp>

namespace sinew::petsc {

class Halo {
 public:
  /// Places of those that are here and owned, and of those that others own, in arrays of both;
  /// `numbers`: of all of them, the same for all processes; `owners`: their ranks.
  Halo(const Processes& processes, std::span<const std::int64_t> numbers,
       std::span<const int> owners);
  ~Halo();
  Halo(const Halo&) = delete;
  Halo& operator=(const Halo&) = delete;

  Index num_owned() const { return static_cast<Index>(owned_.size()); }
  Index num_all() const { return num_all_; }
  /// Places of what is owned, ascending.
  std::span<const int> owned() const { return owned_; }

  /// From `width` numbers per owned one to as many per place. One message per neighbour.
  void spread(std::span<const double> owned, std::span<double> all, int width) const;
  void spread(const VecIn& owned, VecOut all) const;
  /// Several vectors in one exchange.
  void spread(std::span<const Vec* const> owned, std::span<Vec* const> all) const;
  /// Columns of matrices likewise.
  void spread_columns(const MatIn& owned, MatOut all) const;
  /// What is owned of columns that hold all.
  void gather(const MatIn& all, MatOut owned) const;

  /// Numbers that run through all processes: those of a process follow each other in the order of
  /// its places.
  std::vector<PetscInt> global_numbers() const;
  std::vector<int> neighbours() const;

  long exchanges() const { return exchanges_; }
  /// That arrived here so far.
  double bytes() const { return bytes_; }

 private:
  MPI_Datatype unit(int width) const;
  void run(const double* owned, double* all, int width) const;

  const Processes& processes_;
  Index num_all_;
  std::vector<int> owned_;
  std::vector<int> ghost_owners_;
  PetscSF graph_ = nullptr;
  mutable std::map<int, MPI_Datatype> units_;
  mutable std::vector<double> packed_, unpacked_;
  mutable long exchanges_ = 0;
  mutable double bytes_ = 0.0;
};

}  // namespace sinew::petsc
