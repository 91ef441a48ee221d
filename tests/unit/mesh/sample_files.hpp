// SPDX-License-Identifier: Apache-2.0
// The same small mesh in every format and variant, put together byte by byte without the library's
// writers, so that readers are checked against the formats and not against ourselves.
#pragma once

#include <bit>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::test {

/// Two tets that share a face, in regions 7 and 9.
mesh::TetMesh sample_mesh();

struct SampleFile {
  std::string variant;
  std::string name;  ///< of the file to read
  std::string content;
  std::pair<std::string, std::string> partner;  ///< name and content of a second file, or empty
};

std::vector<SampleFile> gmsh_samples();
std::vector<SampleFile> medit_samples();
std::vector<SampleFile> tetgen_samples();
std::vector<SampleFile> vtk_samples();
std::vector<SampleFile> vtu_samples();
std::vector<SampleFile> all_samples();
/// One of each code path: all_samples() without those that differ in byte order or width only.
std::vector<SampleFile> distinct_samples();

/// Fails unless vertices, tets and regions are the same to the last bit.
void expect_same_mesh(const mesh::TetMesh& actual, const mesh::TetMesh& expected);

/// Test names from sample variants.
inline std::string variant_name(const ::testing::TestParamInfo<SampleFile>& info) {
  return info.param.variant;
}

inline void PrintTo(const SampleFile& sample, std::ostream* out) {
  *out << sample.variant;
}

}  // namespace sinew::test
