// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/io/xml.hpp>

namespace sinew::mesh::io {
namespace {

// VTK nests six deep; the limit only keeps a hostile file from exhausting the stack
constexpr int max_depth = 64;

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == ':' || c == '-' || c == '.' || static_cast<unsigned char>(c) >= 128;
}

void append_utf8(std::string& text, unsigned code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
    return;
  }
  const int num_following = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  const unsigned lead[] = {0, 0xC0, 0xE0, 0xF0};
  text += static_cast<char>(lead[num_following] | (code >> (6 * num_following)));
  for (int i = num_following - 1; i >= 0; --i)
    text += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3F));
}

class XmlParser {
 public:
  XmlParser(std::string_view content, const std::string& file, std::string_view raw_name)
      : content_(content), file_(file), raw_name_(raw_name) {}

  XmlElement parse_document() {
    if (starts_with("\xEF\xBB\xBF")) position_ += 3;
    skip_misc();
    if (!starts_with("<")) fail("this is not an XML file", "it must begin with '<'");
    XmlElement root = parse_element(0);
    skip_misc();
    if (position_ < content_.size())
      fail("there is something after the end of the document", "remove it");
    return root;
  }

 private:
  bool starts_with(std::string_view text) const {
    return content_.substr(position_, text.size()) == text;
  }

  /// Lines are counted as far as needed, never twice over the same text.
  int line() {
    const auto begin = content_.begin();
    line_ += static_cast<int>(std::count(begin + static_cast<std::ptrdiff_t>(counted_),
                                         begin + static_cast<std::ptrdiff_t>(position_), '\n'));
    counted_ = position_;
    return line_;
  }

  [[noreturn]] void fail(std::string what, std::string hint) {
    throw InputError({file_, fmt::format("line {}", line()), std::move(what), std::move(hint)});
  }

  [[noreturn]] void fail_end(std::string_view missing) {
    fail(fmt::format("{} is missing", missing), "the file is cut off; export it again");
  }

  void skip_space() {
    while (position_ < content_.size() && is_space(content_[position_])) ++position_;
  }

  /// Moves past `end` and returns what stood before it.
  std::string_view take_until(std::string_view end) {
    const std::size_t found = content_.find(end, position_);
    if (found == content_.npos) fail_end(fmt::format("'{}'", end));
    const std::string_view text = content_.substr(position_, found - position_);
    position_ = found + end.size();
    return text;
  }

  /// A comment or processing instruction, if one stands here.
  bool skip_markup() {
    if (starts_with("<!--")) {
      position_ += 4;
      take_until("-->");
      return true;
    }
    if (starts_with("<?")) {
      take_until("?>");
      return true;
    }
    if (starts_with("<!DOCTYPE")) fail("document types are not supported", "remove <!DOCTYPE>");
    return false;
  }

  void skip_misc() {
    do skip_space();
    while (skip_markup());
  }

  std::string_view parse_name() {
    const std::size_t begin = position_;
    while (position_ < content_.size() && is_name_char(content_[position_])) ++position_;
    if (position_ == begin) fail("a name is missing", "the file is damaged; export it again");
    return content_.substr(begin, position_ - begin);
  }

  void append_decoded(std::string& target, std::string_view raw) {
    for (std::size_t amp = raw.find('&'); amp != raw.npos; amp = raw.find('&')) {
      target += raw.substr(0, amp);
      const std::size_t end = raw.find(';', amp);
      if (end == raw.npos || end - amp > 12)
        fail("'&' must begin an entity such as &amp;", "write &amp; for a plain &");
      append_entity(target, raw.substr(amp + 1, end - amp - 1));
      raw.remove_prefix(end + 1);
    }
    target += raw;
  }

