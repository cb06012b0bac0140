#include "lib/contract/element_query.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "lib/contract/evidence/role_words.h"

namespace da::contract {
namespace {

TEST(ElementQuery, ReadsNameKindNumberAndWindow) {
  EXPECT_EQ(parse_element_query(R"(2nd button "OK" in "Save As")"), (ElementQuery{"OK", "button", 2, "Save As"}));
  EXPECT_EQ(parse_element_query(R"(check box "I \"agree\"")"), (ElementQuery{R"(I "agree")", "check box", 0, ""}));
  EXPECT_EQ(parse_element_query("3rd check box"), (ElementQuery{"", "check box", 3, ""}));
  EXPECT_EQ(parse_element_query(R"("OK")"), (ElementQuery{"OK", "", 0, ""}));
  EXPECT_EQ(parse_element_query(R"("OK" in "Save As")"), (ElementQuery{"OK", "", 0, "Save As"}));
}

TEST(ElementQuery, ReadsPlacesBesideOtherElements) {
  const ElementQuery field = parse_element_query(R"(2nd field right of "Name" in "Log in")");
  EXPECT_EQ(field.role, "field");
  EXPECT_EQ(field.relation, Relation::kRightOf);
  EXPECT_EQ(field.anchor, "Name");
  EXPECT_EQ(field.window, "Log in");
  EXPECT_EQ(field.index, 2u);
  EXPECT_EQ(parse_element_query(R"(right of label "Name")").anchor_role, "label");
  EXPECT_EQ(parse_element_query(R"(button "Edit" in row "Smith")").relation, Relation::kInRow);
  EXPECT_EQ(parse_element_query(R"(item "a" inside list)").anchor_role, "list");
  EXPECT_EQ(parse_element_query("below Size"), (ElementQuery{.name = "below Size"}));
}

TEST(ElementQuery, SentenceFormEscapesLineBreaks) {
  EXPECT_EQ(to_sentence({.name = "a\nb\"c"}), R"("a\nb\"c")");
  EXPECT_EQ(to_sentence({.name = "Save"}), "\"Save\"");
}

TEST(ElementQuery, OtherTextIsAName) {
  for (const char* name :
       {"Save", "Save button", "Second tab", "first", "second \"", "2nd", "in \"x\"", "text field", "button \"\"",
        "\"a\" in b", "button \"a\" \"b\"", "the \"a\"", "", "2nd \"a", "0th \"a\""}) {
    EXPECT_EQ(parse_element_query(name), (ElementQuery{.name = name})) << name;
  }
}

TEST(ElementQuery, NameThatLooksLikeAQueryIsQuoted) {
  for (const char* name : {"2nd tab", "button \"OK\"", "\"quoted\"", "\"a\" in \"b\"", "2nd \"a\""}) {
    const ElementQuery query{.name = name};
    EXPECT_EQ(to_text(query).front(), '"') << name;
    EXPECT_EQ(parse_element_query(to_text(query)), query) << name;
  }
  EXPECT_EQ(to_text({.name = "Second tab"}), "Second tab");
}

// Bug: `click "Button"` clicked a button "Delete", and `click "The End"` one called "End".
TEST(ElementQuery, QuotedNameThatMayDescribeAKindStaysQuoted) {
  for (const std::string name : {"Button", "Home button", "The End", "field", "Link text", "Input"}) {
    const ElementQuery written{.name = name, .quoted = true};
    EXPECT_EQ(to_text(written), '"' + name + '"');
    EXPECT_TRUE(parse_element_query(to_text(written)).quoted);
    EXPECT_EQ(to_text({.name = name}), name) << "a model's description";
  }
  EXPECT_EQ(to_text({.name = "Buttons of the theme", .quoted = true}), "Buttons of the theme");
}

TEST(ElementQuery, WritesOrdinals) {
  EXPECT_EQ(to_text({"a", "", 1, ""}), "1st \"a\"");
  EXPECT_EQ(to_text({"a", "", 2, ""}), "2nd \"a\"");
  EXPECT_EQ(to_text({"a", "", 11, ""}), "11th \"a\"");
  EXPECT_EQ(to_text({"a", "", 23, ""}), "23rd \"a\"");
  EXPECT_EQ(to_text({"a", "", 112, ""}), "112th \"a\"");
  EXPECT_EQ(parse_ordinal("Third"), 3u);
  EXPECT_EQ(parse_ordinal("2"), std::nullopt);
  EXPECT_EQ(parse_ordinal("9999th"), std::nullopt);
}

TEST(ElementQuery, ShowsQueriesAsWrittenAndNamesInQuotes) {
  EXPECT_EQ(describe_target("2nd \"Edit\""), "2nd \"Edit\"");
  EXPECT_EQ(describe_target("Edit"), "\"Edit\"");
}

TEST(ElementQueryProperty, ParsingInvertsToText) {
  EXPECT_TRUE(rc::check([] {
    const auto printable = rc::gen::container<std::string>(rc::gen::inRange<char>(0x20, 0x7f));
    ElementQuery query;
    query.name = *rc::gen::element("a", "2nd ", "second ", "tab ", "\"a", "button \"") + *printable +
                 *rc::gen::element("a", "b\"");
    query.role = std::string(*rc::gen::elementOf(kRoleWords));
    query.index = *rc::gen::inRange<std::uint32_t>(0, kMaxElementIndex + 1);
    query.window = *rc::gen::element(std::string(), "w" + *printable);
    query.relation = *rc::gen::element(Relation::kNone, Relation::kRightOf, Relation::kInRow, Relation::kInside);
    if (query.relation != Relation::kNone) {
      query.anchor = "a" + *printable;
      query.anchor_role = *rc::gen::element(std::string(), std::string("label"));
    }
    RC_ASSERT(parse_element_query(to_text(query)) == query);
  }));
}

}  // namespace
}  // namespace da::contract
