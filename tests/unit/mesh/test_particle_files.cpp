// SPDX-License-Identifier: Apache-2.0
// Files of bodies made of particles: surfaces, lines, molecules and tables.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/bonds.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/io/csv.hpp>
#include <sinew/mesh/io/mesh_format.hpp>
#include <sinew/mesh/quality.hpp>

#include "particle_samples.hpp"
#include "support/temp_dir.hpp"

namespace sinew::mesh {
namespace {

using test::SampleFile;
using test::TempDir;

void expect_same_particles(const TetMesh& actual, const TetMesh& expected) {
  test::expect_same_mesh(actual, expected);
  EXPECT_EQ(actual.triangles, expected.triangles);
  EXPECT_EQ(actual.bars, expected.bars);
}

/// What is wrong with reading a file, or nothing.
template <class Read>
std::string complaint_of(const Read& read) {
  try {
    read();
  } catch (const InputError& error) {
    EXPECT_FALSE(error.problems().front().hint.empty()) << error.what();
    return error.what();
  }
  return "";
}

bool has_text(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// A record of fixed columns; the name takes four of them.
std::string pdb_record(std::string_view kind, int serial, std::string_view name, char location,
                       std::string_view residue, int number, const Vec3& x,
                       std::string_view element) {
  return fmt::format("{:<6}{:>5} {:<4}{}{:>3} A{:>4}    {:8.3f}{:8.3f}{:8.3f}{:22}{:>2}\n", kind,
                     serial, name, location, residue, number, x[0], x[1], x[2], "", element);
}

class EveryFlag : public ::testing::TestWithParam<SampleFile> {};

TEST_P(EveryFlag, IsReadExactlyAndIsValid) {
  const TempDir dir;
  const TetMesh flag = load_mesh(dir.write(GetParam().name, GetParam().content));
  expect_same_particles(flag, test::sample_flag());
  const bool has_regions = GetParam().variant.starts_with("flag");
  EXPECT_EQ(flag.bar_regions, has_regions ? std::vector<int>{5} : std::vector<int>{});
}

INSTANTIATE_TEST_SUITE_P(Mesh, EveryFlag, ::testing::ValuesIn(test::flag_samples()),
                         test::variant_name);

TEST(ParticleFiles, GmshNamesTheGroupsOfLines) {
  const TempDir dir;
  for (const char* variant : {"flag_gmsh_v2_ascii", "flag_gmsh_v4_ascii"}) {
    const std::vector<SampleFile> samples = test::flag_samples();
    const auto sample =
        std::find_if(samples.begin(), samples.end(),
                     [&](const SampleFile& candidate) { return candidate.variant == variant; });
    ASSERT_NE(sample, samples.end());
    EXPECT_EQ(read_mesh(dir.write(sample->name, sample->content)).region_names,
              (std::map<int, std::string>{{5, "string"}}));
  }
}

TEST(ParticleFiles, EveryFormatThatHoldsThemRoundTripsToTheLastBit) {
  const TempDir dir;
  TetMesh flag = test::sample_flag();
  flag.vertices[4] = Vec3(1.0 / 3.0, -1e-300, 0.1 + 0.2);
  flag.bars.push_back({4, 1});
  flag.bar_regions = {5, 0};
  int num_formats = 0;
  for (const MeshFormat& format : mesh_formats()) {
    if (format.write == nullptr || format.written == MeshContent::tets) continue;
    SCOPED_TRACE(format.name);
    ++num_formats;
    const std::filesystem::path path = dir.path() / ("flag" + format.extensions.front());
    write_mesh(path, flag);
    const TetMesh again = load_mesh(path);
    expect_same_particles(again, flag);
    EXPECT_EQ(again.bar_regions,
              format.written == MeshContent::both ? flag.bar_regions : std::vector<int>{});
  }
  EXPECT_EQ(num_formats, 4);
}

TEST(ParticleFiles, FormatsRefuseWhatTheyCannotHold) {
  const TempDir dir;
  for (const char* name : {"a.msh", "a.mesh", "a.node"}) {
    const std::string message =
        complaint_of([&] { write_mesh(dir.path() / name, test::sample_flag()); });
    EXPECT_TRUE(has_text(message, "tets only, and this mesh has 2 triangles and 1 bars")) << name;
  }
  for (const char* name : {"a.obj", "a.ply"})
    EXPECT_TRUE(has_text(complaint_of([&] { write_mesh(dir.path() / name, test::sample_mesh()); }),
                         "hold no tets, and this mesh has 2"));
  for (const char* name : {"a.pdb", "a.ent", "a.xyz", "a.csv", "a.stl"})
    EXPECT_TRUE(has_text(complaint_of([&] { write_mesh(dir.path() / name, test::sample_flag()); }),
                         "can only be read"));
}

/// Two triangles of a square, whose corners stand in the file once for each.
TEST(ParticleFiles, StlIsReadInBothForms) {
  const TempDir dir;
  const std::string ascii =
      "solid flag of two\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1.5 0 0\n"
      "   vertex 1.5 1 0\n  endloop\n endfacet\n facet normal 0 0 1\n  outer loop\n"
      "   vertex 0 0 0\n   vertex 1.5e0 +1 0\n   vertex -0 1 0\n  endloop\n endfacet\nendsolid "
      "flag\n";
  std::string binary = "solid, as some programs begin binary files too";
  binary.resize(80, ' ');
  const auto append = [&](const auto& value) {
    binary.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  append(std::uint32_t{2});
  for (const auto& numbers : {std::array<float, 12>{0, 0, 1, 0, 0, 0, 1.5F, 0, 0, 1.5F, 1, 0},
                              std::array<float, 12>{0, 0, 1, 0, 0, 0, 1.5F, 1, 0, -0.0F, 1, 0}}) {
    append(numbers);
    append(std::uint16_t{0});
  }
  TetMesh square;
  square.vertices = {{0, 0, 0}, {1.5, 0, 0}, {1.5, 1, 0}, {0, 1, 0}};
  square.triangles = {{0, 1, 2}, {0, 2, 3}};
  expect_same_particles(load_mesh(dir.write("a.stl", ascii)), square);
  expect_same_particles(load_mesh(dir.write("b.STL", binary)), square);

  const auto complaint = [&](const std::string& content) {
    return complaint_of([&] { read_mesh(dir.write("c.stl", content)); });
  };
  EXPECT_TRUE(has_text(complaint("mesh of something\n"), "neither an ASCII nor a whole binary"));
  EXPECT_TRUE(has_text(complaint(binary.substr(0, 150)), "150 bytes are not what"));
  std::string nameless = binary;
  nameless.replace(0, 5, "thing");
  EXPECT_TRUE(has_text(complaint(nameless.substr(0, 150)), "150 bytes"));
  EXPECT_TRUE(has_text(complaint("solid nothing\nendsolid\n"), "no triangles"));
  const auto changed = [&](const char* from, const char* to) {
    std::string text = ascii;
    text.replace(text.find(from), std::string(from).size(), to);
    return complaint(text);
  };
  EXPECT_TRUE(has_text(changed("   vertex 1.5 0 0\n", ""), "line 7: a facet has 2 corners"));
  EXPECT_TRUE(has_text(changed("  endloop", "   vertex 2 2 2\n  endloop"), "more than three"));
  EXPECT_TRUE(has_text(changed("1.5 1 0", "1.5 x 0"), "line 6: 'x' is not a number"));
  EXPECT_TRUE(has_text(changed("1.5 1 0", "1.5 inf 0"), "line 6: a coordinate is not finite"));
  EXPECT_TRUE(has_text(complaint(ascii.substr(0, ascii.find("vertex 1.5e0"))), "endfacet"));
  for (int k = 0; k < 4; ++k) binary[84 + 12 + k] = '\xff';
  EXPECT_TRUE(has_text(complaint(binary), "a coordinate is not finite"));
}

TEST(ParticleFiles, FreeParticlesAreWrittenAsVertices) {
  const TempDir dir;
  TetMesh gas;
  gas.vertices = {{0, 0, 0}, {1, 0, 0}};
  gas.masses = {1, 2};
  for (const char* name : {"a.vtu", "a.vtk", "a.obj", "a.ply"}) {
    write_mesh(dir.path() / name, gas);
    EXPECT_EQ(read_mesh(dir.path() / name).vertices, gas.vertices) << name;
  }
}

TEST(ParticleFiles, SurfacesAreSkippedWhereAnotherPieceHasTets) {
  const TempDir dir;
  std::string content = test::vtu_samples().front().content;
  const std::string flag = test::flag_samples().back().content;
  const std::size_t begin = flag.find("<Piece"), end = flag.find("</UnstructuredGrid>");
  content.insert(content.find("<Piece"), flag.substr(begin, end - begin));
  const TetMesh mesh = read_mesh(dir.write("a.vtu", content));
  EXPECT_EQ(mesh.num_tets(), 2);
  EXPECT_TRUE(mesh.triangles.empty() && mesh.bars.empty() && mesh.bar_regions.empty());
}

// ---- molecules ----

class EveryEthane : public ::testing::TestWithParam<SampleFile> {};

TEST_P(EveryEthane, HasItsAtomsInNanometresAndItsSevenBonds) {
  const TempDir dir;
  const TetMesh ethane = load_mesh(dir.write(GetParam().name, GetParam().content));
  EXPECT_EQ(ethane.species, (std::vector<std::string>{"C", "C", "H", "H", "H", "H", "H", "H"}));
  EXPECT_EQ(ethane.masses[0], 12.011);
  EXPECT_EQ(ethane.masses[7], 1.008);
  EXPECT_EQ(ethane.vertices[2], Vec3(1.017 / 10, 0.0, 1.157 / 10));
  EXPECT_EQ(ethane.bars,
            (std::vector<Edge>{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 5}, {1, 6}, {1, 7}}));
}

INSTANTIATE_TEST_SUITE_P(Mesh, EveryEthane, ::testing::ValuesIn(test::ethane_samples()),
                         test::variant_name);

TEST(Molecules, WaterHasTwoBondsAndNoneBetweenItsHydrogensOrMolecules) {
  const TempDir dir;
  std::string text = "6\n\n";
  for (const double shift : {0.0, 2.8})  // a hydrogen bond away
    text += fmt::format("O 0 0 {}\nH 0 0.757 {}\nH 0 -0.757 {}\n", 0.117 + shift, -0.469 + shift,
                        -0.469 + shift);
  const TetMesh water = load_mesh(dir.write("a.xyz", text));
  EXPECT_EQ(water.bars, (std::vector<Edge>{{0, 1}, {0, 2}, {3, 4}, {3, 5}}));
  EXPECT_EQ(assess_quality(water).num_components, 2);
}

TEST(Molecules, AHydrogenBetweenTwoAtomsIsBondedToTheNearer) {
  const std::vector<Atom> atoms{{Vec3(0, 0, 0), find_chemical_element("O")},
                                {Vec3(0.11, 0, 0), find_chemical_element("H")},
                                {Vec3(0.24, 0, 0), find_chemical_element("O")}};
  EXPECT_EQ(find_bonds(atoms, {}, "m"), (std::vector<Edge>{{0, 1}}));
  // what is known comes first
  EXPECT_EQ(find_bonds(atoms, {{2, 1}, {1, 2}, {0, 0}}, "m"), (std::vector<Edge>{{1, 2}}));
}

TEST(Molecules, PlacesOfTheSameAtomAreNotBonded) {
  const ChemicalElement* carbon = find_chemical_element("c");
  EXPECT_TRUE(find_bonds({{Vec3(0, 0, 0), carbon}, {Vec3(0.039, 0, 0), carbon}}, {}, "m").empty());
  EXPECT_FALSE(find_bonds({{Vec3(0, 0, 0), carbon}, {Vec3(0.041, 0, 0), carbon}}, {}, "m").empty());
  // 2 * 0.76 + 0.45 Angstrom
  EXPECT_FALSE(find_bonds({{Vec3(0, 0, 0), carbon}, {Vec3(0.196, 0, 0), carbon}}, {}, "m").empty());
  EXPECT_TRUE(find_bonds({{Vec3(0, 0, 0), carbon}, {Vec3(0.198, 0, 0), carbon}}, {}, "m").empty());
}

TEST(Molecules, BondsInAGridAreThoseOfAllPairs) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-1.0, 1.0);
  std::vector<Atom> atoms;
  for (int i = 0; i < 800; ++i)
    atoms.push_back({Vec3(place(random), place(random), place(random)),
                     find_chemical_element(i % 3 == 0   ? "S"
                                           : i % 3 == 1 ? "C"
                                                        : "Cs")});
  std::vector<Edge> expected;
  for (int a = 0; a < 800; ++a)
    for (int b = a + 1; b < 800; ++b) {
      const double distance = 10.0 * (atoms[a].position - atoms[b].position).norm();
      const double reach =
          atoms[a].element->covalent_radius + atoms[b].element->covalent_radius + 0.45;
      if (distance > 0.4 && distance < reach) expected.push_back({a, b});
    }
  EXPECT_GT(expected.size(), 1000u);
  EXPECT_EQ(find_bonds(atoms, {}, "m"), expected);
}

TEST(Molecules, AHundredThousandAtomsAreBondedInNoTime) {
  std::vector<Atom> atoms;  // as dense as a protein: a carbon each 0.15 nm
  for (int i = 0; i < 100000; ++i)
    atoms.push_back({0.15 * Vec3(i % 50, i / 50 % 50, i / 2500), find_chemical_element("C")});
  const std::clock_t start = std::clock();
  const std::vector<Edge> bonds = find_bonds(atoms, {}, "m");
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  RecordProperty("seconds", std::to_string(seconds));
  EXPECT_EQ(bonds.size(), 49u * 50 * 40 * 2 + 50u * 50 * 39);
}

TEST(Molecules, AtomsInAHeapOrBeyondAllBoundsTakeNoTimeEither) {
  const ChemicalElement* carbon = find_chemical_element("C");
  const std::vector<Atom> heap(100000, {Vec3(1, 2, 3), carbon});
  EXPECT_TRUE(
      has_text(complaint_of([&] { find_bonds(heap, {}, "m"); }), "100000 atoms lie within"));
  const double huge = std::numeric_limits<double>::max();
  const std::vector<Atom> far{{Vec3(-huge, 0, 0), carbon},
                              {Vec3(huge, 0, 0), carbon},
                              {Vec3(0, 0, 0), carbon},
                              {Vec3(0, 0.15, 0), carbon},
                              {Vec3(0, std::nan(""), 0), carbon}};
  EXPECT_EQ(find_bonds(far, {}, "m"), (std::vector<Edge>{{2, 3}}));
}

TEST(Molecules, ElementsAreKnownByAnyCase) {
  for (const char* symbol : {"H", "D", "kr", "AG", "I", "Xe", "CS", "ba", "Pt", "Au", "HG", "pb"})
    EXPECT_NE(find_chemical_element(symbol), nullptr) << symbol;
  EXPECT_EQ(find_chemical_element("FE")->symbol, "Fe");
  EXPECT_EQ(find_chemical_element("Xx"), nullptr);
  EXPECT_EQ(find_chemical_element(""), nullptr);
}

TEST(Pdb, AddsBondsOfConectRecordsToThoseByDistance) {
  const TempDir dir;
  // carbon monoxide, a zinc ion far away and a bond to it that CONECT names three times
  const std::string text = pdb_record("HETATM", 11, " C  ", ' ', "CMO", 1, Vec3(0, 0, 0), "C") +
                           pdb_record("HETATM", 12, " O  ", ' ', "CMO", 1, Vec3(1.13, 0, 0), "O") +
                           pdb_record("HETATM", 99, "ZN  ", ' ', " ZN", 2, Vec3(-4, 0, 0), "ZN") +
                           "CONECT   11   99   99   12\nCONECT   99   11  777\nCONECT   99\n";
  const TetMesh mesh = load_mesh(dir.write("a.ent", text));
  EXPECT_EQ(mesh.bars, (std::vector<Edge>{{0, 1}, {0, 2}}));
  EXPECT_EQ(mesh.species[2], "Zn");
}

TEST(Pdb, KeepsTheFirstAlternateLocationOfEachResidue) {
  const TempDir dir;
  const std::string text = pdb_record("ATOM", 1, " N  ", ' ', "SER", 1, Vec3(0, 0, 0), "N") +
                           pdb_record("ATOM", 2, " CA ", 'A', "SER", 1, Vec3(1.4, 0, 0), "C") +
                           pdb_record("ATOM", 3, " CA ", 'B', "SER", 1, Vec3(1.5, 0, 0), "C") +
                           pdb_record("ATOM", 4, " C  ", 'B', "GLY", 2, Vec3(9, 0, 0), "C") +
                           pdb_record("ATOM", 5, " C  ", 'C', "GLY", 2, Vec3(9.1, 0, 0), "C") +
                           pdb_record("HETATM", 6, " O  ", ' ', "HOH", 3, Vec3(20, 0, 0), "O");
  const TetMesh mesh = load_mesh(dir.write("a.pdb", text));
  EXPECT_EQ(mesh.species, (std::vector<std::string>{"N", "C", "C", "O"}));
  EXPECT_EQ(mesh.vertices[1][0], 1.4 / 10);
  EXPECT_EQ(mesh.vertices[2][0], 0.9);
}

TEST(Pdb, FindsTheElementInTheNameWhereItsColumnsAreBlank) {
  struct Case {
    const char *kind, *name, *residue, *element, *expected;
  };
  const Case cases[] = {
      {"ATOM", " CA ", "ALA", "", "C"},      {"ATOM", "CA  ", "ALA", "", "C"},
      {"ATOM", "1HB ", "ALA", "", "H"},      {"ATOM", "HG11", "VAL", "", "H"},
      {"ATOM", "SE  ", "MSE", "", "Se"},     {"ATOM", " NE2", "GLN", "", "N"},
      {"HETATM", "CA  ", " CA", "", "Ca"},   {"HETATM", "FE  ", "HEM", "", "Fe"},
      {"HETATM", " CAA", "HEM", "", "C"},    {"HETATM", "ZN  ", " ZN", "", "Zn"},
      {"ATOM", "CL  ", " CL", "", "Cl"},     {"ATOM", " NA ", " NA", "", "Na"},
      {"HETATM", "HO5'", "ATP", "", "H"},    {"ATOM", " OD1", "ASP", "12", "O"},
      {"HETATM", "BR1 ", "LIG", "BR", "Br"},
  };
  const TempDir dir;
  for (const Case& c : cases) {
    const std::string text =
        pdb_record(c.kind, 1, c.name, ' ', c.residue, 1, Vec3(0, 0, 0), c.element);
    EXPECT_EQ(load_mesh(dir.write("a.pdb", text)).species.front(), c.expected) << text;
  }
}

TEST(Pdb, AShortPeptideHasItsBackbone) {
  const TempDir dir;
  // two glycines without hydrogens: N-CA-C(=O)-N-CA-C(=O)
  const std::pair<const char*, Vec3> atoms[] = {
      {" N  ", {0.000, 0.000, 0.000}}, {" CA ", {1.458, 0.000, 0.000}},
      {" C  ", {2.009, 1.420, 0.000}}, {" O  ", {1.251, 2.390, 0.000}},
      {" N  ", {3.332, 1.536, 0.000}}, {" CA ", {3.970, 2.847, 0.000}},
      {" C  ", {5.486, 2.705, 0.000}}, {" O  ", {6.009, 1.593, 0.000}}};
  std::string text;
  for (int i = 0; i < 8; ++i)
    text += pdb_record("ATOM", i + 1, atoms[i].first, ' ', "GLY", 1 + i / 4, atoms[i].second, "");
  const TetMesh peptide = load_mesh(dir.write("a.pdb", text + "TER\nEND\n"));
  EXPECT_EQ(peptide.bars,
            (std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}, {2, 4}, {4, 5}, {5, 6}, {6, 7}}));
}