  void append_entity(std::string& target, std::string_view name) {
    static constexpr std::pair<std::string_view, char> named[] = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    for (const auto& [known, character] : named) {
      if (name != known) continue;
      target += character;
      return;
    }
    const bool is_hex = name.starts_with("#x");
    const std::string_view digits = name.substr(std::min<std::size_t>(is_hex ? 2 : 1, name.size()));
    unsigned code = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hex ? 16 : 10);
    if (!name.starts_with('#') || error != std::errc() || end != digits.data() + digits.size() ||
        code == 0 || code > 0x10FFFF)
      fail(fmt::format("unknown entity '&{};'", name), "use only the five standard entities");
    append_utf8(target, code);
  }

  void parse_attributes(XmlElement& element) {
    for (;;) {
      const std::size_t before = position_;
      skip_space();
      if (position_ >= content_.size()) fail_end(fmt::format("the end of <{}>", element.name));
      if (starts_with("/>") || starts_with(">")) return;
      if (position_ == before) fail("attributes must be separated by blanks", "add a blank");
      const std::string key(parse_name());
      skip_space();
      if (!starts_with("="))
        fail(fmt::format("attribute '{}' has no value", key), "write key=\"v\"");
      ++position_;
      skip_space();
      if (!starts_with("\"") && !starts_with("'"))
        fail(fmt::format("the value of '{}' must be quoted", key), "add quotes");
      const char quote = content_[position_++];
      std::string value;
      append_decoded(value, take_until(std::string_view(&quote, 1)));
      if (element.attribute(key))
        fail(fmt::format("attribute '{}' is given twice", key), "keep one");
      element.attributes.emplace_back(key, std::move(value));
    }
  }

  XmlElement parse_element(int depth) {
    if (depth > max_depth) fail("elements are nested too deeply", "export the file again");
    XmlElement element;
    element.line = line();
    ++position_;
    element.name = parse_name();
    parse_attributes(element);
    const bool is_empty = starts_with("/>");
    position_ += is_empty ? 2 : 1;
    element.content_line = line();
    if (is_empty) return element;
    if (element.name == raw_name_)
      take_raw_content(element);
    else
      parse_content(element, depth);
    return element;
  }

  void take_raw_content(XmlElement& element) {
    const std::size_t end = content_.rfind(fmt::format("</{}", element.name));
    if (end == content_.npos || end < position_) fail_end(fmt::format("</{}>", element.name));
    element.text = content_.substr(position_, end - position_);
    position_ = end;
    parse_end_tag(element);
  }

  void parse_end_tag(const XmlElement& element) {
    position_ += 2;
    if (const std::string_view name = parse_name(); name != element.name)
      fail(fmt::format("</{}> does not close <{}> of line {}", name, element.name, element.line),
           "the file is damaged; export it again");
    skip_space();
    if (!starts_with(">")) fail_end("'>'");
    ++position_;
  }

  void parse_content(XmlElement& element, int depth) {
    for (;;) {
      const std::size_t open = content_.find('<', position_);
      if (open == content_.npos) {
        position_ = content_.size();
        fail_end(fmt::format("</{}>", element.name));
      }
      append_decoded(element.text, content_.substr(position_, open - position_));
      position_ = open;
      if (starts_with("</")) return parse_end_tag(element);
      if (starts_with("<![CDATA[")) {
        position_ += 9;
        element.text += take_until("]]>");
      } else if (!skip_markup()) {
        element.children.push_back(parse_element(depth + 1));
      }
    }
  }

  std::string_view content_;
  const std::string& file_;
  std::string_view raw_name_;
  std::size_t position_ = 0;
  std::size_t counted_ = 0;  ///< up to where line_ has been counted
  int line_ = 1;
};

}  // namespace

const std::string* XmlElement::attribute(std::string_view key) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const auto& entry) { return entry.first == key; });
  return found == attributes.end() ? nullptr : &found->second;
}

const XmlElement* XmlElement::child(std::string_view child_name) const {
  const auto found = std::find_if(children.begin(), children.end(), [&](const XmlElement& element) {
    return element.name == child_name;
  });
  return found == children.end() ? nullptr : &*found;
}

XmlElement parse_xml(std::string_view content, const std::string& file, std::string_view raw_name) {
  return XmlParser(content, file, raw_name).parse_document();
}

}  // namespace sinew::mesh::io
