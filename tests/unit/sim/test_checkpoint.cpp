// SPDX-License-Identifier: Apache-2.0
// Checkpoints keep every bit, and a file that lost one is refused.
#include <bit>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/sim/checkpoint.hpp>

#include "support/temp_dir.hpp"

namespace sinew::sim {
namespace {

using test::TempDir;

/// Numbers that text or careless arithmetic would change.
Vec awkward_numbers() {
  using Limits = std::numeric_limits<double>;
  Vec values(7);
  values << 0.1, -0.0, Limits::denorm_min(), Limits::max(), -Limits::infinity(), 1.0 / 3.0,
      std::bit_cast<double>(std::uint64_t{0x7ff8000000000123});
  return values;
}

Checkpoint sample() {
  Checkpoint checkpoint;
  checkpoint.state = {.q = awkward_numbers(),
                      .v = -awkward_numbers(),
                      .t = 0.1 + 0.2,
                      .internal = Vec::LinSpaced(5, 0.0, 1.0)};
  checkpoint.memory = {{"history", awkward_numbers()}, {"empty", Vec()}, {"", Vec::Ones(2)}};
  checkpoint.ledger = {1.5, -2.5, 1e-300};
  checkpoint.accepted_steps = 123456789012345;
  checkpoint.rejected_steps = 7;
  checkpoint.redone = {.projected = 3, .linear = 2, .nonlinear = 1};
  checkpoint.next_nominal_step = 42;
  checkpoint.is_edited = true;
  checkpoint.edited = "two groups let go\n, a cut";
  checkpoint.last_edit = 0.7;
  checkpoint.dt = 0.0125;
  return checkpoint;
}

std::vector<std::uint64_t> bits(const Vec& values) {
  std::vector<std::uint64_t> result;
  for (const double value : values) result.push_back(std::bit_cast<std::uint64_t>(value));
  return result;
}

TEST(Checkpoint, EveryBitSurvives) {
  const TempDir dir;
  const Checkpoint saved = sample();
  save_checkpoint(dir.path() / "checkpoint", saved);

  const Checkpoint loaded = load_checkpoint(dir.path() / "checkpoint");

  EXPECT_EQ(bits(loaded.state.q), bits(saved.state.q));
  EXPECT_EQ(bits(loaded.state.v), bits(saved.state.v));
  EXPECT_EQ(bits(loaded.state.internal), bits(saved.state.internal));
  EXPECT_EQ(loaded.state.t, saved.state.t);
  ASSERT_EQ(loaded.memory.size(), saved.memory.size());
  for (const auto& [name, value] : saved.memory)
    EXPECT_EQ(bits(loaded.memory.at(name)), bits(value));
  EXPECT_EQ(loaded.ledger, saved.ledger);
  EXPECT_EQ(loaded.accepted_steps, saved.accepted_steps);
  EXPECT_EQ(loaded.rejected_steps, saved.rejected_steps);
  EXPECT_EQ(loaded.redone, saved.redone);
  EXPECT_EQ(loaded.next_nominal_step, saved.next_nominal_step);
  EXPECT_EQ(loaded.is_edited, saved.is_edited);
  EXPECT_EQ(loaded.edited, saved.edited);
  EXPECT_EQ(loaded.last_edit, saved.last_edit);
  EXPECT_EQ(loaded.dt, saved.dt);
}

TEST(Checkpoint, AnEmptyOneSurvives) {
  const TempDir dir;
  save_checkpoint(dir.path(), Checkpoint{});

  const Checkpoint loaded = load_checkpoint(dir.path());

  EXPECT_EQ(loaded.state.q.size(), 0);
  EXPECT_TRUE(loaded.memory.empty());
}

TEST(Checkpoint, ANewOneReplacesTheOldAndLeavesNoPart) {
  const TempDir dir;
  save_checkpoint(dir.path(), Checkpoint{});
  save_checkpoint(dir.path(), sample());

  const Checkpoint loaded = load_checkpoint(dir.path());

  EXPECT_EQ(loaded.edited, sample().edited);
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "state.bin.part"));
}

TEST(Checkpoint, AMissingOneIsBadInputWithARemedy) {
  const TempDir dir;

  try {
    load_checkpoint(dir.path());
    FAIL() << "there is no checkpoint";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("--checkpoint-every"), std::string::npos)
        << error.what();
  }
}

TEST(Checkpoint, OneCutOffAnywhereIsRefused) {
  const TempDir dir;
  save_checkpoint(dir.path(), sample());
  const std::string bytes = core::read_file(dir.path() / "state.bin");

  for (std::size_t length = 0; length < bytes.size(); length += 3) {
    dir.write("state.bin", bytes.substr(0, length));
    EXPECT_THROW(load_checkpoint(dir.path()), InputError) << length << " of " << bytes.size();
  }
}

TEST(Checkpoint, OneWithAChangedByteIsRefused) {
  const TempDir dir;
  save_checkpoint(dir.path(), sample());
  const std::string bytes = core::read_file(dir.path() / "state.bin");

  for (std::size_t place = 0; place < bytes.size(); place += 3) {
    std::string damaged = bytes;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x40);
    dir.write("state.bin", damaged);
    EXPECT_THROW(load_checkpoint(dir.path()), InputError) << "byte " << place;
  }
}

TEST(Checkpoint, OneWithSomethingBehindItIsRefused) {
  const TempDir dir;
  save_checkpoint(dir.path(), sample());
  dir.write("state.bin", core::read_file(dir.path() / "state.bin") + "x");

  EXPECT_THROW(load_checkpoint(dir.path()), InputError);
}

TEST(Checkpoint, AnotherFileIsRefused) {
  const TempDir dir;
  dir.write("state.bin", std::string(1000, 'x'));

  EXPECT_THROW(load_checkpoint(dir.path()), InputError);
}

}  // namespace
}  // namespace sinew::sim
