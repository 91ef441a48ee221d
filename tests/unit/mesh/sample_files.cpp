// SPDX-License-Identifier: Apache-2.0
#include "sample_files.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>
#include <zlib.h>

namespace sinew::test {
namespace {

template <class T>
void put(std::string& bytes, T value, std::endian order) {
  char buffer[sizeof(T)];
  std::memcpy(buffer, &value, sizeof(T));
  if (order != std::endian::native) std::reverse(buffer, buffer + sizeof(T));
  bytes.append(buffer, sizeof(T));
}

template <class T, class List>
std::string packed(const List& values, std::endian order) {
  std::string bytes;
  for (const auto& value : values) put<T>(bytes, static_cast<T>(value), order);
  return bytes;
}

std::string base64(const std::string& bytes) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < left ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= left ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

const std::vector<double> coordinates{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1.5, 1};

// ---- Gmsh ----

std::string gmsh_v2_binary(std::endian order) {
  std::string bytes = "$MeshFormat\n2.2 1 8\n";
  put<std::int32_t>(bytes, 1, order);
  bytes += "\n$EndMeshFormat\n$PhysicalNames\n3\n2 7 \"skin\"\n3 7 \"soft\"\n3 9 \"hard part\"\n";
  bytes += "$EndPhysicalNames\n$Nodes\n5\n";
  for (int i = 0; i < 5; ++i) {
    put<std::int32_t>(bytes, 10 * (i + 1), order);
    for (int k = 0; k < 3; ++k) put<double>(bytes, coordinates[3 * i + k], order);
  }
  bytes += "\n$EndNodes\n$Elements\n4\n";
  // runs of type, count, tags per element; then number, tags, nodes of each
  for (const int value : {15, 1, 2, 1,  0,  1,  10,              // a point
                          2,  1, 2, 2,  7,  1,  10, 20, 30,      // a triangle
                          4,  2, 2, 3,  7,  1,  10, 20, 30, 40,  // two tets
                          4,  9, 2, 20, 30, 40, 50})
    put<std::int32_t>(bytes, value, order);
  return bytes + "\n$EndElements\n";
}

std::string gmsh_v4_binary(std::endian order) {
  std::string bytes = "$MeshFormat\n4.1 1 8\n";
  put<std::int32_t>(bytes, 1, order);
  const auto put_ints = [&](std::initializer_list<int> values) {
    for (const int value : values) put<std::int32_t>(bytes, value, order);
  };
  const auto put_sizes = [&](std::initializer_list<std::uint64_t> values) {
    for (const std::uint64_t value : values) put<std::uint64_t>(bytes, value, order);
  };
  bytes += "\n$EndMeshFormat\n$PhysicalNames\n2\n3 7 \"soft\"\n3 9 \"hard part\"\n";
  bytes += "$EndPhysicalNames\n$Entities\n";
  put_sizes({1, 0, 0, 2});
  put_ints({1});
  for (int k = 0; k < 3; ++k) put<double>(bytes, 0.0, order);
  put_sizes({0});
  for (const int volume : {1, 2}) {
    put_ints({volume});
    for (int k = 0; k < 6; ++k) put<double>(bytes, k < 3 ? 0.0 : 1.0, order);
    put_sizes({1});
    put_ints({volume == 1 ? 7 : 9});
    put_sizes({0});
  }
  bytes += "\n$EndEntities\n$Nodes\n";
  put_sizes({2, 5, 3, 5000000000});
  // one node on a parametrised curve, then the others
  put_ints({1, 1, 1});
  put_sizes({1, 3});
  for (const double value : {0.0, 0.0, 0.0, 0.5}) put<double>(bytes, value, order);
  put_ints({3, 1, 0});
  put_sizes({4, 40, 41, 42, 5000000000});
  for (int k = 3; k < 15; ++k) put<double>(bytes, coordinates[k], order);
  bytes += "\n$EndNodes\n$Elements\n";
  put_sizes({3, 3, 1, 3});
  put_ints({0, 1, 15});
  put_sizes({1, 1, 3});
  put_ints({3, 1, 4});
  put_sizes({1, 2, 3, 40, 41, 42});
  put_ints({3, 2, 4});
  put_sizes({1, 3, 40, 41, 42, 5000000000});
  return bytes + "\n$EndElements\n";
}

const char* const gmsh_v2_ascii = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Comments
anything at all
$EndComments
$PhysicalNames
3
2 7 "skin"
3 7 "soft"
3 9 "hard part"
$EndPhysicalNames
$Nodes
5
100 0 0 0
7 1 0 0
3 0 1 0
2000000000 0 +0 1e0
5 1 1.5 1
$EndNodes
$Elements
5
1 15 2 0 1 100
2 1 2 0 1 100 7
3 2 2 7 1 100 7 3
4 4 2 7 1 100 7 3 2000000000
5 4 2 9 2 7 3 2000000000 5
$EndElements
)";

const char* const gmsh_v4_ascii = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
2
3 7 "soft"
3 9 "hard part"
$EndPhysicalNames
$Entities
1 1 1 2
1 0 0 0 0
1 0 0 0 1 0 0 0 2 1 -1
1 0 0 0 1 1 0 1 4 1 1
1 0 0 0 1 1 1 1 7 1 1
2 0 0 0 1 1 1 2 9 11 0
$EndEntities
$Nodes
2 5 1 12
2 1 1 2
1
2
0 0 0 0.5 0.5
1 0 0 0.5 0.5
3 1 0 3
3
4
12
0 1 0
0 0 1
1 1.5 1
$EndNodes
$Elements
3 3 1 3
2 1 2 1
1 1 2 3
3 1 4 1
2 1 2 3 4
3 2 4 1
3 2 3 4 12
$EndElements
)";