// ---- tables ----

TEST(Csv, ReadsParticlesAndMassesInAnyOrder) {
  const TempDir dir;
  const TetMesh mesh = load_mesh(dir.write("a.csv", test::particle_samples().back().content));
  EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(mesh.masses, (std::vector<double>{0.5, 1e-3}));
  EXPECT_TRUE(mesh.bars.empty());
  for (const char* text : {"\xEF\xBB\xBFX,Y,Z\r\n1,2,3\r\n", "z\ty\tx\n3\t2\t1"}) {
    const TetMesh other = read_mesh(dir.write("b.csv", text));
    EXPECT_EQ(other.vertices, (std::vector<Vec3>{{1, 2, 3}})) << text;
    EXPECT_EQ(other.masses, std::vector<double>{1.0}) << "as in a scene that says nothing";
  }
}

TEST(Csv, ReadsBarsWithWhatIsKnownOfThem) {
  const TempDir dir;
  const io::BarTable plain = io::read_bars_csv(dir.write("a.csv", "b,a\n1,0\n2,1\n"));
  EXPECT_EQ(plain.bars, (std::vector<Edge>{{0, 1}, {1, 2}}));
  EXPECT_TRUE(plain.stiffnesses.empty() && plain.rest_lengths.empty());
  const io::BarTable full =
      io::read_bars_csv(dir.write("b.csv", "a;b;Rest_Length;stiffness\n0;1;0.5;100\n"));
  EXPECT_EQ(full.stiffnesses, std::vector<double>{100.0});
  EXPECT_EQ(full.rest_lengths, std::vector<double>{0.5});
  const auto complaint_about = [&](std::string_view text) {
    const auto path = dir.write("c.csv", text);
    return complaint_of([&] { io::read_bars_csv(path); });
  };
  EXPECT_TRUE(has_text(complaint_about("a,b\n0,1\n-1,2\n"), "line 3: 'a' is -1"));
  EXPECT_TRUE(has_text(complaint_about("a,b\n0,1.5\n"), "line 2: 'b' is 1.5"));
  EXPECT_TRUE(has_text(complaint_about("from,to\n0,1\n"), "line 1: there is no column 'a'"));
}

