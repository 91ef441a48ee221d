// SPDX-License-Identifier: Apache-2.0
// Damaged files must end in a mesh or an InputError: no crash, no other exception, no huge
// allocation. Run under the address and undefined-behaviour sanitizers to mean something.
#include <random>

#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/io/mesh_format.hpp>

#include "sample_files.hpp"
#include "support/temp_dir.hpp"

namespace sinew::mesh {
namespace {

using test::SampleFile;
using test::TempDir;

/// Whether the file gave a mesh; anything but a mesh or an InputError escapes and fails the test.
bool is_readable(const std::filesystem::path& path) {
  try {
    TetMesh mesh = read_mesh(path);
    EXPECT_EQ(mesh.regions.size(), mesh.tets.size());
    repair(mesh);
    if (find_problems(mesh, "fuzz").empty()) {
      // what passes the checks can be simulated
      EXPECT_FALSE(mesh.tets.empty());
      for (int t = 0; t < mesh.num_tets(); ++t) {
        const Tet& tet = mesh.tets[static_cast<std::size_t>(t)];
        const auto [low, high] = std::minmax_element(tet.begin(), tet.end());
        EXPECT_TRUE(*low >= 0 && *high < mesh.num_vertices()) << t;
        if (testing::Test::HasFailure()) break;
        EXPECT_GT(signed_volume(mesh, t), 0.0) << t;
      }
    }
    return true;
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
    const bool is_mesh = is_readable(dir_.write(GetParam().name, content.substr(0, length)));
    // half a file never holds all the tets
    EXPECT_FALSE(is_mesh && length < content.size() / 2);
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
    is_readable(dir_.write(GetParam().name, content));
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
    is_readable(dir_.write(GetParam().name, content));
  }
}

INSTANTIATE_TEST_SUITE_P(Mesh, DamagedFile, ::testing::ValuesIn(test::distinct_samples()),
                         test::variant_name);

}  // namespace
}  // namespace sinew::mesh