// ---- legacy VTK ----

std::string vtk_binary_classic() {
  std::string bytes = "# vtk DataFile Version 3.0\ntitle\nBINARY\nDATASET UNSTRUCTURED_GRID\n";
  bytes += "POINTS 5 float\n" + packed<float>(coordinates, std::endian::big);
  bytes += "\nCELLS 3 14\n";
  bytes += packed<std::int32_t>(std::vector<int>{3, 0, 1, 2, 4, 0, 1, 2, 3, 4, 1, 2, 3, 4},
                                std::endian::big);
  bytes += "\nCELL_TYPES 3\n" + packed<std::int32_t>(std::vector<int>{5, 10, 10}, std::endian::big);
  bytes += "\nCELL_DATA 3\nSCALARS gmsh:physical int\nLOOKUP_TABLE default\n";
  bytes += packed<std::int32_t>(std::vector<int>{1, 7, 9}, std::endian::big);
  bytes += "\nPOINT_DATA 5\nVECTORS u float\n" + packed<float>(coordinates, std::endian::big);
  return bytes + "\n";
}

std::string vtk_binary_offsets() {
  std::string bytes = "# vtk DataFile Version 5.1\ntitle\nBINARY\nDATASET UNSTRUCTURED_GRID\n";
  bytes += "POINTS 5 double\n" + packed<double>(coordinates, std::endian::big);
  bytes += "\nMETADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\nDATA 2 0 1\n\n";
  bytes += "CELLS 3 8\nOFFSETS vtktypeint64\n";
  bytes += packed<std::int64_t>(std::vector<int>{0, 4, 8}, std::endian::big);
  bytes += "\nCONNECTIVITY vtktypeint64\n";
  bytes += packed<std::int64_t>(std::vector<int>{0, 1, 2, 3, 1, 2, 3, 4}, std::endian::big);
  bytes += "\nCELL_TYPES 2\n" + packed<std::int32_t>(std::vector<int>{10, 10}, std::endian::big);
  bytes += "\nCELL_DATA 2\nFIELD FieldData 2\nquality 1 2 float\n";
  bytes += packed<float>(std::vector<double>{0.5, 0.25}, std::endian::big);
  bytes += "\nRegion 1 2 unsigned_char\n";
  bytes += packed<std::uint8_t>(std::vector<int>{7, 9}, std::endian::big);
  return bytes + "\n";
}