// ---- checks, repair and what is said about them ----

/// The problems of a mesh, one per line.
std::string problems_of(const TetMesh& mesh) {
  std::string text;
  for (const Problem& problem : find_problems(mesh, "m")) {
    EXPECT_FALSE(problem.hint.empty()) << problem.to_string();
    text += problem.to_string() + "\n";
  }
  return text;
}

TEST(ValidateParticles, ReportsWhatIsWrongWithThem) {
  EXPECT_EQ(problems_of(test::sample_flag()), "");
  const auto flawed = [](auto change) {
    TetMesh mesh = test::sample_flag();
    change(mesh);
    return problems_of(mesh);
  };
  const std::pair<std::string, std::string> cases[] = {
      {flawed([](TetMesh& m) {
         m.bars.push_back({0, 5});
       }),
       "bar 1 (counting from 0): corners (0, 5) must lie in 0..4"},
      {flawed([](TetMesh& m) {
         m.triangles.push_back({0, -1, 2});
       }),
       "triangle 2 (counting from 0): corners (0, -1, 2)"},
      {flawed([](TetMesh& m) {
         m.bars.push_back({2, 2});
       }),
       "not two different vertices"},
      {flawed([](TetMesh& m) {
         m.triangles.push_back({2, 1, 2});
       }),
       "not three different vertices"},
      {flawed([](TetMesh& m) {
         m.bars.push_back({4, 3});
       }),
       "bars 0 and 1 (counting from 0): have the same two corners"},
      {flawed([](TetMesh& m) { m.vertices[4] = m.vertices[3]; }),
       "bar 0 (counting from 0): its corners 3 and 4 lie at the same place"},
      {flawed([](TetMesh& m) { m.vertices[1] = m.vertices[0]; }),
       "triangle 0 (counting from 0): its corners 0 and 1 lie"},
      {flawed([](TetMesh& m) { m.vertices[1][0] = NAN; }),
       "vertex 1 (counting from 0): a coordinate is not finite"},
      {flawed([](TetMesh& m) {
         m.vertices.push_back({9, 9, 9});
       }),
       "vertex 5 (counting from 0): no triangle or bar uses this vertex"},
      {flawed([](TetMesh& m) {
         m.masses = {1, 1, 1, 1, 0};
       }),
       "vertex 4 (counting from 0): its mass is 0"},
      {flawed([](TetMesh& m) { m.masses = {1}; }), "there are 1 masses for 5 vertices"},
      {flawed([](TetMesh& m) { m.species = {"H"}; }),
       "there are 1 chemical symbols for 5 vertices"},
      {flawed([](TetMesh& m) {
         m.bar_regions = {1, 2};
       }),
       "there are 2 region numbers for 1 bars"},
  };
  for (const auto& [problems, expected] : cases) {
    EXPECT_TRUE(has_text(problems, expected)) << problems << "\ninstead of " << expected;
    EXPECT_EQ(std::count(problems.begin(), problems.end(), '\n'), 1) << problems;
  }
}

