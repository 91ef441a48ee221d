// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <sinew/mesh/io/atoms.hpp>
#include <sinew/mesh/io/xyz.hpp>

namespace sinew::mesh::io {
namespace {

bool is_digits(std::string_view text) {
  return text.find_first_not_of("0123456789") == text.npos;
}

}  // namespace

TetMesh read_xyz(const std::filesystem::path& path) {
  const std::string content = read_file(path);
  FileCursor cursor(content, path.string());
  const auto count = cursor.number<std::uint64_t>("the number of atoms");
  cursor.line();
  cursor.line();  // the comment may be anything
  // a symbol, three digits, three blanks
  cursor.require_room(count, 7, "atoms");
  std::vector<Atom> atoms;
  atoms.reserve(count);
  const std::string_view hint = "correct the number of atoms in the first line";
  for (std::uint64_t i = 0; i < count; ++i, cursor.line()) {
    // the next frame begins with its count
    if (!cursor.skip_blanks() || is_digits(cursor.peek()))
      cursor.fail(fmt::format("{} atoms are announced, but only {} follow", count, i),
                  std::string(hint));
    Atom atom;
    atom.element = &require_chemical_element(cursor.peek(), cursor);
    cursor.token("a chemical symbol");
    for (double& value : atom.position)
      value = cursor.number_in_line<double>("a coordinate of an atom") / angstroms_per_nm;
    atoms.push_back(atom);
  }
  if (cursor.skip_blanks() && !is_digits(cursor.peek()))
    cursor.fail(fmt::format("{} atoms are announced, but more follow", count), std::string(hint));
  if (atoms.empty()) cursor.fail("there are no atoms", "the file is damaged; export it again");
  return mesh_of_atoms(atoms, {}, path.string());
}

}  // namespace sinew::mesh::io
