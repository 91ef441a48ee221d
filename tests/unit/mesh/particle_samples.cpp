// SPDX-License-Identifier: Apache-2.0
#include "particle_samples.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace sinew::test {
namespace {

template <class T>
void append_bytes(std::string& bytes, std::endian order, std::initializer_list<T> values) {
  for (const T value : values) {
    char buffer[sizeof(T)];
    std::memcpy(buffer, &value, sizeof(T));
    if (order != std::endian::native) std::reverse(buffer, buffer + sizeof(T));
    bytes.append(buffer, sizeof(T));
  }
}

const char* const obj_plain = R"(# a flag
mtllib flag.mtl
o flag
v 0 0 0
v 1 0 0 1.0
v 1 1 0 0.5 0.5 0.5
v 0 1.5 0
v 0 0 2
vt 0 0
vn 0 0 1
usemtl cloth
s off
f 1/1/1 2/1/1 \
  3//1 4
l 4/1 5
)";

// counted from behind, and the faces before two of the vertices
const char* const obj_relative =
    "v 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nf -3 -2 -1\r\nf 1 3 4\r\nv 0 1.5 0\r\nv 0 0 2\r\nl -2 -1\r\n";

const char* const ply_ascii = R"(ply
format ascii 1.0
comment a flag
obj_info made by hand
element vertex 5
property uchar red
property float x
property list uchar int owners
property double z
property double y
element material 1
property list uchar char name
property float32 roughness
element face 1
property uchar flags
property list uchar int vertex_indices
element edge 1
property int vertex1
property int vertex2
property uchar red
end_header
255 0 0 0 0
255 1 2 7 8 0 0
255 1 1 4 0 1
255 0 0 0 1.5
0 0 0 2 0
3 65 66 67 0.5
1 4 0 1 2 3
3 4 255
)";

std::string ply_binary(std::endian order) {
  std::string bytes = "ply\nformat ";
  bytes += order == std::endian::big ? "binary_big_endian" : "binary_little_endian";
  bytes +=
      " 1.0\nelement vertex 5\nproperty double x\nproperty float y\nproperty int16 z\n"
      "element junk 2\nproperty list uint16 double values\nproperty int8 sign\n"
      "element face 2\nproperty list int uint vertex_index\nproperty float quality\n"
      "element edge 1\nproperty ushort vertex1\nproperty ushort vertex2\nend_header\n";
  const double x[] = {0, 1, 1, 0, 0};
  const float y[] = {0, 0, 1, 1.5, 0};
  const std::int16_t z[] = {0, 0, 0, 0, 2};
  for (int i = 0; i < 5; ++i) {
    append_bytes<double>(bytes, order, {x[i]});
    append_bytes<float>(bytes, order, {y[i]});
    append_bytes<std::int16_t>(bytes, order, {z[i]});
  }
  for (const std::uint16_t count : {0, 2}) {
    append_bytes<std::uint16_t>(bytes, order, {count});
    for (int k = 0; k < count; ++k) append_bytes<double>(bytes, order, {0.1});
    bytes += '\xff';
  }
  for (const int third : {2, 3}) {
    append_bytes<std::int32_t>(bytes, order, {3, 0, third - 1, third});
    append_bytes<float>(bytes, order, {0.5f});
  }
  append_bytes<std::uint16_t>(bytes, order, {3, 4});
  return bytes;
}

const char* const flag_gmsh_v2_ascii = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
1 5 "string"
2 6 "cloth"
$EndPhysicalNames
$Nodes
5
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1.5 0
9 0 0 2
$EndNodes
$Elements
3
1 15 2 0 1 9
2 3 2 6 1 1 2 3 4
3 1 2 5 1 4 9
$EndElements
)";

std::string flag_gmsh_v2_binary() {
  const std::endian order = std::endian::little;
  std::string bytes = "$MeshFormat\n2.2 1 8\n";
  append_bytes<std::int32_t>(bytes, order, {1});
  bytes += "\n$EndMeshFormat\n$Nodes\n5\n";
  const double nodes[][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1.5, 0}, {0, 0, 2}};
  for (int i = 0; i < 5; ++i) {
    append_bytes<std::int32_t>(bytes, order, {i + 1});
    append_bytes<double>(bytes, order, {nodes[i][0], nodes[i][1], nodes[i][2]});
  }
  bytes += "\n$EndNodes\n$Elements\n3\n";
  append_bytes<std::int32_t>(bytes, order, {2, 2, 2, 1, 0, 1, 1, 2, 3, 2, 0, 1, 1, 3, 4});
  append_bytes<std::int32_t>(bytes, order, {1, 1, 2, 3, 0, 5, 4, 5});
  return bytes + "\n$EndElements\n";
}

const char* const flag_gmsh_v4_ascii = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
1
1 5 "string"
$EndPhysicalNames
$Entities
0 1 1 0
1 0 0 0 1 1 1 1 5 0
1 0 0 0 1 1 0 0 0
$EndEntities
$Nodes
1 5 1 5
2 1 0 5
1
2
3
4
5
0 0 0
1 0 0
1 1 0
0 1.5 0
0 0 2
$EndNodes
$Elements
2 3 1 3
2 1 2 2
1 1 2 3
2 1 3 4
1 1 1 1
3 4 5
$EndElements
)";

