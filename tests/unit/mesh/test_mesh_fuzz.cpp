// SPDX-License-Identifier: Apache-2.0
// Damaged files must end in a mesh or an InputError: no crash, no other exception, no huge
// allocation. Run under the address and undefined-behaviour sanitizers to mean something.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/io/mesh_format.hpp>
#include <sinew/mesh/quality.hpp>

#include "particle_samples.hpp"
#include "support/temp_dir.hpp"

namespace sinew::mesh {
namespace {

using test::SampleFile;
using test::TempDir;

template <std::size_t N>
void expect_in_range(const std::vector<std::array<int, N>>& elements, const TetMesh& mesh) {
  for (const auto& corners : elements) {
    const auto [low, high] = std::minmax_element(corners.begin(), corners.end());
    ASSERT_TRUE(*low >= 0 && *high < mesh.num_vertices());
  }
}

/// Whether the file gave tets; anything but a mesh or an InputError escapes and fails the test.
bool gives_tets(const std::filesystem::path& path) {
  try {
    TetMesh mesh = read_mesh(path);
    EXPECT_EQ(mesh.regions.size(), mesh.tets.size());
    repair(mesh);
    if (find_problems(mesh, "fuzz").empty()) {
      // what passes the checks can be simulated
      EXPECT_TRUE(!mesh.tets.empty() || is_made_of_particles(mesh));
      expect_in_range(mesh.tets, mesh);
      expect_in_range(mesh.triangles, mesh);
      expect_in_range(mesh.bars, mesh);
      if (testing::Test::HasFailure()) return false;
      for (int t = 0; t < mesh.num_tets(); ++t) EXPECT_GT(signed_volume(mesh, t), 0.0) << t;
      EXPECT_EQ(assess_quality(mesh).num_vertices, mesh.num_vertices());
    }
    return !mesh.tets.empty();
  } catch (const InputError& error) {
    EXPECT_FALSE(error.problems().empty());
    EXPECT_FALSE(error.problems().front().hint.empty()) << error.what();
    return false;
  }
}

class DamagedFile : public ::testing::TestWithParam<SampleFile> {
 protected:
  DamagedFile() {
    const auto& [name, content] = GetParam().partner;
    if (!name.empty()) dir_.write(name, content);
  }

  TempDir dir_;
};

TEST_P(DamagedFile, CutOffAnywhereIsAMeshOrAnInputError) {
  const std::string& content = GetParam().content;
  for (std::size_t length = 0; length < content.size(); ++length) {
    SCOPED_TRACE("the first " + std::to_string(length) + " bytes");
    const bool has_tets = gives_tets(dir_.write(GetParam().name, content.substr(0, length)));
    // half a file never holds all the tets
    EXPECT_FALSE(has_tets && length < content.size() / 2);
  }
}

TEST_P(DamagedFile, WithChangedBytesIsAMeshOrAnInputError) {
  const unsigned seed = 20240611;
  std::mt19937 random(seed);
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(round));
    std::string content = GetParam().content;
    const unsigned num_changes = 1 + random() % 4;
    for (unsigned i = 0; i < num_changes; ++i) {
      char& byte = content[random() % content.size()];
      // digits make counts lie; arbitrary bytes break structure
      byte = random() % 2 == 0 ? static_cast<char>('0' + random() % 10)
                               : static_cast<char>(random() % 256);
    }
    gives_tets(dir_.write(GetParam().name, content));
  }
}

TEST_P(DamagedFile, WithRepeatedOrMissingPiecesIsAMeshOrAnInputError) {
  const unsigned seed = 7;
  std::mt19937 random(seed);
  for (int round = 0; round < 100; ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(round));
    std::string content = GetParam().content;
    const std::size_t begin = random() % content.size();
    const std::string piece = content.substr(begin, 1 + random() % 40);
    if (random() % 2 == 0)
      content.erase(begin, piece.size());
    else
      content.insert(random() % content.size(), piece);
    gives_tets(dir_.write(GetParam().name, content));
  }
}

INSTANTIATE_TEST_SUITE_P(Mesh, DamagedFile, ::testing::ValuesIn(test::distinct_samples()),
                         test::variant_name);
INSTANTIATE_TEST_SUITE_P(Particles, DamagedFile, ::testing::ValuesIn(test::particle_samples()),
                         test::variant_name);

}  // namespace
}  // namespace sinew::mesh
