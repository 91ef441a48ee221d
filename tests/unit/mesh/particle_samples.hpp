// SPDX-License-Identifier: Apache-2.0
// Small bodies of particles in every format that holds them, written without the library.
#pragma once

#include "sample_files.hpp"

namespace sinew::test {

/// Two triangles that were a quadrangle, and a bar from a corner of them to a fifth vertex.
mesh::TetMesh sample_flag();

/// The flag in every format and variant. The bar is in region 5 where the format has regions.
std::vector<SampleFile> flag_samples();

/// Ethane: two carbons and six hydrogens, with seven bonds; as .xyz and .pdb.
std::vector<SampleFile> ethane_samples();

/// All of them and a table of particles.
std::vector<SampleFile> particle_samples();

}  // namespace sinew::test
