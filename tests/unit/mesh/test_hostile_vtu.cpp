// SPDX-License-Identifier: Apache-2.0
// Compressed files that unpack to far more than their mesh has use for: they are refused before
// anything of that size is made.
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/io/mesh_format.hpp>
#include <sinew/mesh/io/vtu.hpp>

#include "support/temp_dir.hpp"

namespace sinew::mesh {
namespace {

using test::TempDir;

constexpr std::uint64_t megabyte = 1 << 20;

/// The largest amount of memory this process ever had [MB].
long peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stol(line.substr(6)) / 1024;
  return 0;
}

std::string numbers(const std::vector<std::uint64_t>& values) {
  return {reinterpret_cast<const char*>(values.data()), 8 * values.size()};
}

/// Zeros as an array of blocks, each of a megabyte or what is left: about a thousandth of them.
std::string zeros(std::uint64_t bytes) {
  if (bytes == 0) return numbers({0});
  const std::uint64_t num_blocks = (bytes + megabyte - 1) / megabyte;
  const auto packed = [](std::uint64_t size) {
    const std::string plain(size, '\0');
    std::string target(compressBound(size), '\0');
    uLongf length = target.size();
    EXPECT_EQ(compress2(reinterpret_cast<Bytef*>(target.data()), &length,
                        reinterpret_cast<const Bytef*>(plain.data()), size, Z_BEST_COMPRESSION),
              Z_OK);
    target.resize(length);
    return target;
  };
  const std::string whole = packed(megabyte), last = packed(bytes - (num_blocks - 1) * megabyte);
  std::vector<std::uint64_t> head{num_blocks, megabyte, bytes % megabyte};
  std::string data;
  for (std::uint64_t k = 0; k < num_blocks; ++k) {
    const std::string& block = k + 1 == num_blocks ? last : whole;
    head.push_back(block.size());
    data += block;
  }
  return numbers(head) + data;
}

/// Pieces whose arrays are zeros of so many bytes: what is right for 4 points and 1 cell without
/// corners, unless told otherwise.
struct HostileFile {
  std::string points = "4", cells = "1", components = "3";
  std::uint64_t point_bytes = 4 * 24, connectivity_bytes = 0, offset_bytes = 8, type_bytes = 1;
  std::uint64_t region_bytes = 8;
  int pieces = 1;

  std::string content() const {
    std::string appended;
    const auto array = [&](const char* type, const char* name, const std::string& number,
                           std::uint64_t bytes) {
      const std::size_t offset = appended.size();
      appended += zeros(bytes);
      return fmt::format(
          "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
          "offset=\"{}\"/>",
          type, name, number, offset);
    };
    const std::string arrays =
        "<Points>" + array("Float64", "position", components, point_bytes) + "</Points><Cells>" +
        array("Int64", "connectivity", "1", connectivity_bytes) +
        array("Int64", "offsets", "1", offset_bytes) + array("UInt8", "types", "1", type_bytes) +
        "</Cells><CellData>" + array("Int64", "region", "1", region_bytes) +
        "</CellData><PointData>" + array("Float64", "velocity", components, point_bytes) +
        "</PointData>";
    std::string text =
        "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\" header_type=\"UInt64\" "
        "compressor=\"vtkZLibDataCompressor\"><UnstructuredGrid>";
    for (int p = 0; p < pieces; ++p)
      text += fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">{}</Piece>", points,
                          cells, arrays);
    return text + "</UnstructuredGrid><AppendedData encoding=\"raw\">_" + appended +
           "</AppendedData></VTKFile>";
  }
};

std::string message_of(const HostileFile& file) {
  const TempDir dir;
  const auto path = dir.write("hostile.vtu", file.content());
  EXPECT_LT(std::filesystem::file_size(path), 4 * megabyte);
  const long before = peak_memory();
  std::string message = "read";
  try {
    read_mesh(path);
  } catch (const InputError& error) {
    message = error.what();
  }
  EXPECT_LT(peak_memory() - before, 100) << "megabytes for a file of a few";
  return message;
}

constexpr std::uint64_t much = 512 * megabyte;

TEST(HostileVtu, PointsThatUnpackToMoreThanTheirNumberTakes) {
  EXPECT_NE(message_of({.point_bytes = much})
                .find("announces 536870912 bytes of data, but its numbers take 96 at most"),
            std::string::npos);
}

TEST(HostileVtu, CellsThatUnpackToMoreThanTheirNumberTakes) {
  const std::string most = " bytes of data, but its numbers take 8 at most";
  EXPECT_NE(message_of({.offset_bytes = much}).find(most), std::string::npos);
  EXPECT_NE(message_of({.region_bytes = much}).find(most), std::string::npos);
  EXPECT_NE(message_of({.type_bytes = much}).find("its numbers take 1 at most"), std::string::npos);
  // zeros as offsets: there are no corners
  EXPECT_NE(message_of({.connectivity_bytes = much}).find("its numbers take 0 at most"),
            std::string::npos);
}

TEST(HostileVtu, CountsThatNoFileOfThisSizeHolds) {
  EXPECT_NE(message_of({.points = "50000000", .point_bytes = 50'000'000ULL * 24})
                .find("NumberOfPoints=\"50000000\" is more than the "),
            std::string::npos);
  EXPECT_NE(message_of({.cells = "99999999999999999999"}).find("NumberOfCells=\"9999"),
            std::string::npos);
}

TEST(HostileVtu, ManyPiecesOfTheSameArrays) {
  const HostileFile file{.points = "200000",
                         .cells = "0",
                         .point_bytes = 200000 * 24,
                         .offset_bytes = 0,
                         .type_bytes = 0,
                         .region_bytes = 0,
                         .pieces = 400};

  EXPECT_NE(message_of(file).find("is more than the "), std::string::npos);
}

TEST(HostileVtu, ComponentsThatOverflow) {
  const TempDir dir;
  for (const char* components : {"-1", "4611686018427387904", "99999999999999999999", "3x"}) {
    const HostileFile file{.components = components};
    const auto path = dir.write("hostile.vtu", file.content());
    try {
      io::read_vtu_fields(path, false, {"velocity"});
      ADD_FAILURE() << components;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("NumberOfComponents"), std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace sinew::mesh
