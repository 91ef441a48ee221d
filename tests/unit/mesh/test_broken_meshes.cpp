// SPDX-License-Identifier: Apache-2.0
// Deliberately broken files: each must be refused with a message that names the file, what is
// wrong, and a remedy.
#include <algorithm>

#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/io/mesh_format.hpp>

#include "particle_samples.hpp"
#include "support/temp_dir.hpp"

namespace sinew::mesh {
namespace {

using test::TempDir;

struct BrokenMesh {
  std::string name;
  std::string file;
  std::string content;
  std::string expected;           ///< part of the message
  std::string partner_name = {};  ///< a second file that belongs to it
  std::string partner_content = {};
};

void PrintTo(const BrokenMesh& broken, std::ostream* out) {
  *out << broken.name;
}

/// The content of a good sample.
std::string good(std::string_view variant) {
  for (const auto& samples : {test::all_samples(), test::particle_samples()})
    for (const test::SampleFile& sample : samples)
      if (sample.variant == variant) return sample.content;
  ADD_FAILURE() << "no sample " << variant;
  return "";
}

/// A good sample with the first `from` replaced.
std::string changed(std::string_view variant, std::string_view from, std::string_view to) {
  std::string content = good(variant);
  const std::size_t place = content.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return content.replace(place, from.size(), to);
}

std::vector<BrokenMesh> broken_gmsh() {
  const std::string v2 = "gmsh_v2_ascii", v4 = "gmsh_v4_ascii";
  std::string truncated = good("gmsh_v4_little_endian");
  truncated.resize(truncated.find("$EndNodes") - 20);
  std::string bad_mark = good("gmsh_v2_little_endian");
  bad_mark[bad_mark.find("8\n") + 2] = 3;
  return {
      {"gmsh_empty", "m.msh", "", "the file is empty"},
      {"gmsh_other_format", "m.msh", "solid cube\nfacet normal", "not a Gmsh file"},
      {"gmsh_version_4_0", "m.msh", changed(v4, "4.1", "4.0"), "version '4.0' is not supported"},
      {"gmsh_lying_node_count", "m.msh", changed(v2, "$Nodes\n5", "$Nodes\n1000000000"),
       "line 14: 1000000000 nodes are announced"},
      {"gmsh_overflowing_count", "m.msh",
       changed(v2, "$Nodes\n5", "$Nodes\n99999999999999999999999"), "too large"},
      {"gmsh_negative_count", "m.msh", changed(v2, "$Nodes\n5", "$Nodes\n-5"), "'-5'"},
      {"gmsh_garbage_coordinate", "m.msh", changed(v2, "7 1 0 0", "7 1 0x0 0"),
       "line 16: '0x0' is not a number"},
      {"gmsh_nan_coordinate", "m.msh", changed(v2, "5 1 1.5 1", "5 1 nan 1"),
       "vertex 4 (counting from 0): a coordinate is not finite"},
      {"gmsh_infinite_coordinate", "m.msh", changed(v4, "1 1.5 1", "1 inf 1"), "not finite"},
      {"gmsh_huge_coordinate", "m.msh", changed(v4, "1 1.5 1", "1 1e999 1"), "too large"},
      {"gmsh_missing_node", "m.msh", changed(v2, "7 3 2000000000 5", "7 3 2000000000 6"),
       "element 5: refers to node 6, which the file does not have"},
      {"gmsh_node_given_twice", "m.msh", changed(v2, "3 0 1 0", "7 0 1 0"),
       "node 7: this node number is given twice"},
      {"gmsh_too_few_elements", "m.msh", changed(v2, "$Elements\n5", "$Elements\n4"),
       "$EndElements should stand"},
      {"gmsh_too_many_elements", "m.msh", changed(v2, "$Elements\n5", "$Elements\n6"),
       "'$EndElements' is not a number"},
      {"gmsh_hexahedron", "m.msh", changed(v2, "3 2 2 7 1 100 7 3", "3 5 2 7 1 1 2 3 4 5 6 7 8"),
       "hexahedron (Gmsh element type 5)"},
      {"gmsh_cubic_tet", "m.msh", changed(v4, "3 1 4 1", "3 1 29 1"), "third-order tetrahedron"},
      {"gmsh_unknown_element", "m.msh", changed(v2, "2 1 2 0 1 100 7", "2 77 2 0 1 100 7"),
       "element type 77 is unknown"},
      {"gmsh_no_elements_section", "m.msh", good(v2).substr(0, good(v2).find("$Elements")),
       "there is no $Elements section"},
      {"gmsh_no_tets", "m.msh",
       changed(v2, "4 4 2 7 1 100 7 3 2000000000\n5 4 2 9 2 7 3 2000000000 5",
               "4 15 2 0 1 100\n5 15 2 0 1 100"),
       "no triangle or bar uses this vertex"},
      {"gmsh_points_only", "m.msh",
       "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n"
       "1 15 2 0 1 1\n$EndElements\n",
       "the mesh has no tetrahedra"},
      {"gmsh_line_to_missing_node", "m.msh",
       "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n"
       "1 1 2 0 1 1 2\n$EndElements\n",
       "element 1: refers to node 2"},
      {"gmsh_binary_truncated", "m.msh", truncated,
       "the file ends where a node coordinate should follow"},
      {"gmsh_bad_byte_order_mark", "m.msh", bad_mark, "byte-order mark"},
      {"gmsh_block_counts_differ", "m.msh", changed(v4, "2 5 1 12", "2 6 1 12"),
       "6 nodes are announced, but the blocks hold 5"},
      {"gmsh_inverted_tet", "m.msh", changed(v4, "2 1 2 3 4", "2 2 1 3 4"),
       "tet 0 (counting from 0): inverted"},
      {"gmsh_name_without_quotes", "m.msh", changed(v2, "\"soft\"", "soft"), "double quotes"},
  };
}

std::vector<BrokenMesh> broken_medit_and_tetgen() {
  const std::string medit = "medit";
  const std::string node = good("tetgen_from_0");
  const std::string ele = "1 4 0\n0 0 1 2 3\n";
  return {
      {"medit_binary", "m.mesh", std::string("\1\0\0\0\3\0\0\0", 8), "not an ASCII Medit file"},
      {"medit_two_dimensional", "m.mesh", changed(medit, "Dimension\n3", "Dimension\n2"),
       "dimension 2"},
      {"medit_hexahedra", "m.mesh", changed(medit, "Hexahedra 0", "Hexahedra 1 1 2 3 4 5 6 7 8 0"),
       "the mesh contains Hexahedra"},
      {"medit_zero_based", "m.mesh", changed(medit, "1 2 3 4 7", "0 2 3 4 7"),
       "vertices count from 1"},
      {"medit_corner_beyond_end", "m.mesh", changed(medit, "2 3 4 5 9", "2 3 4 6 9"),
       "tetrahedron 2 (counting from 1): refers to vertex 6"},
      {"medit_lying_count", "m.mesh", changed(medit, "Tetrahedra\n2", "Tetrahedra\n2000000000"),
       "2000000000 tetrahedra are announced"},
      {"medit_no_tets", "m.mesh", good(medit).substr(0, good(medit).find("Tetrahedra")),
       "no triangle or bar uses this vertex"},
      {"medit_no_elements", "m.mesh", good(medit).substr(0, good(medit).find("Triangles")),
       "there are no Tetrahedra"},
      {"medit_triangle_beyond_end", "m.mesh", changed("flag_medit", "1 3 4 0", "1 3 6 0"),
       "triangle 2 (counting from 1): refers to vertex 6"},
      {"medit_two_edge_sections", "m.mesh", changed("flag_medit", "End", "Edges 1 1 2 0 End"),
       "there is a second Edges section"},
      {"medit_collapsed_tet", "m.mesh", changed(medit, "2 3 4 5 9", "2 3 4 4 9"),
       "not four different vertices"},
      {"medit_flat_tet", "m.mesh", changed(medit, "1 1.5 1 0", "0.25 0.25 0.5 0"), "degenerate"},
      {"tetgen_partner_missing", "m.node", node, "needs both name.node and name.ele"},
      {"tetgen_corner_beyond_end", "m.ele", "1 4 0\n0 0 1 2 7\n", "refers to vertex 7", "m.node",
       node},
      {"tetgen_seven", "m.ele", "1 7 0\n0 0 1 2 3 4 5 6\n", "have 7 vertices each", "m.node", node},
      {"tetgen_middle_beyond_end", "m.ele", "1 10 0\n0 0 1 2 3 4 5 6 7 8 9\n", "refers to vertex",
       "m.node", node},
      {"tetgen_numbers_out_of_sequence", "m.node", "4 3\n0 0 0 0\n2 1 0 0\n1 0 1 0\n3 0 0 1\n",
       "vertex number 2 is out of sequence", "m.ele", ele},
      {"tetgen_planar", "m.node", "4 2\n0 0 0\n1 1 0\n2 0 1\n3 1 1\n", "2 dimensions", "m.ele",
       ele},
      {"tetgen_unused_vertex", "m.node", node, "no tet uses this vertex", "m.ele", ele},
      {"tetgen_comments_only", "m.node", "# nothing\n", "the file ends", "m.ele", ele},
  };
}

std::vector<BrokenMesh> broken_vtk() {
  const std::string ascii = "vtk_ascii_classic", offsets = "vtk_ascii_offsets", xml = "vtu_ascii";
  return {
      {"vtk_not_vtk", "m.vtk", "hello\nworld\n", "not a legacy VTK file"},
      {"vtk_structured", "m.vtk", changed(ascii, "UNSTRUCTURED_GRID", "STRUCTURED_POINTS"),
       "the data set is STRUCTURED_POINTS"},
      {"vtk_lying_point_count", "m.vtk", changed(ascii, "POINTS 5", "POINTS 1000000000"),
       "line 5: 1000000000 points are announced"},
      {"vtk_wedge", "m.vtk", changed(ascii, "3 10 10", "3 13 10"), "wedge (VTK cell type 13)"},
      {"vtk_cells_do_not_fit", "m.vtk", changed(ascii, "4 1 2 3 4", "9 1 2 3 4"),
       "do not fit the size of CELLS"},
      {"vtk_offsets_decrease", "m.vtk", changed(offsets, "0 4 8", "0 8 4"), "does not fit"},
      {"vtk_point_beyond_end", "m.vtk", changed(offsets, "1 2 3 4\nCELL", "1 2 3 5\nCELL"),
       "refers to point 5"},
      {"vtk_types_missing", "m.vtk", good(ascii).substr(0, good(ascii).find("CELL_TYPES")),
       "CELL_TYPES are missing"},
      {"vtk_text_array", "m.vtk", changed(offsets, "PhysicalIds 1 2 int", "Label 1 2 string"),
       "data type 'string' is not supported"},
      {"vtu_not_xml", "m.vtu", "# vtk DataFile", "not an XML file"},
      {"vtu_polydata", "m.vtu", changed(xml, "type=\"UnstructuredGrid\"", "type=\"PolyData\""),
       "not a VTKFile of type UnstructuredGrid"},
      {"vtu_too_few_points", "m.vtu", changed(xml, "NumberOfPoints=\"5\"", "NumberOfPoints=\"6\""),
       "has 15 numbers instead of 18"},
      {"vtu_silly_count", "m.vtu", changed(xml, "NumberOfCells=\"3\"", "NumberOfCells=\"-3\""),
       "is not a count"},
      {"vtu_missing_array", "m.vtu", changed(xml, "connectivity", "connections"),
       "\"connectivity\" is missing"},
      {"vtu_garbage_number", "m.vtu", changed(xml, " 1.5 1\n", " x.5 1\n"),
       "'x.5' is not a number"},
      {"vtu_other_compressor", "m.vtu", changed("vtu_raw_zlib_uint32_little", "vtkZLib", "vtkLZ4"),
       "vtkLZ4DataCompressor"},
      {"vtu_offset_beyond_end", "m.vtu",
       changed("vtu_raw_plain_uint32_little", "offset=\"0\"", "offset=\"99999\""),
       "lies beyond the"},
      {"vtu_lying_array_size", "m.vtu",
       changed("vtu_raw_plain_uint32_little", std::string("_\14\0\0\0", 5), "_\377\377\377\177"),
       "announces 2147483647 bytes"},
      {"vtu_damaged_compression", "m.vtu",
       changed("vtu_raw_zlib_uint32_little", "\x78\x9c", "\x11\x11"), "cannot be unpacked"},
      {"vtu_mismatched_tags", "m.vtu", changed(xml, "</Points>", "</Dots>"), "does not close"},
  };
}

std::vector<BrokenMesh> broken_surfaces() {
  const std::string obj = "obj_plain", ply = "ply_ascii", binary = "ply_little_endian";
  return {
      {"obj_no_vertices", "m.obj", "solid cube\n", "there are no vertices"},
      {"obj_cut_vertex", "m.obj", changed(obj, "v 0 1.5 0", "v 0 1.5"),
       "line 7: the line ends where a vertex coordinate should follow"},
      {"obj_garbage_vertex", "m.obj", changed(obj, "v 0 1.5 0", "v 0 y 0"),
       "line 7: 'y' is not a number"},
      {"obj_vertex_zero", "m.obj", changed(obj, "l 4/1 5", "l 0 5"),
       "line 15: there is no vertex 0"},
      {"obj_vertex_beyond_end", "m.obj", changed(obj, "l 4/1 5", "l 4 6"),
       "line 15: there is no vertex 6; the file has 5"},
      {"obj_vertex_before_begin", "m.obj", changed(obj, "l 4/1 5", "l 4 -6"), "no vertex -6"},
      {"obj_garbage_corner", "m.obj", changed(obj, "3//1", "/3"), "line 13: '' is not a number"},
      {"obj_short_face", "m.obj", changed(obj, "l 4/1 5", "f 4 5"),
       "line 15: a face needs more than 2 vertices"},
      {"obj_short_line", "m.obj", changed(obj, "l 4/1 5", "l 4"),
       "line 15: a line needs more than 1 vertices"},
      {"ply_not_ply", "m.ply", "solid cube\n", "line 1: this is not a PLY file"},
      {"ply_unknown_format", "m.ply", changed(ply, "ascii", "utf8"),
       "the format 'utf8' is unknown"},
      {"ply_unknown_keyword", "m.ply", changed(ply, "obj_info", "author"),
       "line 4: unknown keyword 'author'"},
      {"ply_unknown_type", "m.ply", changed(ply, "property float x", "property real x"),
       "line 7: the data type 'real' is unknown"},
      {"ply_lost_property", "m.ply", "ply\nformat ascii 1.0\nproperty int x\n",
       "line 3: a property stands before the first element"},
      {"ply_fractional_length", "m.ply", changed(ply, "list uchar int owners", "list float int o"),
       "the length of a list must be an integer"},
      {"ply_header_cut_off", "m.ply", "ply\nformat ascii 1.0\n",
       "the file ends where end_header should follow"},
      {"ply_no_coordinate", "m.ply", changed(ply, "property double z", "property double w"),
       "the element 'vertex' has no number 'z'"},
      {"ply_no_corners", "m.ply", changed(ply, "vertex_indices", "corners"),
       "the element 'face' has no list 'vertex_indices'"},
      {"ply_lying_count", "m.ply", changed(ply, "vertex 5", "vertex 1000000000"),
       "1000000000 vertex elements are announced"},
      {"ply_lying_list", "m.ply", changed(ply, "1 4 0 1 2 3", "1 400000 0 1 2 3"),
       "400000 values of a list are announced"},
      {"ply_negative_list", "m.ply", changed(ply, "1 4 0 1 2 3", "1 -4 0 1 2 3"),
       "line 28: a list cannot have -4 values"},
      {"ply_vertex_beyond_end", "m.ply", changed(ply, "1 4 0 1 2 3", "1 4 0 1 2 5"),
       "a face refers to vertex 5, but there are only 5"},
      {"ply_edge_beyond_end", "m.ply", changed(ply, "3 4 255", "3 7 255"),
       "an edge refers to vertex 7"},
      {"ply_negative_vertex", "m.ply", changed(ply, "3 4 255", "3 -4 255"), "-4 is no vertex"},
      {"ply_no_vertices", "m.ply", "ply\nformat ascii 1.0\nend_header\n", "there are no vertices"},
      {"ply_binary_cut_off", "m.ply", good(binary).substr(0, good(binary).size() - 3),
       "the file ends where the value of a property should follow"},
  };
}

std::vector<BrokenMesh> broken_molecules_and_tables() {
  const std::string pdb = "ethane_pdb", xyz = "ethane_xyz";
  return {
      {"pdb_no_atoms", "m.pdb", "HEADER    NOTHING\nEND\n", "no ATOM or HETATM records"},
      {"pdb_short_record", "m.pdb", "ATOM      1  N   GLY A   1       1.000\n",
       "line 1: the record has 38 columns"},
      {"pdb_shifted_columns", "m.pdb", changed(pdb, "      1.017   0.000", "     1.017    0.0x0"),
       "line 5: '0.0x0' is not a number, but y in columns 39-46"},
      {"pdb_unknown_element", "m.pdb",
       changed(pdb, "0.765  1.00  0.00           C", "0.765  1.00  0.00          Qq"),
       "line 3: the chemical element 'Qq' is unknown"},
      {"pdb_ambiguous_bond", "m.pdb", changed(pdb, "HETATM    8", "HETATM    2"),
       "line 15: CONECT names atom 2, but several have this number"},
      {"xyz_no_count", "m.xyz", "C 0 0 0\n", "line 1: 'C' is not a number"},
      {"xyz_lying_count", "m.xyz", changed(xyz, "8\n", "800000000\n"),
       "800000000 atoms are announced"},
      {"xyz_count_too_large", "m.xyz", changed(xyz, "8\n", "9\n"),
       "line 11: 9 atoms are announced, but only 8 follow"},
      {"xyz_count_too_small", "m.xyz", changed(xyz, "8\n", "7\n"),
       "line 10: 7 atoms are announced, but more follow"},
      {"xyz_cut_off", "m.xyz", "3\n\nO 0 0 0\nH 1 0 0\n", "3 atoms are announced, but only 2"},
      {"xyz_unknown_element", "m.xyz", changed(xyz, "h -0.508", "Ho2 -0.508"),
       "line 6: the chemical element 'Ho2' is unknown"},
      {"xyz_missing_coordinate", "m.xyz", changed(xyz, "h -0.508  0.881  1.157", "H -0.508 0.881"),
       "line 6: the line ends where a coordinate of an atom should follow"},
      {"xyz_no_atoms", "m.xyz", "0\nnothing\n", "there are no atoms"},
      {"csv_comments_only", "m.csv", "# x,y,z\n", "a line with the names of the columns"},
      {"csv_no_column", "m.csv", "x,y\n1,2\n", "line 1: there is no column 'z'"},
      {"csv_column_twice", "m.csv", "x,y,z,X\n1,2,3,4\n", "line 1: there are two columns 'x'"},
      {"csv_short_line", "m.csv", "x,y,z\n\n1,2\n", "line 3: the line has 2 cells"},
      {"csv_garbage", "m.csv", "x,y,z\n1,2,three\n", "line 2: 'three' is not a number"},
      {"csv_no_rows", "m.csv", "x,y,z\n", "the file ends where a line with numbers"},
      {"csv_bad_mass", "m.csv", "x,y,z,mass\n1,2,3,-1\n",
       "vertex 0 (counting from 0): its mass is -1"},
  };
}

class EveryBrokenMesh : public ::testing::TestWithParam<BrokenMesh> {};

TEST_P(EveryBrokenMesh, IsRefusedWithItsFileAndARemedy) {
  const BrokenMesh& broken = GetParam();
  const TempDir dir;
  if (!broken.partner_name.empty()) dir.write(broken.partner_name, broken.partner_content);
  try {
    load_mesh(dir.write(broken.file, broken.content));
    FAIL() << "the broken mesh was accepted";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find(broken.expected), std::string::npos) << message;
    EXPECT_NE(message.find((dir.path() / "m.").string()), std::string::npos) << message;
    for (const Problem& problem : error.problems()) EXPECT_FALSE(problem.hint.empty()) << message;
  }
}

std::string broken_name(const ::testing::TestParamInfo<BrokenMesh>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Gmsh, EveryBrokenMesh, ::testing::ValuesIn(broken_gmsh()), broken_name);
INSTANTIATE_TEST_SUITE_P(MeditAndTetgen, EveryBrokenMesh,
                         ::testing::ValuesIn(broken_medit_and_tetgen()), broken_name);
INSTANTIATE_TEST_SUITE_P(Vtk, EveryBrokenMesh, ::testing::ValuesIn(broken_vtk()), broken_name);
INSTANTIATE_TEST_SUITE_P(Surfaces, EveryBrokenMesh, ::testing::ValuesIn(broken_surfaces()),
                         broken_name);
INSTANTIATE_TEST_SUITE_P(MoleculesAndTables, EveryBrokenMesh,
                         ::testing::ValuesIn(broken_molecules_and_tables()), broken_name);

/// The message for a path that holds no mesh.
std::string complaint(const std::filesystem::path& path) {
  try {
    load_mesh(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(BrokenMeshes, AMissingFileIsNamed) {
  const TempDir dir;
  for (const MeshFormat& format : mesh_formats())
    for (const std::string& extension : format.extensions) {
      const std::string message = complaint(dir.path() / ("none" + extension));
      EXPECT_NE(message.find("none"), std::string::npos) << message;
      EXPECT_NE(message.find("there is no such file"), std::string::npos) << message;
    }
}

TEST(BrokenMeshes, ADirectoryIsNoMesh) {
  const TempDir dir;
  std::filesystem::create_directory(dir.path() / "folder.msh");
  EXPECT_NE(complaint(dir.path() / "folder.msh").find("is a directory"), std::string::npos);
}

TEST(BrokenMeshes, AnUnknownExtensionGetsTheNearestKnownOne) {
  EXPECT_NE(complaint("a.vtx").find("did you mean '.vt"), std::string::npos);
  EXPECT_NE(complaint("a.mehs").find("did you mean '.mesh'?"), std::string::npos);
  EXPECT_NE(complaint("noextension").find("needs an extension"), std::string::npos);
}

TEST(BrokenMeshes, ADeviceFileIsRefusedInsteadOfReadForEver) {
  const TempDir dir;
  if (!std::filesystem::exists("/dev/zero")) GTEST_SKIP() << "no device files here";
  std::filesystem::create_symlink("/dev/zero", dir.path() / "zero.msh");
  EXPECT_NE(complaint(dir.path() / "zero.msh"), "");
}

}  // namespace
}  // namespace sinew::mesh
