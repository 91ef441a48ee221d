// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/sim/checkpoint.hpp>

namespace sinew::sim {
namespace {

constexpr std::string_view magic = "sinew checkpoint 7\n";

/// FNV-1a over the content, to notice a damaged file.
std::int64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  return static_cast<std::int64_t>(hash);
}

class Writer {
 public:
  void number(std::int64_t value) { raw(&value, sizeof value); }
  void real(double value) { raw(&value, sizeof value); }
  void text(std::string_view value) {
    number(static_cast<std::int64_t>(value.size()));
    raw(value.data(), value.size());
  }
  void reals(const double* data, std::size_t count) {
    number(static_cast<std::int64_t>(count));
    raw(data, count * sizeof(double));
  }
  void vector(const Vec& value) { reals(value.data(), static_cast<std::size_t>(value.size())); }
  void raw(const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  }

  std::string bytes;
};

class Reader {
 public:
  Reader(std::string_view bytes, std::string file) : rest_(bytes), file_(std::move(file)) {}

  std::int64_t number() {
    std::int64_t value = 0;
    raw(&value, sizeof value);
    return value;
  }
  double real() {
    double value = 0.0;
    raw(&value, sizeof value);
    return value;
  }
  std::string text() {
    std::string value(count(1), '\0');
    raw(value.data(), value.size());
    return value;
  }
  std::vector<double> reals() {
    std::vector<double> value(count(sizeof(double)));
    raw(value.data(), value.size() * sizeof(double));
    return value;
  }
  Vec vector() {
    Vec value(static_cast<Index>(count(sizeof(double))));
    raw(value.data(), static_cast<std::size_t>(value.size()) * sizeof(double));
    return value;
  }
  void expect(std::string_view text) {
    if (!rest_.starts_with(text)) damaged();
    rest_.remove_prefix(text.size());
  }
  void finish(std::string_view all) {
    const std::int64_t expected = checksum(all.substr(0, all.size() - rest_.size()));
    if (number() != expected || !rest_.empty()) damaged();
  }

 private:
  [[noreturn]] void damaged() {
    throw InputError({.file = file_,
                      .what = "this is not a complete checkpoint of this version",
                      .hint = "start the run anew without --resume"});
  }
  /// A length that the remaining bytes can really hold.
  std::size_t count(std::size_t item_size) {
    const std::int64_t value = number();
    if (value < 0 || static_cast<std::uint64_t>(value) > rest_.size() / item_size) damaged();
    return static_cast<std::size_t>(value);
  }
  void raw(void* data, std::size_t size) {
    if (size > rest_.size()) damaged();
    if (size > 0) std::memcpy(data, rest_.data(), size);
    rest_.remove_prefix(size);
  }

  std::string_view rest_;
  std::string file_;
};

// What a checkpoint has of single numbers, in the order of the file; for reading and for writing.
template <class AnyCheckpoint>
auto whole_numbers(AnyCheckpoint& point) {
  auto& counts = point.profile.counts;
  return std::array{&point.accepted_steps,  &point.rejected_steps,   &point.redone.projected,
                    &point.redone.linear,   &point.redone.nonlinear, &point.next_nominal_step,
                    &counts.force,          &counts.tangent,         &counts.analyses,
                    &counts.factorizations, &counts.solves,          &counts.matvecs,
                    &counts.newton,         &counts.krylov,          &counts.modes_iterations};
}
template <class AnyCheckpoint>
auto real_numbers(AnyCheckpoint& point) {
  auto& seconds = point.profile.seconds;
  return std::array{
      &point.last_edit,       &point.dt,           &point.step_size,      &point.largest_strain,
      &point.last_frame_time, &point.wall_seconds, &point.output_seconds, &point.parallel_seconds,
      &seconds.assemble,      &seconds.factorize,  &seconds.solve,        &seconds.modes,
      &seconds.phi,           &seconds.contact};
}

}  // namespace

void save_checkpoint(const std::filesystem::path& directory, const Checkpoint& checkpoint) {
  Writer out;
  out.raw(magic.data(), magic.size());
  out.vector(checkpoint.state.q);
  out.vector(checkpoint.state.v);
  out.vector(checkpoint.state.internal);
  out.real(checkpoint.state.t);
  out.number(static_cast<std::int64_t>(checkpoint.memory.size()));
  for (const auto& [name, value] : checkpoint.memory) {
    out.text(name);
    out.vector(value);
  }
  out.reals(checkpoint.ledger.data(), checkpoint.ledger.size());
  for (const long* value : whole_numbers(checkpoint)) out.number(*value);
  out.number(checkpoint.is_edited ? 1 : 0);
  out.text(checkpoint.edited);
  for (const double* value : real_numbers(checkpoint)) out.real(*value);
  out.number(checksum(out.bytes));
  std::filesystem::create_directories(directory);
  core::write_atomically(directory / "state.bin", out.bytes);
}

Checkpoint load_checkpoint(const std::filesystem::path& directory) {
  const std::filesystem::path file = directory / "state.bin";
  if (!std::filesystem::exists(file))
    throw InputError({.file = file.string(),
                      .what = "there is no checkpoint to resume from",
                      .hint = "run without --checkpoint-every 0, or stop a run with Ctrl-C"});
  const std::string bytes = core::read_file(file);
  Reader in(bytes, file.string());
  in.expect(magic);
  Checkpoint checkpoint;
  checkpoint.state.q = in.vector();
  checkpoint.state.v = in.vector();
  checkpoint.state.internal = in.vector();
  checkpoint.state.t = in.real();
  for (std::int64_t left = in.number(); left > 0; --left) {
    std::string name = in.text();
    checkpoint.memory[std::move(name)] = in.vector();
  }
  checkpoint.ledger = in.reals();
  for (long* value : whole_numbers(checkpoint)) *value = in.number();
  checkpoint.is_edited = in.number() != 0;
  checkpoint.edited = in.text();
  for (double* value : real_numbers(checkpoint)) *value = in.real();
  in.finish(bytes);
  return checkpoint;
}

}  // namespace sinew::sim
