// SPDX-License-Identifier: Apache-2.0
// A small strict XML reader: elements, attributes, text, comments, the five named entities and
// character references, CDATA and processing instructions. Document types are rejected, so no
// entity can expand to more than it is.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew::mesh::io {

struct XmlElement {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlElement> children;
  std::string text;      ///< all text directly inside, entities replaced
  int line = 1;          ///< of the start tag
  int content_line = 1;  ///< where the content begins

  /// The value of an attribute, or null.
  const std::string* attribute(std::string_view key) const;
  /// The first child of that name, or null.
  const XmlElement* child(std::string_view child_name) const;
};

/// Parses a document and returns its root; throws InputError with the line. The content of the
/// element called `raw_name` is taken as it is, up to its last end tag, because it may be binary.
XmlElement parse_xml(std::string_view content, const std::string& file, std::string_view raw_name);

}  // namespace sinew::mesh::io
