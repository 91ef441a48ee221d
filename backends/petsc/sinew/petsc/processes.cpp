// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include <fmt/format.h>
#include <slepcsys.h>

#include <sinew/core/error.hpp>
#include <sinew/petsc/processes.hpp>

namespace sinew::petsc {

void check(PetscErrorCode code) {
  if (code == 0) return;
  const char* general = nullptr;
  char* special = nullptr;
  PetscErrorMessage(code, &general, &special);
  throw InternalError(fmt::format("PETSc: {}{}{}", general ? general : "unknown error",
                                  special && *special ? ": " : "", special ? special : ""));
}

bool is_started_by_launcher() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"})
    if (std::getenv(name) != nullptr) return true;
  return false;
}

Processes::Processes() {
  // several threads of Scotch divide a body now one way, now another
  setenv("SCOTCH_PTHREAD_NUMBER", "1", 0);
  // options are given in scenes, not on the command line
  if (SlepcInitialize(nullptr, nullptr, nullptr, nullptr) != 0)
    throw InternalError("PETSc or SLEPc did not start");
  // errors become exceptions, without a page of traces
  check(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
  MPI_Comm_rank(comm(), &rank_);
  MPI_Comm_size(comm(), &count_);
  // Products of sparse matrices and entries from other processes are added up in the order of
  // ranks, and not in the order of arrival: the same bits every time.
  if (are_several())
    check(PetscOptionsInsertString(nullptr,
                                   "-matptap_via allatonce -matstash_legacy -matstash_reproduce"));
  // faults are none of PETSc's business
  check(PetscPopSignalHandler());
}

Processes::~Processes() {
  SlepcFinalize();
}

std::string Processes::from_first(std::string text) const {
  auto size = static_cast<unsigned long>(text.size());
  MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG, 0, comm());
  text.resize(size);
  MPI_Bcast(text.data(), static_cast<int>(size), MPI_BYTE, 0, comm());
  return text;
}

std::vector<std::string> Processes::to_first(const std::string& text) const {
  std::vector<std::vector<char>> lists(static_cast<std::size_t>(count_));
  lists[0].assign(text.begin(), text.end());
  const auto received = all_to_all(*this, lists);
  std::vector<std::string> result;
  if (!is_first()) return result;
  for (const std::vector<char>& one : received) result.emplace_back(one.begin(), one.end());
  return result;
}

void Processes::abort(int exit_code) const {
  MPI_Abort(comm(), exit_code);
  std::abort();  // MPI_Abort() does not come back
}

void ProcessReducer::reduce(std::span<double> values, MPI_Op operation) const {
  ++reductions_;
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, operation,
                comm_);
}

}  // namespace sinew::petsc