const char* const vtk_ascii_classic = R"(# vtk DataFile Version 2.0
any title
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 5 double
0 0 0 1 0 0 0 1 0
0 0 1 1 1.5 1

CELLS 3 13
2 0 1
4 0 1 2 3
4 1 2 3 4
CELL_TYPES 3
3 10 10
POINT_DATA 5
SCALARS region float 1
LOOKUP_TABLE default
1 2 3 4 5
CELL_DATA 3
SCALARS region int 1
LOOKUP_TABLE default
0
7
9
)";

const char* const vtk_ascii_offsets = R"(# vtk DataFile Version 5.1
vtk output
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 5 float
0 0 0 1 0 0 0 1 0 0 0 1 1 1.5 1
CELLS 3 8
OFFSETS vtktypeint64
0 4 8
CONNECTIVITY vtktypeint64
0 1 2 3 1 2 3 4
CELL_TYPES 2
10
10

CELL_DATA 2
FIELD FieldData 1
PhysicalIds 1 2 int
7 9
METADATA
INFORMATION 0

)";

// ---- VTU ----

struct VtuVariant {
  enum class Format { ascii, inline_base64, appended_raw, appended_base64 };
  Format format = Format::ascii;
  bool is_compressed = false;
  bool has_long_headers = false;
  std::endian order = std::endian::little;

  bool is_appended() const {
    return format == Format::appended_raw || format == Format::appended_base64;
  }
};

class VtuBuilder {
 public:
  explicit VtuBuilder(const VtuVariant& variant) : variant_(variant) {}

  template <class T, class List>
  std::string array(const std::string& name, const std::string& type, const List& values,
                    int components) {
    std::string tag = fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents='{}' ",
                                  type, name, components);
    if (variant_.format == VtuVariant::Format::ascii) {
      tag += "format=\"ascii\">\n<!-- values -->";
      for (const auto& value : values) tag += fmt::format(" {}", value);
      return tag + "\n</DataArray>\n";
    }
    const std::string stored = encode(packed<T>(values, variant_.order));
    if (!variant_.is_appended()) return tag + "format=\"binary\">\n " + stored + "\n</DataArray>\n";
    tag += fmt::format("format=\"appended\" offset=\"{}\"/>\n", appended_.size());
    appended_ += stored;
    return tag;
  }

  const std::string& appended() const { return appended_; }

 private:
  std::string header(const std::vector<std::size_t>& numbers) const {
    return variant_.has_long_headers ? packed<std::uint64_t>(numbers, variant_.order)
                                     : packed<std::uint32_t>(numbers, variant_.order);
  }

  std::string encode(const std::string& bytes) const {
    const bool is_raw = variant_.format == VtuVariant::Format::appended_raw;
    if (!variant_.is_compressed) {
      const std::string all = header({bytes.size()}) + bytes;
      return is_raw ? all : base64(all);
    }
    // small blocks, so that there are several with a shorter last one
    const std::size_t block_size = 24;
    std::vector<std::size_t> numbers{(bytes.size() + block_size - 1) / block_size, block_size,
                                     bytes.size() % block_size};
    std::string data;
    for (std::size_t begin = 0; begin < bytes.size(); begin += block_size) {
      const std::string block = bytes.substr(begin, block_size);
      std::vector<Bytef> target(compressBound(block.size()));
      uLongf size = target.size();
      EXPECT_EQ(compress(target.data(), &size, reinterpret_cast<const Bytef*>(block.data()),
                         block.size()),
                Z_OK);
      numbers.push_back(size);
      data.append(reinterpret_cast<const char*>(target.data()), size);
    }
    return is_raw ? header(numbers) + data : base64(header(numbers)) + base64(data);
  }

  VtuVariant variant_;
  std::string appended_;
};

