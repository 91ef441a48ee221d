// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/io/atoms.hpp>
#include <sinew/mesh/io/pdb.hpp>

namespace sinew::mesh::io {
namespace {

/// Columns of a record, which count from 1, as they stand there; shorter where the record ends.
std::string_view columns(std::string_view record, std::size_t first, std::size_t last) {
  return first > record.size() ? std::string_view() : record.substr(first - 1, last - first + 1);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/// The symbol of an atom whose record does not give the element, from its name. Names begin with
/// the symbol, right-justified in columns 13 and 14: " CA " is carbon, "CA  " calcium.
std::string_view symbol_from_name(std::string_view record) {
  const std::string_view field = columns(record, 13, 16);
  std::string_view name = trimmed(field);
  // an ion makes up a residue that has its name
  if (name == trimmed(columns(record, 18, 20)) && find_chemical_element(name)) return name;
  // hydrogens may be numbered in front
  while (!name.empty() && !is_letter(name.front())) name.remove_prefix(1);
  const std::string_view one = name.substr(0, 1), two = name.substr(0, 2);
  // names of four characters leave no room for the blank, and many programs forget it in the
  // records of amino and nucleic acids, which have no two-letter elements but selenium
  const bool is_unaligned = trimmed(field).size() == 4 || record.starts_with("ATOM");
  const bool has_two =
      !field.empty() && is_letter(field[0]) && (!is_unaligned || trimmed(field) == "SE");
  if (has_two && find_chemical_element(two)) return two;
  return find_chemical_element(one) ? one : two;
}

class PdbReader {
 public:
  PdbReader(std::string_view content, const std::string& file) : cursor_(content, file) {}

  TetMesh read() {
    bool is_first_model = true;
    for (; cursor_.remaining() > 0; cursor_.line()) {
      const std::string_view record = cursor_.peek_line();
      const std::string_view kind = trimmed(columns(record, 1, 6));
      if (kind == "ENDMDL")
        is_first_model = false;
      else if (is_first_model && (kind == "ATOM" || kind == "HETATM"))
        read_atom(record);
      else if (kind == "CONECT")
        read_bonds(record);
    }
    if (atoms_.empty())
      cursor_.fail("there are no ATOM or HETATM records",
                   "the file is of another format or holds no atoms; export it again");
    return mesh_of_atoms(atoms_, bonds_, cursor_.file());
  }

 private:
  void read_atom(std::string_view record) {
    if (!is_first_location(record)) return;
    if (record.size() < 54)
      cursor_.fail(fmt::format("the record has {} columns, but z ends in column 54", record.size()),
                   "the format has fixed columns; export the atoms again");
    Atom atom;
    constexpr std::string_view names[] = {"x in columns 31-38", "y in columns 39-46",
                                          "z in columns 47-54"};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string_view text = trimmed(columns(record, 31 + 8 * k, 38 + 8 * k));
      atom.position[static_cast<Eigen::Index>(k)] =
          cursor_.to_number<double>(text, names[k]) / angstroms_per_nm;
    }
    std::string_view symbol = trimmed(columns(record, 77, 78));
    // old files have line numbers there
    if (std::none_of(symbol.begin(), symbol.end(), is_letter)) symbol = symbol_from_name(record);
    atom.element = &require_chemical_element(symbol, cursor_);
    const auto [place, is_new] =
        atom_of_serial_.emplace(trimmed(columns(record, 7, 11)), static_cast<int>(atoms_.size()));
    if (!is_new) place->second = ambiguous;
    atoms_.push_back(atom);
  }

  /// Whether the atom has no alternate location, or one of those met first in its residue.
  bool is_first_location(std::string_view record) {
    const std::string_view residue = columns(record, 22, 27);
    const std::string_view location = trimmed(columns(record, 17, 17));
    if (residue != residue_) first_location_ = {};
    residue_ = residue;
    if (location.empty()) return true;
    if (first_location_.empty()) first_location_ = location;
    return location == first_location_;
  }

  /// The first number is that of an atom, the others of atoms bonded to it. Alternate locations and
  /// atoms that were taken out of the file are not there.
  void read_bonds(std::string_view record) {
    const int atom = find_atom(trimmed(columns(record, 7, 11)));
    for (std::size_t first = 12; first <= 27; first += 5) {
      const int other = find_atom(trimmed(columns(record, first, first + 4)));
      if (atom >= 0 && other >= 0) bonds_.push_back({atom, other});
    }
  }

  int find_atom(std::string_view serial) {
    const auto found = atom_of_serial_.find(serial);
    if (serial.empty() || found == atom_of_serial_.end()) return -1;
    if (found->second == ambiguous)
      cursor_.fail(
          fmt::format("CONECT names atom {}, but several have this number", excerpt(serial)),
          "number the atoms uniquely, or delete the CONECT records");
    return found->second;
  }

  static constexpr int ambiguous = -2;

  FileCursor cursor_;
  std::vector<Atom> atoms_;
  std::vector<Edge> bonds_;
  std::unordered_map<std::string_view, int> atom_of_serial_;
  std::string_view residue_, first_location_;
};

}  // namespace

TetMesh read_pdb(const std::filesystem::path& path) {
  const std::string content = read_file(path);
  return PdbReader(content, path.string()).read();
}

}  // namespace sinew::mesh::io