TEST(ValidateParticles, FreeOnesAreAllowedAsAtomsOrIfNothingIsConnected) {
  TetMesh gas;
  gas.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  EXPECT_TRUE(has_text(problems_of(gas), "no tetrahedra"));
  EXPECT_TRUE(has_text(problems_of(gas), "particles need triangles, bars or masses"));
  gas.masses = {1, 1, 1};
  EXPECT_EQ(problems_of(gas), "");
  gas.bars = {{0, 1}};
  EXPECT_TRUE(has_text(problems_of(gas), "no triangle or bar uses"));
  gas.species = {"H", "H", "He"};
  EXPECT_EQ(problems_of(gas), "");
}

TEST(RepairParticles, DropsUnusedVerticesWithAllThatBelongsToThem) {
  TetMesh mesh = test::sample_flag();
  mesh.vertices.insert(mesh.vertices.begin() + 1, Vec3(9, 9, 9));
  mesh.masses = {1, 99, 2, 3, 4, 5};
  mesh.triangles = {{0, 2, 3}, {0, 3, 4}};
  mesh.bars = {{4, 5}};
  const RepairReport report = repair(mesh);
  EXPECT_EQ(report.num_removed_vertices, 1);
  expect_same_particles(mesh, test::sample_flag());
  EXPECT_EQ(mesh.masses, (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_EQ(problems_of(mesh), "");

  TetMesh atoms = test::sample_flag();
  atoms.vertices.push_back(Vec3(9, 9, 9));
  atoms.species.assign(6, "Ar");
  EXPECT_FALSE(repair(atoms).changed_anything());
}

TEST(Quality, OfParticlesCountsThemAndMeasuresBars) {
  const QualityReport flag = assess_quality(test::sample_flag());
  EXPECT_EQ(flag.num_triangles, 2);
  EXPECT_EQ(flag.num_bars, 1);
  EXPECT_EQ(flag.num_components, 1);
  EXPECT_EQ(flag.edge_length.min, 1.0);
  EXPECT_EQ(flag.edge_length.max, 2.5);
  EXPECT_EQ(flag.to_text(),
            "particles         5\n"
            "triangles         2\n"
            "bars              1\n"
            "components        1\n"
            "bounding box      (0, 0, 0) to (1, 1.5, 2) m\n"
            "size              (1, 1.5, 2) m\n"
            "edge length       min 1, mean 1.422, max 2.5 m\n");
  const TempDir dir;
  const SampleFile sample = test::ethane_samples().front();
  const std::string text =
      assess_quality(load_mesh(dir.write(sample.name, sample.content))).to_text();
  for (const char* part :
       {"atoms             8\n", "bonds             7\n", "bond length       min 0.109", "nm\n",
        "mass              30.07 u\n", "element C         2\n", "element H         6\n"})
    EXPECT_TRUE(has_text(text, part)) << part << " is missing in\n" << text;
  EXPECT_FALSE(has_text(text, "tets"));
}

TEST(Quality, OfTheTrussGeneratorIsThatOfBars) {
  const TetMesh truss = make_truss({});
  EXPECT_EQ(problems_of(truss), "");
  EXPECT_EQ(assess_quality(truss).num_components, 1);
}

}  // namespace
}  // namespace sinew::mesh