std::string vtu_content(const VtuVariant& variant) {
  VtuBuilder builder(variant);
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<!-- a <comment> & more -->\n<VTKFile type=\"UnstructuredGrid\" "
      "version=\"0.1\" byte_order=\"{}\" header_type=\"{}\"{}>\n",
      variant.order == std::endian::little ? "LittleEndian" : "BigEndian",
      variant.has_long_headers ? "UInt64" : "UInt32",
      variant.is_compressed ? " compressor=\"vtkZLibDataCompressor\"" : "");
  text += "<UnstructuredGrid>\n<Piece NumberOfPoints=\"5\" NumberOfCells=\"3\">\n<PointData/>\n";
  text += "<CellData Scalars=\"a &lt; b\">\n";
  text += builder.array<float>("a &lt; b", "Float32", std::vector<double>{0.5, 1.5, 2.5}, 1);
  text += builder.array<std::int32_t>("region", "Int32", std::vector<int>{3, 7, 9}, 1);
  text += "</CellData>\n<Points>\n";
  text += builder.array<double>("Points", "Float64", coordinates, 3);
  text += "</Points>\n<Cells>\n";
  text += builder.array<std::int64_t>("connectivity", "Int64",
                                      std::vector<int>{0, 1, 2, 0, 1, 2, 3, 1, 2, 3, 4}, 1);
  text += builder.array<std::int32_t>("offsets", "Int32", std::vector<int>{3, 7, 11}, 1);
  text += builder.array<std::uint8_t>("types", "UInt8", std::vector<int>{5, 10, 10}, 1);
  text += "</Cells>\n</Piece>\n</UnstructuredGrid>\n";
  if (variant.is_appended())
    text += fmt::format("<AppendedData encoding=\"{}\">\n _",
                        variant.format == VtuVariant::Format::appended_raw ? "raw" : "base64") +
            builder.appended() + "\n</AppendedData>\n";
  return text + "</VTKFile>\n";
}

}  // namespace

mesh::TetMesh sample_mesh() {
  mesh::TetMesh mesh;
  for (std::size_t i = 0; i < coordinates.size(); i += 3)
    mesh.vertices.emplace_back(coordinates[i], coordinates[i + 1], coordinates[i + 2]);
  mesh.tets = {{0, 1, 2, 3}, {1, 2, 3, 4}};
  mesh.regions = {7, 9};
  return mesh;
}

std::vector<SampleFile> gmsh_samples() {
  return {{"gmsh_v2_ascii", "a.msh", gmsh_v2_ascii, {}},
          {"gmsh_v2_little_endian", "a.msh", gmsh_v2_binary(std::endian::little), {}},
          {"gmsh_v2_big_endian", "a.msh", gmsh_v2_binary(std::endian::big), {}},
          {"gmsh_v4_ascii", "a.msh", gmsh_v4_ascii, {}},
          {"gmsh_v4_little_endian", "a.msh", gmsh_v4_binary(std::endian::little), {}},
          {"gmsh_v4_big_endian", "a.msh", gmsh_v4_binary(std::endian::big), {}}};
}

std::vector<SampleFile> medit_samples() {
  return {{"medit",
           "a.mesh",
           "MeshVersionFormatted 1\n# a comment\nDimension\n3\nVertices 5\n0 0 0 1\n1 0 0 1\n"
           "0 1 0 1 # another\n0 0 1 1\n1 1.5 1 0\n\nTriangles\n1\n1 2 3 4\nCorners 2 1 2\n"
           "Hexahedra 0\nTetrahedra\n2\n1 2 3 4 7\n2 3 4 5 9\nRequiredVertices\n1\n5\nEnd\n",
           {}},
          {"medit_windows_tets_first",
           "a.mesh",
           "MeshVersionFormatted 2\r\ndimension 3\r\nTetrahedra\r\n2\r\n1 2 3 4 7\r\n2 3 4 5 9\r\n"
           "Vertices\r\n5\r\n0 0 0 0\r\n1 0 0 0\r\n0 1 0 0\r\n0 0 1 0\r\n1 1.5 1 0\r\n",
           {}}};
}

