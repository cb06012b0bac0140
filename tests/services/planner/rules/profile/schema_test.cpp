#include "services/planner/rules/profile/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/services/planner/rules/profile_files.h"

namespace da::planner::rules {
namespace {

using testing::HasSubstr;
using testing::Not;

std::set<std::string> keys_of(const nlohmann::ordered_json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

// Whether the reader takes the key in an object at this place; the profile may be invalid otherwise.
bool is_known(const nlohmann::ordered_json& profile, const std::string& key) {
  const auto read = read_profile(profile.dump(), {.unknown_keys = UnknownKeys::kRefuse});
  return problems_of(read).find("unknown key \"" + key + "\"") == std::string::npos;
}

TEST(ProfileSchema, ReaderAndSchemaKnowTheSameKeysOfRegionsTemplatesAndRules) {
  const auto schema = profile_schema();
  for (const std::string kind : {"region", "template", "rule"}) {
    const auto known = keys_of(schema["$defs"][kind]["properties"]);
    for (const std::string key : {"name", "region", "x", "y", "width", "height", "window", "comment", "filename",
                                  "condition", "action", "actions", "stop", "once", "cooldown_seconds", "type"}) {
      EXPECT_EQ(is_known({{kind + "s", {{{key, nullptr}}}}}, key), known.contains(key)) << kind << " " << key;
    }
  }
  for (const std::string& key : keys_of(schema["properties"])) {
    EXPECT_TRUE(is_known({{key, nullptr}}, key)) << key;
  }
}

TEST(ProfileSchema, ReaderAndSchemaKnowTheSameKeysOfEachType) {
  const auto schema = profile_schema();
  std::size_t types = 0;
  for (const std::string kind : {"condition", "action"}) {
    for (const auto& type : schema["$defs"][kind]["oneOf"]) {
      const auto& properties = type["properties"];
      if (!properties.contains("type")) continue;  // A compound.
      ++types;
      for (const std::string& key : keys_of(properties)) {
        const nlohmann::ordered_json object = {{"type", properties["type"]["const"]}, {key, 7}};
        EXPECT_TRUE(is_known({{"rules", {{{kind, object}}}}}, key)) << object;
      }
      const nlohmann::ordered_json other = {{"type", properties["type"]["const"]}, {"other", 7}};
      EXPECT_FALSE(is_known({{"rules", {{{kind, other}}}}}, "other")) << other;
    }
  }
  EXPECT_EQ(types, 13U);
}

TEST(ProfileSchema, TablesInTheDocumentAreNotStale) {
  const auto document = os::read_file(std::string(DA_DOCS_DIR) + "/PROFILES.md");
  ASSERT_TRUE(document);
  EXPECT_THAT(*document, HasSubstr(parameter_tables()))
      << "stale: replace the tables by the output of  da-console profile schema --markdown";
}

TEST(ProfileSchema, TheFileInTheDocumentsIsNotStale) {
  const auto file = os::read_file(std::string(DA_DOCS_DIR) + "/profile.schema.json");
  ASSERT_TRUE(file);
  EXPECT_EQ(*file, profile_schema().dump(2) + "\n")
      << "stale: write it again with  da-console profile schema > docs/profile.schema.json";
}

}  // namespace
}  // namespace da::planner::rules
