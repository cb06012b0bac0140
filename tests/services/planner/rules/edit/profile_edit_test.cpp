#include "services/planner/rules/edit/profile_edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "services/planner/rules/edit/json_layout.h"
#include "tests/services/planner/rules/profile_files.h"

namespace da::planner::rules {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Document region(const std::string& name, int x = 1) {
  return {{"name", name}, {"window", nullptr}, {"x", x}, {"y", 2}, {"width", 30}, {"height", 40}};
}

std::string added(std::string_view text, const Document& entry, const std::string& list = "regions") {
  const auto edited = with_entry(text, list, entry, SameName::kRefuse);
  EXPECT_TRUE(edited) << (edited ? "" : edited.error().message);
  return edited.value_or("");
}

std::string replaced(std::string_view text, const Document& entry) {
  const auto edited = with_entry(text, "regions", entry, SameName::kReplace);
  EXPECT_TRUE(edited) << (edited ? "" : edited.error().message);
  return edited.value_or("");
}

Error refused(std::string_view text, const Document& entry, SameName same_name = SameName::kRefuse) {
  const auto edited = with_entry(text, "regions", entry, same_name);
  EXPECT_FALSE(edited);
  return edited ? Error{Code::kInternal, "it was not refused"} : edited.error();
}

TEST(ProfileEdit, AddsALineToAListOfLines) {
  EXPECT_EQ(added("{\n  \"regions\": [\n    {\"name\": \"a\", \"x\": 1, \"y\": 1, \"width\": 1, \"height\": 1}\n  ],\n"
                  "  \"rules\": [ ]\n}\n",
                  region("b")),
            "{\n  \"regions\": [\n    {\"name\": \"a\", \"x\": 1, \"y\": 1, \"width\": 1, \"height\": 1},\n"
            "    {\"name\": \"b\", \"x\": 1, \"y\": 2, \"width\": 30, \"height\": 40}\n  ],\n  \"rules\": [ ]\n}\n");
}

TEST(ProfileEdit, AddsAnEntryAsTheEditorOfMarkIWritesIt) {
  const std::string before =
      "{\n    \"regions\": [\n        {\n            \"name\": \"\\u00e4\",\n            \"x\": 1,\n            \"y\": "
      "1,\n"
      "            \"width\": 1,\n            \"height\": 1,\n            \"comment\": \"\"\n        }\n    ],\n"
      "    \"templates\": [],\n    \"rules\": []\n}";
  EXPECT_EQ(
      added(before, region("ü")),
      "{\n    \"regions\": [\n        {\n            \"name\": \"\\u00e4\",\n            \"x\": 1,\n            \"y\": "
      "1,\n"
      "            \"width\": 1,\n            \"height\": 1,\n            \"comment\": \"\"\n        },\n        {\n"
      "            \"name\": \"\\u00fc\",\n            \"x\": 1,\n            \"y\": 2,\n            \"width\": 30,\n"
      "            \"height\": 40\n        }\n    ],\n    \"templates\": [],\n    \"rules\": []\n}");
}

TEST(ProfileEdit, FillsAnEmptyListAndAMissingOne) {
  EXPECT_EQ(
      added("{\n    \"regions\": [],\n    \"rules\": []\n}", region("b")),
      "{\n    \"regions\": [\n        {\n            \"name\": \"b\",\n            \"x\": 1,\n            \"y\": 2,\n"
      "            \"width\": 30,\n            \"height\": 40\n        }\n    ],\n    \"rules\": []\n}");
  EXPECT_EQ(added("{\"rules\": []}", region("b")),
            "{\"regions\": [{\"name\": \"b\", \"x\": 1, \"y\": 2, \"width\": 30, \"height\": 40}], \"rules\": []}");
  EXPECT_EQ(added("{\"profile_description\":\"x\"}", region("b")),
            "{\"profile_description\":\"x\", \"regions\": "
            "[{\"name\":\"b\",\"x\":1,\"y\":2,\"width\":30,\"height\":40}]}");
  EXPECT_EQ(added("{}", region("b")),
            "{\"regions\": [{\"name\": \"b\", \"x\": 1, \"y\": 2, \"width\": 30, \"height\": 40}]}");
  EXPECT_EQ(added("{\"regions\": null}", region("b")),
            "{\"regions\": [{\"name\": \"b\", \"x\": 1, \"y\": 2, \"width\": 30, \"height\": 40}]}");
}

TEST(ProfileEdit, KeepsLineEndsAndTabs) {
  EXPECT_EQ(added("{\r\n\t\"regions\": [],\r\n\t\"rules\": []\r\n}\r\n", region("b")),
            "{\r\n\t\"regions\": [\r\n\t\t{\r\n\t\t\t\"name\": \"b\",\r\n\t\t\t\"x\": 1,\r\n\t\t\t\"y\": 2,\r\n"
            "\t\t\t\"width\": 30,\r\n\t\t\t\"height\": 40\r\n\t\t}\r\n\t],\r\n\t\"rules\": []\r\n}\r\n");
}

TEST(ProfileEdit, EveryOtherCharacterStays) {
  for (const char* name : {"editor_all_conditions", "file_compound", "all_actions", "empty", "additions"}) {
    const std::string before = example(name);
    const std::string after = added(before, region("a new one"));
    std::size_t same = 0;
    while (same < before.size() && before[same] == after[same]) ++same;
    const std::size_t rest = before.size() - same;
    ASSERT_LE(rest, after.size()) << name;
    EXPECT_EQ(after.substr(after.size() - rest), before.substr(same)) << name;
    EXPECT_TRUE(read_profile(after).profile) << name;
  }
}

TEST(ProfileEdit, TextsWithBracketsAndEscapesAreNoStructure) {
  const std::string before =
      R"({"notes": "] } \" [", "regions": [{"name": "a\"]", "x": 1, "y": 1, "width": 1, "height": 1}], "rules": []})";
  EXPECT_EQ(added(before, region("b")),
            R"({"notes": "] } \" [", "regions": [{"name": "a\"]", "x": 1, "y": 1, "width": 1, "height": 1}, )"
            R"({"name": "b", "x": 1, "y": 2, "width": 30, "height": 40}], "rules": []})");
  // The first key is "regions", too.
  const std::string escaped = R"({"regi\u006fns": [], "rules": []})";
  EXPECT_THAT(added(escaped, region("b")), StartsWith(R"({"regi\u006fns": [{"name": "b")"));
}