std::vector<SampleFile> tetgen_samples() {
  const std::string rows_from_0 = "0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1.5 1\n";
  const std::string rows_from_1 =
      "1 0 0 0 9.5 1\n2 1 0 0 9.5 1\n3 0 1 0 9.5 1\n4 0 0 1 9.5 1\n5 1 1.5 1 9.5 -1\n";
  const std::string ele_from_0 = "# tets\n2 4 1\n0 0 1 2 3 7\n1 1 2 3 4 9 # last\n";
  const std::string ele_from_1 = "2 4 2\n1 1 2 3 4 7 0.5\n2 2 3 4 5 9 0.5\n";
  return {{"tetgen_from_0", "a.node", "# nodes\n5 3\n" + rows_from_0, {"a.ele", ele_from_0}},
          {"tetgen_from_1", "a.ele", ele_from_1, {"a.node", "5 3 1 1\n" + rows_from_1}},
          {"tetgen_mixed", "a.node", "5 3 1 1\n" + rows_from_1, {"a.ele", ele_from_0}}};
}

std::vector<SampleFile> vtk_samples() {
  return {{"vtk_ascii_classic", "a.vtk", vtk_ascii_classic, {}},
          {"vtk_ascii_offsets", "a.vtk", vtk_ascii_offsets, {}},
          {"vtk_binary_classic", "a.vtk", vtk_binary_classic(), {}},
          {"vtk_binary_offsets", "a.vtk", vtk_binary_offsets(), {}}};
}

std::vector<SampleFile> vtu_samples() {
  using Format = VtuVariant::Format;
  std::vector<SampleFile> samples{{"vtu_ascii", "a.vtu", vtu_content({}), {}}};
  const std::pair<Format, const char*> formats[] = {{Format::inline_base64, "inline"},
                                                    {Format::appended_raw, "raw"},
                                                    {Format::appended_base64, "base64"}};
  for (const auto& [format, name] : formats)
    for (const bool is_compressed : {false, true})
      for (const bool has_long_headers : {false, true})
        for (const std::endian order : {std::endian::little, std::endian::big})
          samples.push_back({fmt::format("vtu_{}_{}_{}_{}", name, is_compressed ? "zlib" : "plain",
                                         has_long_headers ? "uint64" : "uint32",
                                         order == std::endian::little ? "little" : "big"),
                             "a.vtu",
                             vtu_content({format, is_compressed, has_long_headers, order}),
                             {}});
  return samples;
}

std::vector<SampleFile> all_samples() {
  std::vector<SampleFile> all;
  for (const auto& samples :
       {gmsh_samples(), medit_samples(), tetgen_samples(), vtk_samples(), vtu_samples()})
    all.insert(all.end(), samples.begin(), samples.end());
  return all;
}

std::vector<SampleFile> distinct_samples() {
  std::vector<SampleFile> samples = all_samples();
  std::erase_if(samples, [](const SampleFile& sample) {
    const std::string& name = sample.variant;
    return name.ends_with("_big") || name.ends_with("_uint64_little");
  });
  return samples;
}

void expect_same_mesh(const mesh::TetMesh& actual, const mesh::TetMesh& expected) {
  ASSERT_EQ(actual.vertices.size(), expected.vertices.size());
  for (std::size_t i = 0; i < expected.vertices.size(); ++i)
    EXPECT_EQ(actual.vertices[i], expected.vertices[i]) << "vertex " << i;
  EXPECT_EQ(actual.tets, expected.tets);
  EXPECT_EQ(actual.regions, expected.regions);
}

}  // namespace sinew::test
