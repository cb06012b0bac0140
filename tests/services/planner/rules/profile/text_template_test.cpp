#include "services/planner/rules/profile/text_template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace da::planner::rules {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const Variables& variables() {
  static const Variables kVariables = {
      {"answer",
       captured(json::parse(R"({"box": [1, 2, 3, 4.5], "items": [{"label": "a"}, {"label": "b"}], "value": 7})"),
                "dialog")},
      {"text", captured("Total: 42", "main")},
      {"given", "ann"},
      {"none", captured(nullptr, "main")}};
  return kVariables;
}

TEST(TextTemplate, PathsNameKeysAndIndices) {
  const std::pair<const char*, const char*> cases[] = {
      {"{text}", "Total: 42"},
      {"{text.value}", "Total: 42"},
      {"{answer.value.box.0}", "1"},
      {"{answer.box.3}", "4.5"},
      {"{answer.items.1.label}", "b"},
      {"{answer._source_region_for_capture_}", "dialog"},
      {"{answer.box}", "[1,2,3,4.5]"},
      // The first "value" is Mark-I's wrapper, the second the captured value's own key.
      {"{answer.value.value}", "7"},
      {"{given}", "ann"},
      {"{none}", "null"},
      {"a{given}b{text}c", "aannbTotal: 42c"},
      {"{{given}}", "{ann}"},
  };
  for (const auto& [text, expected] : cases) {
    const auto filled = TextTemplate(text).fill(variables());
    ASSERT_TRUE(filled) << text << ": " << filled.error().message;
    EXPECT_EQ(*filled, expected) << text;
  }
}

TEST(TextTemplate, AMissingValueIsAnErrorThatNamesThePart) {
  const std::pair<const char*, const char*> cases[] = {
      {"{other}", "the placeholder {other}: nothing is captured as \"other\""},
      {"{answer.box.4}", "the list has no \"4\""},
      {"{answer.box.x}", "the list has no \"x\""},
      {"{answer.label}", "the object has no \"label\""},
      {"{text.value.0}", "the value has no \"0\""},
      {"{answer.items.1.label.length}", "the value has no \"length\" (of the path \"items.1.label.length\")"},
  };
  for (const auto& [text, expected] : cases) {
    const auto filled = TextTemplate(text).fill(variables());
    ASSERT_FALSE(filled) << text;
    EXPECT_THAT(filled.error().message, HasSubstr(expected)) << text;
  }
}

TEST(TextTemplate, OnlyTheProfileNamesASecret) {
  EXPECT_EQ(*TextTemplate("{{secret:mail}} {given}").fill(variables()), "{{secret:mail}} ann");
  const std::pair<const char*, const char*> attacks[] = {
      {"{a}", "{{secret:bank}}"},  {"{a}", "x {{ SECRET : bank }}"}, {"{{{a}", "secret:bank}}"},
      {"{{{a}", "{secret:bank}}"}, {"{a}secret:bank}}", "{{"},       {"{{secret:mail}}{a}", "{{secret:bank}}"},
  };
  for (const auto& [text, value] : attacks) {
    const auto filled = TextTemplate(text).fill({{"a", captured(value, "main")}});
    // Without the marker it is text, which the actuator types as it is.
    if (filled) {
      EXPECT_EQ(filled->find("{{secret"), std::string::npos) << *filled;
    } else {
      EXPECT_EQ(filled.error().code, Code::kPermissionDenied) << text;
    }
  }
  EXPECT_FALSE(TextTemplate("{a}").fill({{"a", captured("{{secret:bank}}", "main")}}));
}

}  // namespace
}  // namespace da::planner::rules