TEST(ProfileEdit, AnExistingNameIsRefusedUnlessItIsReplaced) {
  const std::string before =
      R"({"regions": [{"name": "a", "window": "w", "x": 9, "y": 9, "width": 9, "height": 9, "mine": [1,  2]},)"
      R"( {"name": "c", "x": 1, "y": 1, "width": 1, "height": 1}], "rules": []})";
  const Error error = refused(before, region("a"));
  EXPECT_EQ(error.code, Code::kAlreadyExists);
  EXPECT_THAT(error.message, HasSubstr("there is already a region \"a\"; --replace changes it"));
  EXPECT_EQ(replaced(before, region("a")),
            R"({"regions": [{"name": "a", "x": 1, "y": 2, "width": 30, "height": 40, "mine": [1,2]},)"
            R"( {"name": "c", "x": 1, "y": 1, "width": 1, "height": 1}], "rules": []})");
}

TEST(ProfileEdit, ReplacingANameThatIsNewAddsIt) {
  EXPECT_EQ(replaced("{\"regions\": []}", region("b")), added("{\"regions\": []}", region("b")));
}

TEST(ProfileEdit, AProfileWithErrorsOfItsOwnCanBeEdited) {
  const std::string before = R"({"regions": [], "rules": [{"region": "b", "condition": {"type": "always_true"},)"
                             R"( "action": {"type": "press_key", "key": "enter"}}]})";
  EXPECT_FALSE(read_profile(before).profile);
  EXPECT_TRUE(read_profile(added(before, region("b"))).profile);
}

TEST(ProfileEdit, InvalidProfileIsRefusedWithItsPlace) {
  EXPECT_THAT(refused("{\"regions\": [}", region("b")).message, HasSubstr("line 1, column 14"));
  EXPECT_THAT(refused("[]", region("b")).message, HasSubstr("the profile is not changed"));
  EXPECT_THAT(refused("{\"regions\": 7}", region("b")).message, HasSubstr("regions must be a list"));
  EXPECT_THAT(refused("", region("b")).message, HasSubstr("the profile is not changed"));
}

TEST(ProfileEdit, AnEntryThatWouldBeAnErrorIsRefused) {
  EXPECT_THAT(refused("{}", {{"name", " "}, {"x", 0}, {"y", 0}, {"width", 1}, {"height", 1}}).message,
              HasSubstr("name is empty"));
  EXPECT_THAT(refused("{}", {{"name", "a"}, {"x", 0}, {"y", 0}, {"width", 0}, {"height", 1}}).message,
              HasSubstr("width"));
  EXPECT_THAT(refused("{}", {{"name", "a"}, {"window", "("}, {"x", 0}, {"y", 0}, {"width", 0}, {"height", 1}}).message,
              HasSubstr("window is not a pattern"));
}

TEST(ProfileEdit, DamagedTextsAreRefusedOrKeepTheirMeaning) {
  const std::string whole = example("editor_all_conditions");
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same texts in each run.
  const std::string bytes = "{}[],:\"\\ \n\tx0\xc3";
  for (int i = 0; i < 1000; ++i) {
    std::string text = whole;
    for (int changes = 1 + static_cast<int>(random() % 3); changes > 0; --changes) {
      const std::size_t at = random() % text.size();
      const char byte = bytes[random() % bytes.size()];
      if (random() % 2 == 0) {
        text[at] = byte;
      } else {
        text.insert(at, 1, byte);
      }
    }
    const auto edited = with_entry(text, "regions", region("dialog", 7), SameName::kReplace);
    if (!edited) continue;
    Document before = read_profile(text).document;
    Document after = read_profile(*edited).document;
    ASSERT_FALSE(after.is_null()) << text;
    before.erase("regions");
    after.erase("regions");
    ASSERT_EQ(before, after) << text;
  }
}

TEST(ProfileEdit, AnEntryIsAddedToThousands) {
  std::string text = "{\"regions\": [";
  for (int i = 0; i < 9'999; ++i) {
    text += (i == 0 ? "" : ",\n") +
            line_of(Document{{"name", std::to_string(i)}, {"x", 0}, {"y", 0}, {"width", 1}, {"height", 1}}, {}, "{}");
  }
  text += "]}";
  EXPECT_EQ(added(text, region("b")).size(), text.size() + 2 + 56);
}

}  // namespace
}  // namespace da::planner::rules
