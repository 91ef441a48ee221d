// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/petsc/shared_checkpoint.hpp>

namespace sinew::petsc {
namespace {

namespace fs = std::filesystem;

// in the memory of a part: numbers of the vertices whose values it has
constexpr const char* numbers_key = "shared_numbers";

fs::path index_of(const fs::path& folder) {
  return folder / "shared.json";
}

fs::path part_of(const fs::path& folder, const std::string& name, int rank) {
  return folder / name / fmt::format("part_{}", rank);
}

struct Generation {
  std::string name;
  int processes = 0;
};

Generation read_index(const fs::path& folder) {
  if (!fs::exists(index_of(folder)))
    throw InputError({.file = folder.string(),
                      .what = "there is no checkpoint of several processes to resume from",
                      .hint = "run without --checkpoint-every 0; a run of one process is resumed "
                              "by one"});
  const auto json = nlohmann::json::parse(core::read_file(index_of(folder)));
  return {json.at("name").get<std::string>(), json.at("processes").get<int>()};
}

std::vector<std::int64_t> take_numbers(sim::Checkpoint& part) {
  const auto found = part.memory.find(numbers_key);
  SINEW_ASSERT(found != part.memory.end(), "a checkpoint without numbers");
  std::vector<std::int64_t> numbers;
  for (const double number : found->second) numbers.push_back(static_cast<std::int64_t>(number));
  part.memory.erase(found);
  return numbers;
}

/// Puts together what this process owns now from what parts had.
class Gathering {
 public:
  explicit Gathering(const std::vector<std::int64_t>& owned)
      : size_(3 * static_cast<Index>(owned.size())) {
    for (std::size_t k = 0; k < owned.size(); ++k) place_of_.emplace(owned[k], k);
  }

  void add(const std::vector<std::int64_t>& numbers, const sim::Checkpoint& part) {
    const Index n = 3 * static_cast<Index>(numbers.size());
    for (const std::int64_t number : numbers) found_ += place_of_.contains(number) ? 1 : 0;
    take(numbers, part.state.q, result.state.q);
    take(numbers, part.state.v, result.state.v);
    for (const auto& [name, values] : part.memory) {
      // factors are of the parts that there were; numbers are the same for all
      if (name.starts_with("solver")) continue;
      if (values.size() < n || values.size() % n != 0) {
        result.memory[name] = values;
        continue;
      }
      const Index columns = values.size() / n;
      Vec& target = result.memory[name];
      if (target.size() != size_ * columns) target = Vec::Zero(size_ * columns);
      for (Index c = 0; c < columns; ++c) {
        Vec column = target.segment(c * size_, size_);
        take(numbers, values.segment(c * n, n), column);
        target.segment(c * size_, size_) = column;
      }
    }
  }

  /// Every vertex once.
  bool is_complete() const { return found_ == place_of_.size(); }

  sim::Checkpoint result;

 private:
  void take(const std::vector<std::int64_t>& numbers, const VecIn& from, Vec& to) const {
    if (to.size() != size_) to = Vec::Zero(size_);
    for (std::size_t k = 0; k < numbers.size(); ++k)
      if (const auto found = place_of_.find(numbers[k]); found != place_of_.end())
        to.segment<3>(3 * static_cast<Index>(found->second)) =
            from.segment<3>(3 * static_cast<Index>(k));
  }

  Index size_;
  std::size_t found_ = 0;
  std::unordered_map<std::int64_t, std::size_t> place_of_;
};

}  // namespace

void save_shared(const Processes& processes, const fs::path& folder, const SharedSystem& system,
                 const sim::Checkpoint& own) {
  sim::Checkpoint part = own;
  const std::vector<std::int64_t> numbers = system.owned_numbers();
  Vec& kept = part.memory[numbers_key];
  kept.resize(static_cast<Index>(numbers.size()));
  for (std::size_t k = 0; k < numbers.size(); ++k)
    kept[static_cast<Index>(k)] = static_cast<double>(numbers[k]);
  // never into the folder that the last checkpoint is in: it counts until this one is complete
  std::string name;
  if (processes.is_first()) {
    name = fmt::format("step_{}", own.accepted_steps + own.rejected_steps);
    if (fs::exists(index_of(folder)) && read_index(folder).name == name) name += "_again";
  }
  name = processes.from_first(name);
  sim::save_checkpoint(part_of(folder, name, processes.rank()), part);
  // a process that ends before this leaves the checkpoint before
  processes.wait_for_all();
  if (!processes.is_first()) return;
  const nlohmann::json index{{"format", 1}, {"name", name}, {"processes", processes.count()}};
  core::write_atomically(index_of(folder), index.dump(2) + "\n");
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_directory() && entry.path().filename() != name) fs::remove_all(entry.path());
}

sim::Checkpoint load_shared(const Processes& processes, const la::Reducer& reducer,
                            const fs::path& folder, const SharedSystem& system) {
  const Generation index = read_index(folder);
  const std::vector<std::int64_t> owned = system.owned_numbers();
  if (index.processes == processes.count()) {
    sim::Checkpoint own = sim::load_checkpoint(part_of(folder, index.name, processes.rank()));
    if (!reducer.any(take_numbers(own) != owned)) return own;
  }
  Gathering gathering(owned);
  sim::Checkpoint last;
  for (int p = 0; p < index.processes; ++p) {
    last = sim::load_checkpoint(part_of(folder, index.name, p));
    const std::vector<std::int64_t> numbers = take_numbers(last);
    gathering.add(numbers, last);
  }
  if (reducer.any(!gathering.is_complete()))
    throw InputError({.file = folder.string(),
                      .what = "the parts of this checkpoint do not make up a whole",
                      .hint = "start the run anew without --resume"});
  // all else is the same for all parts
  last.state.q = gathering.result.state.q;
  last.state.v = gathering.result.state.v;
  last.memory = gathering.result.memory;
  return last;
}

}  // namespace sinew::petsc
