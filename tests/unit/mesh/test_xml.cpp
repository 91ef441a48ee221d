// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/io/xml.hpp>

namespace sinew::mesh::io {
namespace {

XmlElement parse(std::string_view text) {
  return parse_xml(text, "f.xml", "Raw");
}

/// The message for a bad document; empty when it was accepted.
std::string complaint(std::string_view text) {
  try {
    parse(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Xml, ReadsElementsAttributesAndText) {
  const XmlElement root = parse(
      "\xEF\xBB\xBF<?xml version='1.0'?>\n<!-- c --><a x=\"1\" y = '2'>one<b/>two<!-- d -->"
      "<c>three</c></a >\n<!-- end -->\n");
  EXPECT_EQ(root.name, "a");
  ASSERT_TRUE(root.attribute("y"));
  EXPECT_EQ(*root.attribute("y"), "2");
  EXPECT_EQ(root.attribute("z"), nullptr);
  EXPECT_EQ(root.text, "onetwo");
  ASSERT_EQ(root.children.size(), 2u);
  ASSERT_TRUE(root.child("c"));
  EXPECT_EQ(root.child("c")->text, "three");
  EXPECT_EQ(root.child("d"), nullptr);
}

TEST(Xml, ReplacesEntitiesAndCharacterReferences) {
  const XmlElement root = parse("<a k='&lt;&quot;'>&amp;&gt;&apos;&#65;&#x20AC;&#x1F600;</a>");
  EXPECT_EQ(*root.attribute("k"), "<\"");
  EXPECT_EQ(root.text, "&>'A\u20AC\U0001F600");
}

TEST(Xml, LeavesCdataAsItIs) {
  EXPECT_EQ(parse("<a><![CDATA[<&]]]></a>").text, "<&]");
}

TEST(Xml, KeepsTheRawElementToItsLastEndTag) {
  const std::string raw("_\0<&</Raw>\xFF", 11);
  const XmlElement root = parse("<a><Raw>" + raw + "</Raw></a>");
  ASSERT_TRUE(root.child("Raw"));
  EXPECT_EQ(root.child("Raw")->text, raw);
}

TEST(Xml, KnowsTheLinesOfElements) {
  const XmlElement root = parse("<a>\n<b\n k='1'>\n</b>\n\n<c/></a>");
  EXPECT_EQ(root.child("b")->line, 2);
  EXPECT_EQ(root.child("b")->content_line, 3);
  EXPECT_EQ(root.child("c")->line, 6);
}

TEST(Xml, RejectsWhatIsNotWellFormed) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "not an XML file"},
      {"hello", "not an XML file"},
      {"<a", "the end of <a> is missing"},
      {"<a>", "</a> is missing"},
      {"<a>\n</b>", "line 2: </b> does not close <a> of line 1"},
      {"<a/><b/>", "after the end of the document"},
      {"<a k>", "attribute 'k' has no value"},
      {"<a k=1>", "must be quoted"},
      {"<a k='1'l='2'>", "separated by blanks"},
      {"<a k='1' k='2'/>", "given twice"},
      {"<a>&bogus;</a>", "unknown entity"},
      {"<a>& </a>", "'&' must begin an entity"},
      {"<a>&#xFFFFFFFF;</a>", "unknown entity"},
      {"<a>&#;</a>", "unknown entity"},
      {"<a>&;</a>", "unknown entity"},
      {"<a><!-- </a>", "'-->' is missing"},
      {"<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "document types are not supported"},
      {"<a><Raw>_", "</Raw> is missing"},
      {"< a/>", "a name is missing"},
  };
  for (const auto& [text, expected] : cases) {
    const std::string message = complaint(text);
    EXPECT_NE(message.find(expected), std::string::npos) << text << " gave '" << message << "'";
  }
}

TEST(Xml, RejectsAHostileDepthInsteadOfOverflowingTheStack) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  EXPECT_NE(complaint(deep).find("nested too deeply"), std::string::npos);
}

}  // namespace
}  // namespace sinew::mesh::io
