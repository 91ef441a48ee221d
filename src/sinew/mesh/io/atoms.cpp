// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <sinew/mesh/io/atoms.hpp>

namespace sinew::mesh::io {

const ChemicalElement& require_chemical_element(std::string_view symbol, const FileCursor& cursor) {
  const ChemicalElement* element = find_chemical_element(symbol);
  if (element == nullptr)
    cursor.fail(fmt::format("the chemical element '{}' is unknown", excerpt(symbol)),
                "write its symbol, such as C or Fe, where the format has it");
  return *element;
}

TetMesh mesh_of_atoms(const std::vector<Atom>& atoms, const std::vector<Edge>& named_bonds,
                      const std::string& file) {
  TetMesh mesh;
  for (const Atom& atom : atoms) {
    mesh.vertices.push_back(atom.position);
    mesh.masses.push_back(atom.element->mass);
    mesh.species.emplace_back(atom.element->symbol);
  }
  mesh.bars = find_bonds(atoms, named_bonds, file);
  return mesh;
}

}  // namespace sinew::mesh::io