const char* const flag_medit = R"(MeshVersionFormatted 2
Dimension 3
Edges
1
4 5 5
Triangles
2
1 2 3 0
1 3 4 0
Vertices
5
0 0 0 0
1 0 0 0
1 1 0 0
0 1.5 0 0
0 0 2 0
Quadrilaterals 0
End
)";

const char* const flag_vtk = R"(# vtk DataFile Version 3.0
flag
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 5 double
0 0 0 1 0 0 1 1 0 0 1.5 0 0 0 2
CELLS 3 10
4 0 1 2 3
1 4
2 3 4
CELL_TYPES 3
9 1 4
CELL_DATA 3
SCALARS region int 1
LOOKUP_TABLE default
0 0 5
)";

const char* const flag_vtu = R"(<VTKFile type="UnstructuredGrid" byte_order="LittleEndian">
<UnstructuredGrid><Piece NumberOfPoints="5" NumberOfCells="3">
<Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">
0 0 0 1 0 0 1 1 0 0 1.5 0 0 0 2</DataArray></Points>
<Cells><DataArray type="Int32" Name="connectivity" format="ascii">0 1 2 0 2 3 3 4</DataArray>
<DataArray type="Int32" Name="offsets" format="ascii">3 6 8</DataArray>
<DataArray type="UInt8" Name="types" format="ascii">5 5 3</DataArray></Cells>
<CellData><DataArray type="Int32" Name="region" format="ascii">0 0 5</DataArray></CellData>
</Piece></UnstructuredGrid></VTKFile>
)";

const char* const ethane_xyz = R"(8
ethane
C  0.000  0.000  0.765
C  0.000  0.000 -0.765
H  1.017  0.000  1.157  0.1 extra
h -0.508  0.881  1.157
H -0.508 -0.881  1.157
H -1.017  0.000 -1.157
H  0.508  0.881 -1.157
H  0.508 -0.881 -1.157
8
the second frame
C 0 0 0
)";

const char* const ethane_pdb = R"(HEADER    ETHANE
MODEL        1
HETATM    1  C1  ETH A   1       0.000   0.000   0.765  1.00  0.00           C
HETATM    2  C2  ETH A   1       0.000   0.000  -0.765  1.00  0.00           C
HETATM    3  H11 ETH A   1       1.017   0.000   1.157  1.00  0.00           H
HETATM    4  H12 ETH A   1      -0.508   0.881   1.157  1.00  0.00           H
HETATM    5  H13 ETH A   1      -0.508  -0.881   1.157  1.00  0.00           H
HETATM    6  H21 ETH A   1      -1.017   0.000  -1.157  1.00  0.00           H
HETATM    7  H22 ETH A   1       0.508   0.881  -1.157  1.00  0.00           H
HETATM    8  H23 ETH A   1       0.508  -0.881  -1.157  1.00  0.00           H
ENDMDL
MODEL        2
HETATM    1  C1  ETH A   1       9.000   9.000   9.000  1.00  0.00           C
ENDMDL
CONECT    1    2    3
CONECT    2    1
END
)";

}  // namespace

mesh::TetMesh sample_flag() {
  mesh::TetMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1.5, 0}, {0, 0, 2}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  mesh.bars = {{3, 4}};
  return mesh;
}

std::vector<SampleFile> flag_samples() {
  return {{"obj_plain", "a.obj", obj_plain, {}},
          {"obj_relative", "a.obj", obj_relative, {}},
          {"ply_ascii", "a.ply", ply_ascii, {}},
          {"ply_little_endian", "a.ply", ply_binary(std::endian::little), {}},
          {"ply_big_endian", "a.ply", ply_binary(std::endian::big), {}},
          {"flag_gmsh_v2_ascii", "a.msh", flag_gmsh_v2_ascii, {}},
          {"flag_gmsh_v2_binary", "a.msh", flag_gmsh_v2_binary(), {}},
          {"flag_gmsh_v4_ascii", "a.msh", flag_gmsh_v4_ascii, {}},
          {"flag_medit", "a.mesh", flag_medit, {}},
          {"flag_vtk", "a.vtk", flag_vtk, {}},
          {"flag_vtu", "a.vtu", flag_vtu, {}}};
}

std::vector<SampleFile> ethane_samples() {
  return {{"ethane_xyz", "a.xyz", ethane_xyz, {}}, {"ethane_pdb", "a.pdb", ethane_pdb, {}}};
}

std::vector<SampleFile> particle_samples() {
  std::vector<SampleFile> all = flag_samples();
  for (const SampleFile& sample : ethane_samples()) all.push_back(sample);
  all.push_back({"csv",
                 "a.csv",
                 "# particles\nName;Z;y;Mass;x\n\"a\";3; 2 ;0.5;1\n\nb;6;5;1e-3;4\n# end\n",
                 {}});
  return all;
}

}  // namespace sinew::test
