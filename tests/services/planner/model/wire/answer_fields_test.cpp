#include "services/planner/model/wire/answer_fields.h"

#include <gtest/gtest.h>

namespace da::planner::model {
namespace {

std::string problem_of(std::string_view body) {
  const auto parsed = parse_json(body);
  if (parsed) return "";
  EXPECT_EQ(parsed.error().code, Code::kDataLoss);
  return parsed.error().message;
}

std::string nested(int levels) { return std::string(levels, '[') + std::string(levels, ']'); }

TEST(AnswerFields, AcceptsExactlyOneJsonValue) {
  EXPECT_EQ(problem_of(R"( {"a": [1, "x", null]} )"), "");
  for (const std::string_view body : {"", " ", "{", "{} {}", "{}x", "{'a':1}", "{\"a\":NaN}", "{\"a\":1e999}", "<html>",
                                      "\"\\ud800\"", "\"\xff\"", "data: {}"}) {
    EXPECT_NE(problem_of(body), "") << body;
  }
}

// The JSON library stops at a zero byte.
TEST(AnswerFields, ZeroByteIsRefused) {
  using namespace std::string_view_literals;
  EXPECT_NE(problem_of("{}\0{}"sv), "");
  EXPECT_NE(problem_of("{}\0"sv), "");
}

TEST(AnswerFields, DepthAndSizeHaveALimit) {
  EXPECT_EQ(problem_of(nested(kMaxAnswerDepth)), "");
  EXPECT_EQ(problem_of(nested(kMaxAnswerDepth + 2)), "the provider's answer: it is nested deeper than 64 levels");
  EXPECT_NE(problem_of(nested(1'000'000)), "");
  EXPECT_NE(problem_of(std::string(1'000'000, '[')), "");
  EXPECT_EQ(problem_of('"' + std::string(20 << 20, 'x') + '"'),
            "the provider's answer: it has 20971522 bytes; at most 8388608 are read");
}

TEST(AnswerFields, TokenCountsAreBoundedIntegers) {
  const auto json = nlohmann::json::parse(
      R"({"none":null,"some":7,"float":7.0,"negative":-1,"text":"7","huge":18446744073709551615})");
  const auto object = AnswerObject::of(json);
  ASSERT_TRUE(object);
  EXPECT_EQ(object->tokens("missing"), 0u);
  EXPECT_EQ(object->tokens("none"), 0u);
  EXPECT_EQ(object->tokens("some"), 7u);
  for (const std::string_view key : {"float", "negative", "text", "huge"}) EXPECT_FALSE(object->tokens(key)) << key;
}

TEST(AnswerFields, AnswerMustBeAnObject) {
  const nlohmann::json list = nlohmann::json::array();
  const auto object = AnswerObject::of(list);
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().message, "the provider's answer: it must be an object, not a list");
}

TEST(AnswerFields, ForeignWordsInAnErrorAreEscapedAndCut) {
  const auto json = nlohmann::json({{"list", "\x1b" + std::string(5000, 'x')}});
  const auto object = AnswerObject::of(json);
  ASSERT_TRUE(object);
  const auto list = object->objects("list");
  ASSERT_FALSE(list);
  EXPECT_NE(list.error().message.find("\\x1b"), std::string::npos);
  EXPECT_LT(list.error().message.size(), 200u);
}

}  // namespace
}  // namespace da::planner::model
